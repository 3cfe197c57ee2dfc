import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ScrapeAnswer } from '../../src/spec/scrape.ts'
import { type Answered, startTrawl, type TestService } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let trawl: TestService

beforeAll(async () => {
  site = await startSite()
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` } })
})
afterAll(async () => {
  await trawl.stop()
  await site.close()
})

async function data(path: string, body: object = {}): Promise<Answered['json']> {
  const answer = await trawl.scrape({ url: site.url(path), maxAge: 0, ...body })
  expect(answer.text).toContain('"success":true')
  expect(ScrapeAnswer.safeParse(answer.json)).toMatchObject({ success: true })
  return answer.json.data
}

const berths = '## Berths\n\n- North pier\n  - Berths 1 to 20\n  - Water and power\n- Old lock\n- Fish quay\n'
const dues = '| Gannet | 2026-04-01 | € 1250.50 | 60% | [gannet](https://example.com/gannet) |'

describe('a document that is scraped', () => {
  it.each([
    ['/docs/handbook.docx', berths],
    ['/docs/handbook', berths],
    ['/docs/handbook.epub', berths],
    ['/docs/handbook.rtf', berths],
    ['/docs/slides.pptx', '- Currents run to four knots\n  - strongest at the lock\n'],
    ['/docs/prices.xlsx', dues],
    ['/docs/prices.xls', dues],
    ['/docs/prices.csv', '| Boat | Since | Dues | Share | Page |\n| --- | --- | --- | --- | --- |\n| Gannet |'],
  ])('comes as markdown, however it is sent (%s)', async (path, part) => {
    const { markdown, metadata } = await data(path)
    expect(markdown).toContain(part)
    expect(metadata).toMatchObject({ creditsUsed: 1, verdict: 'ok', statusCode: 200 })
  })

  it('comes with what it says of itself, and in the other formats', async () => {
    const all = await data('/docs/handbook.docx', { formats: ['html', 'links', 'rawHtml', { type: 'attributes', selectors: [{ selector: 'td', attribute: 'colspan' }] }, 'summary'] })
    expect(Object.keys(all).sort()).toEqual(['attributes', 'html', 'links', 'metadata', 'summary', 'warning'])
    expect(all.links).toEqual(['https://example.com/tides'])
    expect(all.html).toContain('<h2>Berths</h2>')
    expect(all.warning).toContain('rawHtml is left out')
    expect(all.metadata).toMatchObject({ title: 'Harbour handbook', author: 'Ada Pier', description: 'How the harbour is run.', keywords: 'tide, harbour', publishedTime: '2026-03-01T00:00:00Z' })
  })

  it('obeys selectors, and is kept in the cache', async () => {
    expect((await data('/docs/handbook.docx', { includeTags: ['h2'], excludeTags: ['.none'] })).markdown).toBe('## Berths\n\n## Rules\n')
    const states = [await data('/docs/slides.pptx?kept', { maxAge: 60_000 }), await data('/docs/slides.pptx?kept', { maxAge: 60_000 })].map(({ metadata }) => metadata.cacheState)
    expect(states).toEqual(['miss', 'hit'])
  })
})
