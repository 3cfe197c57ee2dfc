import type { Call } from '../../domain/call.ts'
import { ceilingOf, costOfFailure, prices } from '../../domain/credits.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Gates } from '../../domain/gates.ts'
import type { Blobs, Ledger, Results } from '../../domain/ports.ts'
import { type BodyRoom, withRoom } from '../body-room.ts'
import { type Collected, collect, type PagePorts } from './collect.ts'
import { bodyOf } from './packed.ts'
import { type Plan, plan } from './plan.ts'
import { finish, type ScrapeJob } from './settlement.ts'

export interface ScrapePorts extends PagePorts {
  readonly gates: Gates
  readonly ledger: Ledger
  readonly results: Results
  readonly blobs: Blobs
  /** Whether credits may run out. */
  readonly accounting: boolean
  readonly retentionMs: number
  readonly bodies: BodyRoom
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

/** Writes everything a scrape leaves behind in one transaction; answers the bytes of the response. */
async function settle(job: ScrapeJob, wanted: Plan, collected: Collected, ports: ScrapePorts, call: Call): Promise<Uint8Array> {
  const finished = await finish({ ...job, plan: wanted, keep: wanted.retention === 'normal' }, collected, ports, call)
  await ports.results.settle(finished.settlement)
  finished.committed()
  return bodyOf(finished.page.json, finished.frame)
}

async function chargeFailure(error: unknown, job: ScrapeJob, ports: ScrapePorts, call: Call): Promise<void> {
  const credits = error instanceof ServiceError ? costOfFailure(error.code) : 0
  if (credits > 0) await ports.ledger.charge(call.team, { ref: job.id, kind: 'scrape-failure', credits, at: ports.now() })
  else if (ports.accounting) await ports.ledger.release(call.team, job.id)
}

/** Sets aside, while the scrape goes on, what the enhanced tier costs on top, when it comes to that. */
function surcharge(job: ScrapeJob, { accounting, ledger, now }: ScrapePorts, call: Call): { afford(): Promise<boolean>; release(): Promise<void> } {
  const ref = `${job.id}/enhanced`
  let held = false
  return {
    afford: async () => !accounting || (held = await ledger.hold(call.team, ref, prices.enhancedProxy, call.deadline + 60_000, now())),
    release: async () => (held ? ledger.release(call.team, ref) : undefined),
  }
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
  const { afford, release } = surcharge(job, ports, call)
  try {
    return await withRoom(ports.bodies, call, async (roomed) => {
      const started = ports.now()
      const collected = await inTime(collect(wanted, { ...ports, afford }, roomed), call.signal)
      const { acquired, page } = collected
      call.log('scraped', { url: job.request.url, engine: acquired.capture.engine, reason: acquired.reason, cached: acquired.found !== null, verdict: page.facts.verdict, ms: ports.now() - started })
      // The page as it is kept, and the answer made of it.
      roomed.room?.add(page.bytes.length * 2)
      return settle(job, wanted, collected, ports, roomed)
    })
  } catch (error) {
    await chargeFailure(error, job, ports, call)
    throw error
  } finally {
    await release()
  }
}
