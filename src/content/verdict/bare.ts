import { isConsent } from '../clean/ads.ts'
import { isHidden } from '../clean/hidden.ts'
import { lettersIn } from '../main-content/outline.ts'
import { blankLetters } from './signs.ts'
import { holds } from '../html/find.ts'
import { nonContentTags } from '../html/tag-sets.ts'
import { attribute, type Document, type Element, isElement, isText, walk } from '../html/tree.ts'

/** A page with more letters is a list of links in its own right. */
const mostLetters = 5_000
const around: ReadonlySet<string> = new Set(['header', 'nav', 'footer', 'button'])
const aroundRoles: ReadonlySet<string> = new Set(['banner', 'navigation', 'contentinfo', 'search'])
/** Elements that may be the whole purpose of a page without text. */
const wordless: ReadonlySet<string> = new Set(['img', 'video', 'canvas', 'object', 'embed', 'iframe', 'form', 'input'])

/** Whether a page has text only in its header, navigation and footer, and no `h1`: its content is still to come. */
export function isBare(document: Document, lettersOfPage: number): boolean {
  if (lettersOfPage >= mostLetters) return false
  let letters = 0
  let more = false
  walk(document, (node) => {
    if (more || letters >= blankLetters) return false
    if (isText(node)) letters += lettersIn(node.data)
    if (!isElement(node)) return undefined
    if (node.name === 'noscript' || nonContentTags.has(node.name) || isHidden(node) || isConsent(node) || leadsDown(node)) return false
    more ||= node.name === 'h1' || wordless.has(node.name)
    if (!isAround(node)) return undefined
    more ||= holds(node, 'h1')
    return false
  })
  return !more && letters < blankLetters
}

const isAround = (element: Element): boolean => around.has(element.name) || aroundRoles.has(attribute(element, 'role') ?? '')

/** Whether an element is a link within the page, such as "Skip to content". */
const leadsDown = (element: Element): boolean => element.name === 'a' && (attribute(element, 'href') ?? '').startsWith('#')
