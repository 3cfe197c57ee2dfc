import { type Frame, withName } from '../../frame.ts'
import { boxOf, isKeptBeside } from '../holes.ts'

/** The share of the code of a page that is kept when it omits hardly any. */
const nearlyAll = 0.75

/**
 * Keeps the rest of the code of a page when nearly all of it is kept: what stands between two kept blocks, and what has one
 * beside its box. The only omitted code has to stand between two.
 */
export function keepCodeBetween(frame: Frame, kept: Uint8Array): void {
  const { blocks, rules } = frame
  const omitted: number[] = []
  let all = 0
  for (const i of withName(frame, 'pre')) {
    const [first, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
    if (end <= first || rules.verdict[i] === 1) continue
    all++
    if (!kept.subarray(first, end).includes(1)) omitted.push(i)
  }
  const hardlyAny = all - omitted.length >= all * nearlyAll
  if (omitted.length > 1 && !hardlyAny) return
  for (const i of omitted) {
    const [first, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
    const [before, after] = [kept[first - 1] === 1, kept[end] === 1]
    if ((before && after) || (hardlyAny && isKeptBeside(frame, kept, boxOf(frame, i), before ? first - 1 : end))) kept.fill(1, first, end)
  }
}
