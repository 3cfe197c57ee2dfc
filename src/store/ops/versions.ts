import type { TrackedPages, Version, VersionKey, VersionRow } from '../../domain/pages/versions.ts'
import { byBytes, storable } from '../dialect.ts'
import { type Op, all, first } from '../op.ts'
import { sql } from '../sql.ts'

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
    const newest = sql`select max(number) from versions n where n.team = v.team and n.page = v.page`
    const rows = yield* all<{ url: string }>(sql`select url from versions v where team = ${team} and coalesce(tag, '') = ${storable(tag ?? '')}
      and substr(url, 1, cast(${prefix.length} as integer)) = ${prefix} and url ${byBytes} > ${after} and status <> 'removed' and number = (${newest}) order by url ${byBytes} limit ${limit}`)
    return rows.map(({ url }) => url)
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
