import { readFileSync } from 'node:fs'
import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ScrapeAnswer } from '../../src/spec/scrape.ts'
import { paragraph, samplePdf } from '../pdf.ts'
import { type Answered, startTrawl, type TestService, testKey } from '../service.ts'
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

describe('a scraped document', () => {
  it.each([
    ['/docs/handbook.docx', berths],
    ['/docs/handbook', berths],
    ['/docs/handbook.epub', berths],
    ['/docs/handbook.rtf', berths],
    ['/docs/slides.pptx', '- Currents run to four knots\n  - strongest at the lock\n'],
    ['/docs/slides.pps', '- Currents run to four knots\n  - strongest at the lock\n'],
    ['/docs/prices.xlsx', dues],
    ['/docs/prices.xls', dues],
    ['/docs/prices.csv', '| Boat | Since | Dues | Share | Page |\n| --- | --- | --- | --- | --- |\n| Gannet |'],
  ])('is converted to markdown, however it is served (%s)', async (path, part) => {
    const { markdown, metadata } = await data(path)
    expect(markdown).toContain(part)
    expect(metadata).toMatchObject({ creditsUsed: 1, verdict: 'ok', statusCode: 200 })
  })

  it('is returned with its own metadata, and in the other formats', async () => {
    const all = await data('/docs/handbook.docx', { formats: ['html', 'links', 'rawHtml', { type: 'attributes', selectors: [{ selector: 'td', attribute: 'colspan' }] }, 'summary'] })
    expect(Object.keys(all).sort()).toEqual(['attributes', 'html', 'links', 'metadata', 'summary', 'warning'])
    expect(all.links).toEqual(['https://example.com/tides'])
    expect(all.html).toContain('<h2>Berths</h2>')
    expect(all.warning).toContain('rawHtml is left out')
    expect(all.metadata).toMatchObject({ title: 'Harbour handbook', author: 'Ada Pier', description: 'How the harbour is run.', keywords: 'tide, harbour', publishedTime: '2026-03-01T00:00:00Z' })
  })

  it('obeys selectors, and is cached', async () => {
    expect((await data('/docs/handbook.docx', { includeTags: ['h2'], excludeTags: ['.none'] })).markdown).toBe('## Berths\n\n## Rules\n')
    const states = [await data('/docs/slides.pptx?kept', { maxAge: 60_000 }), await data('/docs/slides.pptx?kept', { maxAge: 60_000 })].map(({ metadata }) => metadata.cacheState)
    expect(states).toEqual(['miss', 'hit'])
  })
})

const bytesOf = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(new URL(`../documents/made/${name}`, import.meta.url)))
const form = (fields: Readonly<Record<string, string | File>>): FormData => {
  const made = new FormData()
  for (const [name, value] of Object.entries(fields)) made.append(name, value)
  return made
}
const parse = (content: string | Uint8Array<ArrayBuffer>, name: string, options?: object): Promise<Answered> =>
  trawl.call('POST', '/v2/parse', form({ file: new File([content], name), ...(options === undefined ? {} : { options: JSON.stringify(options) }) }))

describe('a file that is uploaded for parsing', () => {
  it('is answered like a scrape, with its name', async () => {
    const { status, json } = await parse(bytesOf('pandoc-handbook.docx'), 'C:\\papers\\Häfen & Co.docx')
    expect(status).toBe(200)
    expect(ScrapeAnswer.safeParse(json)).toMatchObject({ success: true })
    expect(json.data.markdown).toContain(berths)
    expect(json.data.metadata).toMatchObject({ sourceFile: 'Häfen & Co.docx', sourceURL: 'upload:H%C3%A4fen%20%26%20Co.docx', title: 'Harbour handbook', creditsUsed: 1 })
    const again = await trawl.call('GET', `/v2/scrape/${json.data.metadata.scrapeId}`)
    expect(again.json).toEqual(json)
    const interact = await trawl.call('POST', `/v2/scrape/${json.data.metadata.scrapeId}/interact`, { code: '1' })
    expect([interact.status, interact.json.code]).toEqual([409, 'REPLAY_UNAVAILABLE'])
    const { json: activity } = await trawl.call('GET', '/v2/team/activity')
    expect(activity.data[0]).toMatchObject({ endpoint: 'parse' })
  })

  it.each([
    ['table.csv', 'a,b\n1,2\n', '| a | b |\n| --- | --- |\n| 1 | 2 |\n'],
    ['keys.csv', 'PK,b\n1,2\n', '| PK | b |\n| --- | --- |\n| 1 | 2 |\n'],
    ['data.json', '{"a":1}', '```json\n{"a":1}\n```\n'],
    ['feed.rss', '<rss><channel><title>Tides</title></channel></rss>', '# Tides\n'],
    ['note.txt', 'High water.\n', 'High water.\n'],
    ['page.html', '<main><h1>Tides</h1><p>See <a href="/x">this</a> and <a href="https://example.com/y">that</a>.</p></main>', '# Tides\n\nSee this and [that](https://example.com/y).\n'],
  ])('is identified by its name (%s)', async (name, content, markdown) => {
    expect((await parse(content, name)).json.data.markdown).toBe(markdown)
  })

  it('accepts options and formats', async () => {
    const pdf = new Uint8Array(samplePdf({ pages: [{ lines: paragraph(['High water is at seven in the morning,', 'low water at one.'], { y: 700 }) }, { scanned: true }] }))
    const { json } = await parse(pdf, 'tides.pdf', { formats: ['markdown', 'html', { type: 'json', schema: { type: 'object', properties: { title: { type: 'string' } } } }], parsers: [{ type: 'pdf', maxPages: 1, pages: true }], onlyMainContent: false, headers: { a: 'b' }, origin: 'test' })
    expect(json.data).toMatchObject({ markdown: 'High water is at seven in the morning, low water at one.', pages: [{ pageNumber: 1 }], metadata: { numPages: 1, totalPages: 2, creditsUsed: 1 } })
    expect(json.data.warning).toContain('headers')
    const file = await parse(pdf, 'tides.pdf', { parsers: [] })
    expect(Buffer.from(file.json.data.rawBase64, 'base64').toString('latin1', 0, 5)).toBe('%PDF-')
    expect(file.json.data.metadata.contentType).toBe('application/pdf')
  })

  it('costs no more than its pages where nothing is found for the formats that cost more', async () => {
    const pdf = new Uint8Array(samplePdf({ pages: [{ lines: paragraph(['High water is at seven in the morning,', 'low water at one.'], { y: 700 }) }] }))
    const costs = async (question: string): Promise<readonly number[]> => {
      const formats = ['markdown', { type: 'question', question }]
      return (await Promise.all([parse(pdf, 'tides.pdf', { formats }), parse(bytesOf('pandoc-handbook.docx'), 'handbook.docx', { formats })])).map(({ json }) => json.data.metadata.creditsUsed)
    }
    expect([await costs('zeppelins'), await costs('water')]).toEqual([[1, 1], [5, 5]])
  })

  it('accepts what the Python client sends: all options at their defaults, and a field of the form with its name', async () => {
    const options = { onlyMainContent: true, mobile: false, waitFor: 0, actions: [], skipTlsVerification: true, removeBase64Images: true, fastMode: false, blockAds: true, origin: 'python-sdk@4.54.0' }
    const { status, json } = await trawl.call('POST', '/v2/parse', form({ options: JSON.stringify(options), origin: 'python-sdk@4.54.0', file: new File(['High water.\n'], 'note.txt') }))
    expect([status, json.data?.markdown, json.data?.warning]).toEqual([200, 'High water.\n', undefined])
    expect(await parse('x', 'x.txt', { mobile: true, actions: [{ type: 'scroll' }] })).toMatchObject({ status: 400, json: { error: expect.stringContaining('mobile, actions') } })
  })

  it.each([
    ['an option of pages', { waitFor: 5, formats: ['screenshot'] }, 400, 'PARSE_UNSUPPORTED_OPTIONS', 'waitFor, format screenshot'],
    ['the enhanced proxy', { proxy: 'stealth' }, 400, 'PARSE_UNSUPPORTED_OPTIONS', 'proxy stealth'],
    ['an unknown option', { formatz: [] }, 400, 'BAD_REQUEST', 'did you mean "formats"?'],
    ['zero retention without the right to it', { zeroDataRetention: true }, 403, 'FORBIDDEN', 'TRAWL_ZDR_TEAMS'],
  ])('is refused with %s', async (_what, options, status, code, words) => {
    expect(await parse('x', 'x.txt', options)).toMatchObject({ status, json: { code, error: expect.stringContaining(words) } })
  })

  it('names the field whose JSON is broken', async () => {
    const { json } = await trawl.call('POST', '/v2/parse', form({ file: new File(['x'], 'a.txt'), options: '{' }))
    expect([json.code, json.error]).toEqual(['BAD_REQUEST_INVALID_JSON', 'The field `options` is not valid JSON in UTF-8.'])
  })

  const zip = new Uint8Array(Buffer.from('504b0304', 'hex'))
  it.each([
    ['is missing', form({ options: '{}' }), 400, 'BAD_REQUEST'],
    ['is empty', form({ file: new File([], 'a.pdf') }), 400, 'BAD_REQUEST'],
    ['is a text field', form({ file: 'x' }), 400, 'BAD_REQUEST'],
    ['comes with another field', form({ file: new File(['x'], 'a.txt'), url: 'x' }), 400, 'BAD_REQUEST'],
    ['comes with options that are no JSON', form({ file: new File(['x'], 'a.txt'), options: '{' }), 400, 'BAD_REQUEST_INVALID_JSON'],
    ['is too large', form({ file: new File([new Uint8Array(51 * 1024 * 1024 + 1)], 'a.pdf') }), 400, 'BAD_REQUEST'],
    ['is a broken document', form({ file: new File([zip], 'a.docx') }), 500, 'SCRAPE_UNSUPPORTED_FILE_ERROR'],
    ['is called a document and is none', form({ file: new File(['PK garbage'], 'a', { type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' }) }), 500, 'SCRAPE_UNSUPPORTED_FILE_ERROR'],
    ['has the name of a document and is none', form({ file: new File(['PK garbage'], 'a.docx') }), 500, 'SCRAPE_UNSUPPORTED_FILE_ERROR'],
    ['is a program', form({ file: new File([new Uint8Array([1, 2, 3])], 'a.exe') }), 500, 'SCRAPE_UNSUPPORTED_FILE_ERROR'],
  ])('is refused if it %s', async (_what, body, status, code) => {
    expect(await trawl.call('POST', '/v2/parse', body)).toMatchObject({ status, json: { code, success: false } })
  })

  it('may have a name that is truncated in the middle of a character', async () => {
    const { status, json } = await parse('High water.\n', `${'a'.repeat(254)}🌊.txt`)
    expect([status, json.data?.metadata.sourceFile]).toEqual([200, 'a'.repeat(254)])
  })

  it('is read once for a repeated request, even if the repeat has a different multipart boundary', async () => {
    const send = (text: string): Promise<Answered> => trawl.call('POST', '/v2/parse', form({ file: new File([text], 'note.txt') }), { 'x-idempotency-key': 'a-note' })
    const [first, again, other] = [await send('High water.\n'), await send('High water.\n'), await send('Low water.\n')]
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect([again.text, other.json.code]).toEqual([first.text, 'IDEMPOTENCY_CONFLICT'])
  })

  it('must be sent as a form, and other routes accept no form', async () => {
    const types = [await trawl.call('POST', '/v2/parse', {}), await trawl.call('POST', '/v2/scrape', form({ file: new File(['x'], 'a.txt') }))]
    expect(types.map(({ status, json }) => [status, json.code])).toEqual([[415, 'UNSUPPORTED_MEDIA_TYPE'], [415, 'UNSUPPORTED_MEDIA_TYPE']])
    expect(types[0]?.json.error).toBe('Send a form (multipart/form-data) with the field `file`, and what else is asked for as JSON in the field `options`.')
    const endless = await trawl.call('POST', '/v2/parse', `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(50)}--x--\r\n`, { 'content-type': 'multipart/form-data; boundary="x"' })
    expect([endless.status, endless.json.error]).toEqual([400, 'Bad Request: the form has too many parts'])
    const disguised = await trawl.call('POST', '/v2/parse', `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(50)}--x--\r\n`, { 'content-type': 'multipart/form-data; a="boundary=y"; boundary=x' })
    expect([disguised.status, disguised.json.error]).toEqual([400, 'Bad Request: the form has too many parts'])
    const headed = await trawl.call('POST', '/v2/parse', `--x\r\n${'a: b\r\n'.repeat(20_000)}Content-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nb\r\n--x--\r\n`, { 'content-type': 'multipart/form-data; boundary=x' })
    expect([headed.status, headed.json.error]).toEqual([400, 'Bad Request: the head of a part of the form is too long'])
    const broken = await trawl.call('POST', '/v2/parse', '--x\r\nnothing', { 'content-type': 'multipart/form-data; boundary=x' })
    expect([broken.status, broken.json.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('is parsed by the official client', async () => {
    const client = new Firecrawl({ apiKey: testKey, apiUrl: trawl.base })
    const document = await client.parse({ data: Buffer.from(bytesOf('libreoffice-prices.xlsx')), filename: 'prices.xlsx' }, { formats: ['markdown', 'links'] })
    expect(document.markdown).toContain(dues)
    expect(document.links).toEqual(['https://example.com/gannet'])
    expect(document.metadata).toMatchObject({ sourceFile: 'prices.xlsx', title: 'Harbour dues' })
    expect((await client.parse({ data: 'a,b\n1,2\n', filename: 'table.csv' })).markdown).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |\n')
    await expect(client.parse({ data: Buffer.from(zip), filename: 'a.docx' })).rejects.toMatchObject({ status: 500, code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' })
  })
})
