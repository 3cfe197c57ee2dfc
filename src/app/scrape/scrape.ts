import { notCovered } from '../../domain/teams/allowance.ts'
import type { Call } from '../../domain/call.ts'
import { ceilingOf, costOfFailure, prices } from '../../domain/teams/credits.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { FeatureGates } from '../../domain/teams/feature-gates.ts'
import type { MediaExtractor } from '../../domain/pages/media.ts'
import type { Blobs } from '../../domain/blobs.ts'
import type { Fetcher } from '../../domain/fetching/fetcher.ts'
import { type Charge, extraOf, type Hold, type Ledger } from '../../domain/teams/ledger.ts'
import type { Results } from '../../domain/pages/results.ts'
import { untilAborted } from '../../lib/deadline.ts'
import { type BodyRoom, withRoom } from '../body-room.ts'
import { type Tracked, track } from '../changes/track.ts'
import { mediaFor } from '../media/media-for.ts'
import { collect } from './collect.ts'
import { bodyOf } from './page-bytes.ts'
import { type Plan, plan } from './plan.ts'
import type { Collected, PagePorts } from './ports.ts'
import { type Finished, finish, placeOf, type ScrapeJob } from './settlement.ts'

export interface ScrapePorts extends PagePorts {
  readonly gates: FeatureGates
  readonly ledger: Ledger
  readonly results: Results
  /** Fetches what pages refer to: media. */
  readonly fetcher: Pick<Fetcher, 'fetch'>
  /** Finds media on hosts with their own players; null if this service has no extractor. */
  readonly extractor: MediaExtractor | null
  readonly blobs: Blobs
  readonly retentionMs: number
  readonly bodies: BodyRoom
}

/** How long after a call's deadline an unreleased hold lapses; longer if its clock may be paused. */
const heldMs = ({ clock }: Call): number => (clock === undefined ? 60_000 : 600_000)

/** Credits beyond the ceiling of a request, held while it runs. */
interface Extra {
  /** Holds the cost of the enhanced tier; whether the credits cover it. */
  afford(): Promise<boolean>
  /** Holds what the page turned out to cost: only the file says how many pages it has. Throws `INSUFFICIENT_CREDITS`. */
  cover(credits: number): Promise<void>
  release(): Promise<void>
}

function extra(job: ScrapeJob, { ledger, now }: ScrapePorts, call: Call): Extra {
  const ref = extraOf(job.heldAs ?? job.id)
  let held: { readonly hold: Hold; readonly credits: number } | null = null
  async function covers(credits: number): Promise<boolean> {
    if (credits <= (held?.credits ?? 0)) return true
    const hold = await ledger.hold(call, ref, credits, call.deadline + heldMs(call), now())
    if (hold !== null) held = { hold, credits }
    return hold !== null
  }
  return {
    afford: () => covers(prices.enhancedProxy),
    async cover(credits) {
      if (await covers(credits - ceilingOf(job.request))) return
      throw await notCovered(`the ${credits} that this file costs (maxPages limits how many of its pages are read)`, { ledger, now }, call)
    },
    release: async () => (held === null ? undefined : ledger.release(call.team, held.hold)),
  }
}

/** A page to scrape, and how to write it. */
export interface Performance<T> {
  readonly job: ScrapeJob
  readonly plan: Plan
  /** Whether to store the result. */
  readonly keep: boolean
  /** Writes what the scrape leaves behind; the page's large bodies count as held until then. `outdated`: a newer version of the page exists. */
  readonly settle: (finished: Finished, collected: Collected) => Promise<T | 'outdated'>
}

/** How a tracked page compares with its previous version; null if it is not tracked. */
async function tracked({ job, plan }: Pick<Performance<unknown>, 'job' | 'plan'>, collected: Collected, ports: ScrapePorts, call: Call): Promise<Tracked | null> {
  const { versions } = ports
  // Without versions the plan has refused the request.
  return plan.tracking === null || versions === undefined ? null : track({ id: job.id, plan, ...collected }, { ...ports, versions }, call)
}

/** Writes what a scrape leaves behind; compares again if the version it was compared with is no longer the newest. */
async function written<T>({ job, plan, keep, settle }: Performance<T>, collected: Collected, ports: ScrapePorts & Pick<Extra, 'cover'>, call: Call): Promise<T> {
  const media = await untilAborted(mediaFor(collected, placeOf(job, plan), { ...ports, plan }, call), call.signal)
  for (;;) {
    const finished = await finish({ ...job, plan, keep, media, tracking: await tracked({ job, plan }, collected, ports, call) }, collected, ports, call)
    await ports.cover(finished.settlement.charge?.credits ?? 0)
    const answer = await settle(finished, collected)
    if (answer !== 'outdated') return answer
    call.signal.throwIfAborted()
  }
}

/** Holds what a scrape may cost; release it if nothing is charged. Throws `INSUFFICIENT_CREDITS`. */
export async function setAside(job: ScrapeJob, { ledger, now }: ScrapePorts, call: Call): Promise<Hold> {
  const held = await ledger.hold(call, job.heldAs ?? job.id, ceilingOf(job.request), call.deadline + heldMs(call), now())
  if (held === null) throw await notCovered('the request', { ledger, now }, call)
  return held
}

/** Fetches and reads the page of a scrape whose credits are held, without writing anything. Throws what fetching and reading throw. */
export async function perform<T>({ job, plan, keep, settle }: Performance<T>, ports: ScrapePorts, call: Call): Promise<T> {
  const { afford, cover, release } = extra(job, ports, call)
  try {
    return await withRoom(ports.bodies, call, async (roomed) => {
      const started = ports.now()
      const collected = await untilAborted(collect(plan, { ...ports, afford }, roomed), call.signal)
      const { acquired, page } = collected
      call.log('scraped', { url: job.request.url, engine: acquired.capture.engine, reason: acquired.reason, cached: acquired.found !== null, verdict: page.facts.verdict, ms: ports.now() - started })
      // The page as stored, and the answer made of it.
      roomed.room?.add(page.json.length * 2)
      return written({ job, plan, keep, settle }, collected, { ...ports, cover }, roomed)
    })
  } finally {
    await release()
  }
}

/** What a failed scrape costs; null if nothing. */
export function failureCharge(error: unknown, { id, heldAs, now, key }: { readonly id: string; readonly heldAs?: string; readonly now: number; readonly key: Charge['key'] }): Charge | null {
  const credits = error instanceof ServiceError ? costOfFailure(error.code) : 0
  return credits === 0 ? null : { ref: id, ...(heldAs === undefined ? {} : { heldAs }), kind: 'scrape-failure', credits, at: now, key }
}

/**
 * Scrapes one page for a team and returns the bytes of the response body. A repeat of the same job id is charged once. Throws
 * `INSUFFICIENT_CREDITS`, and what planning, fetching and reading throw.
 */
export async function scrape(job: ScrapeJob, ports: ScrapePorts, call: Call): Promise<Uint8Array> {
  const wanted = plan(job.request, ports, call.team, ports.now())
  const settle = async (finished: Finished): Promise<Uint8Array | 'outdated'> => {
    if ((await ports.results.settle(finished.settlement)) === 'outdated') return 'outdated'
    finished.committed()
    return bodyOf(finished.page.json, finished.frame)
  }
  const held = await setAside(job, ports, call)
  try {
    return await perform({ job, plan: wanted, keep: wanted.retention === 'normal', settle }, ports, call)
  } catch (error) {
    const charge = failureCharge(error, { id: job.id, now: ports.now(), key: call.key })
    if (charge !== null) await ports.ledger.charge(call.team, charge)
    else await ports.ledger.release(call.team, held)
    throw error
  }
}
