import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTrawl, type TestService } from '../service.ts'
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

const object = (properties: object): object => ({ type: 'json', schema: { type: 'object', properties } })

describe('without a language model', () => {
  const data = async (format: object | string, path = '/article') => (await trawl.scrape({ url: site.url(path), formats: [format] })).json.data

  it('json is what the page proves, and null what it does not', async () => {
    const { json, warning, metadata } = await data(object({ title: { type: 'string' }, stations: { type: 'array', items: { type: 'object', properties: { station: { type: 'string' }, lowM: { type: 'number' } } } }, price: { type: 'number' } }))
    expect(json).toEqual({ title: 'How harbours measure the tide', stations: [{ station: 'North pier', lowM: 0.4 }, { station: 'Old lock', lowM: 0.6 }], price: null })
    expect(warning).toContain('/price')
    expect(metadata.creditsUsed).toBe(5)
  })

  it('json says where in the markdown each value stands', async () => {
    const { markdown, json, grounding } = await data({ ...object({ title: { type: 'string' } }), grounding: true })
    const { start, end } = grounding['/title']
    expect(markdown.slice(start, end)).toBe(json.title)
  })

  it('highlights are verbatim', async () => {
    const { highlights, warning } = (await trawl.scrape({ url: site.url('/article'), formats: ['markdown', { type: 'highlights', query: 'height wind pressure' }] })).json.data
    expect(highlights).toContain('The keeper notes height, wind and pressure.')
    expect(warning).toContain('without a language model')
  })

  it.each([
    ['summary', 'summary'],
    [{ type: 'question', question: 'What does the keeper note?' }, 'answer'],
    [{ type: 'query', prompt: 'What does the keeper note?' }, 'answer'],
    [{ type: 'query', prompt: 'What does the keeper note?', mode: 'directQuote' }, 'answer'],
  ])('%j is made of the sentences of the page', async (format, key) => {
    const found = await data(format)
    expect(found[key]).toMatch(/tide gauge|keeper notes/)
    expect(found.warning).toContain('without a language model')
  })

  it('a product that is none is left out, with a warning', async () => {
    const { product, warning } = await data('product')
    expect([product, warning]).toEqual([undefined, expect.stringContaining('describes no product')])
  })

  it('onlyCleanContent follows rules, and says so', async () => {
    const { json } = await trawl.scrape({ url: site.url('/article'), onlyCleanContent: true })
    expect(json.data.markdown).toContain('# How harbours measure the tide')
    expect(json.data.warning).toContain('by rules')
  })

  it.each([
    { $ref: 'http://elsewhere.test/schema.json' },
    { type: 'object', properties: { a: { $ref: '#/nowhere' } } },
    { type: 'object', properties: { a: { type: 'string', pattern: '(?=x)(a+)+$' } } },
    { type: 'object', properties: { a: { type: 'wish' } } },
    { type: 'object', properties: [] },
    Array.from({ length: 30 }).reduce<object>((inner) => ({ type: 'array', items: inner }), { type: 'string' }),
    { type: 'object', properties: Object.fromEntries(Array.from({ length: 2_100 }, (_, at) => [`p${at}`, {}])) },
  ])('the schema %# is refused', async (schema) => {
    const answer = await trawl.scrape({ url: site.url('/article'), formats: [{ type: 'json', schema }] })
    expect([answer.status, answer.json.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('a schema that names itself is followed as far as it leads', async () => {
    const { json } = await data({ type: 'json', schema: { $ref: '#/$defs/node', $defs: { node: { type: 'object', properties: { title: { type: 'string' }, next: { $ref: '#/$defs/node' } } } } } })
    expect(json.title).toBe('How harbours measure the tide')
  })
})
