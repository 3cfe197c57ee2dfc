import { isHidden } from '../clean/hidden.ts'
import { lettersIn } from '../main-content/outline.ts'
import { around } from '../html/find.ts'
import { nonContentTags } from '../html/tag-sets.ts'
import { attribute, type Document, type Element, isElement, oneLine, textOf, walk } from '../html/tree.ts'
import { saysLogin } from './wordings.ts'

/** Elements with sentences. */
const prose: ReadonlySet<string> = new Set(['p', 'li', 'dd', 'blockquote'])
const content: ReadonlySet<string> = new Set(['main', 'article'])
const sentenceEnd = /[.!?؟۔।](?=\s|$)|[。！？]/g

/** No page about something else has more login forms. */
export const maxLogins = 5
/** A shorter sentence is a label. */
const shortest = 20
/** A shorter text is a teaser. */
const articleSentences = 5
const articleLetters = 600

const within = (element: Element, passes: (up: Element) => boolean): boolean => around(element, passes) !== undefined

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

/** Most letters of a button. */
const longestLabel = 60
/** Boxes around a password field without a form in which the rest of its login is looked for, and nodes that are looked at. */
const mostBoxes = 4
const mostNodes = 400
const nameTypes: ReadonlySet<string> = new Set(['text', 'email', 'tel'])
/** What the addresses and names of forms for passwords that exist say. */
const toLogIn = /log-?[io]n|sign-?[io]n|session|(?<![a-z])(?:auth(?!or)|sso)|unlock|postpass/i

/** Whether an element is a button. */
export function isButton(element: Element): boolean {
  return element.name === 'button' || attribute(element, 'role') === 'button' || (element.name === 'input' && /^(?:submit|button|image)$/i.test(attribute(element, 'type') ?? ''))
}

/** The words on a button. */
export const saidOn = (button: Element): string => oneLine(`${textOf(button, longestLabel)} ${(attribute(button, 'value') ?? attribute(button, 'aria-label') ?? '').slice(0, longestLabel)}`)

/** The form around a field, otherwise a box around it. */
function formOf(field: Element): Element {
  let box = field
  for (let up = field.parent, boxes = 0; up !== null && isElement(up) && up.name !== 'html'; up = up.parent, boxes++) {
    if (up.name === 'form') return up
    if (boxes < mostBoxes) box = up
  }
  return box
}

/**
 * Whether a password field is that of a login: the only one in its form, for a password that exists, and sent somewhere, with a
 * name, or by a form or button that says so. Others are for a new password, or try one out.
 */
export function isLoginField(field: Element): boolean {
  const form = formOf(field)
  const purpose = attribute(field, 'autocomplete') ?? ''
  if (/new-password/i.test(purpose) || attribute(field, 'readonly') !== undefined) return false
  let passwords = 0
  let names = 0
  let says = /current-password/i.test(purpose) || toLogIn.test(['action', 'id', 'class', 'name'].map((name) => (attribute(form, name) ?? '').slice(0, 300)).join(' ')) || attribute(form, 'method')?.toLowerCase() === 'post'
  walk(form, (node) => {
    if (!isElement(node)) return undefined
    if (isHidden(node)) return false
    const type = node.name === 'input' ? (attribute(node, 'type') ?? 'text').toLowerCase() : ''
    if (type === 'password') passwords++
    else if (nameTypes.has(type) && attribute(node, 'readonly') === undefined) names++
    says ||= isButton(node) && saysLogin(saidOn(node))
    return undefined
  }, mostNodes)
  return passwords <= 1 && (names > 0 || says)
}
