import type { Job } from '../../../domain/jobs/job.ts'
import type { Jobs } from '../../../domain/jobs/jobs.ts'
import type { ErrorRow, SkippedRow, SkipReason } from '../../../domain/jobs/pages.ts'
import { isoTime } from '../../../lib/time.ts'
import type { ErrorsAnswer } from '../../../spec/jobs.ts'
import { everyRow, jsonItems, pieces } from './stream.ts'

type JobErrors = ErrorsAnswer['errors'][number]

export interface ErrorsPorts {
  readonly jobs: Pick<Jobs, 'errors' | 'skipped'>
}

const pageSize = 1_000

const shown = ({ id, at, url, code, error }: ErrorRow): JobErrors => ({ id, timestamp: isoTime(at), url, code, error })

async function* mapped<T>(rows: AsyncIterable<T>, show: (row: T) => unknown): AsyncGenerator<string> {
  for await (const row of rows) yield JSON.stringify(show(row))
}

async function* everySkipped(id: string, { jobs }: ErrorsPorts, of: { readonly reason?: SkipReason } = {}): AsyncGenerator<SkippedRow> {
  for (let after = 0; ; ) {
    const rows = await jobs.skipped(id, { after, limit: pageSize, ...of })
    yield* rows
    after = rows.at(-1)?.seq ?? after
    if (rows.length < pageSize) return
  }
}

async function* parts({ id }: Job, withSkipped: boolean, ports: ErrorsPorts): AsyncGenerator<Uint8Array | string> {
  yield '{"success":true,"errors":'
  yield* jsonItems(mapped(everyRow((skip, limit) => ports.jobs.errors(id, { skip, limit }), pageSize), shown))
  yield ',"robotsBlocked":'
  yield* jsonItems(mapped(everySkipped(id, ports, { reason: 'robots' }), ({ url }) => url))
  if (withSkipped) {
    yield ',"skipped":'
    yield* jsonItems(mapped(everySkipped(id, ports), ({ url, reason }) => ({ url, reason })))
  }
  yield '}'
}

/** Failed pages, pages that robots.txt forbids and, on request, every URL that was seen and not fetched, with the reason (contract §5.6, §15.20). */
export function errorsBody(job: Job, { skipped }: { readonly skipped: boolean }, ports: ErrorsPorts): AsyncGenerator<Uint8Array> {
  return pieces(parts(job, skipped, ports))
}
