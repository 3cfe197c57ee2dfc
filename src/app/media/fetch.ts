import { readManifest } from '../../content/media/dash.ts'
import { readPlaylist, type StreamParts } from '../../content/media/hls.ts'
import type { Call } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { MediaFile, MediaSources } from '../../domain/media.ts'
import type { FetchAnswer, Fetcher } from '../../domain/ports.ts'
import { timeLimit } from '../../lib/deadline.ts'
import type { Plan } from '../scrape/plan.ts'

export interface MediaPorts {
  readonly fetcher: Pick<Fetcher, 'fetch'>
  readonly now: () => number
}

/** Larger files are not fetched: a file is in memory until it is kept. */
export const mediaMaxBytes = 50 * 1024 * 1024
const playlistMaxBytes = 4 * 1024 * 1024
// Each may be as large as all of it.
const atOnce = 2
/** What the answer takes after the file is there. */
const answerMs = 1_500

const tooLarge = `it is larger than ${mediaMaxBytes / 1024 ** 2} MB`
type Outcome = MediaFile | { readonly why: string }

/** A file is fetched as the page was, without what the caller meant for the page alone. */
function get(url: string, maxBytes: number, { order }: Plan, { fetcher }: MediaPorts, call: Call): Promise<FetchAnswer> {
  const { languages, skipTlsVerification, tier, country } = order
  return fetcher.fetch({ url, headers: {}, languages, skipTlsVerification, maxBytes, tier, country }, call)
}

const typeOf = ({ headers }: FetchAnswer): string => (headers.find(([name]) => name === 'content-type')?.[1] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

const byEnding: readonly (readonly [RegExp, string])[] = [
  [/\.(?:mp4|m4v)$/i, 'video/mp4'], [/\.webm$/i, 'video/webm'], [/\.ogv$/i, 'video/ogg'], [/\.mov$/i, 'video/quicktime'],
  [/\.mp3$/i, 'audio/mpeg'], [/\.m4a$/i, 'audio/mp4'], [/\.aac$/i, 'audio/aac'], [/\.(?:ogg|oga|opus)$/i, 'audio/ogg'], [/\.wav$/i, 'audio/wav'], [/\.flac$/i, 'audio/flac'],
] // prettier-ignore

/** The text of a playlist or manifest, or why it is not read: reading holds up everybody. */
function listOf({ status, truncated, body }: FetchAnswer): { readonly text: string } | { readonly why: string } {
  if (status >= 300) return { why: `its playlist answered with status ${status}` }
  return truncated || body.length > playlistMaxBytes ? { why: 'its playlist is too large' } : { text: Buffer.from(body).toString() }
}

const isPlaylist = (type: string, path: string): boolean => /mpegurl/.test(type) || (/\.m3u8$/i.test(path) && !/^(?:audio|video)\/(?!.*mpegurl)/.test(type))
const isManifest = (type: string, path: string): boolean => type === 'application/dash+xml' || (/\.mpd$/i.test(path) && !/^(?:audio|video)\//.test(type))

/** Fetches the parts of a stream, a few at a time, and joins them. */
async function joined({ parts, type, silent }: StreamParts, plan: Plan, ports: MediaPorts, call: Call): Promise<Outcome> {
  const pieces: Uint8Array[] = []
  let size = 0
  for (let from = 0; from < parts.length; from += atOnce) {
    const answers = await Promise.all(parts.slice(from, from + atOnce).map((url) => get(url, mediaMaxBytes - size, plan, ports, call)))
    for (const answer of answers) {
      if (answer.status >= 300) return { why: `a part of it answered with status ${answer.status}` }
      size += answer.body.length
      call.room?.add(answer.body.length)
      if (answer.truncated || size > mediaMaxBytes) return { why: tooLarge }
      pieces.push(answer.body)
    }
  }
  return { bytes: Buffer.concat(pieces), type, silent }
}

async function ofPlaylist(text: string, url: string, kind: MediaSources['kind'], { plan, ports, call }: { readonly plan: Plan; readonly ports: MediaPorts; readonly call: Call }): Promise<Outcome> {
  const first = readPlaylist(text, url, kind)
  if ('why' in first) return first
  if ('parts' in first) return joined(first, plan, ports, call)
  const answer = await get(first.next, playlistMaxBytes, plan, ports, call)
  const list = listOf(answer)
  if ('why' in list) return list
  const second = readPlaylist(list.text, answer.url, kind)
  if ('why' in second) return second
  return 'parts' in second ? joined({ ...second, silent: first.silent }, plan, ports, call) : { why: 'its playlist leads to another' }
}

async function fileAt(url: string, kind: MediaSources['kind'], plan: Plan, ports: MediaPorts, call: Call): Promise<Outcome> {
  const answer = await get(url, mediaMaxBytes, plan, ports, call)
  const path = new URL(answer.url).pathname
  const type = typeOf(answer)
  if (answer.status >= 300) return { why: `it answered with status ${answer.status}` }
  if (isPlaylist(type, path) || isManifest(type, path)) {
    const list = listOf(answer)
    if ('why' in list) return list
    if (isPlaylist(type, path)) return ofPlaylist(list.text, answer.url, kind, { plan, ports, call })
    const manifest = readManifest(list.text, answer.url, kind)
    return 'why' in manifest ? manifest : joined(manifest, plan, ports, call)
  }
  const known = /^(?:audio|video)\//.test(type) ? type : type === '' || type === 'application/octet-stream' ? (byEnding.find(([ending]) => ending.test(path))?.[1] ?? '') : ''
  if (!known.startsWith(`${kind}/`)) return { why: `it is no ${kind}` }
  return answer.truncated ? { why: tooLarge } : { bytes: answer.body, type: known, silent: false }
}

/** The first file or stream of a page that can be had, or why none. Throws only when the caller's time is up. */
export async function fetchMedia({ kind, urls, players }: MediaSources, plan: Plan, ports: MediaPorts, call: Call): Promise<Outcome> {
  const left = call.deadline - ports.now() - answerMs
  const late = timeLimit(left)
  const shorter: Call = { ...call, deadline: call.deadline - answerMs, signal: AbortSignal.any([call.signal, late]) }
  let why = players.length > 0 ? `the page leaves it to the player of ${players.join(', ')}, which only a media extractor can read; this service has none` : 'the page names none'
  for (const url of urls) {
    try {
      const outcome = await fileAt(url, kind, plan, ports, shorter)
      if (!('why' in outcome)) return outcome
      ;({ why } = outcome)
    } catch (error) {
      call.signal.throwIfAborted()
      if (late.aborted) return { why: 'there was not enough time for it' }
      why = error instanceof ServiceError ? `fetching it failed (${error.code})` : 'fetching it failed'
    }
  }
  return { why }
}
