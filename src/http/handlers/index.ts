import { artifact } from './artifact.ts'
import type { Handlers } from './handler.ts'
import { scrape, scrapeStatus } from './scrape.ts'
import { docs, health, metrics, openapi } from './system.ts'

/** Route by route: what answers. */
export const handlers: Handlers = { scrape, scrapeStatus, artifact, health, metrics, openapi, docs }
