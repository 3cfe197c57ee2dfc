import { attribute, type ChildNode, type Document, type Element, isElement, walk } from '../html/tree.ts'
import { isDisclosure } from './hidden.ts'
import { hiddenBySheets, isSameColour } from './sheets.ts'

/** Styles that hide text from people but not from programs: such text is written for programs. */
const unseenStyle = /(?:^|;)\s*(?:opacity\s*:\s*0(?:\.0+)?\s*(?:;|$|!)|font-size\s*:\s*(?:0|0?\.\d+)(?:px|em|rem|pt|%)?\s*(?:;|$|!)|color\s*:\s*transparent|(?:left|top|right|bottom|text-indent|margin-left|margin-top)\s*:\s*-\d{3,}|clip\s*:\s*rect\(\s*0|clip-path\s*:\s*inset\(\s*(?:50|100)%|(?:max-)?(?:height|width)\s*:\s*[01](?:px)?\s*(?:;|$|!)|transform\s*:\s*(?:scale\(\s*0|translate[xy]?\(\s*(?:0(?:px)?\s*,\s*)?-\d{3,}px)|content-visibility\s*:\s*hidden)/i

function isUnseen(element: Element, isHidden: (element: Element) => boolean): boolean {
  const style = attribute(element, 'style')
  if (style !== undefined && style.length < 2_000 && (unseenStyle.test(style) || isSameColour(style))) return true
  return isHidden(element) && !isDisclosure(element)
}

/**
 * The heads of subtrees that a person would not see, beyond those that `clean` removes: for texts that a language model
 * reads.
 */
export function unseen(document: Document): ReadonlySet<ChildNode> {
  const hidden = hiddenBySheets(document)
  const found = new Set<ChildNode>()
  walk(document, (node) => {
    if (!isElement(node) || node.name === 'html' || node.name === 'body' || !isUnseen(node, hidden)) return
    found.add(node)
    return false
  })
  return found
}

/**
 * Invisible characters that can spell whole sentences: tag characters, runs of variation selectors, zero-width spaces,
 * direction marks.
 */
const invisible = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0f]{2,}/gu

/** A text without invisible characters. */
export function withoutInvisible(text: string): string {
  return text.replace(invisible, '')
}
