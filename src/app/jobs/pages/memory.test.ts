import { RE2JS } from 're2js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { allowAll } from '../../../content/site/robots.ts'
import type { Job } from '../../../domain/jobs/job.ts'
import { CrawlRequest } from '../../../spec/crawl.ts'
import { jobMemory } from './memory.ts'

const crawl = (start: string | null): Job =>
  ({ id: 'j', kind: 'crawl', url: 'http://short.example/', request: JSON.stringify(CrawlRequest.parse({ url: 'http://short.example/' })), start }) as Job // what the memory reads

/** A store with a job that the test can change. */
function store(job: Job | null) {
  const asked: string[] = []
  const state = { job }
  return { asked, state, find: async (id: string) => (asked.push(id), state.job) }
}

describe('what is remembered of a crawl', () => {
  it('is read again until the start is recorded, and not after that', async () => {
    const jobs = store(crawl(null))
    const memory = jobMemory(jobs, () => null)
    const first = await memory.of('j')
    first?.told.add(['http://short.example/a'])
    expect(first?.crawl?.rules().site.url.href).toBe('http://short.example/')
    jobs.state.job = crawl('http://harbour.test/en/')
    const second = await memory.of('j')
    await memory.of('j')
    expect([second?.crawl?.rules().site.url.host, second?.job.start, second?.told.has('http://short.example/a'), jobs.asked.length]).toEqual(['harbour.test', 'http://harbour.test/en/', true, 2])
  })

  it('starts with the state in the store in a new process', async () => {
    const known = await jobMemory(store(crawl('http://harbour.test/')), () => null).of('j')
    expect(known?.crawl?.rules().site.url.href).toBe('http://harbour.test/')
  })

  it('does not include a missing job or a failed read', async () => {
    const jobs = store(null)
    const memory = jobMemory(jobs, () => null)
    expect(await memory.of('j')).toBe(null)
    jobs.state.job = crawl('http://harbour.test/')
    expect((await memory.of('j'))?.job.id).toBe('j')
    let away = true
    const flaky = jobMemory({ find: async (id) => (away ? Promise.reject(new Error('away')) : jobs.find(id)) }, () => null)
    await expect(flaky.of('j')).rejects.toThrow('away')
    away = false
    expect((await flaky.of('j'))?.job.id).toBe('j')
  })

  it('restricts the headers of the caller to the site of the crawl', async () => {
    const request = JSON.stringify(CrawlRequest.parse({ url: 'https://short.example/', allowSubdomains: true, allowExternalLinks: true, scrapeOptions: { headers: { authorization: 'secret' } } }))
    const known = await jobMemory(store({ ...crawl(null), request }), () => null).of('j')
    const sent = ['https://short.example/a', 'https://www.short.example/a', 'http://short.example/a', 'https://sub.short.example/a', 'https://far.example/a'].map((url) => known?.page(url).headers?.['authorization'])
    expect(sent).toEqual(['secret', 'secret', undefined, undefined, undefined])
    await known?.crawl?.settle('https://far.example/')
    expect([known?.crawl?.rules().site.url.host, ...['https://short.example/a', 'https://far.example/a'].map((url) => known?.page(url).headers?.['authorization'])]).toEqual(['far.example', 'secret', undefined])
  })

  it('asks for robots.txt and sitemaps as for pages: with the headers for its site, and verified certificates if those are wanted', async () => {
    const wayOf = async (scrapeOptions: object): Promise<unknown> => {
      const request = JSON.stringify(CrawlRequest.parse({ url: 'https://short.example/', scrapeOptions }))
      const known = await jobMemory(store({ ...crawl(null), request }), () => null).of('j')
      return ['https://short.example/robots.txt', 'https://far.example/robots.txt'].map((url) => known?.crawl?.wayTo(url))
    }
    expect(await wayOf({})).toEqual([{}, {}])
    expect(await wayOf({ headers: { 'x-pass': 'yes' }, skipTlsVerification: false, proxy: 'enhanced', location: { country: 'DE' } })).toEqual([
      { tier: 'enhanced', country: 'DE', skipTlsVerification: false, headers: { 'x-pass': 'yes' } },
      { tier: 'enhanced', country: 'DE', skipTlsVerification: false },
    ])
  })

  it('requests no robots.txt if it is to be ignored', async () => {
    const request = JSON.stringify(CrawlRequest.parse({ url: 'http://short.example/', ignoreRobotsTxt: true }))
    const known = await jobMemory(store({ ...crawl('http://short.example/'), request }), () => null).of('j')
    expect([known?.crawl?.allows(allowAll, 'http://short.example/x'), known?.crawl?.crawlDelay(allowAll)]).toEqual([true, null])
  })
})

describe('what is remembered of jobs', () => {
  /** Which jobs the store was asked for, when these are worked on in turn, with requests of that many characters. */
  async function asked(ids: readonly string[], characters: number): Promise<string> {
    const seen: string[] = []
    const request = JSON.stringify({ actions: ['x'.repeat(characters)] })
    const memory = jobMemory({ find: async (id) => (seen.push(id), { id, kind: 'batch', url: '', request, start: null } as unknown as Job) }, () => null) // what the memory reads
    for (const id of ids) await memory.of(id)
    return seen.join('')
  }

  it('is limited by the length of their requests; those used longest ago are forgotten', async () => {
    expect(await asked([...'ababc'], 1_000)).toBe('abc')
    expect(await asked([...'abacab'], 8_000_000)).toBe('abcb')
    expect(await asked([...'aabb'], 21_000_000)).toBe('ab')
  })

  it('contains the compiled patterns of crawls, which count, and which those with the same ones share', async () => {
    const compile = vi.spyOn(RE2JS, 'compile')
    onTestFinished(() => compile.mockRestore())
    const many = ['^/a$', ...Array.from({ length: 49 }, (_, i) => `^/${i}/${'x'.repeat(1_990)}`)]
    const seen: string[] = []
    const requestOf = (id: string): string => JSON.stringify(CrawlRequest.parse({ url: 'http://short.example/', includePaths: id === 'other' ? ['^/b$'] : many, excludePaths: ['/private'] }))
    const memory = jobMemory({ find: async (id) => (seen.push(id), { ...crawl('http://short.example/'), id, request: requestOf(id) }) }, () => null)
    const included = async (id: string): Promise<readonly unknown[]> => {
      const rules = (await memory.of(id))?.crawl?.rules()
      return ['a', 'b'].map((path) => rules?.isIncluded(new URL(path, 'http://short.example/')))
    }
    for (const id of 'abcdefghijklmnopqr') await memory.of(id)
    expect([await included('a'), seen.join(''), compile.mock.calls.length]).toEqual([[true, false], 'abcdefghijklmnopqr', 51])
    expect([await included('other'), compile.mock.calls.length]).toEqual([[false, true], 53])
    // There is no space for another: the one used longest ago goes.
    for (const id of ['s', 'a', 'b']) await memory.of(id)
    expect([seen.slice(18), compile.mock.calls.length]).toEqual([['other', 's', 'b'], 53])
  })

  it('is limited in number', async () => {
    const ids = Array.from({ length: 201 }, (_, i) => String.fromCodePoint(0x4e00 + i))
    const [first = '', second = ''] = ids
    expect(await asked([...ids, second, first], 10)).toBe([...ids, first].join(''))
  })
})
