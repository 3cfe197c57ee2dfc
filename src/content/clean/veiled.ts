import { once } from '../../lib/once.ts'
import { isNonContent } from '../non-content.ts'
import { attribute, type ChildNode, type Element, isElement, isText, type ParentNode, walk, walkElements } from '../tree.ts'
import { isDisclosure, isFormula, isHidden } from './hidden.ts'
import { markWhere } from './mark.ts'
import type { Page } from './step.ts'

/** Letters under which a page says next to nothing, and over which what it hides is all that it has to say. */
const nearlyNothing = 100
const aPage = 500

/**
 * Marks what is hidden; but where nothing else is left, a page has only drawn a veil over itself until its scripts have run. So it has over
 * a part that holds the page's heading or its main element, and far more text than what is left.
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

/** What makes something hidden a veil over what the page has to say. */
function veilOf({ document, removed, unseen }: Page, before: ReadonlySet<ChildNode>): (element: Element) => boolean {
  const from = (least: number, plain = false) => (element: Element) => lettersIn(element, before, { limit: least, plain }) >= least
  // What is more than all that the browser draws waits for something, too: an answer to how old one is, say.
  if (unseen !== undefined) return from(Math.max(aPage, lettersIn(document, removed, { limit: Number.POSITIVE_INFINITY })))
  if (lettersIn(document, removed, { limit: nearlyNothing }) < nearlyNothing) return from(aPage)
  const isMuch = once(() => from(Math.max(aPage, muchMore * lettersIn(document, removed, { limit: mostLetters, plain: true })), true))
  return (element) => isMain(element) && isMuch()(element)
}

/** Whether an element of a page that a browser drew is hidden: nobody sees it, nor can open it. */
function unseenIn(page: Page, unseen: ReadonlySet<Element>): (element: Element) => boolean {
  const opened = openedIn(page)
  return (element) => unseen.has(element) && !isFormula(element) && !isDisclosure(element) && !opened.has(attribute(element, 'id') ?? '')
}

/** More than any page has. */
const maxOpened = 2_000

/** Ids of what links and buttons of the page open. */
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

/** How much more text a veiled part holds than the rest of the page, and up to how many letters that is counted. */
const muchMore = 3
const mostLetters = 20_000

/** Whether an element holds what the page is about, by elements that stand for that. */
function isMain(element: Element): boolean {
  let found = false
  walkElements(element, ({ name }) => {
    found ||= name === 'h1' || name === 'main' || name === 'article' || name === 'section'
    return found ? false : undefined
  })
  return found
}

/** Letters below a node without what is removed, counted up to a limit; on demand only those outside of links. */
function lettersIn(root: ParentNode, removed: ReadonlySet<ChildNode>, { limit, plain = false }: { readonly limit: number; readonly plain?: boolean }): number {
  let letters = 0
  walk(root, (node) => {
    if (letters >= limit || removed.has(node) || (isElement(node) && (isNonContent(node) || (plain && node.name === 'a')))) return false
    if (isText(node)) letters += node.data.replace(/\s+/g, '').length
  })
  return letters
}
