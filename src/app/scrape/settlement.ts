import type { Call } from '../../domain/call.ts'
import { mediaType } from '../../domain/pages/capture.ts'
import { costOf } from '../../domain/teams/credits.ts'
import type { Contribution, Packed } from '../../domain/pages/derivation.ts'
import type { Blobs, EnclosedBlob } from '../../domain/blobs.ts'
import type { Settlement, StoredResult } from '../../domain/pages/results.ts'
import { isUnrendered } from '../../domain/pages/unrendered.ts'
import type { ScrapeRequest } from '../../spec/scrape.ts'
import { frameOf } from './answer.ts'
import { type Tracked, versionOf } from '../changes/track.ts'
import type { PlacedMedia } from '../media/media-for.ts'
import type { Collected } from './ports.ts'
import { findable } from './findable.ts'
import { extended, joinedObjects, withoutFacts } from '../../domain/pages/packed.ts'
import type { Plan } from './plan.ts'
import type { CacheShelf, Memo } from './shelf.ts'
import { type Place, placeActions, placeShot, unpicturedText } from './shots.ts'

/** One scrape to be done. */
export interface ScrapeJob {
  readonly id: string
  /** The reference of its hold, if not its id: all tries at a page of a job share one, so that none has to pay for a hold that an earlier one left behind. */
  readonly heldAs?: string
  readonly request: ScrapeRequest
  /** Warnings about the request itself. */
  readonly warnings: readonly string[]
  /** Milliseconds that it waited for a place. */
  readonly queuedMs: number
  /** Base of the URLs in the answer. */
  readonly baseUrl: string
  /** The name of an uploaded file, which is read instead of a page. */
  readonly sourceFile?: string
}

export interface SettlementPorts {
  readonly shelf: CacheShelf | null
  readonly blobs: Blobs
  readonly retentionMs: number
  readonly now: () => number
  readonly background: (work: Promise<unknown>) => void
}

/** A finished scrape that is not written yet: its blobs are durable or enclosed, its rows are neither. */
export interface Finished {
  readonly page: Packed
  /** The part of the answer beyond the formats, as JSON. */
  readonly frame: string
  readonly settlement: Settlement
  /** To be called once the rows are written. */
  committed(): void
}

/** Stores the derivation, without its facts unless the cache or a version needs them. One from the cache is stored already, and only kept from the sweep until a row names it. */
async function keepPage({ acquired, page }: Collected, facts: boolean, parcel: Parcel): Promise<Memo> {
  const known = (acquired.found ?? acquired.confirmed)?.memo
  const bytes = facts ? page.bytes() : withoutFacts(page)
  const blob = known?.page.bytes === page.bytes && (await parcel.keep(known.blob)) ? known.blob : await parcel.put(bytes)
  return { blob, bytes: bytes.length }
}

/** Stores blobs, enclosing small ones with the rows that name them. */
interface Parcel extends Pick<Blobs, 'put' | 'keep'> {
  readonly enclosed: readonly EnclosedBlob[]
}

function parcelOf(blobs: Blobs): Parcel {
  const gathered: EnclosedBlob[] = []
  return {
    enclosed: gathered,
    keep: (key) => blobs.keep(key),
    async put(bytes) {
      const { key, enclosed } = await blobs.enclose(bytes)
      if (enclosed !== null) gathered.push(enclosed)
      return key
    },
  }
}

function isCacheable(wanted: Plan, { acquired, page }: Collected): boolean {
  const unmeasured = wanted.order.look === true && acquired.capture.engine === 'browser' && acquired.capture.look === undefined
  // A crawl keeps a page that sends browsers elsewhere as it is; from the cache, a scrape would get that page instead of its target.
  if (page.facts.leadsOn !== undefined || page.facts.busy === true || isUnrendered(acquired.capture, page.facts)) return false
  return !unmeasured && wanted.cache.write && acquired.found === null && acquired.capture.status < 300 && page.facts.verdict === 'ok' && !acquired.capture.truncated && acquired.capture.waitedMs === undefined && acquired.capture.missing === undefined
}

/** Everything about a scrape except the page itself. */
export interface FinishedJob extends ScrapeJob {
  readonly plan: Plan
  /** Whether its result is stored; under zero retention, only a job's is (contract §15.22). */
  readonly keep: boolean
  /** Null if the page is not tracked. */
  readonly tracking: Tracked | null
  readonly media: PlacedMedia
}

const jsonBytes = (value: object): Uint8Array => Buffer.from(JSON.stringify(value))

/** The page as stored, with the results of its actions and its comparison. Small parts that only this scrape has belong in the frame. */
function whole({ page }: Collected, { actions }: Pick<Contribution, 'actions'>, tracking: Tracked | null): Packed {
  const acted = actions === undefined ? [] : [jsonBytes({ actions })]
  if (tracking?.said?.changeStatus !== 'changed') return acted.length === 0 ? page : extended(page, ...acted)
  const changes = joinedObjects([jsonBytes(tracking.said), ...(tracking.diff === null ? [] : [tracking.diff])])
  return extended(page, ...acted, Buffer.concat([Buffer.from('{"changeTracking":'), changes, Buffer.from('}')]))
}

/** Base of the addresses of a scrape's files, and whether to give any. */
export const placeOf = ({ baseUrl }: Pick<ScrapeJob, 'baseUrl'>, { retention }: Pick<Plan, 'retention'>): Place => ({ baseUrl, inline: retention === 'zero' })

/** Everything that a scrape leaves behind. */
export async function finish(job: FinishedJob, read: Collected, ports: SettlementPorts, call: Call): Promise<Finished> {
  const { acquired } = read
  const { plan, tracking, media } = job
  const place = placeOf(job, plan)
  const acted = acquired.capture.actions === undefined ? null : await placeActions(acquired.capture.actions, place, ports, call)
  const page = whole(read, acted ?? {}, tracking)
  const collected: Collected = { acquired, page }
  // Written to disk in the meantime; if the rest fails, nobody names it.
  const parcel = parcelOf(ports.blobs)
  const cacheable = ports.shelf !== null && isCacheable(plan, collected)
  const keeping = job.keep ? keepPage(collected, cacheable || acquired.found !== null || tracking !== null, parcel) : null
  keeping?.catch(() => undefined)
  const without = [...(['audio', 'video'] as const).filter((kind) => media.fields[kind] === undefined), ...(tracking?.said === null ? (['changeTracking'] as const) : []), ...(page.facts.without ?? [])] // names of formats
  const credits = costOf(job.request, { verdict: page.facts.verdict, enhanced: acquired.found === null && acquired.capture.proxy === 'enhanced', pages: page.facts.document?.numPages ?? 1, without })
  const shot = await placeShot(acquired, place, ports, call)
  const unpictured = shot === null && plan.order.screenshot !== undefined ? [unpicturedText(mediaType(acquired.capture))] : []
  const warnings = [...job.warnings, ...acquired.warnings, ...(shot?.warning === undefined ? [] : [shot.warning]), ...unpictured, ...(acted?.warnings ?? []), ...media.warnings, ...(tracking?.warnings ?? [])]
  const unchanged = tracking?.said && tracking.said.changeStatus !== 'changed' ? { changeTracking: tracking.said } : {}
  const frame = JSON.stringify({ ...frameOf(plan, acquired, page.facts, { scrapeId: job.id, credits, queuedMs: job.queuedMs, warnings, sourceFile: job.sourceFile }), ...(shot === null ? {} : { screenshot: shot.screenshot }), ...media.fields, ...unchanged })
  const caching = keeping !== null && ports.shelf !== null && cacheable ? ports.shelf.entryFor(plan, { ...acquired, shot: shot?.kept ?? null, passing: page.facts.passing === true, search: findable(collected, call.team) }, { memo: keeping, put: parcel.put }, call) : null
  const [memo, cache] = await Promise.all([keeping, caching])
  const at = ports.now()
  const result: StoredResult | null =
    memo === null
      ? null
      : { id: job.id, team: call.team, kind: job.sourceFile === undefined ? 'scrape' : 'parse', blob: memo.blob, frame, request: JSON.stringify(job.request), createdAt: at, expiresAt: at + ports.retentionMs }
  const version = memo === null || tracking === null ? null : await versionOf({ id: job.id, plan, acquired, page: read.page, tracking }, { blob: memo.blob, frame }, parcel, call.team)
  const { found } = acquired
  return {
    page,
    frame,
    settlement: { team: call.team, result, charge: { ref: job.id, ...(job.heldAs === undefined ? {} : { heldAs: job.heldAs }), kind: job.sourceFile === undefined ? 'scrape' : 'parse', credits, at, key: call.key }, cache, artifacts: [...(shot?.artifact ? [shot.artifact] : []), ...(acted?.artifacts ?? []), ...media.artifacts], version, enclosed: parcel.enclosed },
    committed: () => {
      if (memo !== null && found?.memo === null && plan.retention === 'normal' && page.facts.passing !== true) ports.background(ports.shelf?.remember(found.entry.id, plan.derive, { ...memo, search: findable(collected, call.team) }, call.team) ?? Promise.resolve())
    },
  }
}
