import { ServiceError } from '../../../domain/errors.ts'
import { erasedRequest, type Job } from '../../../domain/jobs/job.ts'
import type { Jobs } from '../../../domain/jobs/jobs.ts'
import { isoTime } from '../../../lib/time.ts'
import type { JobAnswer } from '../../../spec/jobs.ts'
import { limits } from '../../../spec/limits.ts'
import { type DocumentPorts, documents } from './documents.ts'
import { jsonItems, pieces } from './stream.ts'

export interface StatusPorts extends DocumentPorts {
  readonly jobs: Pick<Jobs, 'results' | 'skipped'>
}

/** Which results a status answer should show. */
export interface StatusTerms {
  readonly skip?: number | undefined
  readonly limit?: number | undefined
  /** Address of the status, for `next`. */
  readonly url: string
}

/** A status answer without its results. */
export type Summary = Omit<JobAnswer, 'data' | 'next'>

const robotsNote = 'Some URLs were not fetched as robots.txt forbids them; see the errors of the job.'

/** Said of a job whose results were erased before they expired. */
export const erasedNote = 'The results of this job have been erased.'

/** Whether what a job gathered was erased before it expired, as happens with zero retention only. */
const isErased = ({ retention, request }: Job): boolean => retention === 'zero' && request === erasedRequest

async function warningOf(job: Job, jobs: StatusPorts['jobs']): Promise<string | undefined> {
  const [blocked] = job.skipped === 0 ? [] : await jobs.skipped(job.id, { after: 0, limit: 1, reason: 'robots' })
  const notes = [...job.warnings, ...(blocked === undefined ? [] : [robotsNote]), ...(isErased(job) ? [erasedNote] : [])]
  return notes.length === 0 ? undefined : notes.join(' ')
}

/** The state of the job (contract §5.3). A failed job is `success: true` as well: clients would poll for ever otherwise (§0.2). */
export async function summaryOf(job: Job, ports: Pick<StatusPorts, 'jobs' | 'now'>): Promise<Summary> {
  const warning = await warningOf(job, ports.jobs)
  return {
    success: true,
    id: job.id,
    status: job.state,
    total: job.total,
    completed: job.completed,
    creditsUsed: job.creditsUsed,
    ...(job.modelCallsSaved === 0 ? {} : { modelCallsSaved: job.modelCallsSaved }),
    createdAt: isoTime(job.createdAt),
    expiresAt: isoTime(job.expiresAt ?? ports.now() + job.retentionMs),
    ...(job.endedAt === null ? {} : { completedAt: isoTime(job.endedAt) }),
    // Nobody knows how long a job took during which the clock was set back by more than that.
    ...(job.endedAt === null || job.endedAt < job.createdAt ? {} : { duration: (job.endedAt - job.createdAt) / 1_000 }),
    ...(warning === undefined ? {} : { warning }),
    ...(job.error === null ? {} : { error: job.error }),
  }
}

/** How far a page of results went. */
interface Reached {
  readonly given: number
  /** True if results that the job had were erased, so that fewer came than were asked for. */
  readonly gone: boolean
}

/**
 * The address of the next page of results. None at the end, and none on an empty page unless the request named no `skip`: clients follow it at
 * once, and an empty page must not name itself (contract §5.4).
 */
function nextOf(job: Job, { given, gone }: Reached, { url, skip, limit }: StatusTerms): string | null {
  const reached = (skip ?? 0) + given
  const more = !gone && reached < job.completed
  const coming = job.state === 'scraping' && (given > 0 || skip === undefined)
  return more || coming ? `${url}?skip=${reached}${limit === undefined ? '' : `&limit=${limit}`}` : null
}

async function* statusParts(job: Job, terms: StatusTerms, ports: StatusPorts): AsyncGenerator<Uint8Array | string> {
  const skip = terms.skip ?? 0
  // No more results than the counters say, even if more have come since: the answer must agree with itself.
  const limit = Math.max(0, Math.min(terms.limit ?? limits.statusPage, job.completed - skip))
  const reached = { given: 0 }
  async function* counted(): AsyncGenerator<Uint8Array> {
    try {
      for await (const document of documents(job.id, { skip, limit, maxBytes: limits.statusPageBytes }, ports)) {
        reached.given += 1
        yield document
      }
    } catch (error) {
      // There was no memory for further ones: the client asks for them by `next`.
      if (!(error instanceof ServiceError && error.code === 'OVERLOADED' && reached.given > 0)) throw error
    }
  }
  yield `${JSON.stringify(await summaryOf(job, ports)).slice(0, -1)},"data":`
  yield* jsonItems(counted())
  const gone = limit > 0 && reached.given === 0
  yield `,"next":${JSON.stringify(nextOf(job, { given: reached.given, gone }, terms))}}`
}

/** The body of a status answer, in pieces: few results at a time are in memory. */
export function statusBody(job: Job, terms: StatusTerms, ports: StatusPorts): AsyncGenerator<Uint8Array> {
  return pieces(statusParts(job, terms, ports))
}
