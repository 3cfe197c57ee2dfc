import type { JobEvent } from '../../domain/jobs/events.ts'
import type { Job } from '../../domain/jobs/job.ts'
import type { PageRow } from '../../domain/jobs/pages.ts'
import type { Blobs } from '../../domain/blobs.ts'
import { limits } from '../../spec/limits.ts'
import { documentOf, formatsOf } from '../scrape/packed.ts'

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
  const whole = compose(job, event, { data, error })
  const over = whole.length - limits.bodyBytes
  const [document] = data
  if (over <= 0 || document === undefined) return whole
  return compose(job, event, { data: [reduced(document, document.length - over)], error })
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

function compose(job: EventJob, event: JobEvent, { data, error }: Parts): Uint8Array {
  const head = JSON.stringify({ success: error === null, type: `${prefixes[job.kind]}.${event.type}`, id: job.id, webhookId: event.id })
  const tail = JSON.stringify({ metadata: job.webhook?.metadata ?? {}, ...(error === null ? {} : { error }) })
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"data":[`), ...data, Buffer.from(`],${tail.slice(1)}`)])
}

/** What is dropped first from a page that is too large: the largest parts that are easiest to get again. The rest follows by size. */
const droppedFirst = ['rawHtml', 'html', 'rawBase64', 'screenshot']

/** Parts that are never dropped. */
const kept: ReadonlySet<string> = new Set(['metadata', 'warning'])

/** Drops parts of the document until it fits. */
function reduced(document: Uint8Array, maxBytes: number): Uint8Array {
  const page = JSON.parse(Buffer.from(document).toString()) as Readonly<Record<string, unknown>> // composed of objects by documentOf
  const sizes = new Map(Object.entries(page).map(([name, value]) => [name, json(value).length]))
  const rank = (name: string): number => (droppedFirst.includes(name) ? droppedFirst.indexOf(name) : droppedFirst.length)
  const order = [...sizes.keys()].filter((name) => !kept.has(name)).sort((a, b) => rank(a) - rank(b) || (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0))
  for (let count = 1; count <= order.length; count++) {
    const smaller = without(page, order.slice(0, count))
    if (smaller.length <= maxBytes) return smaller
  }
  return essential(page)
}

function without(page: Readonly<Record<string, unknown>>, dropped: readonly string[]): Uint8Array {
  const rest = Object.entries(page).filter(([name]) => !dropped.includes(name) && name !== 'warning')
  const said = [page['warning'], `Too large for one delivery, left out of it: ${dropped.join(', ')}. The status of the job has the whole page.`]
  return json({ ...Object.fromEntries(rest), warning: said.filter((text) => text !== undefined).join(' ') })
}

/** Stands for a page whose metadata alone is too large: says which page it is, and how to ask for it. */
function essential({ metadata }: Readonly<Record<string, unknown>>): Uint8Array {
  const { scrapeId, sourceURL, statusCode } = Object(metadata) as Readonly<Record<string, unknown>> // an object, whatever it was
  return json({ warning: 'Too large for one delivery, left out of it. The status of the job has the whole page.', metadata: { scrapeId, sourceURL, statusCode } })
}
