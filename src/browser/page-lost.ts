import { ServiceError } from '../domain/errors.ts'

/** A page that was lost with a process of its browser, perhaps because the machine has no memory for it. */
export class PageLost extends ServiceError {
  constructor(message: string, cause?: unknown) {
    super('SCRAPE_SITE_ERROR', message, { cause })
  }
}
