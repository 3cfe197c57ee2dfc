import { expect, it } from 'vitest'
import { cpuMs, slowness } from '../../../test/cpu.ts'
import { languageOf, queryPhrase, queryWords, termsOf } from './terms.ts'

it.each([
  ['The Tables of the Tides, 2024', 'en', ['table', 'tide', '2024']],
  ['Boxes, cities & houses: status, analysis, glasses', 'en', ['box', 'city', 'house', 'status', 'analysis', 'glass']],
  ['Die kleinen Häuser und Straßen', 'de', ['klein', 'haus', 'strass']],
  ['Les écoles françaises', 'fr', ['ecol', 'francais']],
  ['Новая погода в городах', 'ru', ['нов', 'погод', 'город']],
  ['ＦＵＬＬ Ｗｉｄｔｈ', 'en', ['full', 'width']],
  ['東京都で', 'ja', ['東京', '京都', '都で']],
  ['한국어 검색', 'ko', ['한국', '국어', '검색']],
  ['v2.1 of C3PO', 'en', ['v2', '1', 'c3po']],
  ['हिन्दी में', 'hi', ['हिन्दी', 'में']],
  ['a\u0000b \ud800 x', 'xx', ['a', 'b', 'x']],
  ['', 'en', []],
])('terms are read: %j (%s) as %j', (text, language, terms) => {
  expect(termsOf(text, language)).toEqual(terms)
})

it('terms are searched in every word form of the languages, and single characters as prefixes', () => {
  expect(queryWords('war houses 京', ['en', 'de'])).toEqual([
    { anyOf: [['war']], common: true, prefix: false },
    { anyOf: [['house'], ['hous']], common: false, prefix: false },
    { anyOf: [['京']], common: false, prefix: true },
  ])
  expect(queryWords('the of', ['en'])).toEqual([])
  expect(queryPhrase('flights to London', ['en', 'de'])).toEqual([['flight', 'london'], ['flight', 'to', 'londo']])
})

it('a language is identified by the first part of its tag', () => {
  expect(['de-AT', 'EN_us', 'zh-Hant', 'english', '', '*'].map(languageOf)).toEqual(['de', 'en', 'zh', '', '', ''])
})

it('terms are limited in number and length, and fast to compute for hostile texts', () => {
  expect(termsOf('one two three', 'en', 2)).toEqual(['one', 'two'])
  expect(termsOf('x'.repeat(1_000_000), 'en').map((term) => term.length)).toEqual([40])
  const hostile = ['\u0301'.repeat(60_000), 'ǆ'.repeat(60_000), '漢'.repeat(60_000), `${'aé'.repeat(20)} `.repeat(1_500), Array.from({ length: 60_000 }, (_, at) => String.fromCharCode(at)).join('')]
  for (const text of hostile) expect(cpuMs(() => termsOf(text, 'de', 10_000))).toBeLessThan(50 * slowness())
})
