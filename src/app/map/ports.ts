import type { Cache } from '../../domain/pages/page-cache.ts'
import type { MapRequest } from '../../spec/map.ts'
import type { ScrapePorts } from '../scrape/scrape.ts'
import type { SitePorts } from '../site/ports.ts'
import type { RobotsShelf } from '../site/robots-shelf.ts'

/** What listing the URLs of a site needs. */
export interface MapPorts extends ScrapePorts {
  readonly cache: Cache
  readonly site: SitePorts
  readonly robots: RobotsShelf
  readonly newId: () => string
}

/** One site to be listed. */
export interface MapJob {
  readonly id: string
  readonly request: MapRequest
  /** Warnings about the request itself. */
  readonly warnings: readonly string[]
}
