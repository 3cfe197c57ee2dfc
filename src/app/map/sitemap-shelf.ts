import type { SitemapEntry } from '../../content/site/sitemap/index.ts'
import type { Call } from '../../domain/call.ts'
import { languagesOf } from '../../domain/fetching/location.ts'
import type { Settlement } from '../../domain/pages/results.ts'
import type { MapRequest } from '../../spec/map.ts'
import type { SitemapReport } from '../site/sitemap-report.ts'
import type { MapPorts } from './ports.ts'
import { sha256 } from '../../lib/sha256.ts'

/** From the specification: sitemap data is cached for up to seven days. */
const keepMs = 7 * 24 * 3_600_000
/** Incomplete data is read again sooner. */
const keepTroubledMs = 3_600_000
/** Bytes cached per site; a request for more reads the sitemaps again. */
const maxBytes = 16 * 2 ** 20

/** What is known of the sitemaps of a site. */
interface Head {
  readonly kind: 'sitemaps'
  /** False if they may contain more. */
  readonly complete: boolean
  readonly report: SitemapReport
}

/** The sitemaps of a site as they were read before. */
export interface KnownSitemaps {
  readonly complete: boolean
  readonly report: SitemapReport
  entries(): Iterable<Kept>
}

/** What of an entry is kept. */
type Kept = Pick<SitemapEntry, 'url' | 'title' | 'description'>

type CacheRows = NonNullable<Settlement['cache']>

/** Null if the request's sitemaps are neither cached nor taken from the cache: they may be the caller's own. */
export function sitemapKey({ url, headers, location }: MapRequest): string | null {
  if (Object.keys(headers ?? {}).length > 0) return null
  // Raise the number when the stored form changes.
  const parts = ['sitemaps', 2, new URL(url).origin, languagesOf(location), location?.country ?? 'US']
  return sha256(JSON.stringify(parts))
}

/** Bytes decoded at a time: the text of all takes several times the memory, and line by line costs more than the lines. */
const pieceBytes = 65_536
const lineFeed = 10

function* entriesIn(bytes: Uint8Array): Iterable<Kept> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let from = 0; from < all.length; ) {
    const next = all.indexOf(lineFeed, from + pieceBytes)
    const to = next < 0 ? all.length : next + 1
    const text = all.toString('utf8', from, to)
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf('\n', at)
      yield entryOf(text.slice(at, end < 0 ? text.length : end))
      at = end < 0 ? text.length : end + 1
    }
    from = to
  }
}

/** Most links have only an address. */
function entryOf(line: string): Kept {
  if (!line.includes('\t')) return { url: line }
  const [url = '', title = '', description = ''] = line.split('\t')
  return { url, ...(title !== '' && { title }), ...(description !== '' && { description }) }
}

/** The cached sitemaps of a key that are fresh enough; null if there are none. */
export async function findSitemaps(key: string, { cache, blobs, now }: MapPorts, call: Call): Promise<KnownSitemaps | null> {
  const hit = await cache.find({ team: call.team, key }, now() - keepMs + 1, Number.MAX_SAFE_INTEGER, '', now())
  if (hit === null) return null
  const { complete, report } = JSON.parse(hit.entry.head) as Head // written by `keep` below
  if (report.troubled + report.missing > 0 && hit.entry.fetchedAt <= now() - keepTroubledMs) return null
  const bytes = await blobs.get(hit.entry.blob)
  if (bytes === null) return null
  call.room?.add(bytes.length)
  return { complete, report, entries: () => entriesIn(bytes) }
}

/** Collects what sitemaps name, in the stored form. */
export interface SitemapRecord {
  add(entries: readonly SitemapEntry[]): void
  /** The rows to write, their blob durable; null if there is nothing worth caching. `report`: null if reading stopped early. */
  keep(key: string, report: SitemapReport | null, call: Call): Promise<CacheRows | null>
}

const unread: SitemapReport = { files: 0, troubled: 0, missing: 0, limits: [] }

export function sitemapRecord({ blobs, now, newId }: MapPorts): SitemapRecord {
  const parts: Uint8Array[] = []
  let bytes = 0
  let cut = false
  return {
    add(entries) {
      if (cut) return
      const part = Buffer.from(entries.map(({ url, title, description }) => `${[url, title, description].map((part) => part?.replace(/\s+/g, ' ') ?? '').join('\t').trimEnd()}\n`).join(''))
      cut = bytes + part.length > maxBytes
      if (cut) return
      parts.push(part)
      bytes += part.length
    },
    async keep(key, report, call) {
      if (bytes === 0) return null
      const head: Head = { kind: 'sitemaps', complete: report !== null && !cut, report: report ?? unread }
      const body = Buffer.concat(parts)
      return { id: newId(), team: call.team, key, fetchedAt: now(), head: JSON.stringify(head), blob: await blobs.put(body), bytes: body.length, memo: null }
    },
  }
}
