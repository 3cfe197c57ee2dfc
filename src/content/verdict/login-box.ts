import { isHidden } from '../clean/hidden.ts'
import { lettersIn } from '../main-content/outline.ts'
import { nonContentTags } from '../html/tag-sets.ts'
import { attribute, type Document, type Element, isElement, textOf, walk } from '../html/tree.ts'

/** Elements with sentences. */
const prose: ReadonlySet<string> = new Set(['p', 'li', 'dd', 'blockquote'])
const content: ReadonlySet<string> = new Set(['main', 'article'])
const sentenceEnd = /[.!?؟۔।](?=\s|$)|[。！？]/g

/** No page about something else has more login forms. */
const maxLogins = 5
/** A shorter sentence is a label. */
const shortest = 20
/** A shorter text is a teaser. */
const articleSentences = 5
const articleLetters = 600

function within(element: Element, holds: (ancestor: Element) => boolean): boolean {
  for (let up = element.parent; up && isElement(up); up = up.parent) if (holds(up)) return true
  return false
}

const isContent = (element: Element): boolean => content.has(element.name) || attribute(element, 'role') === 'main'
const isBanner = (element: Element): boolean => element.name === 'header' || element.name === 'nav' || attribute(element, 'role') === 'banner'
/** Whether an element is beside the content: no page puts the login that it requires there. */
const isBeside = (element: Element): boolean => isBanner(element) || element.name === 'aside' || element.name === 'footer' || attribute(element, 'role') === 'complementary'
const isElsewhere = (element: Element): boolean => element.name === 'form' || element.name === 'footer' || isBanner(element)

/** Whether an element is inside a part beside the content, where no page puts the login that it requires. */
export const isBesideContent = (element: Element): boolean => within(element, isBeside)

/**
 * Whether a page is an article with its login forms above or beside it: each is in the banner, in an aside or before the
 * heading, and the text outside forms is longer than a teaser. Only for pages with little text, because it inspects the
 * surroundings of each paragraph.
 */
export function isArticleUnderLogin(document: Document | Element): boolean {
  let logins = 0
  let above = true
  let headed = false
  let sentences = 0
  let letters = 0
  walk(document, (node) => {
    if (!isElement(node)) return undefined
    if (nonContentTags.has(node.name) || isHidden(node)) return false
    headed ||= node.name === 'h1'
    if (node.name === 'input' && attribute(node, 'type')?.toLowerCase() === 'password') {
      logins++
      above &&= logins <= maxLogins && !within(node, isContent) && (!headed || within(node, isBeside))
    }
    if (!prose.has(node.name)) return undefined
    const text = textOf(node, 4_000)
    const own = lettersIn(text)
    if (own < shortest || within(node, isElsewhere)) return undefined
    sentences += text.match(sentenceEnd)?.length ?? 0
    letters += own
    return false
  })
  return above && sentences >= articleSentences && letters >= articleLetters
}
