import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answered, startTrawl, type TestService } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let trawl: TestService

beforeAll(async () => {
  site = await startSite()
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_ZDR_TEAMS: '*' } })
})
afterAll(async () => {
  await trawl.stop()
  await site.close()
})
beforeEach(() => site.reset())

let serial = 0
const fresh = (): string => site.url(`/page/picture-${++serial}`)
const asked = (url: string): number => site.hits(new URL(url).pathname)
const data = async (body: object): Promise<Answered['json']> => {
  const { json } = await trawl.scrape(body)
  expect(json).toMatchObject({ success: true })
  return json.data
}
const bytesOf = async (address: string): Promise<Buffer> => {
  const answer = await fetch(address)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
  return Buffer.from(await answer.arrayBuffer())
}
const formats = ['markdown', 'screenshot']

describe('a cached screenshot', () => {
  it('is returned again without contacting the site, under its own address', async () => {
    const url = fresh()
    const first = await data({ url, formats })
    const second = await data({ url, formats })
    const other = await data({ url, formats: ['links', 'screenshot'] })
    expect(asked(url)).toBe(1)
    expect([first, second, other].map((one) => one.metadata.cacheState)).toEqual(['miss', 'hit', 'hit'])
    expect(second.markdown).toBe(first.markdown)
    expect(new Set([first, second, other].map((one) => one.screenshot)).size).toBe(3)
    const [picture, ...same] = await Promise.all([first, second, other].map((one) => bytesOf(one.screenshot)))
    expect(picture?.subarray(1, 4).toString()).toBe('PNG')
    expect(same).toEqual([picture, picture])
    const again = await trawl.call('GET', `/v2/scrape/${second.metadata.scrapeId}`)
    expect(again.json.data).toEqual(second)
  })

  it('is separate from a full-page screenshot, and from a page without one', async () => {
    const url = fresh()
    const states = []
    for (const some of [formats, ['markdown', 'screenshot@fullPage'], ['markdown'], ['markdown', { type: 'screenshot', fullPage: true }], ['markdown']]) states.push((await data({ url, formats: some })).metadata.cacheState)
    expect(states).toEqual(['miss', 'miss', 'miss', 'hit', 'hit'])
    expect(asked(url)).toBe(3)
  })

  it('is returned when only the cache may answer', async () => {
    const url = fresh()
    expect((await trawl.scrape({ url, formats, minAge: 1 })).json.code).toBe('SCRAPE_NO_CACHED_DATA')
    expect((await trawl.scrape({ url, formats, lockdown: true })).json.code).toBe('SCRAPE_LOCKDOWN_CACHE_MISS')
    const taken = await bytesOf((await data({ url, formats })).screenshot)
    expect(await bytesOf((await data({ url, formats, minAge: 1 })).screenshot)).toEqual(taken)
    // A request that leaves nothing behind has no address to return.
    expect((await data({ url, formats, lockdown: true })).screenshot).toBe(`data:image/png;base64,${taken.toString('base64')}`)
    expect(asked(url)).toBe(1)
  })

  it('is taken again if its bytes are missing', async () => {
    const url = fresh()
    const key = createHash('sha256').update(await bytesOf((await data({ url, formats })).screenshot)).digest('hex')
    rmSync(join(trawl.dataDir, 'blobs', key.slice(0, 2), key))
    expect((await trawl.scrape({ url, formats, minAge: 1 })).json.code).toBe('SCRAPE_NO_CACHED_DATA')
    const second = await data({ url, formats })
    expect([second.metadata.cacheState, asked(url)]).toEqual(['miss', 2])
    expect((await bytesOf(second.screenshot)).length).toBeGreaterThan(0)
  })
})

describe('no screenshot is cached', () => {
  it.each([
    ['of a size of its own', { formats: [{ type: 'screenshot', viewport: { width: 500, height: 400 } }] }],
    ['of a quality of its own', { formats: [{ type: 'screenshot', quality: 50 }] }],
  ])('%s, or served', async (_name, options) => {
    const url = fresh()
    await data({ url, formats })
    expect((await data({ url, ...options })).metadata.cacheState).toBeUndefined()
    expect((await data({ url, ...options })).metadata.cacheState).toBeUndefined()
    expect(asked(url)).toBe(3)
    expect((await trawl.scrape({ url, ...options, minAge: 1 })).json.code).toBe('SCRAPE_NO_CACHED_DATA')
  })

  it('for a request that stores nothing', async () => {
    const url = fresh()
    expect((await data({ url, formats, zeroDataRetention: true })).screenshot).toMatch(/^data:image\/png;base64,iVBOR/)
    expect((await trawl.scrape({ url, formats, minAge: 1 })).json.code).toBe('SCRAPE_NO_CACHED_DATA')
  })
})
