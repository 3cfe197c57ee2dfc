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
