import { expect, it } from 'vitest'
import type { Call } from '../../domain/call.ts'
import type { Derivation } from '../../domain/pages/derivation.ts'
import { pack } from '../../domain/pages/packed.ts'
import type { IndexHit, IndexQuery } from '../../domain/search/search-index.ts'
import { SearchRequest } from '../../spec/search.ts'
import { searchOwn } from './own.ts'
import { planSearch, type SourcePlan } from './plan.ts'

const call: Call = { id: 'i', team: 't', signal: new AbortController().signal, deadline: 60_000, retention: 'normal', log: () => undefined }
const derivation: Derivation = { fields: {}, metadata: {}, verdict: 'ok', scriptDemand: null, confidence: null, removals: [], warnings: [] }
const filler = 'The harbour master writes down what the sea has done.\n\n'
const blobs: Readonly<Record<string, Uint8Array>> = Object.fromEntries(
  Object.entries({ small: 'The spring tide comes after the full moon.', long: `${filler.repeat(2_000)}The spring tide comes at last.`, huge: `The spring tide comes first.\n\n${filler.repeat(80_000)}` }).map(([name, markdown]) => [name, pack({ ...derivation, fields: { markdown } }).bytes()]),
)

async function search(query: string, memos: readonly string[]): Promise<readonly string[]> {
  return (await searched(query, memos)).found.map(({ title, description }) => `${title}: ${description.slice(0, 40)}`)
}

async function searched(query: string, memos: readonly string[]): ReturnType<typeof searchOwn> {
  const hits = memos.map((memo): IndexHit => ({ url: `https://${memo}.example/`, title: memo, description: 'what it says of itself', language: 'en', publishedAt: null, fetchedAt: 0, image: null, score: 1, memo }))
  const ports = { index: { search: async () => hits, languages: async () => ['en'], pages: async () => hits.length }, blobs: { get: async (name: string) => blobs[name] ?? null }, now: () => 0 } as unknown as Parameters<typeof searchOwn>[2] // the parts that it uses
  const [source] = planSearch(SearchRequest.parse({ query }), { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] }, 't', 0).sources
  if (source === undefined) throw new Error('no source')
  return searchOwn(source, { loose: false, chosen: (found) => found }, ports, call)
}

it('shows passages of the indexed text, and of a huge page its description', async () => {
  expect(await search('spring tide', ['small', 'long', 'huge', 'gone'])).toEqual([
    'small: The spring tide comes after the full moo',
    'long: what it says of itself',
    'huge: what it says of itself',
    'gone: what it says of itself',
  ])
})

it('does not return pages for phrases that it cannot verify', async () => {
  expect(await search('"spring tide comes"', ['small', 'long', 'huge', 'gone'])).toEqual(['small: The spring tide comes after the full moo'])
})

it('does not return pages with a phrase that is excluded', async () => {
  expect(await search('tide -"spring tide comes"', ['small'])).toEqual([])
  expect(await search('tide -"neap tide comes"', ['small'])).toEqual(['small: The spring tide comes after the full moo'])
})

it('omits pages that it cannot open, and reports their number', async () => {
  const { found, leftOut } = await searched('tide -"spring tide comes first"', ['small', 'huge'])
  expect([found.map(({ title }) => title), leftOut]).toEqual([['small'], 1])
})

it('splits a query without spaces if no page contains it as a whole', async () => {
  const asked: [string, readonly string[][]][] = []
  const index = { search: async ({ words, match }: IndexQuery) => (asked.push([match, words.map(({ anyOf }) => anyOf.map((row) => row.join(' ')))]), []), languages: async () => ['zh'] }
  const [source] = planSearch(SearchRequest.parse({ query: '避开人流' }), { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] }, 't', 0).sources
  await searchOwn(source as SourcePlan, { loose: true, chosen: (found) => found }, { index, blobs: {}, now: () => 0 } as unknown as Parameters<typeof searchOwn>[2], call) // the parts that it uses
  expect(asked).toEqual([['all', [['避开 开人 人流']]], ['any', [['避开'], ['开人'], ['人流']]]])
})

it.each([
  ['intitle:the intitle:whale', [['title', 'whale whal']]],
  ['inurl:how-to-watch', [['address', 'watch']]],
  ['coast intitle:the', []],
  ['intitle:the', [['title', 'the']]],
])('requires no stop word of a language of the pages of a title or an address: %s', async (query, expected) => {
  const asked: IndexQuery[] = []
  await watched(query, asked)
  expect(asked[0]?.must.map(({ field, anyOf }) => [field, anyOf.flat().join(' ')])).toEqual(expected)
})

it('finds the page that others should be like although its address has stop words', async () => {
  const asked: IndexQuery[] = []
  await watched('related:https://sea.example/how-to-watch-the-whales', asked)
  expect(asked[0]?.words.map(({ anyOf }) => anyOf.flat().join(' '))).toEqual(['sea', 'example exampl', 'watch', 'whale whal'])
})

/** Asks an index of English and German pages that finds nothing. */
async function watched(query: string, asked: IndexQuery[]): Promise<void> {
  const index = { search: async (one: IndexQuery) => (asked.push(one), []), languages: async () => ['en', 'de'] }
  const [source] = planSearch(SearchRequest.parse({ query }), { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] }, 't', 0).sources
  await searchOwn(source as SourcePlan, { loose: true, chosen: (found) => found }, { index, blobs: {}, now: () => 0 } as unknown as Parameters<typeof searchOwn>[2], call) // the parts that it uses
}
