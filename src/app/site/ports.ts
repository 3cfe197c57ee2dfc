import type { Fetcher } from '../../domain/ports.ts'

/** What is needed to read what a site says about itself. */
export interface SitePorts {
  readonly fetcher: Fetcher
  readonly now: () => number
  /** Lets others have the thread. */
  readonly breathe: () => Promise<void>
}
