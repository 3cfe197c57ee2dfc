import type { Page } from '../clean/step.ts'
import { parse } from '../html/parse.ts'
import { stateText } from '../structured/state-text.ts'
import { structuredText } from '../structured/structured-data.ts'
import { asHtml } from '../structured/things.ts'
import { type ChildNode, type Document, type Element, isElement, oneLine, textOf } from '../html/tree.ts'
import { outline } from './outline.ts'
import { isOffer } from './trim/trim.ts'

/** A result with fewer letters than this may have missed the content. */
export const fewLetters = 250

/** Letters and nodes of an element that are read to see whether it is an offer. */
const longestOffer = 60
const mostNodes = 100

const strictFurniture: ReadonlySet<string> = new Set(['nav', 'footer', 'header', 'aside', 'button', 'select', 'form', 'dialog'])

/** Letters that remain in the roots. */
export function lettersOf(roots: readonly (Document | Element)[], removed: ReadonlySet<ChildNode>): number {
  return roots.reduce((sum, root) => sum + topLetters(root, removed), 0)
}

function topLetters(root: Document | Element, removed: ReadonlySet<ChildNode>): number {
  const o = outline(root, removed)
  let letters = o.loose
  for (let i = 0; i < o.elements.length; i = o.end[i] ?? i + 1) letters += o.text[i] ?? 0
  return letters
}

/**
 * Puts back what the filter removed: everything, if `all`; otherwise all but the elements that are furniture by their
 * tag, and those that say nothing but an offer, such as to buy.
 */
export function relax(page: Page, removedBefore: ReadonlySet<ChildNode>, all: boolean): void {
  for (const node of page.removed) {
    if (!removedBefore.has(node) && (all || !(isElement(node) && (strictFurniture.has(node.name) || isOffer(oneLine(textOf(node, longestOffer * 2, mostNodes))))))) page.removed.delete(node)
  }
}

/** A tree of the text in the page's structured data; undefined when there is little. */
export function fromStructuredData(page: Page): Document | undefined {
  const texts = structuredText(page.document)
  if (texts.reduce((sum, text) => sum + text.length, 0) < fewLetters) return undefined
  return parse(texts.map(asHtml).join('\n')).document
}

/** A tree of the text in the state of the page's scripts; undefined when there is little. */
export function fromState(page: Page): Document | undefined {
  const texts = stateText(page.document)
  return texts.reduce((sum, text) => sum + text.length, 0) < fewLetters ? undefined : parse(texts.join('\n')).document
}
