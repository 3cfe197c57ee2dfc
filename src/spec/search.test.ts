import { expect, it } from 'vitest'
import { SearchRequest } from './search.ts'

it.each([
  ['EN', 'en'],
  ['pt-br', 'pt-BR'],
  ['zh-hant', 'zh-Hant'],
  ['es-419', 'es-419'],
  ['zh-YUE', 'zh-yue'],
  ['english', null],
  ['en_GB', null],
  ['', null],
])('the language %j of a search is read as %j', (lang, read) => expect(SearchRequest.safeParse({ query: 'tide', lang, sources: [{ type: 'news', lang }] }).data?.lang ?? null).toBe(read))

it('a blank location of a search is none', () => {
  const { location, sources } = SearchRequest.parse({ query: 'tide', location: ' ', sources: [{ type: 'news', location: '' }] })
  expect([location, sources]).toEqual([undefined, [{ type: 'news', location: undefined }]])
})

it('a blank time filter of a search is none', () => {
  const { tbs, sources } = SearchRequest.parse({ query: 'tide', tbs: '', sources: [{ type: 'news', tbs: ' ' }] })
  expect([tbs, sources]).toEqual([undefined, [{ type: 'news', tbs: undefined }]])
  expect(SearchRequest.safeParse({ query: 'tide', tbs: 'soon' }).success).toBe(false)
})

it('sites belong to categories of sites, not to the category pdf', () => {
  const issues = (category: object) => SearchRequest.safeParse({ query: 'tide', categories: [category] }).error?.issues
  expect([issues({ type: 'research', sites: ['a.example'] }), issues({ type: 'github', sites: ['a.example'] }), issues({ type: 'pdf' })]).toEqual([undefined, undefined, undefined])
  expect(issues({ type: 'pdf', sites: ['a.example'] })?.length).toBe(1)
})

it.each([
  ['Bücher.example', 'xn--bcher-kva.example'],
  ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  [' EXAMPLE.com', 'example.com'],
  ['bücher.example/x', null],
  ['bücher.example:80', null],
  ['me@bücher.example', null],
  ['*.example.com', null],
])('the domain %j of a search is read as %j', (domain, read) => {
  for (const key of ['includeDomains', 'excludeDomains'] as const) expect(SearchRequest.safeParse({ query: 'tide', [key]: [domain] }).data?.[key] ?? null).toEqual(read === null ? null : [read])
})

it.each([
  ['a kind twice, as plain text or alike', ['web', 'web', { type: 'web' }, { type: 'web', tbs: '' }], true],
  ['a kind twice with the same options in another order', [{ type: 'news', tbs: 'qdr:d', lang: 'EN' }, { lang: 'en', type: 'news', tbs: 'qdr:d' }], true],
  ['options of one kind beside another kind', [{ type: 'web', tbs: 'qdr:d' }, 'news'], true],
  ['a kind with options and without', [{ type: 'web', tbs: 'qdr:d' }, 'web'], false],
  ['a kind with two sets of options', [{ type: 'news', lang: 'en' }, { type: 'news', lang: 'de' }], false],
])('a search may name %s: %j %s', (_, sources, may) => {
  const read = SearchRequest.safeParse({ query: 'tide', sources })
  expect([read.success, read.error?.issues[0]?.path]).toEqual([may, may ? undefined : ['sources']])
})
