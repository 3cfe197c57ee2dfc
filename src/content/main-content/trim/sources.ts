import type { Page } from '../../clean/step.ts'
import { isText, named, oneLine, textOf } from '../../html/tree.ts'

/** What generators call their links to the code of a thing (rustdoc, Sphinx), and what these say. */
const ofSource = /(?:^|\s)(?:src|reference)(?:\s|$)/
const source = /^(?:\[(?:source|src)\]|source)$/i
const longest = 20
/** Most characters of the classes of a link. */
const mostNames = 100

/** Marks the links in references that lead from a thing to its code, with the bars before them; returns their number. */
export function markSources({ document, removed }: Page): number {
  let count = 0
  for (const link of named(document, 'a')) {
    const names = link.attribs['class'] ?? ''
    if (names === '' || names.length > mostNames || !ofSource.test(names) || !source.test(oneLine(textOf(link, longest, longest)))) continue
    removed.add(link)
    if (link.prev !== null && isText(link.prev) && /^\s*[|·•]\s*$/.test(link.prev.data)) removed.add(link.prev)
    count++
  }
  return count
}
