import { attribute } from '../../../html/tree.ts'
import { type Frame, withName } from '../frame.ts'

/** Most letters of a line that leads to other languages, and of its label. */
const longest = 120
const aLabel = 30

/** Drops lines that only lead to the same page in other languages, as their links say (`rel="alternate"` with `hreflang`). */
export function leaveLanguages(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks } = frame
  for (const i of withName(frame, 'a')) {
    const element = o.elements[i]
    if (element === undefined || attribute(element, 'hreflang') === undefined || !/(?:^|\s)alternate(?:\s|$)/i.test(attribute(element, 'rel') ?? '')) continue
    const line = o.parent[i] ?? -1
    if (line < 0 || (o.text[line] ?? 0) > longest || (o.text[line] ?? 0) - (o.linkText[line] ?? 0) > aLabel) continue
    kept.fill(0, blocks.first[line], blocks.end[line])
  }
}
