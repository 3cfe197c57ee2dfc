import { integer, strict } from '../dialect.ts'
import { type Sql, either, sql } from '../sql.ts'

/** The full-text index of pages; each is deleted with its cache entry. */
export const statements: readonly Sql[] = [
  sql`create table search_pages (
    id ${either({ sqlite: sql`integer primary key`, postgres: sql`bigint generated always as identity primary key` })},
    team text not null,
    key text not null,
    entry text not null,
    memo text,
    url text not null,
    title text not null,
    description text not null,
    language text not null,
    published_at ${integer},
    fetched_at ${integer} not null,
    dated_at ${integer} not null,
    image text
    ${either({ sqlite: sql``, postgres: sql`, terms tsvector not null, length integer not null` })},
    unique (team, key),
    foreign key (team, key) references cache_entries (team, key) on delete cascade
  ) ${strict}`,
  sql`create index search_pages_by_language on search_pages (team, language)`,
  // Contentless: the terms are made from the page once and never shown.
  sql`${either({
    sqlite: sql`create virtual table search_terms using fts5(title, headings, address, body, pictures, scope, content = '', contentless_delete = 1, tokenize = "ascii tokenchars ':.-_'")`,
    postgres: sql`create index search_pages_by_term on search_pages using gin (terms)`,
  })}`,
  sql`${either({
    sqlite: sql`create trigger search_pages_gone after delete on search_pages begin delete from search_terms where rowid = old.id; end`,
    postgres: sql``,
  })}`,
]
