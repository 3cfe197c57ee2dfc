import { type Forest, forestOf } from './forest.ts'
import { trees } from './trees.ts'

let inUse: Forest | undefined

/** The trees that pages are looked at with. */
export function forestInUse(): Forest {
  inUse ??= forestOf(Buffer.from(trees, 'base64'))
  return inUse
}

/** Looks at pages with other trees from here on: for tests on pages that the usual ones have learned from. */
export function useForest(bytes: Uint8Array): void {
  inUse = forestOf(bytes)
}
