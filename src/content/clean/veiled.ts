import { isNonContent } from '../non-content.ts'
import { attribute, type ChildNode, type Element, isElement, isText, type ParentNode, walk, walkElements } from '../tree.ts'
import { isDisclosure, isFormula, isHidden } from './hidden.ts'
import { markWhere } from './mark.ts'
import type { Page } from './step.ts'

/** Letters under which a page says next to nothing, and over which what it hides is all that it has to say. */
const nearlyNothing = 100
const aPage = 500

/** Marks what is hidden; but where nothing else is left, a page has only drawn a veil over itself until its scripts have run. */
export function markHidden(page: Page): number {
  const hides = page.unseen === undefined ? isHidden : unseenIn(page, page.unseen)
  const before = new Set(page.removed)
  const count = markWhere(page, hides)
  const least = count === 0 ? Number.POSITIVE_INFINITY : veilFrom(page)
  if (least === Number.POSITIVE_INFINITY) return count
  const veils = new Set<ChildNode>()
  for (const node of page.removed) if (!before.has(node) && isElement(node) && lettersIn(node, before, least) >= least) veils.add(node)
  if (veils.size === 0) return count
  for (const node of veils) page.removed.delete(node)
  return count - veils.size + markWhere(page, (element: Element) => hides(element) && !veils.has(element))
}

/** How many letters something hidden must hold to be a veil over what the page has to say. */
function veilFrom({ document, removed, unseen }: Page): number {
  if (unseen === undefined) return lettersIn(document, removed, nearlyNothing) < nearlyNothing ? aPage : Number.POSITIVE_INFINITY
  // What is more than all that the browser draws waits for something, too: an answer to how old one is, say.
  return Math.max(aPage, lettersIn(document, removed, Number.POSITIVE_INFINITY))
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

/** Letters below a node without what is removed, counted up to a limit. */
function lettersIn(root: ParentNode, removed: ReadonlySet<ChildNode>, limit: number): number {
  let letters = 0
  walk(root, (node) => {
    if (letters >= limit || removed.has(node) || (isElement(node) && isNonContent(node))) return false
    if (isText(node)) letters += node.data.replace(/\s+/g, '').length
  })
  return letters
}
