import type { Frame } from '../frame.ts'
import { isFurniture } from './lines.ts'

/** Most blocks between two headings, most letters of one, and the chance from which on each is kept. */
const most = 6
const longest = 100
const least = 0.2

/**
 * Keeps the short lines between two kept headings when none of them is kept: the first heading would introduce nothing. Furniture
 * between them stays out.
 */
export function keepIntroduced(frame: Frame, kept: Uint8Array, chances: Float32Array): void {
  const { heading, rules } = frame
  if (rules.forum) return
  for (let i = 0; i < kept.length; i++) {
    if (kept[i] !== 1 || (heading[i] ?? 0) < 2) continue
    let to = i + 1
    while (to < kept.length && to - i <= most && heading[to] === 0 && kept[to] === 0) to++
    if (to === i + 1 || kept[to] !== 1 || heading[to] === 0) continue
    const said: number[] = []
    for (let at = i + 1; at < to; at++) if (!isFurniture(frame, at)) said.push(at)
    if (said.every((at) => isLine(frame, at) && (chances[at] ?? 0) >= least)) for (const at of said) kept[at] = 1
  }
}

/** Whether a block is a short line, and at least half of it no link. */
function isLine({ blocks }: Frame, i: number): boolean {
  const { linkLetters = 0, measure } = blocks.all[i] ?? {}
  return measure !== undefined && measure.letters <= longest && linkLetters * 2 <= measure.letters
}
