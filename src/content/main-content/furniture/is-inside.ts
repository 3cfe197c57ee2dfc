import type { Setting } from '../setting.ts'

/** Whether an element stands in one with one of these names. */
export function isInside({ outline: o }: Setting, i: number, tags: readonly string[]): boolean {
  for (let at = o.parent[i] ?? -1; at >= 0; at = o.parent[at] ?? -1) {
    if (tags.includes(o.elements[at]?.name ?? '')) return true
  }
  return false
}
