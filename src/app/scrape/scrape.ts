import type { Call } from '../../domain/call.ts'
import type { Capability, Engine } from '../../domain/capture.ts'
import { ceilingOf, costOf, costOfFailure } from '../../domain/credits.ts'
import type { Compute, Derivation } from '../../domain/derivation.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Gates } from '../../domain/gates.ts'
import type { Blobs, Ledger, Results, StoredResult } from '../../domain/ports.ts'
import type { ScrapeData, ScrapeRequest } from '../../spec/scrape.ts'
import { type Acquired, acquire } from './acquire.ts'
import { answerOf } from './answer.ts'
import { derive } from './derive.ts'
import { type Plan, plan } from './plan.ts'
import type { CacheShelf } from './shelf.ts'

/** One scrape to be done. */
export interface ScrapeJob {
  readonly id: string
  readonly request: ScrapeRequest
  /** What the caller is to be told about the request itself. */
  readonly warnings: readonly string[]
  /** Milliseconds spent waiting for a free slot. */
  readonly queuedMs: number
}

/** What fetching and reading need. */
export interface PagePorts {
  readonly shelf: CacheShelf | null
  readonly engines: readonly Engine[]
  readonly compute: Compute
  readonly features: ReadonlySet<Capability>
  readonly now: () => number
}

export interface ScrapePorts extends PagePorts {
  readonly gates: Gates
  readonly ledger: Ledger
  readonly results: Results
  readonly blobs: Blobs
  /** Whether credits may run out. */
  readonly accounting: boolean
  readonly retentionMs: number
  /** Takes work that nobody waits for; it is finished before the process stops. */
  readonly background: (work: Promise<unknown>) => void
}

/** Answers when `work` does, or throws the signal's reason as soon as it aborts: no port can make a request late. */
export async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw signal.reason
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Fetches and reads one page, leaving nothing behind. Throws what `acquire` and `derive` throw. */
export async function collect(wanted: Plan, ports: PagePorts, call: Call): Promise<{ acquired: Acquired; derivation: Derivation }> {
  const acquired = await acquire(wanted, ports, call)
  const derivation = acquired.found?.derivation ?? (await derive(acquired.capture, wanted, ports, call))
  if (wanted.request.strict && derivation.verdict !== 'ok') {
    throw new ServiceError('SCRAPE_SITE_ERROR', `The site did not give the page asked for (${derivation.verdict}).`, { details: { verdict: derivation.verdict } })
  }
  return { acquired, derivation }
}

/** Writes everything a scrape leaves behind in one transaction; answers the bytes of the response. */
async function settle(job: ScrapeJob, wanted: Plan, page: { acquired: Acquired; derivation: Derivation }, ports: ScrapePorts, call: Call): Promise<Uint8Array> {
  const { acquired, derivation } = page
  const credits = costOf(job.request, { verdict: derivation.verdict, enhanced: acquired.capture.proxy === 'enhanced' })
  const data: ScrapeData = answerOf(wanted, acquired, derivation, { scrapeId: job.id, credits, queuedMs: job.queuedMs, warnings: job.warnings })
  const body = Buffer.from(JSON.stringify({ success: true, data }))
  const keep = wanted.retention === 'normal'
  const cacheable = wanted.cache.write && acquired.found === null && acquired.capture.status < 300 && derivation.verdict === 'ok' && !acquired.capture.truncated
  const [blob, entry] = await Promise.all([keep ? ports.blobs.put(body) : null, cacheable && ports.shelf !== null ? ports.shelf.entryFor(wanted, acquired.capture, derivation, call) : null])
  const at = ports.now()
  const result: StoredResult | null =
    blob === null
      ? null
      : { id: job.id, team: call.team, kind: 'scrape', blob, request: JSON.stringify(job.request), createdAt: at, expiresAt: at + ports.retentionMs }
  await ports.results.settle({ team: call.team, result, charge: { ref: job.id, kind: 'scrape', credits, at }, cache: entry })
  if (keep && acquired.found !== null && acquired.found.derivation === null) {
    ports.background(ports.shelf?.remember(acquired.found.entry, wanted.derive, derivation, call.team) ?? Promise.resolve())
  }
  return body
}

async function chargeFailure(error: unknown, job: ScrapeJob, ports: ScrapePorts, call: Call): Promise<void> {
  const credits = error instanceof ServiceError ? costOfFailure(error.code) : 0
  if (credits > 0) await ports.ledger.charge(call.team, { ref: job.id, kind: 'scrape-failure', credits, at: ports.now() })
  else if (ports.accounting) await ports.ledger.release(call.team, job.id)
}

/**
 * Scrapes one page for a team and answers the bytes of the response body; a repeat of the same job id is charged once.
 * Throws `INSUFFICIENT_CREDITS`, and what planning, fetching and reading throw.
 */
export async function scrape(job: ScrapeJob, ports: ScrapePorts, call: Call): Promise<Uint8Array> {
  const wanted = plan(job.request, ports, call.team, ports.now())
  if (ports.accounting && !(await ports.ledger.hold(call.team, job.id, ceilingOf(job.request), call.deadline + 60_000, ports.now()))) {
    throw new ServiceError('INSUFFICIENT_CREDITS')
  }
  try {
    const page = await inTime(collect(wanted, ports, call), call.signal)
    return await settle(job, wanted, page, ports, call)
  } catch (error) {
    await chargeFailure(error, job, ports, call)
    throw error
  }
}
