import { isTabList, panelNames } from '../../../markdown/tabs.ts'
import type { Frame } from '../frame.ts'

/** Most tabs of a list, and most letters of their names. */
const most = 12
const mostLetters = 160
const nothing: ReadonlySet<never> = new Set()

/**
 * Keeps the names of tabs of which a panel is kept, for it is they that say what a panel is about: a system, a language. The
 * trees take them for a menu.
 */
export function keepTabs({ outline: o, blocks, rules }: Frame, kept: Uint8Array): void {
  for (const [i, element] of o.elements.entries()) {
    const [first, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
    if (rules.verdict[i] === 1 || kept[end] !== 1 || kept[first] === 1 || end - first < 2 || end - first > most) continue
    if (isTabList(element) && (o.text[i] ?? 0) <= mostLetters && (o.linkText[i] ?? 0) === 0 && panelNames(element, nothing) !== undefined) kept.fill(1, first, end)
  }
}
