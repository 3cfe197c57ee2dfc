import { ServiceError } from '../domain/errors.ts'
import type { Blobs } from '../domain/blobs.ts'
import type { Results, StoredResult } from '../domain/pages/results.ts'
import type { Ledger } from '../domain/teams/ledger.ts'
import { keptBlobs } from './kept-blobs.ts'
import { assertOwn, unknownId } from './own.ts'
import { bodyOf } from './scrape/page-bytes.ts'
import { formatsOf } from '../domain/pages/packed.ts'

/** What tells of scrapes without a row. */
interface ChargePorts {
  readonly ledger: Pick<Ledger, 'find'>
  readonly retentionMs: number
  readonly now: () => number
}

export interface ResultPorts extends ChargePorts {
  readonly results: Results
  readonly blobs: Blobs
}

/** What reading a result needs. */
type ReadPorts = Pick<ResultPorts, 'blobs' | 'now'> & { readonly results: Pick<Results, 'find'> }

/** Kinds of charges whose reference is the id of a scrape or of a parsed file. */
const scrapeKinds: ReadonlySet<string> = new Set(['scrape', 'scrape-failure', 'parse'])

/** What became of a scrape that has no row, by its charge, which outlives the row; `unkept`: it failed, or was not to be kept. */
export async function withoutRow(id: string, { ledger, retentionMs, now }: ChargePorts, team: string): Promise<'unknown' | 'unkept' | 'expired'> {
  const charge = await ledger.find(team, id)
  if (charge === null || !scrapeKinds.has(charge.kind)) return 'unknown'
  return charge.at + retentionMs <= now() ? 'expired' : 'unkept'
}

/** The response that a request with this id stored before its own was lost; null when there is none. */
export async function answerLeft(id: string, ports: ReadPorts, team: string): Promise<Uint8Array | null> {
  try {
    return await answerOf(await ports.results.find(id), ports, team)
  } catch (error) {
    if (error instanceof ServiceError && (error.code === 'NOT_FOUND' || error.code === 'JOB_EXPIRED')) return null
    throw error
  }
}

/** The bytes of an earlier response. Throws `NOT_FOUND`, `JOB_EXPIRED`, and `FORBIDDEN` for another team's job. */
export async function storedAnswer(id: string, ports: ResultPorts, team: string): Promise<Uint8Array> {
  const result = await ports.results.find(id)
  if (result === null && (await withoutRow(id, ports, team)) === 'expired') throw new ServiceError('JOB_EXPIRED')
  // The stored response of a search is only for repeats of its request (`answerLeft`).
  return answerOf(result?.kind === 'search' ? null : result, ports, team)
}

async function answerOf(result: StoredResult | null, ports: ReadPorts, team: string): Promise<Uint8Array> {
  if (result === null) throw unknownId('job')
  assertOwn('job', result, team)
  if (result.expiresAt <= ports.now()) throw new ServiceError('JOB_EXPIRED')
  const body = await keptBlobs(ports.blobs, result.createdAt, ports.now).get(result.blob)
  if (body === null) throw new ServiceError('JOB_EXPIRED', 'The result of this job is no longer there.')
  return result.frame === null ? body : bodyOf(formatsOf(body), result.frame)
}
