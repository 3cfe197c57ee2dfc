/**
 * Changes whenever the same capture may be read differently, so that cached outputs are made again; the build writes it.
 */
export const contentVersion: string = 'unbuilt'
