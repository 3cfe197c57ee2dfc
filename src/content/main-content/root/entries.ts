import { headingTags } from '../../html/tag-sets.ts'
import type { Outline } from '../outline.ts'

/** Elements around the content that are asked. */
const mostAround = 20
/** Fewest entries of a list, and fewest letters of one. */
const fewest = 2
const leastText = 20
/** An item or a box around each entry. */
const boxes: ReadonlySet<string> = new Set(['li', 'div'])
const lists: ReadonlySet<string> = new Set(['ol', 'ul'])

/**
 * The element around a list of articles, where the content that was found is one of them or a part of one: on a short page,
 * the longest of some posts holds most of the text. Undefined for none.
 */
export function aroundEntries(o: Outline, inner: number): number | undefined {
  for (let at = inner, up = 0; at >= 0 && up < mostAround; at = o.parent[at] ?? -1, up++) {
    const list = o.elements[at]?.name === 'article' ? listAround(o, at) : undefined
    if (list !== undefined) return list
  }
  return undefined
}

/** The element around an article, or around the items that each hold one, if others like it stand there. */
function listAround(o: Outline, article: number): number | undefined {
  const level = levelOf(o, article)
  const around = o.parent[article] ?? -1
  const boxed = boxes.has(o.elements[around]?.name ?? '') && o.text[around] === o.text[article]
  const list = level === undefined || level === 'h1' ? -1 : boxed ? (o.parent[around] ?? -1) : around
  if (list < 0) return undefined
  let entries = 0
  for (let at = list + 1; at < (o.end[list] ?? 0); at = o.end[at] ?? at + 1) if (isEntry(o, boxed ? at + 1 : at, level)) entries++
  if (entries < fewest) return undefined
  return lists.has(o.elements[list]?.name ?? '') ? (o.parent[list] ?? -1) : list
}

const isEntry = (o: Outline, at: number, level: string | undefined): boolean => o.elements[at]?.name === 'article' && (o.text[at] ?? 0) >= leastText && levelOf(o, at) === level

/** The rank of the first heading in an element, by its name. */
function levelOf({ elements, end, text }: Outline, at: number): string | undefined {
  for (let inner = at + 1; inner < (end[at] ?? 0); inner++) if (headingTags.has(elements[inner]?.name ?? '') && (text[inner] ?? 0) > 0) return elements[inner]?.name
  return undefined
}
