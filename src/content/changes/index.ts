import type { Compared, CompareOrder } from '../../domain/pages/versions.ts'
import { linesOf, sameBlocks } from './lines.ts'
import { patchOf } from './patch.ts'

/**
 * Whether two markdown texts say the same, and the differences if not. Ignores the order of blocks, and everything that
 * changes at each visit.
 */
export function compared({ previous, current, diff }: CompareOrder): Compared {
  if (previous === current) return { same: true, diff: null }
  const [before, after] = [linesOf(previous), linesOf(current)]
  if (sameBlocks(before, after)) return { same: true, diff: null }
  return { same: false, diff: diff ? patchOf(before, after) : null }
}
