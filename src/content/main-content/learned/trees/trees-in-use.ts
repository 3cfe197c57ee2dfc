import { type Forest, forestOf } from './forest.ts'
import { trees } from './trees.ts'

let inUse: Forest | undefined

/** The trees in use, decoded at the first call. */
export function forestInUse(): Forest {
  inUse ??= forestOf(Buffer.from(trees, 'base64'))
  return inUse
}

/** Replaces the trees for all later pages: for tests on pages that are in the training set of the usual ones. */
export function useForest(bytes: Uint8Array): void {
  inUse = forestOf(bytes)
}
