import type { JobEvent } from '../../../domain/jobs/events.ts'
import type { Job } from '../../../domain/jobs/job.ts'
import type { PageRow } from '../../../domain/jobs/pages.ts'
import type { Blobs } from '../../../domain/blobs.ts'
import { jsonMembers } from '../../../lib/json-members.ts'
import { limits } from '../../../spec/limits.ts'
import { documentOf } from '../../scrape/page-bytes.ts'
import { formatsOf } from '../../../domain/pages/packed.ts'

/** The parts of a job that its events mention. */
export type EventJob = Pick<Job, 'id' | 'kind' | 'webhook' | 'error'>

/** The prefix of an event's `type`. */
const prefixes: Readonly<Record<Job['kind'], string>> = { crawl: 'crawl', batch: 'batch_scrape' }

/** Stands for a page whose content is gone: expired, deleted or under zero retention. */
const erased = 'The page is no longer kept.'

interface Parts {
  /** JSON texts, one per item. */
  readonly data: readonly Uint8Array[]
  /** The error; null when `success` is true. */
  readonly error: string | null
}

/**
 * The exact bytes that announce an event (contract §6.2). Webhooks, WebSocket and SSE send the same bytes, for as long as the page is kept. At
 * most 10 MB: beyond that, parts of the page are left out and named in its `warning`.
 */
export async function eventBody(job: EventJob, event: JobEvent, blobs: Blobs): Promise<Uint8Array> {
  const { data, error } = await partsOf(job, event, blobs)
  const whole = pieces(job, event, { data, error })
  const over = whole.reduce((sum, { length }) => sum + length, 0) - limits.bodyBytes
  const [document] = data
  if (over <= 0 || document === undefined) return Buffer.concat(whole)
  return Buffer.concat(pieces(job, event, { data: [reduced(document, document.length - over)], error }))
}

async function partsOf(job: EventJob, event: JobEvent, blobs: Blobs): Promise<Parts> {
  switch (event.type) {
    case 'started':
    case 'completed':
      return { data: [], error: null }
    case 'failed':
      return { data: [], error: job.error ?? 'The job failed.' }
    case 'cancelled':
      return { data: [], error: 'The job was cancelled.' }
    case 'page':
      return pageParts(event, blobs)
  }
}

async function pageParts({ page, failure }: JobEvent, blobs: Blobs): Promise<Parts> {
  if (failure !== null) {
    const { url, id, error, code } = failure
    return { data: [json({ metadata: { sourceURL: url, scrapeId: id, error, code } })], error }
  }
  const document = page === null ? null : await documentOfPage(page, blobs)
  return document === null ? { data: [], error: erased } : { data: [document], error: null }
}

async function documentOfPage({ blob, frame }: PageRow, blobs: Blobs): Promise<Uint8Array | null> {
  const stored = await blobs.get(blob)
  return stored === null ? null : documentOf(formatsOf(stored), frame)
}

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

function pieces(job: EventJob, event: JobEvent, { data, error }: Parts): readonly Uint8Array[] {
  const head = JSON.stringify({ success: error === null, type: `${prefixes[job.kind]}.${event.type}`, id: job.id, webhookId: event.id })
  const tail = JSON.stringify({ metadata: job.webhook?.metadata ?? {}, ...(error === null ? {} : { error }) })
  return [Buffer.from(`${head.slice(0, -1)},"data":[`), ...data, Buffer.from(`],${tail.slice(1)}`)]
}

/** What is dropped first from a page that is too large: the largest parts that are easiest to get again. The rest follows by size. */
const droppedFirst = ['rawHtml', 'html', 'rawBase64', 'screenshot']

/** Parts that are never dropped. */
const kept: ReadonlySet<string> = new Set(['metadata', 'warning'])

/** The parts of a page by name, as they are written. */
type PageMembers = ReadonlyMap<string, Uint8Array>

/** Drops parts of the document until it fits. The values of what is dropped are not read: there may be millions. */
function reduced(document: Uint8Array, maxBytes: number): Uint8Array {
  const page = jsonMembers(document)
  const sizeOf = (name: string): number => page.get(name)?.length ?? 0
  const rank = (name: string): number => (droppedFirst.includes(name) ? droppedFirst.indexOf(name) : droppedFirst.length)
  const order = [...page.keys()].filter((name) => !kept.has(name)).sort((a, b) => rank(a) - rank(b) || sizeOf(b) - sizeOf(a))
  let left = document.length
  for (const [at, name] of order.entries()) {
    left -= sizeOf(name)
    if (left > maxBytes + namesBytes) continue
    const smaller = without(page, order.slice(0, at + 1))
    if (smaller.length <= maxBytes) return smaller
  }
  return essential(page)
}

/** More than the names of all parts that were dropped need. */
const namesBytes = 10_000

const valueOf = (page: PageMembers, name: string): unknown => JSON.parse(Buffer.from(page.get(name) ?? 'null').toString())

function without(page: PageMembers, dropped: readonly string[]): Uint8Array {
  const rest = [...page].filter(([name]) => !dropped.includes(name) && name !== 'warning')
  const said = [valueOf(page, 'warning'), `Too large for one delivery, left out of it: ${dropped.join(', ')}. The status of the job has the whole page.`]
  const warning = json(said.filter((text) => typeof text === 'string').join(' '))
  return Buffer.concat([...rest, ['warning', warning] as const].flatMap(([name, value], at) => [Buffer.from(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:`), value]).concat(Buffer.from('}'))) // a pair
}

/** Stands for a page whose metadata alone is too large: says which page it is, and how to ask for it. */
function essential(page: PageMembers): Uint8Array {
  const { scrapeId, sourceURL, statusCode } = Object(valueOf(page, 'metadata')) as Readonly<Record<string, unknown>> // an object, whatever it was
  return json({ warning: 'Too large for one delivery, left out of it. The status of the job has the whole page.', metadata: { scrapeId, sourceURL, statusCode } })
}
