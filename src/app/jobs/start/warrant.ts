import { creditsOf } from '../../../domain/teams/allowance.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { isOn } from '../../../domain/teams/feature-gates.ts'
import { ceilingOf } from '../../../domain/teams/credits.ts'
import { type Webhook, zeroRetentionMs } from '../../../domain/jobs/job.ts'
import { retentionOf, type ScrapeRequest } from '../../../spec/scrape.ts'
import { assertPlannable } from '../../scrape/plannable.ts'
import type { Starter, StartPorts } from '../ports.ts'

/** The longest that checking a webhook receiver may delay the answer. */
const receiverMs = 5_000

/** What a job does with each page, and which receiver it notifies. */
interface Wish {
  readonly page: ScrapeRequest
  readonly webhook: Webhook | undefined
  /** Path of the page options within the request; absent if they are at the top level. */
  readonly optionsAt?: string
}

/** The error for options of a job that cannot be met: it lists each by its name, with the message alone. */
export const refusedOptions = (message: string, keys: readonly string[], text = `Bad Request: ${message}`): ServiceError => new ServiceError('BAD_REQUEST', text, { details: keys.map((key) => ({ code: 'custom', path: [key], message })) })

async function assertReceiver(webhook: Webhook, { receivers }: StartPorts): Promise<void> {
  try {
    await receivers.assertReceiver(webhook, AbortSignal.timeout(receiverMs))
  } catch (error) {
    throw error instanceof ServiceError && error.code === 'BAD_REQUEST' ? refusedOptions(error.message, ['webhook'], error.message) : error
  }
}

/** Checks that this team can have the job's pages scraped at all, before the job exists. Throws what planning throws, and `BAD_REQUEST` for an impossible receiver. */
export async function assertStartable({ page, webhook, optionsAt }: Wish, ports: StartPorts, { team }: Starter): Promise<void> {
  assertPlannable(page, ports, { team, optionsAt })
  if (webhook !== undefined) await assertReceiver(webhook, ports)
}

/** Whether only the cache may answer; then nothing is fetched from the site, not even robots.txt and sitemaps. */
export const isCacheOnly = ({ lockdown, minAge }: Pick<ScrapeRequest, 'lockdown' | 'minAge'>): boolean => lockdown || minAge !== undefined

/** Throws `FORBIDDEN` if the team may not override robots.txt. */
export function assertRobotsGate(wanted: { readonly ignoreRobotsTxt: boolean; readonly robotsUserAgent?: string | undefined }, { gates }: StartPorts, { team }: Starter): void {
  const asked = wanted.ignoreRobotsTxt ? 'ignoreRobotsTxt' : wanted.robotsUserAgent === undefined ? null : 'robotsUserAgent'
  if (asked !== null && !isOn(gates.ignoreRobots, team)) throw new ServiceError('FORBIDDEN', `${asked} is not enabled for this team (TRAWL_IGNORE_ROBOTS_TEAMS).`)
}

/** A number of pages in words. */
export const pageCount = (pages: number): string => (pages === 0 ? 'no page' : pages === 1 ? '1 page' : `${pages} pages`)

/** How many pages are covered, and by what. */
export interface Affordable {
  readonly pages: number
  /** The limit, in words for the caller. */
  readonly by: string
}

/** How many of the wanted pages the payer's credits cover; all, if nothing limits the payer. */
export async function affordablePages(wanted: number, page: ScrapeRequest, { ledger, now }: StartPorts, starter: Starter): Promise<Affordable> {
  const limit = await ledger.allowance(starter, now())
  return { pages: limit === null ? wanted : Math.min(wanted, Math.floor(Math.max(0, limit.left) / ceilingOf(page))), by: creditsOf(limit) }
}

/** Throws `QUEUE_FULL` if the team has too many pages waiting to add these, `BAD_REQUEST` for more than its queue can ever hold (contract §4, §15.21). */
export async function assertQueueRoom(pages: number, { jobs, teamQueue }: StartPorts, { team }: Starter): Promise<void> {
  if (pages > Math.max(teamQueue, 1)) throw new ServiceError('BAD_REQUEST', `The queue of the team holds ${teamQueue} pages, and these are ${pages}: send them in several requests.`)
  const { waiting } = await jobs.load(team)
  if (waiting + pages > teamQueue) throw new ServiceError('QUEUE_FULL', `The queue of the team holds ${teamQueue} pages; ${waiting} wait already.`, { retryAfterSeconds: 30 })
}

/** How many pages of the job may run at once; one if they save a profile, which has one writer at a time. */
export function placesFor({ profile }: Pick<ScrapeRequest, 'profile'>, wanted: number | undefined, { teamPlaces }: Pick<StartPorts, 'teamPlaces'>): number {
  return profile?.saveChanges === true ? 1 : Math.min(wanted ?? teamPlaces, teamPlaces)
}

/** How long the results of a job are kept after its end, and how they are treated. */
export function keptAs(page: ScrapeRequest, { retentionMs }: StartPorts): { readonly retention: 'normal' | 'zero'; readonly retentionMs: number } {
  const retention = retentionOf(page)
  return { retention, retentionMs: retention === 'zero' ? Math.min(zeroRetentionMs, retentionMs) : retentionMs }
}
