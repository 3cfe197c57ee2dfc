import { readManifest } from '../../content/media/dash.ts'
import { readPlaylist, type StreamParts } from '../../content/media/hls.ts'
import type { Call } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { ExtractedMedia, MediaExtractor, MediaFile, MediaSources } from '../../domain/pages/media.ts'
import type { FetchAnswer, Fetcher } from '../../domain/fetching/fetcher.ts'
import { timeLeft, within } from '../../lib/deadline.ts'
import { withoutCredentials } from '../../lib/url-of.ts'
import type { Plan } from '../scrape/plan.ts'

export interface MediaPorts {
  readonly fetcher: Pick<Fetcher, 'fetch'>
  /** Null when the service has none. */
  readonly extractor: MediaExtractor | null
  readonly now: () => number
}

/** Larger files are not fetched: a file is held in memory until it is stored. */
export const mediaMaxBytes = 50 * 1024 * 1024
const playlistMaxBytes = 4 * 1024 * 1024
// Each part may be as large as the whole may be.
const atOnce = 2
/** Time reserved for the response once the file has been fetched. */
const answerMs = 1_500

const tooLarge = `it is larger than ${mediaMaxBytes / 1024 ** 2} MB`
type Outcome = MediaFile | { readonly why: string }
type Kind = MediaSources['kind']

/** How to fetch the files of one page. */
interface Terms {
  readonly plan: Plan
  readonly ports: MediaPorts
  readonly call: Call
  /** The referring page to send; null for none. */
  readonly referer: string | null
}

/** Fetches a file like the page, without the headers that the caller meant for the page alone. */
function get(url: string, maxBytes: number, { plan: { order }, ports: { fetcher }, call, referer }: Terms): Promise<FetchAnswer> {
  const { languages, skipTlsVerification, tier, country } = order
  return fetcher.fetch({ url: withoutCredentials(url), headers: referer === null ? {} : { referer }, languages, skipTlsVerification, maxBytes, tier, country }, call)
}

const typeOf = ({ headers }: FetchAnswer): string => (headers.find(([name]) => name === 'content-type')?.[1] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

const byEnding: readonly (readonly [RegExp, string])[] = [
  [/\.(?:mp4|m4v)$/i, 'video/mp4'], [/\.webm$/i, 'video/webm'], [/\.ogv$/i, 'video/ogg'], [/\.mov$/i, 'video/quicktime'],
  [/\.mp3$/i, 'audio/mpeg'], [/\.m4a$/i, 'audio/mp4'], [/\.aac$/i, 'audio/aac'], [/\.(?:ogg|oga|opus)$/i, 'audio/ogg'], [/\.wav$/i, 'audio/wav'], [/\.flac$/i, 'audio/flac'],
]

/** Whether a body is a web page, which some sites send in place of a file and with its type. */
const isWebPage = (body: Uint8Array): boolean => /^\uFEFF?\s*<(?:!doctype\s+html|html|head|body)\b/i.test(Buffer.from(body.subarray(0, 500)).toString())

/** The text of a playlist or manifest, or why it is not parsed: parsing blocks everybody. */
function listOf({ status, truncated, body }: FetchAnswer): { readonly text: string } | { readonly why: string } {
  if (status >= 300) return { why: `its playlist answered with status ${status}` }
  return truncated || body.length > playlistMaxBytes ? { why: 'its playlist is too large' } : { text: Buffer.from(body).toString() }
}

const isPlaylist = (type: string, path: string): boolean => /mpegurl/.test(type) || (/\.m3u8$/i.test(path) && !/^(?:audio|video)\/(?!.*mpegurl)/.test(type))
const isManifest = (type: string, path: string): boolean => type === 'application/dash+xml' || (/\.mpd$/i.test(path) && !/^(?:audio|video)\//.test(type))

/** Fetches the parts of a stream, a few at a time, and joins them. */
async function joined({ parts, type, silent }: StreamParts, terms: Terms): Promise<Outcome> {
  const pieces: Uint8Array[] = []
  let size = 0
  for (let from = 0; from < parts.length; from += atOnce) {
    const answers = await Promise.all(parts.slice(from, from + atOnce).map((url) => get(url, mediaMaxBytes - size, terms)))
    for (const answer of answers) {
      if (answer.status >= 300) return { why: `a part of it answered with status ${answer.status}` }
      size += answer.body.length
      terms.call.room?.add(answer.body.length)
      if (answer.truncated || size > mediaMaxBytes) return { why: tooLarge }
      if (isWebPage(answer.body)) return { why: 'a part of it is a web page' }
      pieces.push(answer.body)
    }
  }
  return size === 0 ? { why: 'it is empty' } : { bytes: Buffer.concat(pieces), type, silent }
}

async function ofPlaylist({ text, url }: { readonly text: string; readonly url: string }, kind: Kind, terms: Terms): Promise<Outcome> {
  const first = readPlaylist(text, url, kind)
  if ('why' in first) return first
  if ('parts' in first) return joined(first, terms)
  const answer = await get(first.next, playlistMaxBytes, terms)
  const list = listOf(answer)
  if ('why' in list) return list
  const second = readPlaylist(list.text, answer.url, kind)
  if ('why' in second) return second
  return 'parts' in second ? joined({ ...second, silent: first.silent }, terms) : { why: 'its playlist leads to another' }
}

async function fileAt(url: string, kind: Kind, terms: Terms): Promise<Outcome> {
  const answer = await get(url, mediaMaxBytes, terms)
  const path = new URL(answer.url).pathname
  const type = typeOf(answer)
  if (answer.status >= 300) return { why: `it answered with status ${answer.status}` }
  if (isPlaylist(type, path) || isManifest(type, path)) {
    const list = listOf(answer)
    if ('why' in list) return list
    if (isPlaylist(type, path)) return ofPlaylist({ text: list.text, url: answer.url }, kind, terms)
    const manifest = readManifest(list.text, answer.url, kind)
    return 'why' in manifest ? manifest : joined(manifest, terms)
  }
  const known = /^(?:audio|video)\//.test(type) ? type : type === '' || type === 'application/octet-stream' ? (byEnding.find(([ending]) => ending.test(path))?.[1] ?? '') : ''
  if (!known.startsWith(`${kind}/`) || isWebPage(answer.body)) return { why: `it is no ${kind}` }
  if (answer.body.length === 0) return { why: 'it is empty' }
  return answer.truncated ? { why: tooLarge } : { bytes: answer.body, type: known, silent: false }
}

/** The first that can be fetched, or why the last could not; null for an empty list. */
async function firstOf(media: readonly ExtractedMedia[], kind: Kind, terms: Omit<Terms, 'referer'>, late: AbortSignal): Promise<Outcome | null> {
  let why: string | null = null
  for (const { url, referer, silent } of media) {
    try {
      const outcome = await fileAt(url, kind, { ...terms, referer })
      if (!('why' in outcome)) return { ...outcome, silent: silent || outcome.silent }
      ;({ why } = outcome)
    } catch (error) {
      if (late.aborted || terms.call.signal.aborted) throw error
      why = error instanceof ServiceError ? `fetching it failed (${error.code})` : 'fetching it failed'
    }
  }
  return why === null ? null : { why }
}

/** The maximum number of players per page to ask an extractor about. */
const mostAsked = 2
const hostsOf = (addresses: readonly string[]): string => [...new Set(addresses.map((url) => new URL(url).hostname))].join(', ')

/** What the extractor finds for the players of a page, or for the page itself; null without an extractor. */
async function extracted({ kind, players, page }: MediaSources & { readonly page: string }, terms: Omit<Terms, 'referer'>, late: AbortSignal): Promise<Outcome | null> {
  const { ports, plan, call } = terms
  if (ports.extractor === null) return null
  const { tier = 'basic', country, skipTlsVerification } = plan.order
  let outcome: Outcome | null = null
  for (const url of players.length > 0 ? players.slice(0, mostAsked) : [page]) {
    const found = await ports.extractor.find({ url, kind, tier, country, skipTlsVerification }, call)
    if ('why' in found) {
      outcome = found
      continue
    }
    outcome = await firstOf(found, kind, terms, late)
    if (outcome !== null && !('why' in outcome)) return outcome
  }
  return outcome
}

/**
 * The first file or stream of a page that can be fetched, directly or with an extractor, or why there is none. Throws only
 * when the caller's time is up.
 */
export async function fetchMedia(sources: MediaSources & { readonly page: string }, plan: Plan, ports: MediaPorts, call: Call): Promise<Outcome> {
  const { kind, urls, players } = sources
  const late = within(call, timeLeft(call, ports.now()) - answerMs)
  const shorter: Call = { ...call, deadline: call.deadline - answerMs, signal: late }
  const terms = { plan, ports, call: shorter }
  try {
    const own = await firstOf(urls.map((url) => ({ url, referer: null, silent: false })), kind, terms, late)
    if (own !== null && !('why' in own)) return own
    const other = own !== null && players.length === 0 ? null : await extracted(sources, terms, late)
    if (other !== null && !('why' in other)) return other
    if (players.length > 0) return other ?? own ?? { why: `the page leaves it to the player of ${hostsOf(players)}, which only a media extractor can read; this service has none (yt-dlp, TRAWL_MEDIA_EXTRACTOR)` }
    return own ?? other ?? { why: 'the page names none' }
  } catch (error) {
    call.signal.throwIfAborted()
    if (late.aborted) return { why: 'there was not enough time for it' }
    throw error
  }
}
