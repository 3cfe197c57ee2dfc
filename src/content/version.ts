/** Changes whenever the same capture may be read differently than before, so that memoised outputs are made anew; the build writes it. */
export const contentVersion: string = 'unbuilt'
