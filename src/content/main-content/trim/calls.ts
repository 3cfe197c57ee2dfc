import type { Page } from '../../clean/step.ts'
import { headingTags } from '../../html/tag-sets.ts'
import { attribute, type Document, type Element, elementBehind, isElement, isText, oneLine, textOf, walkElements } from '../../html/tree.ts'
import { pageSigns } from '../learned/features/page-signs.ts'
import { footingOf } from './footing.ts'
import { offerBox } from './offer-box.ts'
import { isPager } from './pager.ts'
import { promoLabel, promoOf } from './promos.ts'
import { isShareList } from './share-list.ts'
import { turnOf } from './turns.ts'

/** Most letters and nodes of a line that calls for something, and of the short section that a heading which does opens. */
const longest = 60
const mostNodes = 20
const aSection = 200
/** Elements that may be such a line, and elements in which it is a thing that the text is about. */
const lines: ReadonlySet<string> = new Set(['a', 'button', 'div', 'p', 'span', 'strong', 'b', 'small', ...headingTags])
const things: ReadonlySet<string> = new Set(['h1', 'pre', 'code', 'blockquote', 'summary', 'figure'])
const items: ReadonlySet<string> = new Set(['li', 'td', 'th', 'dt', 'dd'])

/** What is done with the thing that a page shows: a product, a job, a recipe, a house. No text says it as a line of its own. */
const wordings = [
  /view full details|(?:write|add|leave|post|submit) (?:a|an|your|your own) (?:customer |product )?reviews?|be the first to (?:write a )?review(?: this (?:item|product))?/,
  /(?:get|create|set up|receive|sign up for) (?:a |an )?(?:job|e-?mail|price|property) alerts?(?: for .{0,30})?|apply (?:now |here |online )?for this (?:job|position|role|vacancy|post)/,
  /(?:print|pin|rate|save) (?:this |the )?recipe|(?:jump|skip|go|scroll)(?: \w+)? to (?:the )?recipe|(?:e-?mail|call|message) (?:the )?(?:agent|seller|landlord)/,
  /report (?:this )?(?:ad|listing|job|item|comment|review)|save (?:this )?(?:job|listing|property)/,
  /(?:please |you (?:must|have to) )?(?:log|sign)[- ]?(?:in|up)(?:,? ?(?:or|\/) ?(?:register|sign ?up|join))? (?:here )?to (?:answer|reply|comment|vote)(?: (?:here|to this (?:question|post|topic)|this question))?|get similar jobs (?:by|via) e-?mail/,
  /was this (?:page |article |answer |section )?helpful|is this page useful|click to (?:toggle|show|hide|expand|view) (?:the )?source|get e-?mails about this page|more information about the .{2,40} mailing list/,
  /(?:story|article) continues (?:below|after)(?: (?:this |the )?(?:ad|advert|advertisement|promotion|video))?|sign up (?:for|to) (?:our|the) (?:free )?(?:e-?mail |daily |weekly )?newsletters?(?: here)?/,
  /already (?:a|an) (?:.{0,20} )?subscriber\?(?: (?:log|sign) ?in)?(?: here| now)?/,
  /showing (?:all )?\d+ ?[-–—] ?\d+ of \d+(?: \w+)?|showing all \d+ results/,
  /ready to .{3,45}\?/,
  /all times are [^.]{2,12}\. the time now is.{0,25}|powered by [^.]{2,20}(?:®|™| version) ?.{0,30}/,
  /jetzt (?:auf diese stelle )?bewerben|(?:zum )?rezept (?:drucken|springen|merken)|(?:eigene )?bewertung (?:schreiben|verfassen|abgeben)/,
  /imprimer la recette|(?:donner|écrire|rédiger|laisser) (?:votre|un) avis|imprimir (?:la )?receta|escribir una reseña|stampa (?:la )?ricetta/,
]
/** What buttons offer. A heading may be about it, in the help of a shop. */
const offer = /^(?:(?:add|move) to (?:my )?(?:cart|basket|bag|wish ?list|favou?rites)|buy (?:it )?now|enrol?l now|place (?:a )?hold|(?:show|view|see) (?:it )?on (?:the )?map|(?:start|try|sign up|join)(?: it)? for free|start (?:your |a )?free trial|(?:view|print) (?:a )?(?:printable|print) version(?: of .{0,30})?|view (?:this|it)(?: e-?mail)? in (?:your|a) browser|in den warenkorb|ajouter au panier|añadir al carrito)[\s:.!…»>→]*$/i
/** What links offer: elsewhere such a line may be the name of a part (the directions of a recipe). */
const linkOffer = /^(?:(?:book|apply|register|enquire) (?:now|online)|(?:get )?directions|(?:book|request|schedule|get) (?:a|your)(?: free| live| personal(?:i[sz]ed)?)? (?:demo|quote|consultation)|(?:book|make|request|arrange|order) an? (?:appointment|viewing|test drive|call ?back|prospectus|brochure)|ask (?:a )?question|(?:improve|edit) this (?:question|answer)|(?:add|leave|post) a (?:comment|reply)|follow (?:me |us )?on (?:x|twitter|facebook|instagram|linkedin|bluesky)|(?:talk to|contact) sales|(?:create|open) (?:an|your|a free|your free) account)[\s:.!…»>→]*$/i
/** What also leads to the first page of a manual, and where it leads to what is sold. */
const start = /^(?:get started|start now|join now)(?: now| today| free| for free)?[\s:.!…»>→]*$/i
const toSignUp = /sign-?up|register|registration|join|trial|account|onboard|demo\b|\/\/app\./i
/** The start of a link back to where a reader came from, or to the page before. In French, what such signs enclose is quoted. */
const back = /^(?:[←⟵◄]|«(?!.*»)|‹(?!.*›)) ?\p{L}/u
/** Who owns a text: one about the law may name it as an example, or in a heading. */
const rights = /^(?:(?:(?:©|\(c\)|copyright)[^.]{2,40}\.? )?all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos reservados)[\s:.!?…»>→]*$/i
const call = new RegExp(`^(?:${wordings.map(({ source }) => source).join('|')})[\\s:.!?…»>→]*$`, 'i')
/** Who owns a site, or what software runs it: so much may stand in a text, too. */
const notice = /^(?:(?:©|\(c\)|copyright)(?: |\d).{2,50}|(?:(?:proudly |this site is )?powered by) .{2,40})$/i
/** What also heads a text that stays. */
const asks = /^ready to /i
const subscribed = /^already /i
const owned = /©|\(c\)|copyright|powered by|rights reserved/i
/** What old manuals write before the links that turn their pages, and on the pictures that do. */
const turnLabel = /^(?:next|up|previous)(?: (?:section|chapter|page))?:$/i
const turnPicture = /^(?:next|up|previous|contents|index)$/i
/** The start of what a forum says below the answers to lead on to other questions. */
const elsewhere = /^not the answer you['’]re looking for\?/i

/**
 * Marks the lines that call for something to be done with what the page shows, and returns their number. Unlike other offers,
 * they are so plain that they go whatever they are: links, headings with the few words that they open.
 */
export function markCalls(page: Page, roots: readonly (Document | Element)[]): number {
  let count = 0
  let article: boolean | undefined
  const isArticle = (): boolean => (article ??= pageSigns(page.document, page.url).isArticle)
  const visit = (element: Element): boolean | undefined => {
    if (page.removed.has(element) || things.has(element.name)) return false
    const parts = calledFor(element, { page, roots, isArticle })
    if (parts === undefined) return undefined
    for (const one of parts) page.removed.add(one)
    count++
    return false
  }
  for (const root of roots) walkElements(root, visit)
  return count
}

interface Place {
  readonly page: Page
  readonly roots: readonly (Document | Element)[]
  readonly isArticle: () => boolean
}

/** What goes with an element that calls for something; undefined for any other. */
function calledFor(element: Element, { page, roots, isArticle }: Place): readonly Element[] | undefined {
  const { name } = element
  const turn = name === 'a' && attribute(element, 'accesskey') !== undefined ? turnOf(element, roots) : undefined
  if (turn !== undefined) return turn
  if (!lines.has(name)) return name === 'ul' && (isShareList(element) || (pages.test(oneLine(textOf(element, longest, mostNodes))) && isPager(element))) ? [element] : undefined
  const line = oneLine(textOf(element, longest * 2 + 1, mostNodes))
  const promo = promoLabel.test(line) && isArticle() ? promoOf(element, page.url) : undefined
  if (promo !== undefined) return promo
  const isHeading = headingTags.has(name)
  const isLink = name === 'a'
  if (line === '') return isLink && turnPicture.test(pictureIn(element)) ? [element] : undefined
  if (line.length > longest && !elsewhere.test(line)) return undefined
  const calls = call.test(line) || (rights.test(line) && !isBeforeText(element)) || (isHeading ? elsewhere.test(line) : offer.test(line)) || (isLink && (back.test(line) || linkOffer.test(line) || (start.test(line) && toSignUp.test(attribute(element, 'href') ?? ''))))
  if (!(calls || (turnLabel.test(line) && linkBehind(element) !== undefined) || (notice.test(line) && footingOf(element, roots) !== undefined)) || isInText(element)) return undefined
  if (!isHeading) return around(element, line, roots)
  const further = opened(element)
  return asks.test(line) && further.length === 0 && isBeforeText(element) ? undefined : [element, ...further]
}

/** How a list that turns pages begins. */
const pages = /^(?:page|prev|next|first|you['’]re|[«‹<←\d])/i

/** What the only picture in an element shows. */
const pictureIn = ({ children: [only, ...more] }: Element): string => (only !== undefined && isElement(only) && more.length === 0 ? (attribute(only, 'alt') ?? '') : '')

/** The link that stands right behind an element. */
function linkBehind(element: Element): Element | undefined {
  const behind = elementBehind(element)
  return behind?.name === 'a' ? behind : undefined
}

/** Whether a heading or a paragraph stands right behind a line. */
function isBeforeText(element: Element): boolean {
  const behind = elementBehind(element)
  return behind !== undefined && (headingTags.has(behind.name) || (behind.name === 'p' && textOf(behind, longest + 1, mostNodes).length > longest))
}

/** What goes with a line that is no heading: the offer or the foot of the site around it, or the link that it is the label of. */
function around(element: Element, line: string, roots: readonly (Document | Element)[]): readonly Element[] {
  if (subscribed.test(line)) return [offerBox(element, roots)]
  const link = turnLabel.test(line) ? linkBehind(element) : undefined
  return [(owned.test(line) ? footingOf(element, roots) : undefined) ?? element, ...(link === undefined ? [] : [link])]
}

/** Whether an element is a part of a sentence, or all that an item or a cell says and no link. */
function isInText({ parent, prev, next, name }: Element): boolean {
  if (parent === null || !isElement(parent)) return false
  return (items.has(parent.name) && name !== 'a') || [prev, next].some((node) => node !== null && isText(node) && /\p{L}/u.test(node.data.slice(-longest)))
}

/** What a heading opens, if that is all that the element around it holds, and not more than a few words. */
function opened({ parent, prev }: Element): readonly Element[] {
  const isFirst = prev === null || (isText(prev) && prev.prev === null && prev.data.trim() === '')
  if (parent === null || !isElement(parent) || !isFirst || textOf(parent, aSection + 1, aSection).length > aSection) return []
  const further = parent.children.filter(isElement).slice(1)
  return further.some(({ name }) => headingTags.has(name)) ? [] : further
}
