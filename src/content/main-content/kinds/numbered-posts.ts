import { attribute, type Element } from '../../html/tree.ts'
import type { Outline } from '../outline.ts'

const numbered = /^(?:js-)?(?:post|message|msg|comment|answer|reply)[-_]?(?:id)?[-_]?\d{1,18}$/i
/** Those that are the whole of a discussion: an answer or a comment belongs to something else. */
const whole = /^(?:js-)?(?:post|message|msg)[-_]/i
const fewest = 2

const longestId = 60

/** Whether the id of an element says that it is a post of a discussion, by a number. */
export function isNumberedPost(element: Element): boolean {
  const id = attribute(element, 'id')
  return id !== undefined && numbered.test(id.slice(0, longestId))
}

/** Whether the id of an element says that it is a post that stands for itself, and no answer or comment to another. */
export const isWholePost = (element: Element): boolean => isNumberedPost(element) && whole.test(attribute(element, 'id') ?? '')

/**
 * The element around the posts of a short discussion, where `root` is one of them, or holds more than them but no other
 * paragraphs: its longest post may hold nearly all of a page, and so may a list of other discussions. Undefined for none.
 */
export function aroundPosts(o: Outline, root: number): number | undefined {
  const first = o.elements.findIndex((element, i) => (o.text[i] ?? 0) > 0 && isWholePost(element))
  const box = boxOf(o, first)
  const around = o.parent[box] ?? -1
  if (first < 0 || around < 0) return undefined
  const end = o.end[around] ?? 0
  let posts = 0
  for (let at = box; at < end; at = o.end[at] ?? end) {
    const element = o.elements[box < first ? postIn(o, at) : at]
    if (element !== undefined && (o.text[at] ?? 0) > 0 && isNumberedPost(element)) posts++
  }
  if (posts < fewest) return undefined
  const within = root >= around && root < end
  const holds = root < around && end <= (o.end[root] ?? 0) && o.proseText[root] === o.proseText[around]
  return within || holds ? around : undefined
}

/** Most boxes that may each hold nothing but one post. */
const mostBoxes = 4

/** The outermost box that says nothing but a post. */
function boxOf(o: Outline, post: number): number {
  let box = post
  for (let up = 0; up < mostBoxes; up++) {
    const around = o.parent[box] ?? -1
    if (around < 0 || o.text[around] !== o.text[post]) break
    box = around
  }
  return box
}

/** The post in a box, or the box. */
function postIn(o: Outline, box: number): number {
  for (let at = box; at < Math.min(box + mostBoxes, o.end[box] ?? 0); at++) {
    const element = o.elements[at]
    if (element !== undefined && isNumberedPost(element) && o.text[at] === o.text[box]) return at
  }
  return box
}
