import { once } from '../../lib/once.ts'
import { holds } from '../html/find.ts'
import { isNonContent } from '../html/non-content.ts'
import { attribute, type ChildNode, type Element, isElement, isText, type ParentNode, walk, walkElements } from '../html/tree.ts'
import { isDisclosure, isFormula, isHidden } from './hidden.ts'
import { markWhere } from './mark.ts'
import type { Page } from './step.ts'

/** With fewer letters a page says next to nothing; a hidden part with at least `aPage` letters is then its content. */
const nearlyNothing = 100
const aPage = 500

/**
 * Marks hidden elements, except veiled content: content that the page hides until its scripts have run. A hidden element is
 * veiled content when nothing else remains, or when it holds the page's heading or main element and far more text than what
 * remains.
 */
export function markHidden(page: Page): number {
  const hides = page.unseen === undefined ? isHidden : unseenIn(page, page.unseen)
  const before = new Set(page.removed)
  const count = markWhere(page, hides)
  if (count === 0) return count
  const isVeil = veilOf(page, before)
  const veils = new Set<ChildNode>()
  for (const node of page.removed) if (!before.has(node) && isElement(node) && isVeil(node)) veils.add(node)
  if (veils.size === 0) return count
  for (const node of veils) page.removed.delete(node)
  return count - veils.size + markWhere(page, (element: Element) => hides(element) && !veils.has(element))
}

/** Returns the test whether a hidden element is veiled content. */
function veilOf({ document, removed, unseen }: Page, before: ReadonlySet<ChildNode>): (element: Element) => boolean {
  const from = (least: number, plain = false) => (element: Element) => !isDialog(element) && lettersIn(element, before, { limit: least, plain, ofDialogs: false }) >= least
  // A part with more text than everything the browser shows is waiting for something too, such as an age check.
  if (unseen !== undefined) return from(Math.max(aPage, lettersIn(document, removed, { limit: Number.POSITIVE_INFINITY })))
  if (lettersIn(document, removed, { limit: nearlyNothing }) < nearlyNothing) return from(aPage)
  const isMuch = once(() => from(Math.max(aPage, muchMore * lettersIn(document, removed, { limit: mostLetters, plain: true })), true))
  return (element) => isMain(element) && isMuch()(element)
}

/** Whether an element of a rendered page is hidden: it is not visible, and nothing opens it. */
function unseenIn(page: Page, unseen: ReadonlySet<Element>): (element: Element) => boolean {
  const opened = openedIn(page)
  return (element) => unseen.has(element) && !isFormula(element) && !isDisclosure(element) && !opened.has(attribute(element, 'id') ?? '')
}

/** No page has more. */
const maxOpened = 2_000

/** The ids of the elements that links and buttons of the page open. */
function openedIn({ document }: Page): ReadonlySet<string> {
  const ids = new Set<string>()
  walkElements(document, (element) => {
    const target = attribute(element, 'aria-controls') ?? attribute(element, 'data-target') ?? attribute(element, 'data-bs-target') ?? (element.name === 'a' ? attribute(element, 'href') : undefined)
    if (target === undefined || target.length > 200 || ids.size >= maxOpened) return
    if (attribute(element, 'aria-controls') !== undefined) for (const id of target.split(/\s+/)) ids.add(id)
    else if (target.startsWith('#') && target.length > 1) ids.add(target.slice(1))
  })
  return ids
}

/**
 * How many times the text of the rest of the page a veiled part must hold, and the limit up to which letters are counted.
 */
const muchMore = 3
const mostLetters = 20_000

/** Whether an element holds the main part of a page: a first-level heading, `main`, `article` or `section`. */
const isMain = (element: Element): boolean => holds(element, ({ name }) => name === 'h1' || name === 'main' || name === 'article' || name === 'section')

interface Counted {
  readonly limit: number
  readonly plain?: boolean
  readonly ofDialogs?: boolean
}

/** Whether an element is a dialog: while it is closed, it is not the content that a page waits to show, however much it says. */
const isDialog = (element: Element): boolean => element.name === 'dialog' || attribute(element, 'role') === 'dialog' || attribute(element, 'aria-modal') === 'true'

/** Letters below a node without what is removed, counted up to `limit`; with `plain`, only those outside links. */
function lettersIn(root: ParentNode, removed: ReadonlySet<ChildNode>, { limit, plain = false, ofDialogs = true }: Counted): number {
  let letters = 0
  walk(root, (node) => {
    if (letters >= limit || removed.has(node) || (isElement(node) && (isNonContent(node) || (plain && node.name === 'a') || (!ofDialogs && isDialog(node))))) return false
    if (isText(node)) letters += node.data.replace(/\s+/g, '').length
  })
  return letters
}
