import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { ScrapeAnswer } from '../../src/spec/scrape.ts'
import { crawled } from '../crawls.ts'
import { type Answered, startTrawl, type TestService } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'
import { page, type Page } from '../site/page.ts'

let site: Site
let trawl: TestService

beforeAll(async () => {
  site = await startSite()
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' } })
})
afterAll(async () => {
  await trawl.stop()
  await site.close()
})
beforeEach(() => site.reset())

const data = async (body: object): Promise<Answered['json']> => {
  const answer = await trawl.scrape({ url: site.url('/files/report.pdf'), maxAge: 0, ...body })
  expect(answer.text).toContain('"success":true')
  expect(answer.status).toBe(200)
  expect(ScrapeAnswer.safeParse(answer.json)).toMatchObject({ success: true })
  return answer.json.data
}
const refused = async (path: string, parser: object = {}): Promise<unknown[]> => {
  const { status, json } = await trawl.scrape({ url: site.url(path), parsers: [{ type: 'pdf', ...parser }], maxAge: 0 })
  return [status, json.code, json.error]
}

const part = (title: string): string =>
  `# ${title}\n\nThe part on ${title.toLowerCase()} of the report of the harbour office, in a few words. See [the tables](https://example.com/tables) too.\n\n- North pier\n- Old lock`

describe('a PDF', () => {
  it('is converted to markdown, charged by the page', async () => {
    const { metadata, ...rest } = await data({})
    expect(rest).toEqual({ markdown: ['Stations', 'Methods', 'Results'].map(part).join('\n\n') })
    expect(metadata).toMatchObject({ title: 'Tide report', author: 'Harbour Office', contentType: 'application/pdf', statusCode: 200, verdict: 'ok', numPages: 3, totalPages: 3, creditsUsed: 3 })
  })

  it('that is not to be read costs one credit, and names the formats that it cannot be given in', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } }
    const formats = ['markdown', 'html', 'links', { type: 'json', schema }, { type: 'highlights', query: 'pier' }, { type: 'changeTracking', modes: ['json'], schema }]
    const { warning, metadata, ...rest } = await data({ parsers: [], formats })
    expect(Object.keys(rest).sort()).toEqual(['changeTracking', 'markdown', 'rawBase64'])
    expect(warning).toBe('With `parsers: []` a PDF is returned as it is, not read: left out html, links, json, highlights, json of changeTracking.')
    expect(metadata.creditsUsed).toBe(1)
  })

  it('is split into marked pages, up to the requested number', async () => {
    const { markdown, pages, metadata } = await data({ parsers: [{ type: 'pdf', maxPages: 2, pages: true, pageMarkers: true }] })
    expect(pages).toEqual([{ pageNumber: 1, markdown: part('Stations') }, { pageNumber: 2, markdown: part('Methods') }])
    expect(markdown).toBe(`${part('Stations')}\n\n---\n\n<!-- page 2 -->\n\n${part('Methods')}`)
    expect(metadata).toMatchObject({ numPages: 2, totalPages: 3, creditsUsed: 2 })
    expect((await data({ parsers: [{ type: 'pdf', pageMarkdown: true }] })).pages).toHaveLength(3)
    expect((await data({ parsers: ['pdf', { type: 'pdf', maxPages: 2 }] })).metadata.numPages).toBe(2)
  })

  it('is returned in the other formats, and lists those that it does not have', async () => {
    const all = await data({ formats: ['html', 'rawHtml', 'links', 'images', { type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] }] })
    expect(Object.keys(all).sort()).toEqual(['attributes', 'html', 'images', 'links', 'metadata', 'warning'])
    expect(all.html).toContain('<h1>Stations</h1>\n<p>The part on stations')
    expect(all.links).toEqual(['https://example.com/tables'])
    expect(all.attributes[0].values[0]).toBe('https://example.com/tables')
    expect(all.warning).toBe('A PDF has no HTML of its own: rawHtml is left out. The images of a PDF are not extracted.')
  })

  it('is returned with the elements of its pages', async () => {
    const { markdown, blocks } = await data({ parsers: [{ type: 'pdf', blocks: true, maxPages: 2 }] })
    expect(blocks).toHaveLength(2)
    expect(blocks[1].items.map((item: { type: string; content: string }) => [item.type, item.content.slice(0, 9)])).toEqual([['heading', '# Methods'], ['text', 'The part '], ['list', '- North p']])
    for (const { items } of blocks) for (const { content, markdownSpan } of items) expect(markdown.slice(...markdownSpan)).toBe(content)
  })

  it('obeys selectors on its structure', async () => {
    expect((await data({ includeTags: ['h1'] })).markdown.trim()).toBe('# Stations\n\n# Methods\n\n# Results')
  })

  it('is identified by its bytes, and read again from the cache at the same price', async () => {
    expect((await data({ url: site.url('/types/pdf-as-html') })).markdown).toBe('## Tide tables for 2026')
    const cached = (format: string): Promise<Answered['json']> => data({ url: site.url('/files/report.pdf?kept'), maxAge: 60_000, formats: [format] })
    const [first, again, other] = [await cached('links'), await cached('links'), await cached('markdown')]
    expect([first, again, other].map(({ metadata }) => [metadata.cacheState, metadata.numPages, metadata.creditsUsed])).toEqual([['miss', 3, 3], ['hit', 3, 3], ['hit', 3, 3]])
    expect(again.links).toEqual(first.links)
    expect(other.markdown).toContain('# Results')
    expect(site.hits('/files/report.pdf')).toBe(1)
  })

  it('that contains only images says so, and fails in mode fast', async () => {
    const { markdown, warning, metadata } = await data({ url: site.url('/files/scanned.pdf') })
    expect([markdown, metadata.numPages]).toEqual(['', 2])
    expect(warning).toMatch(/^Pages 1-2 of the PDF may lack text/)
    expect(await refused('/files/scanned.pdf', { mode: 'fast' })).toEqual([500, 'SCRAPE_PDF_OCR_REQUIRED', expect.stringContaining('text recognition')])
  })

  it.each([
    ['/files/broken.pdf', {}, 500, 'SCRAPE_UNSUPPORTED_FILE_ERROR', 'broken or incomplete'],
    ['/files/locked.pdf', {}, 500, 'SCRAPE_UNSUPPORTED_FILE_ERROR', 'password'],
    ['/files/report.pdf', { mode: 'ocr' }, 501, 'FEATURE_NOT_CONFIGURED', 'TRAWL_OCR'],
  ])('at %s with %j is refused with a clear message', async (path, parser, status, code, words) => {
    expect(await refused(path, parser)).toEqual([status, code, expect.stringContaining(words)])
  })

  it('is read by a process that ends with the service', async () => {
    const own = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' } })
    const { readFileSync } = await import('node:fs')
    const of = (pid: number, file: string): string => {
      try {
        return readFileSync(`/proc/${pid}/${file}`, 'utf8')
      } catch {
        return '' // it has gone
      }
    }
    // Two seconds after its start, a service looks for browsers, which are processes, too.
    const readersOf = (pid: number): number[] => of(pid, `task/${pid}/children`).split(' ').map(Number).filter((child) => of(child, 'cmdline').includes('parsers/child.js'))
    const lives = (pid: number): boolean => !['', 'Z'].includes(/\) (\S)/.exec(of(pid, 'stat'))?.[1] ?? '')
    expect(readersOf(own.pid)).toEqual([])
    expect((await own.scrape({ url: site.url('/files/report.pdf') })).status).toBe(200)
    const readers = readersOf(own.pid)
    expect(readers).toHaveLength(1)
    await own.stop('SIGKILL')
    while (readers.some(lives)) await new Promise((resolve) => setImmediate(resolve))
  })
})

describe('a page that embeds a PDF', { timeout: 60_000 }, () => {
  const shows = (html: string): Page => page(`<!doctype html><title>Report</title><body>${html}</body>`)
  it.each(['<embed src="/files/report.pdf#view=FitH">', '<object data="/files/report.pdf" type="application/pdf"></object>', '<iframe src="/files/report.pdf"></iframe><script>document.title += "!"</script>'])('and nothing else is empty, names the file, and leads a crawl there: %s', async (html) => {
    const own = await startSite({ '/': shows(html) })
    onTestFinished(() => own.close())
    const { data: shown } = (await trawl.scrape({ url: own.url('/') })).json
    expect([shown.markdown, shown.metadata.verdict, shown.metadata.creditsUsed, shown.warning]).toEqual(['', 'empty', 0, expect.stringMatching(/^The page has no content of its own: it shows the file http:\S+\/files\/report\.pdf(?:#view=FitH)?, which can be scraped\.$/)])
    own.reset()
    const job = await crawled(trawl, { url: own.url('/'), sitemap: 'skip' })
    expect([job.paths, own.hits('/')]).toEqual([['/', '/files/report.pdf'], html.includes('script') ? 2 : 1])
  })

  it('next to content made by scripts keeps that content', async () => {
    const text = '<h1>Report</h1><p>The office keeps the tide tables of the last hundred years here.</p>'
    const own = await startSite({
      '/': shows(`<div id="root"></div><iframe src="/moved"></iframe><script>fetch("/slow").then((answer) => answer.text()).then((text) => (document.getElementById("root").innerHTML = text))</script>`),
      '/moved': (_visit, answer) => answer.send(302, { location: '/files/report.pdf' }),
      '/slow': async (visit, answer) => {
        await visit.later(1_000)
        answer.send(200, { 'content-type': 'text/plain' }, text)
      },
    })
    onTestFinished(() => own.close())
    const { data: shown } = (await trawl.scrape({ url: own.url('/'), explain: true })).json
    expect([shown.explain.engine, shown.metadata.verdict, shown.markdown, own.hits('/')]).toEqual(['browser', 'ok', expect.stringContaining('the last hundred years'), 2])
  })
})
