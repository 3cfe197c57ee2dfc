import type { TrackedPages, Version, VersionKey, VersionRow } from '../../domain/pages/versions.ts'
import { byUrl, storable } from '../dialect.ts'
import { type Op, all, first } from '../op.ts'
import { type Sql, sql } from '../sql.ts'

type Named = Pick<Version, 'blob' | 'body'>

const columns = sql`team, page, number, id, url, tag, at, status, blob, frame, head, body, bytes, asked, read, compared`

/** Versions of tracked pages. */
export const versions = {
  *latest({ team, page }: VersionKey, except: string): Op<Version | null> {
    return yield* first<Version>(sql`select ${columns} from versions where team = ${team} and page = ${page} and id <> ${except} order by number desc limit 1`)
  },

  *find(id: string): Op<Version | null> {
    return yield* first<Version>(sql`select ${columns} from versions where id = ${id}`)
  },

  *at({ team, page }: VersionKey, at: number): Op<Version | null> {
    return yield* first<Version>(sql`select ${columns} from versions where team = ${team} and page = ${page} and at <= ${at} order by at desc, number desc limit 1`)
  },

  *tracked({ team, tag, prefix, after, limit }: TrackedPages): Op<readonly string[]> {
    const series = sql`team = ${team} and coalesce(tag, '') = ${storable(tag ?? '')}`
    const url = byUrl(sql`url`)
    /** The next URL in order, found without reading the versions in between. */
    const next = (from: Sql): Sql => sql`select (select url_key from (select ${url} as url_key from versions where ${series} and ${url} ${from} order by ${url} limit 1) as one
      where substr(url_key, 1, cast(${prefix.length} as integer)) = ${prefix})`
    const newest = sql`select max(number) from versions n where n.team = v.team and n.page = v.page`
    const rows = yield* all<{ url: string }>(sql`with recursive known (url_key) as (
        ${next(after === '' ? sql`>= ${prefix}` : sql`> ${byUrl(sql`cast(${after} as text)`)}`)}
        union all ${next(sql`> known.url_key`)} from known where known.url_key is not null)
      select url from (select (select case when status <> 'removed' and number = (${newest}) then url end from versions v where ${series} and ${url} = known.url_key order by number desc limit 1) as url
        from known where url_key is not null) as pages where url is not null limit ${limit}`)
    return rows.map((row) => row.url)
  },

  *remove(id: string, team: string): Op<readonly string[] | null> {
    const gone = yield* first<Named>(sql`delete from versions where id = ${id} and team = ${team} returning blob, body`)
    return gone === null ? null : [gone.blob, gone.body]
  },

  *removeSome({ team, page }: VersionKey, limit: number): Op<{ readonly count: number; readonly blobs: readonly string[] }> {
    const gone = yield* all<Named>(sql`delete from versions where team = ${team} and page = ${page} and number in
      (select number from versions where team = ${team} and page = ${page} order by number limit ${limit}) returning blob, body`)
    return { count: gone.length, blobs: [...new Set(gone.flatMap(({ blob, body }) => [blob, body]))] }
  },

  *list({ team, page }: VersionKey, { skip, limit }: { readonly skip: number; readonly limit: number }): Op<readonly VersionRow[]> {
    return yield* all<VersionRow>(sql`select id, at, status from versions where team = ${team} and page = ${page} order by number desc limit ${limit} offset ${skip}`)
  },
}

/** Writes a version; false if another has its number. One that exists already stays as it is. */
export function* putVersion(version: Version): Op<boolean> {
  const { team, page, number, id, url, tag, at, status, blob, frame, head, body, bytes, asked, read, compared } = version
  const fresh = yield* all(sql`insert into versions (${columns})
    values (${team}, ${page}, ${number}, ${id}, ${storable(url)}, ${tag === null ? null : storable(tag)}, ${at}, ${status}, ${blob}, ${frame}, ${head}, ${body}, ${bytes}, ${asked}, ${read}, ${compared})
    on conflict do nothing returning id`)
  return fresh.length > 0 || (yield* versions.find(id)) !== null
}
