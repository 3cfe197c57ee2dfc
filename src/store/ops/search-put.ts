import { createHash } from 'node:crypto'
import type { Settlement } from '../../domain/pages/results.ts'
import type { IndexedPage } from '../../domain/search/search-index.ts'
import { storable } from '../dialect.ts'
import { type Op, first, run } from '../op.ts'
import { either, sql } from '../sql.ts'
import { vectorOf } from './search-vector.ts'

/** What the index needs of a cache entry. */
type Indexed = Pick<NonNullable<Settlement['cache']>, 'team' | 'key' | 'id' | 'fetchedAt' | 'search'> & { readonly memo: { readonly name: string } | null }

/** Indexes the page of a cache entry that was just written. A renewed entry keeps its index; one that replaces another loses the old one's. */
export function* putPage(entry: Indexed): Op<void> {
  const { team, key, id, search: page, memo } = entry
  if (!page) {
    yield* run(sql`delete from search_pages where team = ${team} and key = ${key} and entry <> ${id}`)
    yield* run(sql`update search_pages set fetched_at = ${entry.fetchedAt}, dated_at = coalesce(published_at, ${entry.fetchedAt}) where team = ${team} and key = ${key}`)
    return
  }
  const digest = digestOf(page)
  const before = yield* first<{ digest: string }>(sql`select digest from search_pages where team = ${team} and key = ${key}`)
  const own = either({ sqlite: sql``, postgres: sql`, terms, length` })
  const values = either({
    sqlite: sql``,
    // Takes too long to be made for SQLite in vain.
    get postgres() {
      const { text, length } = vectorOf(page)
      return sql`, ${text}::tsvector, ${length}`
    },
  })
  const changes = either({ sqlite: sql``, postgres: sql`, terms = excluded.terms, length = excluded.length` })
  const row = yield* first<{ id: number }>(sql`insert into search_pages (team, key, entry, memo, url, title, description, language, published_at, fetched_at, dated_at, image, digest ${own})
    values (${team}, ${key}, ${id}, ${memo?.name ?? null}, ${storable(page.url)}, ${storable(page.title)}, ${storable(page.description)}, ${page.language},
      ${page.publishedAt}, ${entry.fetchedAt}, ${page.publishedAt ?? entry.fetchedAt}, ${page.image === null ? null : storable(page.image)}, ${digest} ${values})
    on conflict (team, key) do update set entry = excluded.entry, memo = excluded.memo, url = excluded.url, title = excluded.title, description = excluded.description,
      language = excluded.language, published_at = excluded.published_at, fetched_at = excluded.fetched_at, dated_at = excluded.dated_at, image = excluded.image, digest = excluded.digest ${changes}
    returning id`)
  // Most pages that are fetched again say the same, and replacing their terms is most of what storing them would cost.
  if (row && before?.digest !== digest) yield* putTerms(row.id, page)
}

/** What a page is found by, in short. */
function digestOf({ terms, scopes }: IndexedPage): string {
  const { title, headings, address, body, pictures } = terms
  return createHash('sha1').update(JSON.stringify([title, headings, address, body, pictures, scopes])).digest('base64')
}

function* putTerms(id: number, { terms, scopes }: IndexedPage): Op<void> {
  const { title, headings, address, body, pictures } = terms
  yield* run(sql`${either({
    sqlite: sql`insert or replace into search_terms (rowid, title, headings, address, body, pictures, scope) values (${id}, ${title}, ${headings}, ${address}, ${body}, ${pictures}, ${scopes.join(' ')})`,
    postgres: sql``,
  })}`)
}
