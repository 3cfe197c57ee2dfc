import { looksGzipped, protocolLimits, type SitemapEntry, sitemapReader } from '../../content/sitemap.ts'
import type { Call } from '../../domain/call.ts'
import { unzipped } from './gunzip.ts'
import type { SitePorts } from './ports.ts'

/** What became of the files of a site's sitemap. */
export interface SitemapReport {
  readonly files: number
  /** Files that could not be read, or only in part. */
  readonly troubled: readonly string[]
}

/** Files of one site that are read, and how far indexes may point to indexes. */
const maxFiles = 2_000
const maxLevels = 4
/** Files on the way at once; they are read in order all the same. */
const ahead = 6
const sliceBytes = 128 * 1024
const timeoutMs = 60_000

interface File {
  readonly url: string
  readonly level: number
}

/** A file's body in slices; throws when it cannot be had. */
async function fetched({ url }: File, { fetcher, now }: SitePorts, call: Call): Promise<Uint8Array> {
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)])
  const own: Call = { ...call, signal, deadline: Math.min(call.deadline, now() + timeoutMs) }
  const answer = await fetcher.fetch({ url, headers: {}, languages: ['en'], skipTlsVerification: true, maxBytes: protocolLimits.bytes }, own)
  if (answer.status < 200 || answer.status > 299) throw new Error(`status ${answer.status}`)
  return looksGzipped(answer.body) ? unzipped(answer.body, protocolLimits.bytes) : answer.body
}

async function* entriesOf(file: File, body: Uint8Array, { breathe }: SitePorts): AsyncGenerator<readonly SitemapEntry[], boolean> {
  const reader = sitemapReader(file.url)
  for (let at = 0; at < body.length && !reader.full(); at += sliceBytes) {
    const found = reader.write(body.subarray(at, at + sliceBytes))
    if (found.length > 0) yield found
    await breathe()
  }
  const { entries, truncated } = reader.end()
  if (entries.length > 0) yield entries
  return truncated
}

/**
 * The pages that sitemaps name, file by file in their order, indexes followed (sitemaps.org protocol). A file that cannot be read is
 * reported, not thrown; throws only the reason of the call's signal. Stop asking and nothing more is fetched.
 */
export async function* sitemapPages(roots: readonly string[], ports: SitePorts, call: Call): AsyncGenerator<readonly SitemapEntry[], SitemapReport> {
  const seen = new Set(roots)
  const waiting: File[] = [...seen].map((url) => ({ url, level: 1 }))
  const coming: { readonly file: File; readonly body: Promise<Uint8Array | null> }[] = []
  const troubled: string[] = []
  const fill = (): void => {
    while (coming.length < ahead && waiting.length > 0) {
      const file = waiting.shift()
      if (file !== undefined) coming.push({ file, body: fetched(file, ports, call).catch(() => null) })
    }
  }
  let files = 0
  for (fill(); coming.length > 0; fill()) {
    const next = coming.shift()
    const body = (await next?.body) ?? null
    call.signal.throwIfAborted()
    if (next === undefined) break
    files += 1
    if (body === null) {
      troubled.push(next.file.url)
      continue
    }
    const pieces = entriesOf(next.file, body, ports)
    for (let piece = await pieces.next(); ; piece = await pieces.next()) {
      if (piece.done) {
        if (piece.value) troubled.push(next.file.url)
        break
      }
      for (const { url, sitemap } of piece.value) {
        if (!sitemap || seen.has(url)) continue
        if (seen.size >= maxFiles || next.file.level >= maxLevels) troubled.push(url)
        else waiting.push({ url, level: next.file.level + 1 })
        seen.add(url)
      }
      const pages = piece.value.filter(({ sitemap }) => !sitemap)
      if (pages.length > 0) yield pages
    }
  }
  return { files, troubled }
}

/** Where the sitemaps of a site are: where its robots.txt says, else at the usual place. */
export function sitemapRoots(origin: string, named: readonly string[]): readonly string[] {
  return named.length > 0 ? named : [`${origin}/sitemap.xml`]
}
