import type { Order } from '../../domain/pages/capture.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { StoredResult } from '../../domain/pages/results.ts'
import type { ScrapeRequest } from '../../spec/scrape.ts'
import { assertOwn, unknownId } from '../own.ts'
import { withoutRow } from '../results.ts'
import { plan } from '../scrape/plan.ts'
import type { SessionPorts } from './ports.ts'

/** What is needed to show a scrape's page again. */
export interface Replay {
  readonly request: ScrapeRequest
  readonly order: Order
  /** The scrape's answer; null if it was not kept. */
  readonly status: number | null
}

const firstError = 400

type ReplayPorts = Pick<SessionPorts, 'results' | 'ledger' | 'pageOfJob' | 'abilities' | 'retentionMs' | 'now'>

const unavailable = (why: string, cause?: unknown): ServiceError => new ServiceError('REPLAY_UNAVAILABLE', `${why} Rerun the scrape and retry.`, { cause })

/** Actions that do not change the page. */
const idle: ReadonlySet<string> = new Set(['screenshot', 'scrape', 'pdf'])

async function unkept(id: string, ports: ReplayPorts, team: string): Promise<ServiceError> {
  const known = await withoutRow(id, ports, team)
  if (known === 'unknown') return unknownId('scrape')
  return known === 'expired' ? new ServiceError('JOB_EXPIRED') : unavailable('The options of this scrape were not kept (zero retention, lockdown, or a failure).')
}

/** The request of a scrape, or of a job's page. */
async function requestOf(stored: StoredResult, { pageOfJob }: ReplayPorts): Promise<ScrapeRequest> {
  const kept = JSON.parse(stored.request) as ScrapeRequest | { readonly job: string; readonly url: string } // written by `finish`, or for a page of a job by `delivered`
  if (!('job' in kept)) return kept
  const page = await pageOfJob(kept.job, kept.url)
  if (page === null) throw unavailable('The job of this page is gone.')
  return page
}

function statusOf({ frame }: StoredResult): number | null {
  const metadata: unknown = Reflect.get(Object(JSON.parse(frame ?? 'null')), 'metadata')
  const status: unknown = Reflect.get(Object(metadata), 'statusCode')
  return typeof status === 'number' ? status : null
}

/** What is needed to show the page of a team's scrape again. Throws `NOT_FOUND`, `JOB_EXPIRED`, `FORBIDDEN`, `REPLAY_UNAVAILABLE`. */
export async function replayOf(id: string, ports: ReplayPorts, team: string): Promise<Replay> {
  const stored = await ports.results.find(id)
  if (stored === null) throw await unkept(id, ports, team)
  assertOwn('scrape', stored, team)
  if (stored.expiresAt <= ports.now()) throw new ServiceError('JOB_EXPIRED')
  if (stored.kind === 'search') throw unknownId('scrape')
  if (stored.kind === 'parse') throw new ServiceError('REPLAY_UNAVAILABLE', 'What was read is a file that was sent along: there is no page to show.')
  const request = await requestOf(stored, ports)
  const again: ScrapeRequest = { ...request, formats: [], actions: request.actions?.filter(({ type }) => !idle.has(type)) }
  try {
    return { request, order: plan(again, ports.abilities, team, ports.now()).order, status: statusOf(stored) }
  } catch (error) {
    throw unavailable('This service cannot do any more what the scrape asked for.', error)
  }
}

/** Code written for the page must not run in an error or block page. Throws `REPLAY_UNAVAILABLE`. */
export function sameState({ status }: Replay, shown: number): void {
  if (status === null || status >= firstError || shown < firstError) return
  throw unavailable(`The page of this scrape was answered with status ${status} then, and with status ${shown} now.`)
}

/** The error for callers if a page could not be shown again. */
export function replayFailure(error: unknown): ServiceError {
  if (error instanceof ServiceError && error.code === 'SHUTTING_DOWN') return error
  return unavailable(`The page of this scrape could not be shown again${error instanceof ServiceError ? `: ${error.message.replace(/\.?$/, '.')}` : '.'}`, error)
}
