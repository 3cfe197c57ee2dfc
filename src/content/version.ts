/** Raised whenever the same capture would be read differently than before, so that memoised outputs are made anew. */
export const contentVersion = 1
