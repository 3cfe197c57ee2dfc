import { attribute, classOf, type Element } from '../../../../html/tree.ts'
import { isNamedTitle, isTitleElement } from '../../../../title-elements.ts'
import type { Outline } from '../../../outline.ts'
import type { Frame } from '../../frame.ts'
import { isSign } from './post-parts.ts'

/** Most letters of a line that names who wrote a post, and when; and most of such a name or time. */
export const longestLine = 120
const longestName = 60
/** Classes of elements that hold the name of an author. */
export const authorClass = /(?:^|\s)(?:poster|creator|fn|hnuser|comment-user|(?:[\w-]+[_-])?(?:author|user-?name|profile-name|nickname))(?:\s|$)/i
const timeClass = /(?:^|\s)(?:(?:post-?|comment-|review-)?(?:date|time)|posted|time-?stamp|relative-?time|age)(?:\s|$)/i
/** Elements that are times: that of HTML, and those whose scripts write them anew as `3 days ago`. */
const times: ReadonlySet<string> = new Set(['time', 'relative-time', 'time-ago', 'local-time'])
/** Elements in which a name or a time is not that of the post: what it quotes or shows, and figures about a member. */
const apart: ReadonlySet<string> = new Set(['blockquote', 'pre', 'dl', 'table', 'aside'])

/**
 * Keeps who wrote a kept post of a discussion, and when, as its markup says: the trees judge these short lines one by one,
 * so that some posts have an author and others none.
 */
export function keepBylines(frame: Frame, kept: Uint8Array, posts: readonly number[]): void {
  const { blocks } = frame
  const inner = new Set(posts)
  for (const post of posts) {
    if (!kept.subarray(blocks.first[post] ?? 0, blocks.end[post] ?? 0).includes(1)) continue
    for (const is of [isAuthor, isTime]) keepFirst(frame, kept, { post, inner, is })
  }
}

/** Keeps the line below the title of a discussion that is no heading, if it names who began it. */
export function keepSubmitter({ outline: o, blocks, heading, samples }: Frame, kept: Uint8Array): void {
  if (!samples.some(isNamedTitle)) return
  const title = heading.findIndex((level, i) => level === 1 && titleElementOf(o, blocks.all[i]?.at ?? -1))
  const line = blocks.all[title + 1]
  if (title < 0 || kept[title] !== 1 || line === undefined || line.measure.letters > longestLine) return
  if (line.places.some((place) => around(o, place, line.at).some(isAuthor))) kept[title + 1] = 1
}

/** Whether an element, or one close around it, is such a title. */
const titleElementOf = (o: Outline, at: number): boolean => [at, o.parent[at] ?? -1].some((i) => isTitle(o.elements[i]))

const isTitle = (element: Element | undefined): boolean => element !== undefined && isTitleElement(element)

/** The elements from a place up to one around it. */
function around(o: Outline, place: number, end: number): readonly Element[] {
  const found: Element[] = []
  for (let at = place; at >= end && at >= 0; at = o.parent[at] ?? -1) {
    const element = o.elements[at]
    if (element !== undefined) found.push(element)
  }
  return found
}

interface Wanted {
  readonly post: number
  readonly inner: ReadonlySet<number>
  readonly is: (element: Element) => boolean
}

/** Keeps the first line of a post in which there is an element of a kind, outside of the posts in it. */
function keepFirst(frame: Frame, kept: Uint8Array, { post, inner, is }: Wanted): void {
  const { outline: o, blocks } = frame
  for (let i = post + 1; i < (o.end[post] ?? 0); i++) {
    const element = o.elements[i]
    if (element === undefined) return
    if (apart.has(element.name) || inner.has(i)) {
      i = (o.end[i] ?? i + 1) - 1
      continue
    }
    const letters = o.text[i] ?? 0
    if (letters === 0 || letters > longestName || !is(element)) continue
    const line = lineAround(frame, i)
    if (line >= 0 && (blocks.all[line]?.measure.letters ?? 0) <= longestLine) kept[line] = 1
    return
  }
}

/** The first line that an element is in or holds and that is no sign, as an index into the blocks; -1 for none. */
export function lineAround(frame: Frame, i: number): number {
  const { outline: o, blocks } = frame
  // A line that begins before an element in it is not counted as held by that.
  for (let line = Math.max((blocks.first[i] ?? 0) - 1, 0); line <= (blocks.end[i] ?? 0); line++) {
    if (blocks.all[line]?.places.some((place) => place >= i && place < (o.end[i] ?? 0)) && !isSign(frame, line)) return line
  }
  return -1
}

export const isAuthor = (element: Element): boolean => hasWord(element, 'itemprop', 'author') || (element.name === 'a' && hasWord(element, 'rel', 'author')) || authorClass.test(classOf(element))

export const isTime = (element: Element): boolean => times.has(element.name) || hasWord(element, 'itemprop', 'datePublished') || hasWord(element, 'itemprop', 'dateCreated') || timeClass.test(classOf(element))

const hasWord = (element: Element, name: string, word: string): boolean => (attribute(element, name) ?? '').slice(0, 200).split(/\s+/).includes(word)
