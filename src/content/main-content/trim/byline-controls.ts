import type { Page } from '../../clean/step.ts'
import { attribute, type ChildNode, classOf, type Document, type Element, isElement, isText, oneLine, textOf, walkElements } from '../../html/tree.ts'
import { authorClass } from '../learned/restore/discussions/bylines.ts'

/** What a reader can do with a post, as links beside who wrote it; what leads to another post of the page; what folds one. */
const control = /^(?:hide|past|favou?rite|flag|unflag|save|report|reply|permalink|embed|next|prev|parent|root|context|\[[-–—−+]\]|\(\d+ child(?:ren)?\))$/i
/** The score that a post would have after a vote, which the style sheet of the old Reddit hides. */
const afterVote = /^score (?:dis)?likes$/
/** Most nodes of a line among which its author is looked for, and boxes from a control up to the line. */
const mostParts = 30
const mostBoxes = 2

/**
 * Marks the controls in the lines that say who wrote the posts of a discussion, with the bars between them; returns their
 * number.
 */
export function markBylineControls(page: Page, roots: readonly (Document | Element)[]): number {
  let count = 0
  const visit = (element: Element): boolean | undefined => {
    if (page.removed.has(element)) return false
    const isControl = element.name === 'a' ? control.test(oneLine(textOf(element, 20, 5))) : element.name === 'span' && afterVote.test(attribute(element, 'class') ?? '')
    if (!isControl || !isInByline(element)) return undefined
    page.removed.add(element)
    if (element.prev !== null && isBar(element.prev)) page.removed.add(element.prev)
    count++
    return false
  }
  for (const root of roots) walkElements(root, visit)
  return count
}

const isBar = (node: ChildNode): boolean => isText(node) && /^\s*[|·•]\s*$/.test(node.data)

function isInByline(element: Element): boolean {
  let up = element.parent
  for (let boxes = 0; boxes < mostBoxes && up !== null && isElement(up); boxes++, up = up.parent) if (up.children.slice(0, mostParts).some(isAuthor)) return true
  return false
}

const isAuthor = (node: ChildNode): boolean => isElement(node) && authorClass.test(classOf(node))
