import { describe, expect, it } from 'vitest'
import { type IndexClause, type IndexedPage, type IndexQuery, scopesOf } from '../../domain/search/search-index.ts'
import { queryPhrase, queryWords, termsOf } from '../../domain/search/terms.ts'
import type { Store } from '../../domain/store.ts'
import { caching, eachStore, entry, now } from './fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

interface Page {
  readonly url?: string
  readonly title?: string
  readonly body?: string
  readonly headings?: string
  readonly pictures?: string
  readonly language?: string
  readonly publishedAt?: number
  readonly pdf?: boolean
}

function page(team: string, id: string, { url = `https://example.com/${id}`, title = '', body = '', headings = '', pictures = '', language = 'en', publishedAt, pdf = false }: Page): IndexedPage {
  const terms = (text: string): string => termsOf(text, language).join(' ')
  return {
    url,
    title,
    description: `About ${id}`,
    language,
    publishedAt: publishedAt ?? null,
    image: null,
    terms: { title: terms(title), headings: terms(headings), body: terms(body), pictures: terms(pictures), address: terms(new URL(url).pathname) },
    scopes: scopesOf(team, url, { published: publishedAt !== undefined, pictures: pictures !== '', pdf }),
  }
}

const words = (text: string, field: IndexClause['field'] = 'text', languages: readonly string[] = ['en']): readonly IndexClause[] =>
  queryWords(text, languages).map(({ anyOf, prefix }) => ({ anyOf, field, prefix }))

const phrase = (text: string): IndexClause => ({ anyOf: queryPhrase(text, ['en']), field: 'text' })

const query = (more: Partial<IndexQuery>): IndexQuery => ({ team: 'a', words: [], match: 'all', must: [], not: [], within: [], without: [], from: 0, to: now + 1_000, order: 'relevance', now, limit: 10, ...more })

/** Full-text search over cached pages. */
export function searchContract(name: string, subject: Subject): void {
  describe(`search on ${name}`, () => {
    const stores = eachStore(subject)
    const put = async (id: string, of: Page, more: { readonly team?: string; readonly fetchedAt?: number; readonly key?: string } = {}): Promise<void> => {
      const { team = 'a', fetchedAt = now, key = id } = more
      const { cache, ...rest } = caching(entry(id, { team, key, fetchedAt }), { name: 'markdown', blob: `memo-${id}`, bytes: 1 })
      await stores.first.results.settle({ ...rest, cache: cache && { ...cache, search: page(team, id, of) } })
    }
    const found = async (more: Partial<IndexQuery>, store: Store = stores.first): Promise<readonly string[]> => (await store.search.search(query(more))).map(({ url }) => new URL(url).pathname.slice(1))

    it('returns all that is known of a page', async () => {
      await put('one', { title: 'Tide tables', body: 'When the water comes', publishedAt: now - 5 })
      expect(await stores.second.search.search(query({ words: words('tide') }))).toEqual([
        { url: 'https://example.com/one', title: 'Tide tables', description: 'About one', language: 'en', publishedAt: now - 5, fetchedAt: now, image: null, memo: 'memo-one', score: expect.any(Number) },
      ])
    })

    it('weighs the title more than headings, these more than the address, and all more than the body', async () => {
      await put('d', { body: 'lighthouse keeper at the coast' })
      await put('c/lighthouse', { body: 'keeper at the coast' })
      await put('b', { headings: 'lighthouse', body: 'keeper at the coast' })
      await put('a', { title: 'lighthouse', body: 'keeper at the coast' })
      expect(await found({ words: words('lighthouse') })).toEqual(['a', 'b', 'c/lighthouse', 'd'])
    })

    it('weighs rare words more than common ones, counts repeats, and prefers short pages', async () => {
      for (const at of [1, 2, 3, 4, 5, 6]) await put(`filler${at}`, { body: 'harbour report of the day' })
      await put('rare', { body: 'otter report of the day' })
      expect((await found({ words: words('harbour otter'), match: 'any' }))[0]).toBe('rare')
      await put('twice', { body: 'walrus walrus report of the day' })
      await put('once', { body: 'walrus report of the day today' })
      await put('long', { body: `walrus ${'report of many days and nights '.repeat(40)}` })
      expect(await found({ words: words('walrus') })).toEqual(['twice', 'once', 'long'])
    })

    it('matches all words, or any', async () => {
      await put('both', { body: 'red kite' })
      await put('one', { body: 'red car' })
      expect(await found({ words: words('red kite') })).toEqual(['both'])
      expect(await found({ words: words('red kite'), match: 'any' })).toEqual(['both', 'one'])
      expect(await found({ words: words('unicorn') })).toEqual([])
    })

    it('finds phrases, also with stop words, but never across fields', async () => {
      await put('row', { body: 'a flight to London in May' })
      await put('apart', { body: 'London has no flight' })
      await put('fields', { title: 'flight', headings: 'London' })
      expect(await found({ words: [phrase('flights to London')] })).toEqual(['row'])
      expect(await found({ words: words('london'), not: [phrase('flight to London')] })).toEqual(expect.not.arrayContaining(['row']))
    })

    it('searches a single field on request', async () => {
      await put('titled', { title: 'Bread', body: 'flour' })
      await put('bread', { body: 'flour' })
      await put('baked', { body: 'bread and flour', pictures: 'A fresh pretzel' })
      expect(await found({ words: words('flour'), must: words('bread', 'title') })).toEqual(['titled'])
      expect(await found({ words: words('flour'), must: words('bread', 'address') })).toEqual(['bread'])
      expect(await found({ words: words('pretzel', 'pictures') })).toEqual(['baked'])
      expect(await found({ words: words('pretzel') })).toEqual([])
      expect(await found({ words: words('bread', 'pictures') })).toEqual([])
    })

    it('folds case, accents and inflections, and pairs characters of scripts without spaces', async () => {
      await put('de', { title: 'Kleine Häuser', body: 'Wir verkaufen Häuser', language: 'de' })
      await put('ja', { body: '東京都の天気予報', language: 'ja' })
      await put('ru', { body: 'погода в столице', language: 'ru' })
      const languages = ['en', 'de', 'ja', 'ru']
      expect(await found({ words: words('haus HÄUSERN', 'text', languages), match: 'any' })).toEqual(['de'])
      expect(await found({ words: words('天気', 'text', languages) })).toEqual(['ja'])
      expect(await found({ words: words('京', 'text', languages) })).toEqual(['ja'])
      expect(await found({ words: words('天都', 'text', languages) })).toEqual([])
      expect(await found({ words: words('погоду', 'text', languages) })).toEqual(['ru'])
    })

    it('filters by host with subdomains, by file and by date', async () => {
      await put('root', { url: 'https://example.com/root', body: 'notes', publishedAt: now - 1_000 })
      await put('sub', { url: 'https://docs.example.com/sub.pdf', body: 'notes' })
      await put('other', { url: 'https://notexample.com/other', body: 'notes', publishedAt: now - 9_000 })
      const notes = words('notes')
      expect((await found({ words: notes, within: [['h:example.com']] })).toSorted()).toEqual(['root', 'sub.pdf'])
      expect(await found({ words: notes, within: [['h:example.com'], ['f:pdf', 'f:doc']] })).toEqual(['sub.pdf'])
      expect(await found({ words: notes, without: ['h:example.com'] })).toEqual(['other'])
      expect((await found({ words: notes, within: [['k:published']], order: 'date' }))).toEqual(['root', 'other'])
      expect(await found({ words: notes, from: now - 2_000, to: now - 500 })).toEqual(['root'])
      expect(await found({ within: [['f:pdf']] })).toEqual(['sub.pdf'])
    })

    it('says which pages are PDF files, whatever their addresses', async () => {
      await put('report', { body: 'notes', pdf: true })
      await put('page', { body: 'notes f:pdf pdf' })
      await put('theirs', { body: 'notes', pdf: true }, { team: 'b' })
      const kinds = async (team: string) => (await stores.second.search.search(query({ team, words: words('notes') }))).map(({ url, pdf }) => [new URL(url).pathname, pdf]).toSorted()
      expect([await kinds('a'), await kinds('b')]).toEqual([[['/page', undefined], ['/report', true]], [['/theirs', true]]])
    })

    it('prefers the newer of two equal pages, and sorts by date on request', async () => {
      await put('old', { body: 'storm warning' }, { fetchedAt: now - 400 * 86_400_000 })
      await put('new', { body: 'storm warning' })
      await put('better', { title: 'storm warning' }, { fetchedAt: now - 900 * 86_400_000 })
      expect(await found({ words: words('storm') })).toEqual(['better', 'new', 'old'])
      expect(await found({ words: words('storm'), order: 'date' })).toEqual(['new', 'old', 'better'])
    })

    it('separates teams, even if their names differ only in case', async () => {
      await put('mine', { body: 'secret plan' })
      await put('theirs', { body: 'secret plan' }, { team: 'A' })
      expect(await found({ words: words('secret') })).toEqual(['mine'])
      expect(await found({ words: words('secret'), team: 'A' })).toEqual(['theirs'])
      expect(await found({ words: words('secret'), team: 'b' })).toEqual([])
      expect([await stores.first.search.pages(), await stores.first.search.pages('a')]).toEqual([2, 1])
    })

    it('forgets the previous content of a page, and pages that left the cache', async () => {
      await put('p', { body: 'before' }, { key: 'k', fetchedAt: now - 2 })
      await put('q', { body: 'after' }, { key: 'k', fetchedAt: now - 1 })
      expect([await found({ words: words('before') }), await found({ words: words('after') })]).toEqual([[], ['q']])
      await stores.first.results.settle(caching(entry('q', { key: 'k', fetchedAt: now })))
      expect((await stores.first.search.search(query({ words: words('after') }))).map(({ fetchedAt }) => fetchedAt)).toEqual([now])
      await stores.first.results.settle(caching(entry('r', { key: 'k', fetchedAt: now + 1 })))
      expect(await found({ words: words('after') })).toEqual([])
      await put('s', { body: 'evicted' })
      await stores.first.cache.evict(0)
      expect([await found({ words: words('evicted') }), await stores.first.search.pages()]).toEqual([[], 0])
      await put('s', { body: 'again' })
      expect([await found({ words: words('evicted') }), await found({ words: words('again') })]).toEqual([[], ['s']])
    })

    it('finds a page that was fetched again by what it says now, the same or not', async () => {
      for (const [id, more] of [['p', {}], ['q', {}], ['r', { title: 'tide' }], ['s', {}], ['t', { publishedAt: now - 9 }]] as const) {
        await put(id, { url: 'https://example.com/p', body: 'harbour', ...more }, { key: 'k', fetchedAt: now })
        const [hit, ...others] = await stores.second.search.search(query({ words: words('harbour') }))
        expect([hit?.memo, hit?.title, hit?.publishedAt, others, await found({ words: words('tide') })]).toEqual([`memo-${id}`, 'title' in more ? 'tide' : '', 'publishedAt' in more ? more.publishedAt : null, [], 'title' in more ? ['p'] : []])
      }
    })

    it('indexes a page anew in place of a reading that was not complete, and of no other', async () => {
      await put('p', { body: 'first part' })
      const anew = async (instead: string, entryId = 'p', team = 'a') => stores.first.cache.reindex(team, entryId, { page: page('a', 'p', { body: 'first part and second' }), memo: 'whole', instead })
      await anew('passing')
      await anew('markdown', 'q')
      await anew('markdown', 'p', 'b')
      expect(await found({ words: words('second') })).toEqual([])
      await anew('markdown')
      await stores.first.cache.addMemo('a', 'p', 'whole', 'memo-whole', 1)
      expect((await stores.second.search.search(query({ words: words('second') }))).map(({ url, memo, fetchedAt }) => [url, memo, fetchedAt])).toEqual([['https://example.com/p', 'memo-whole', now]])
      await anew('markdown')
      expect(await stores.first.search.pages('a')).toBe(1)
    })

    it('returns the languages of a team, the most frequent first', async () => {
      await put('one', { language: 'de' })
      await put('two', { language: 'en' })
      await put('three', { language: 'en' })
      expect(await stores.second.search.languages('a')).toEqual(['en', 'de'])
      expect(await stores.second.search.languages('b')).toEqual([])
    })

    it('accepts a page with many and odd words', async () => {
      const odd = `${Array.from({ length: 12_000 }, (_, at) => `w${at % 3_000}`).join(' ')} it's "quoted" :colon: a'b & | ! ( ) <-> ÆØÅ ${'x'.repeat(500)} 😀 \u0301`
      await put('odd', { title: "O'Neil & sons | (ltd)", body: odd })
      expect(await found({ words: words("o'neil quoted colon w2999") })).toEqual(['odd'])
    })
  })
}
