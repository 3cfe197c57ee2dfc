import { attribute, type ChildNode, type Element, isElement, type ParentNode } from './html/tree.ts'

function named(node: ParentNode | null, name: string): boolean {
  const classes = node !== null && isElement(node) ? attribute(node, 'class') : undefined
  // Hardly any element passes, and splitting is dear.
  return classes !== undefined && classes.includes(name) && classes.slice(0, 200).split(/\s+/).includes(name)
}

const holdsTitle = (node: ChildNode): boolean => isElement(node) && named(node, 'titleline')

const titleTags: ReadonlySet<string> = new Set(['p', 'div', 'td'])
/** Elements around the title of a post up to the post, and elements beside that which are looked at. */
const mostBoxes = 3
const mostBeside = 3

/**
 * Whether an element that is no heading is the title of its page: the `div.title` of Doxygen's pages, the linked line above a
 * discussion of Hacker News or the old Reddit. In lists of discussions, these lines are items.
 */
export function isTitleElement(element: Element): boolean {
  if (!isNamedTitle(element)) return false
  if (element.name === 'p') return isOfOnlyPost(element)
  if (element.name === 'div') return named(element.parent, 'headertitle')
  if (!element.children.some(holdsTitle)) return false
  const table = element.parent?.parent ?? null
  return named(table, 'fatitem') || (table !== null && 'parent' in table && named(table.parent, 'fatitem'))
}

/** Whether an element may be such a title: by its name and its first 200 characters of classes. */
export const isNamedTitle = (element: Element): boolean => titleTags.has(element.name) && named(element, 'title')

/** Whether a line is in the only post of its list (the old Reddit). */
function isOfOnlyPost({ parent }: Element): boolean {
  let post = parent
  for (let boxes = 0; boxes < mostBoxes && post !== null && isElement(post) && !named(post, 'thing'); boxes++) post = post.parent
  return post !== null && isElement(post) && named(post, 'thing') && named(post.parent, 'linklisting') && !hasAlike(post, 'prev') && !hasAlike(post, 'next')
}

function hasAlike(post: Element, side: 'prev' | 'next'): boolean {
  let at = post[side]
  for (let seen = 0; seen < mostBeside && at !== null; at = at[side]) {
    if (!isElement(at)) continue
    if (named(at, 'thing')) return true
    seen++
  }
  return false
}
