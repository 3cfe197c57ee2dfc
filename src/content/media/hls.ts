import { urlOf } from '../../lib/url-of.ts'

/** The addresses to fetch, in order, to get a stream as one file. */
export interface StreamParts {
  readonly parts: readonly string[]
  /** Media type of the whole file. */
  readonly type: string
  /** True when its sound is in another stream. */
  readonly silent: boolean
}

/** The result of reading a playlist: the next playlist to read, the parts to fetch, or why it cannot be fetched. */
export type Playlist = { readonly next: string; readonly silent: boolean } | StreamParts | { readonly why: string }

const maxParts = 5_000

// Names are bounded: a line may be the whole playlist, and the search for the end of a name must not restart at each
// letter.
const attributesOf = (line: string): ReadonlyMap<string, string> =>
  new Map([...line.matchAll(/([A-Z0-9-]{1,64})=(?:"([^"]*)"|([^,]*))/g)].map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']))

const at = (url: string, base: string): string | undefined => urlOf(url, base)?.href

/**
 * The stream of a master playlist with the highest bandwidth, preferably one that includes its sound; for `audio`, one with
 * sound only.
 */
function chosen(lines: readonly string[], base: string, kind: 'audio' | 'video'): Playlist {
  const media = lines.filter((line) => line.startsWith('#EXT-X-MEDIA:')).map(attributesOf)
  const sounds = media.filter((one) => one.get('TYPE') === 'AUDIO' && one.get('URI') !== undefined)
  if (kind === 'audio' && sounds.length > 0) {
    const sound = sounds.find((one) => one.get('DEFAULT') === 'YES') ?? sounds[0]
    const next = at(sound?.get('URI') ?? '', base)
    return next === undefined ? { why: 'its playlist cannot be read' } : { next, silent: false }
  }
  const apart = new Set(sounds.map((one) => one.get('GROUP-ID')))
  let uri: string | undefined
  // From the end: the address of a stream is the next one below it.
  const streams = lines.toReversed().flatMap((line) => {
    if (line !== '' && !line.startsWith('#')) uri = line
    if (!line.startsWith('#EXT-X-STREAM-INF:')) return []
    const stream = attributesOf(line)
    const codecs = stream.get('CODECS') ?? ''
    const soundOnly = codecs !== '' && !/avc|hvc|hev|vp0?9|av01|mp4v/i.test(codecs)
    return uri === undefined || soundOnly !== (kind === 'audio') ? [] : [{ uri, silent: apart.has(stream.get('AUDIO')), bandwidth: Number(stream.get('BANDWIDTH')) || 0 }]
  })
  const [best] = streams.toReversed().sort((a, b) => Number(a.silent) - Number(b.silent) || b.bandwidth - a.bandwidth)
  const next = best && at(best.uri, base)
  return best === undefined || next === undefined ? { why: `its playlist has no ${kind}` } : { next, silent: best.silent }
}

const types: readonly (readonly [RegExp, string])[] = [[/\.aac$/i, 'audio/aac'], [/\.mp3$/i, 'audio/mpeg'], [/\.(?:m4s|mp4|m4v|cmfv)$/i, 'video/mp4'], [/\.(?:m4a|cmfa)$/i, 'audio/mp4']]

/** Reads a playlist of HTTP Live Streaming (RFC 8216). */
export function readPlaylist(text: string, base: string, kind: 'audio' | 'video'): Playlist {
  const lines = text.split(/\r?\n/).slice(0, maxParts * 4).map((line) => line.trim())
  if (lines[0] !== '#EXTM3U') return { why: 'its playlist cannot be read' }
  if (lines.some((line) => line.startsWith('#EXT-X-STREAM-INF:'))) return chosen(lines, base, kind)
  if (lines.some((line) => line.startsWith('#EXT-X-KEY:') && attributesOf(line).get('METHOD') !== 'NONE')) return { why: 'it is encrypted' }
  if (!lines.includes('#EXT-X-ENDLIST')) return { why: 'it is a live stream' }
  const map = lines.find((line) => line.startsWith('#EXT-X-MAP:'))
  const start = map === undefined ? undefined : attributesOf(map).get('URI')
  const uris = [...(start === undefined ? [] : [start]), ...lines.filter((line) => line !== '' && !line.startsWith('#'))]
  // Byte ranges of the same file are fetched as the whole file.
  const whole = lines.some((line) => line.startsWith('#EXT-X-BYTERANGE:')) ? [...new Set(uris)] : uris
  const parts = whole.map((uri) => at(uri, base)).filter((url) => url !== undefined)
  const name = new URL(parts.at(-1) ?? base).pathname
  const known = types.find(([ending]) => ending.test(name))?.[1] ?? (start === undefined ? 'video/mp2t' : 'video/mp4')
  const type = kind === 'audio' && known === 'video/mp4' ? 'audio/mp4' : known
  if (parts.length === 0 || parts.length > maxParts) return { why: parts.length === 0 ? 'its playlist is empty' : 'it has too many parts' }
  return { parts, type, silent: false }
}
