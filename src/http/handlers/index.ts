import { artifact } from './artifact.ts'
import { batch, ofBatch } from './batch.ts'
import { changes, changesRemove, changesVersion, changesVersionRemove } from './changes.ts'
import { active, crawl, crawlPreview, ofCrawl } from './crawl.ts'
import type { Handlers } from './handler.ts'
import { map } from './map.ts'
import { parse } from './parse.ts'
import { profileRemove } from './profiles.ts'
import { scrape, scrapeStatus } from './scrape.ts'
import { search } from './search.ts'
import { concurrencyCheck, creditHistory, creditUsage, feedback, queueStatus, searchFeedback, teamActivity, tokenHistory, tokenUsage } from './team.ts'
import * as sessions from './sessions.ts'
import { docs, health, metrics, openapi, welcome } from './system.ts'

/** The handler of each route. */
export const handlers: Handlers = {
  scrape,
  scrapeStatus,
  parse,
  interact: sessions.interact,
  interactStop: sessions.interactStop,
  browserCreate: sessions.create,
  browserList: sessions.list,
  browserStatus: sessions.status,
  browserExecute: sessions.execute,
  browserDelete: sessions.stop,
  interactCreate: sessions.create,
  interactList: sessions.list,
  interactStatus: sessions.status,
  interactExecute: sessions.execute,
  interactDelete: sessions.stop,
  batch,
  batchStatus: ofBatch.status,
  batchCancel: ofBatch.cancel,
  batchErrors: ofBatch.errors,
  batchEvents: ofBatch.events,
  batchExport: ofBatch.export,
  crawl,
  crawlActive: active,
  crawlOngoing: active,
  crawlPreview,
  crawlStatus: ofCrawl.status,
  crawlCancel: ofCrawl.cancel,
  crawlErrors: ofCrawl.errors,
  crawlEvents: ofCrawl.events,
  crawlExport: ofCrawl.export,
  map,
  search,
  profileRemove,
  profileRemoveToo: profileRemove,
  artifact,
  changes,
  changesVersion,
  changesRemove,
  changesVersionRemove,
  creditUsage,
  creditHistory,
  queueStatus,
  concurrencyCheck,
  teamActivity,
  tokenHistory,
  tokenUsage,
  feedback,
  searchFeedback,
  welcome,
  welcomeV2: welcome,
  health,
  metrics,
  openapi,
  docs,
}
