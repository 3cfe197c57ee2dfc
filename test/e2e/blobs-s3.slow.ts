import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { trawlCommand } from '../command.ts'
import { type Fault, s3Credentials, type S3Server, startS3 } from '../s3-server.ts'
import { startTrawl, type TestService } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let store: S3Server
let dataDir = ''
let trawl: TestService | null = null

beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  site.reset()
  store = await startS3()
  dataDir = mkdtempSync(join(tmpdir(), 'trawl-s3-'))
})
afterEach(async () => {
  await trawl?.stop()
  trawl = null
  await store.close()
  rmSync(dataDir, { recursive: true })
})

const keys = { TRAWL_S3_ACCESS_KEY_ID: s3Credentials.accessKeyId, TRAWL_S3_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey }

async function started(settings: Readonly<Record<string, string>> = {}): Promise<TestService> {
  return (trawl = await startTrawl({ dataDir, settings: { TRAWL_BLOB_URL: store.url, ...keys, TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, ...settings } }))
}

describe('a service whose blobs are in an object store', () => {
  it('keeps results and cached pages there over a restart', async () => {
    const url = site.url('/page/in-the-store')
    let service = await started()
    const first = await service.scrape({ url })
    expect(first.status).toBe(200)
    const scrapeId = String(first.json.data.metadata.scrapeId)
    const shown = async (): Promise<unknown> => (await service.call('GET', `/v2/scrape/${scrapeId}`)).json.data.markdown
    expect(await shown()).toBe(first.json.data.markdown)
    expect((await service.scrape({ url })).json.data.metadata.cacheState).toBe('hit')
    expect(await service.stop()).toBe(0)
    service = await started()
    expect(await shown()).toBe(first.json.data.markdown)
    const again = await service.scrape({ url, formats: ['markdown', 'rawHtml'] })
    expect([again.json.data.metadata.cacheState, again.json.data.markdown]).toEqual(['hit', first.json.data.markdown])
    expect(again.json.data.rawHtml).toContain('<!doctype html>')
    expect(site.hits('/page/in-the-store')).toBe(1)
    expect(store.objects.size).toBeGreaterThan(1)
    expect(readdirSync(dataDir)).not.toContain('blobs')
  })

  it('survives a store that fails now and then', async () => {
    const service = await started()
    let requests = 0
    store.fault = () => (++requests % 3 === 0 ? undefined : { kind: 'answer', status: 503, code: 'SlowDown' })
    const answer = await service.scrape({ url: site.url('/page/now-and-then') })
    expect(answer.status).toBe(200)
    expect((await service.call('GET', `/v2/scrape/${answer.json.data.metadata.scrapeId}`)).json.data.markdown).toBe(answer.json.data.markdown)
  })

  it.each<[string, Fault]>([
    ['cannot be reached', { kind: 'reset-before' }],
    ['has too much to do', { kind: 'answer', status: 503, code: 'SlowDown' }],
    ['refuses the key', { kind: 'answer', status: 403, code: 'AccessDenied' }],
    ['does not know the key', { kind: 'answer', status: 401, code: 'InvalidAccessKeyId' }],
    ['has lost the bucket', { kind: 'answer', status: 404, code: 'NoSuchBucket' }],
  ])('answers 503 with Retry-After while the store %s, without details of the store, and works again later', async (_, fault) => {
    const service = await started()
    const url = site.url('/page/store-away')
    store.fault = () => fault
    const failed = await service.scrape({ url })
    expect([failed.status, failed.json.code, failed.headers.get('retry-after')]).toEqual([503, 'OVERLOADED', '2'])
    for (const secret of [String(store.port), 'test-bucket', 'blob', 'SlowDown', 'AccessDenied', ...Object.values(keys)]) expect(failed.text).not.toContain(secret)
    expect(service.output()).toContain(fault.kind === 'answer' ? `The blob store answered ${fault.status} ${fault.code}.` : 'The blob store cannot be reached.')
    for (const secret of [String(store.port), ...Object.values(keys)]) expect(service.output()).not.toContain(secret)
    store.fault = () => undefined
    expect((await service.scrape({ url })).status).toBe(200)
  })

  it('loses no page of a job while the store refuses the key', async () => {
    const service = await started()
    store.fault = () => ({ kind: 'answer', status: 403, code: 'AccessDenied' })
    const { json } = await service.call('POST', '/v2/batch/scrape', { urls: [site.url('/page/refused-1'), site.url('/page/refused-2')] })
    await expect.poll(() => service.output(), { timeout: 20_000 }).toMatch(/403 AccessDenied.*"event":"page-not-settled"/)
    store.fault = () => undefined
    const job = async (): Promise<unknown> => (await service.call('GET', `/v2/batch/scrape/${json.id}`)).json
    await expect.poll(job, { timeout: 30_000 }).toMatchObject({ status: 'completed', completed: 2, data: [{ markdown: expect.any(String) }, { markdown: expect.any(String) }] })
  })

  it('uses the store for blobs only: no page is fetched from it, whatever the allow-list contains', async () => {
    const service = await started({ TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' })
    const before = store.seen.length
    for (const host of ['127.0.0.1', 'store.localhost']) {
      const answer = await service.scrape({ url: `http://${host}:${store.port}/test-bucket/` })
      expect([answer.status, answer.json.code]).toEqual([403, 'FORBIDDEN'])
    }
    expect(store.seen.length).toBe(before)
  })
})

describe('trawl doctor, where blobs are in an object store', () => {
  const doctor = (settings: Readonly<Record<string, string>>): ReturnType<typeof trawlCommand> => trawlCommand(['doctor'], { TRAWL_DATA_DIR: dataDir, TRAWL_BLOB_URL: store.url, ...keys, ...settings })

  it('reports that blobs can be written and read', async () => {
    const ended = await doctor({})
    expect(ended.stdout).toMatch(/ok +blobs: object store, can be written and read/)
    expect(ended.code).toBe(0)
  })

  it.each<[string, () => Record<string, string>, RegExp]>([
    ['a wrong secret', () => ({ TRAWL_S3_SECRET_ACCESS_KEY: 'not-the-secret' }), /BROKEN +blobs.*403 SignatureDoesNotMatch/],
    ['no store at that address', () => ({ TRAWL_BLOB_URL: 's3://test-bucket?endpoint=http://127.0.0.1:1' }), /BROKEN +blobs.*cannot be reached.*does not accept connections/],
    ['no such bucket', () => ({ TRAWL_BLOB_URL: store.url.replace('test-bucket', 'other-bucket') }), /BROKEN +blobs.*404 NoSuchBucket/],
  ])('reports %s', async (_, settings, wanted) => {
    const ended = await doctor(settings())
    expect(ended.stdout).toMatch(wanted)
    expect(ended.stdout).not.toContain('not-the-secret')
    expect(ended.code).toBe(1)
  })

  it('reports missing credentials', async () => {
    const ended = await doctor({ TRAWL_S3_SECRET_ACCESS_KEY: '' })
    expect(ended.stdout + ended.stderr).toContain('TRAWL_S3_SECRET_ACCESS_KEY')
    expect(ended.code).toBe(1)
  })
})
