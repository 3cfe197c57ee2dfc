import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, startTrawl } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
const folder = mkdtempSync(join(tmpdir(), 'trawl-durable-'))
const settings = (): Record<string, string> => ({ TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` })

beforeAll(async () => {
  site = await startSite()
})
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('R7 what was answered is kept', () => {
  it('R7 when the process is killed in the middle of writing', async () => {
    const dataDir = join(folder, 'killed')
    const first = await startTrawl({ dataDir, settings: settings() })
    const answered: Answered[] = []
    const all = Array.from({ length: 80 }, (_, n) =>
      first.scrape({ url: site.url(`/page/${n}`) }).then(
        (answer) => void answered.push(answer),
        () => undefined,
      ),
    )
    await expect.poll(() => answered.length, { interval: 1, timeout: 10_000 }).toBeGreaterThan(10)
    await first.stop('SIGKILL')
    await Promise.all(all)
    const second = await startTrawl({ dataDir, settings: settings() })
    for (const answer of answered) {
      expect(answer.status).toBe(200)
      expect((await second.call('GET', `/v2/scrape/${answer.json.data.metadata.scrapeId}`)).text).toBe(answer.text)
    }
    expect((await second.scrape({ url: site.url('/page/1') })).status).toBe(200)
    await second.stop()
  })

  it('R7 and what cannot be kept is not answered: requests fail at once with a clear error, and work again when the disk is back', async () => {
    const dataDir = join(folder, 'broken')
    const trawl = await startTrawl({ dataDir, settings: settings() })
    // Large results are stored in a file.
    const long = (page: string): Record<string, unknown> => ({ url: site.url(`/large/text?mb=1&page=${page}`), timeout: 5_000 })
    await trawl.scrape(long('before'))
    renameSync(join(dataDir, 'blobs'), join(dataDir, 'blobs-away'))
    writeFileSync(join(dataDir, 'blobs'), '')
    const failed = await trawl.scrape(long('lost'))
    expect([failed.status, failed.json.code]).toEqual([500, 'UNKNOWN_ERROR'])
    expect(failed.text).not.toMatch(/blobs|ENOTDIR|EEXIST|trawl-durable/)
    await expect.poll(trawl.output).toContain(failed.json.requestId)
    // Small results are stored in the database row itself.
    expect((await trawl.scrape({ url: site.url('/page/kept') })).status).toBe(200)
    rmSync(join(dataDir, 'blobs'))
    renameSync(join(dataDir, 'blobs-away'), join(dataDir, 'blobs'))
    expect((await trawl.scrape(long('lost'))).status).toBe(200)
    expect(await trawl.stop()).toBe(0)
  })

  it('R7 nothing is answered while the data folder is moved away or replaced beneath the process, and all is well when it is back', async () => {
    const dataDir = join(folder, 'moved')
    const trawl = await startTrawl({ dataDir, settings: settings() })
    const asks = async (): Promise<unknown[]> => {
      const answers = await Promise.all([trawl.scrape({ url: site.url('/page/1'), maxAge: 0 }), trawl.call('POST', '/v2/batch/scrape', { urls: [site.url('/page/2')] })])
      return answers.map(({ status, json, headers }) => [status, json.code, headers.get('retry-after')])
    }
    renameSync(dataDir, `${dataDir}-away`)
    const away = [503, 'OVERLOADED', '2']
    expect(await asks()).toEqual([away, away])
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'trawl.db'), '')
    expect(await asks()).toEqual([away, away])
    expect(trawl.output()).toContain('was moved, deleted or replaced')
    rmSync(dataDir, { recursive: true })
    renameSync(`${dataDir}-away`, dataDir)
    expect(await asks()).toEqual([[200, undefined, null], [200, undefined, null]])
    expect(await trawl.stop()).toBe(0)
  })

  it('R7 nothing is answered once the journal is deleted beneath the process, and nothing that was answered before is lost', async () => {
    const dataDir = join(folder, 'journal')
    const trawl = await startTrawl({ dataDir, settings: settings() })
    const before = await trawl.scrape({ url: site.url('/page/1'), maxAge: 0 })
    expect(before.status).toBe(200)
    rmSync(join(dataDir, 'trawl.db-wal'))
    const { status, json } = await trawl.scrape({ url: site.url('/page/2'), maxAge: 0 })
    expect([status, json.code]).toEqual([503, 'OVERLOADED'])
    await trawl.stop('SIGKILL')
    const next = await startTrawl({ dataDir, settings: settings() })
    expect((await next.call('GET', `/v2/scrape/${before.json.data.metadata.scrapeId}`)).status).toBe(200)
    await next.stop()
  })
})

it('R8 of twenty requests with one idempotency key, one runs and the others get a conflict or its answer', async () => {
  const trawl = await startTrawl({ settings: settings() })
  site.reset()
  const answers = await Promise.all(Array.from({ length: 20 }, () => trawl.scrape({ url: site.url('/slow/headers?ms=300'), maxAge: 0 }, { 'x-idempotency-key': 'one' })))
  const first = answers.filter((answer) => answer.status === 200)
  const refused = answers.filter((answer) => answer.status !== 200)
  expect(new Set(first.map((answer) => answer.text)).size).toBe(1)
  expect(refused.map((answer) => [answer.status, answer.json.code, answer.headers.get('retry-after')])).toEqual(refused.map(() => [409, 'IDEMPOTENCY_CONFLICT', '1']))
  expect(site.hits('/slow/headers')).toBe(1)
  await trawl.stop()
})
