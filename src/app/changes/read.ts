import { ServiceError } from '../../domain/errors.ts'
import type { Blobs } from '../../domain/blobs.ts'
import type { Version, Versions } from '../../domain/pages/versions.ts'
import { isoTime } from '../../lib/time.ts'
import type { ChangesQuery, VersionsAnswer } from '../../spec/changes.ts'
import { limits } from '../../spec/limits.ts'
import { namedBlob } from '../kept-blobs.ts'
import { assertOwn, unknownId } from '../own.ts'
import { bodyOf } from '../scrape/page-bytes.ts'
import { formatsOf } from '../../domain/pages/packed.ts'
import { versionKey } from './previous.ts'

export interface ReadVersionPorts {
  readonly versions: Versions
  readonly blobs: Pick<Blobs, 'get'>
}

async function bodyOfVersion({ blob, frame }: Version, { blobs }: ReadVersionPorts): Promise<Uint8Array> {
  return bodyOf(formatsOf(await namedBlob(blobs, blob)), frame)
}

/** The answer that a scrape gave, as the bytes of a response. Throws `NOT_FOUND`, and `FORBIDDEN` for another team's. */
export async function versionById(id: string, ports: ReadVersionPorts, team: string): Promise<Uint8Array> {
  const version = await ports.versions.find(id)
  if (version === null) throw unknownId('version')
  assertOwn('version', version, team)
  return bodyOfVersion(version, ports)
}

/** The page as of that time, as the bytes of a response. Throws `NOT_FOUND`. */
export async function versionAt({ url, tag, at }: Pick<ChangesQuery, 'url' | 'tag'> & { readonly at: string }, ports: ReadVersionPorts, team: string): Promise<Uint8Array> {
  const version = await ports.versions.at(versionKey(team, url, tag), Date.parse(at))
  if (version === null) throw new ServiceError('NOT_FOUND', 'There is no version of this page from then or before.')
  return bodyOfVersion(version, ports)
}

/** The versions of a page, newest first; `here` is the address of the list, for `next`. */
export async function versionList({ query, here }: { readonly query: ChangesQuery; readonly here: string }, { versions }: Pick<ReadVersionPorts, 'versions'>, team: string): Promise<VersionsAnswer> {
  const { url, tag, skip = 0, limit = limits.statusPage } = query
  const rows = await versions.list(versionKey(team, url, tag), { skip, limit: limit + 1 })
  const more = new URLSearchParams({ url, ...(tag === undefined ? {} : { tag }), skip: String(skip + limit), limit: String(limit) })
  return {
    success: true,
    versions: rows.slice(0, limit).map(({ id, at, status }) => ({ id, at: isoTime(at), changeStatus: status })),
    ...(rows.length > limit ? { next: `${here}?${more.toString()}` } : {}),
  }
}
