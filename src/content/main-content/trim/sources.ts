import type { Page } from '../../clean/step.ts'
import { attribute, type Element, isElement, isText, named, oneLine, textOf } from '../../html/tree.ts'

/** What rustdoc calls its links to the code of a thing, and where they lead. */
const ofRust = /(?:^|\s)src(?:\s|$)/
const toRust = /(?:^|\/)src\/|\.rs\.html/
/** What Docutils calls every link, and where Sphinx has code; elsewhere a mark in the link says that it leads to code. */
const ofDocutils = /(?:^|\s)reference(?:\s|$)/
const toModule = /(?:^|\/)_modules\//
const mark = /(?:^|\s)viewcode-link(?:\s|$)/
const source = /^(?:\[(?:source|src)\]|source)$/i
const longest = 20
/** Most characters of the classes of a link. */
const mostNames = 100

/** Marks the links in references that lead from a thing to its code, with the bars before them; returns their number. */
export function markSources({ document, removed }: Page): number {
  let count = 0
  for (const link of named(document, 'a')) {
    if (!leadsToCode(link) || !source.test(oneLine(textOf(link, longest, longest)))) continue
    removed.add(link)
    if (link.prev !== null && isText(link.prev) && /^\s*[|·•]\s*$/.test(link.prev.data)) removed.add(link.prev)
    count++
  }
  return count
}

function leadsToCode(link: Element): boolean {
  const names = attribute(link, 'class') ?? ''
  if (names === '' || names.length > mostNames) return false
  const href = attribute(link, 'href') ?? ''
  if (ofRust.test(names)) return toRust.test(href)
  return ofDocutils.test(names) && (toModule.test(href) || link.children.some((child) => isElement(child) && mark.test(attribute(child, 'class') ?? '')))
}
