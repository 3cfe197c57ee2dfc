import { describe, expect, it } from 'vitest'
import { memoryBlobs } from '../../../../test/fakes.ts'
import type { EventType, JobEvent } from '../../../domain/jobs/events.ts'
import type { Blobs } from '../../../domain/blobs.ts'
import { limits } from '../../../spec/limits.ts'
import { bodyOf } from '../../scrape/page-bytes.ts'
import { pack } from '../../../domain/pages/packed.ts'
import { type EventJob, eventBody } from './event-body.ts'

const job: EventJob = { id: 'job', kind: 'crawl', webhook: { url: 'http://r.test/', headers: {}, metadata: { user: 'ü', n: { a: 1 } }, events: ['page'] }, error: null }
const event: JobEvent = { job: 'job', seq: 1, id: 'event', type: 'started', at: 0, page: null, failure: null }
const facts = { metadata: {}, verdict: 'ok', scriptDemand: null, confidence: null, removals: [], warnings: [] } as const
const metadata = { scrapeId: 'scrape', sourceURL: 'http://a.test/', statusCode: 200 }

async function delivered(fields: Readonly<Record<string, unknown>>, frame: Readonly<Record<string, unknown>> = { metadata }): Promise<{ blobs: Blobs; page: JobEvent }> {
  const blobs = memoryBlobs()
  const blob = await blobs.put(pack({ ...facts, fields }).bytes())
  const row = { seq: 1, scrapeId: 'scrape', url: 'http://a.test/', blob, frame: JSON.stringify(frame), bytes: 0, at: 0 }
  return { blobs, page: { ...event, type: 'page', page: row } }
}

const text = async (of: EventJob, what: JobEvent, blobs: Blobs = memoryBlobs()): Promise<string> => Buffer.from(await eventBody(of, what, blobs)).toString()
const base = { id: 'job', webhookId: 'event' }
const echoed = { user: 'ü', n: { a: 1 } }

describe('the body of an event', () => {
  it.each<[EventType, object]>([
    ['started', { success: true, type: 'crawl.started', ...base, data: [], metadata: echoed }],
    ['completed', { success: true, type: 'crawl.completed', ...base, data: [], metadata: echoed }],
    ['cancelled', { success: false, type: 'crawl.cancelled', ...base, data: [], metadata: echoed, error: 'The job was cancelled.' }],
    ['failed', { success: false, type: 'crawl.failed', ...base, data: [], metadata: echoed, error: 'No such host.' }],
  ])('of "%s" has the shape of the contract, byte for byte', async (type, body) => {
    expect(await text({ ...job, error: 'No such host.' }, { ...event, type })).toBe(JSON.stringify(body))
  })

  it('names batches as clients expect, and has empty metadata without a webhook', async () => {
    expect(await text({ ...job, kind: 'batch', webhook: null }, event)).toBe(JSON.stringify({ success: true, type: 'batch_scrape.started', ...base, data: [], metadata: {} }))
  })

  it('of a page contains the same document as the response of the scrape', async () => {
    const fields = { markdown: '# Ünï\u2028code "x"\n', links: ['http://a.test/\n'] }
    const { blobs, page } = await delivered(fields)
    const body = await text(job, page, blobs)
    expect(body).toBe(JSON.stringify({ success: true, type: 'crawl.page', ...base, data: [{ ...fields, metadata }], metadata: echoed }))
    const answer = Buffer.from(bodyOf(pack({ ...facts, fields }).json, JSON.stringify({ metadata }))).toString()
    expect(body).toContain(answer.slice('{"success":true,"data":'.length, -1))
  })

  it('consists of the same bytes each time', async () => {
    const { blobs, page } = await delivered({ markdown: 'x' })
    expect(await eventBody(job, page, blobs)).toEqual(await eventBody({ ...job }, { ...page }, blobs))
  })

  it('of a failed page contains its URL and the error', async () => {
    const failure = { id: 'scrape', at: 0, url: 'http://a.test/x', code: 'SCRAPE_TIMEOUT', error: 'Too slow.' }
    const data = [{ metadata: { sourceURL: 'http://a.test/x', scrapeId: 'scrape', error: 'Too slow.', code: 'SCRAPE_TIMEOUT' } }]
    expect(await text(job, { ...event, type: 'page', failure })).toBe(JSON.stringify({ success: false, type: 'crawl.page', ...base, data, metadata: echoed, error: 'Too slow.' }))
  })

  it('of an erased page says that it was erased', async () => {
    const { page } = await delivered({ markdown: 'x' })
    const body = JSON.stringify({ success: false, type: 'crawl.page', ...base, data: [], metadata: echoed, error: 'The page is no longer kept.' })
    expect(await text(job, page, memoryBlobs())).toBe(body)
    expect(await text(job, { ...page, page: null })).toBe(body)
  })
})

describe('the body of a page event that is too large', () => {
  const whole = 'The status of the job has the whole page.'
  const half = limits.bodyBytes / 2 + 1

  async function data(fields: Readonly<Record<string, unknown>>, frame?: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { blobs, page } = await delivered(fields, frame)
    const body = await eventBody(job, page, blobs)
    expect(body.length).toBeLessThanOrEqual(limits.bodyBytes)
    return (JSON.parse(Buffer.from(body).toString()) as { data: unknown[] }).data[0] // composed by eventBody
  }

  it('first omits rawHtml', async () => {
    expect(await data({ markdown: 'm', html: 'h', rawHtml: 'r'.repeat(limits.bodyBytes) })).toEqual({ markdown: 'm', html: 'h', metadata, warning: `Too large for one delivery, left out of it: rawHtml. ${whole}` })
  })

  it('then omits html, and adds to the warning of the page', async () => {
    const page = await data({ rawHtml: 'r', html: 'h'.repeat(half), markdown: 'm'.repeat(half) }, { warning: 'Cut.', metadata })
    expect(page).toEqual({ markdown: 'm'.repeat(half), metadata, warning: `Cut. Too large for one delivery, left out of it: rawHtml, html. ${whole}` })
  })

  it('then omits the other fields, the largest first', async () => {
    const page = await data({ markdown: 'm'.repeat(half), links: ['l'], images: ['i'.repeat(half + 1)] })
    expect(page).toEqual({ markdown: 'm'.repeat(half), links: ['l'], metadata, warning: `Too large for one delivery, left out of it: images. ${whole}` })
  })

  it('only identifies the page if its metadata alone is too large', async () => {
    const page = await data({ markdown: 'm' }, { metadata: { ...metadata, title: 't'.repeat(limits.bodyBytes) } })
    expect(page).toEqual({ warning: `Too large for one delivery, left out of it. ${whole}`, metadata })
  })

  it('is complete if the page just fits', async () => {
    const { blobs, page } = await delivered({ markdown: '' })
    const room = limits.bodyBytes - (await eventBody(job, page, blobs)).length
    expect(await data({ markdown: 'm'.repeat(room) })).toEqual({ markdown: 'm'.repeat(room), metadata })
    expect(await data({ markdown: 'm'.repeat(room + 1) })).toMatchObject({ metadata, warning: expect.stringContaining('markdown') as string }) // an asymmetric matcher
  })
})
