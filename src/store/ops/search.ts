import type { IndexClause, IndexHit, IndexQuery } from '../../domain/search/search-index.ts'
import { scopes } from '../../domain/search/search-index.ts'
import { type Op, all, first } from '../op.ts'
import { type Sql, either, list, sql } from '../sql.ts'
import { pictureTerm } from './search-vector.ts'

/** A number written into the statement: Postgres cannot infer the numeric type of a parameter. */
function written(value: number): Sql {
  return { texts: [String(value)], parts: [] }
}

/** Weights of the fields: title, headings, address, body, pictures, and scopes, which say nothing about a page's subject. */
const sqliteWeights = sql`8.0, 4.0, 3.0, 1.0, 2.0, 0.0`
/** The same in Postgres's order: body, address, headings, title. */
const postgresWeights = sql`'{0.1, 0.3, 0.4, 0.8}'::float4[]`
/** The bonus of a page of today over an old one, and its half-life. */
const freshness = written(0.2)
const halfLifeMs = written(30 * 86_400_000)

const columns = sql`p.id, p.url, p.title, p.description, p.language, p.published_at as "publishedAt", p.fetched_at as "fetchedAt", p.image, m.blob as memo`
const memos = sql`left join cache_memos m on m.team = p.team and m.key = p.key and m.name = p.memo and m.entry = p.entry`

/** Full text of the pages in the cache. */
export const search = {
  *search(query: IndexQuery): Op<readonly IndexHit[]> {
    if (query.words.some(isEmpty) && query.match === 'all') return []
    const rows = yield* all<IndexHit & { id: number }>(sql`${either({ sqlite: inSqlite(query), postgres: inPostgres(query) })}`)
    if (rows.length === 0) return []
    const pdfs = new Set((yield* all<{ id: number }>(pdfsAmong(rows.map(({ id }) => id)))).map(({ id }) => id))
    return rows.map(({ id, ...hit }) => (pdfs.has(id) ? { ...hit, pdf: true as const } : hit))
  },

  *languages(team: string): Op<readonly string[]> {
    const rows = yield* all<{ language: string }>(sql`select language, count(*) as pages from search_pages where team = ${team} group by language order by pages desc, language limit 8`)
    return rows.map(({ language }) => language)
  },

  *pages(team?: string): Op<number> {
    return (yield* first<{ count: number }>(sql`select count(*) as count from search_pages ${team === undefined ? sql`` : sql`where team = ${team}`}`))?.count ?? 0
  },
}

/** Which pages are PDF files: the terms of a page can be searched, but not read. */
function pdfsAmong(ids: readonly number[]): Sql {
  const pdf = scopes.file('pdf')
  return sql`${either({
    sqlite: sql`select rowid as id from search_terms where search_terms match ${`{scope} : "${pdf}"`} and rowid in ${list(ids)}`,
    postgres: sql`select id from search_pages where id in ${list(ids)} and terms @@ ${`'${pdf}'`}::tsquery`,
  })}`
}

const isEmpty = ({ anyOf }: IndexClause): boolean => anyOf.length === 0

/** The factor on a page's score for freshness. */
function fresh(now: number): Sql {
  const age = either({ sqlite: sql`max(0, ${now} - p.dated_at)`, postgres: sql`greatest(0, ${now}::bigint - p.dated_at)::float8` })
  return sql`(1.0 + ${freshness} * ${halfLifeMs} / (${halfLifeMs} + ${age}))`
}

const orderOf = ({ order }: IndexQuery): Sql => (order === 'date' ? sql`order by p.dated_at desc, score desc, p.id desc` : sql`order by score desc, p.id desc`)

/** Joins non-empty texts, in parentheses. */
const joined = (parts: readonly string[], by: string): string => (parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(` ${by} `)})`)

const ftsColumns: Readonly<Record<IndexClause['field'], string>> = { title: '{title}', address: '{address}', pictures: '{pictures}', text: '{title headings address body}' }

/** One clause in FTS5 syntax; terms contain no quotes. */
function ftsClause({ anyOf, field, prefix }: IndexClause): string {
  return joined(anyOf.map((terms) => `${ftsColumns[field]} : "${terms.join(' ')}"${prefix === true ? '*' : ''}`), 'OR')
}

function ftsQuery({ team, words, match, must, not, within, without }: IndexQuery): string {
  const scope = (one: string): string => `{scope} : "${one}"`
  const wanted = words.filter((clause) => !isEmpty(clause)).map(ftsClause)
  const all = [scope(scopes.team(team)), ...within.map((some) => joined(some.map(scope), 'OR')), ...must.map(ftsClause), ...(wanted.length === 0 ? [] : [joined(wanted, match === 'all' ? 'AND' : 'OR')])]
  const none = [...without.map(scope), ...not.filter((clause) => !isEmpty(clause)).map(ftsClause)]
  return none.length === 0 ? all.join(' AND ') : `(${all.join(' AND ')}) NOT ${joined(none, 'OR')}`
}

function inSqlite(query: IndexQuery): Sql {
  const text = ftsQuery(query)
  return sql`select ${columns}, -bm25(search_terms, ${sqliteWeights}) * ${fresh(query.now)} as score
    from search_terms join search_pages p on p.id = search_terms.rowid ${memos}
    where search_terms match ${text} and p.team = ${query.team} and p.dated_at between ${query.from} and ${query.to}
    ${orderOf(query)} limit ${query.limit}`
}

const letters: Readonly<Record<IndexClause['field'], string>> = { title: 'A', address: 'C', pictures: '', text: '' }

/** One clause as a `tsquery`. */
function tsClause({ anyOf, field, prefix }: IndexClause): string {
  const mark = `${prefix === true ? '*' : ''}${letters[field]}`
  const term = (one: string): string => `'${field === 'pictures' ? pictureTerm(one) : one}'${mark === '' ? '' : `:${mark}`}`
  return joined(anyOf.map((terms) => joined(terms.map(term), '<->')), '|')
}

function tsQuery({ team, words, match, must, not, within, without }: IndexQuery): string {
  const scope = (one: string): string => `'${one}'`
  const wanted = words.filter((clause) => !isEmpty(clause)).map(tsClause)
  return [
    scope(scopes.team(team)),
    ...within.map((some) => joined(some.map(scope), '|')),
    ...must.map(tsClause),
    ...(wanted.length === 0 ? [] : [joined(wanted, match === 'all' ? '&' : '|')]),
    ...without.map((one) => `!${scope(one)}`),
    ...not.filter((clause) => !isEmpty(clause)).map((clause) => `!(${tsClause(clause)})`),
  ].join(' & ')
}

const k1 = written(1.2)
const b = written(0.75)
/** A Postgres rank approaches some two thirds of the weight of its field; this much is one occurrence in the body. */
const oneOccurrence = written(0.06)

/** BM25. The term frequency is what Postgres derives from a word's positions: more in better fields, ever less for each further one. Document frequencies come from the index. */
function inPostgres(query: IndexQuery): Sql {
  const words = query.words.filter((clause) => !isEmpty(clause)).map(tsClause)
  const own = sql`from search_pages o where o.team = ${query.team}`
  const counts = words.map((word, at) => sql`, (select count(*) ${own} and o.terms @@ ${word}::tsquery) as ${name(at)}`)
  const scores = words.map((word, at) => {
    const often = sql`(ts_rank(${postgresWeights}, p.terms, ${word}::tsquery) / ${oneOccurrence})`
    return sql` + ln(1 + (f.total - f.${name(at)} + 0.5)::float8 / (f.${name(at)} + 0.5)) * ${often} * (${k1} + 1) / (${often} + ${k1} * (1 - ${b} + ${b} * p.length / f.mean))`
  })
  return sql`with f as materialized (select (select count(*) ${own}) as total, (select greatest(1, avg(o.length))::float8 ${own}) as mean ${pieces(counts)})
    select ${columns}, (0 ${pieces(scores)}) * ${fresh(query.now)} as score
    from f, search_pages p ${memos}
    where p.terms @@ ${tsQuery(query)}::tsquery and p.team = ${query.team} and p.dated_at between ${query.from} and ${query.to}
    ${orderOf(query)} limit ${query.limit}`
}

const name = (at: number): Sql => ({ texts: [`n${at}`], parts: [] })

const pieces = (parts: readonly Sql[]): Sql => ({ texts: ['', ...parts.map(() => '')], parts })
