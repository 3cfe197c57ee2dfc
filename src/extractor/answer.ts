import type { ExtractedMedia, MediaSources } from '../domain/pages/media.ts'
import { isObject, type JsonObject } from '../lib/is-object.ts'
import { webUrlOf } from '../lib/url-of.ts'

const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.slice(0, maxForms).filter(isObject) : [])
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

const most = 6
const maxForms = 1_000
/** Protocols that the service can fetch and join itself. */
const protocols = /^(?:https?|m3u8(?:_native)?|http_dash_segments)$/
const films: ReadonlySet<unknown> = new Set(['mp4', 'm4v', 'webm', 'ogv', 'mov', 'mkv', 'flv', 'ts'])
const sounds: ReadonlySet<unknown> = new Set(['mp3', 'm4a', 'aac', 'ogg', 'oga', 'opus', 'wav', 'flac'])

/** Whether a format has pictures or sound; judged by its file name extension when it does not say. */
function has(format: JsonObject, codec: 'vcodec' | 'acodec'): boolean {
  const said = textOf(format[codec])
  if (said !== null) return said !== 'none'
  return films.has(format['ext']) || (codec === 'acodec' && sounds.has(format['ext']))
}

const sizeOf = (format: JsonObject): number => numberOf(format['filesize']) || numberOf(format['filesize_approx'])

/** The formats of an entry that have what is wanted and can be fetched: those that fit first, the best first. */
function fitting(entry: JsonObject, kind: MediaSources['kind'], maxBytes: number): readonly JsonObject[] {
  const formats = listOf(entry['formats'])
  const all = formats.length > 0 ? formats : [entry]
  const wanted = all.filter((one) => protocols.test(textOf(one['protocol']) ?? 'https') && one['has_drm'] !== true && (kind === 'video' ? has(one, 'vcodec') : has(one, 'acodec') && !has(one, 'vcodec')))
  const order = (one: JsonObject): readonly number[] => [Number(sizeOf(one) > maxBytes), Number(kind === 'video' && !has(one, 'acodec')), -numberOf(one['height']), -(numberOf(one['tbr']) || numberOf(one['abr']))]
  return wanted.toSorted((a, b) => {
    const [x, y] = [order(a), order(b)]
    const at = x.findIndex((value, index) => value !== y[index])
    return at < 0 ? 0 : (x[at] ?? 0) - (y[at] ?? 0)
  })
}

function addressOf(format: JsonObject): string | null {
  const url = textOf(format[format['protocol'] === 'http_dash_segments' ? 'manifest_url' : 'url'])
  return url !== null && webUrlOf(url) !== null ? url : null
}

/** The media of a kind in an extractor's output, best first; empty when the output is not understood. */
export function mediaIn(json: unknown, kind: MediaSources['kind'], maxBytes: number): readonly ExtractedMedia[] {
  if (!isObject(json)) return []
  const [first] = listOf(json['entries'])
  const entry = first ?? json
  if (entry['is_live'] === true) return []
  const found = fitting(entry, kind, maxBytes).flatMap((format): ExtractedMedia[] => {
    const url = addressOf(format)
    const headers = isObject(format['http_headers']) ? format['http_headers'] : {}
    return url === null ? [] : [{ url, referer: textOf(headers['Referer']), silent: kind === 'video' && !has(format, 'acodec') }]
  })
  return [...new Map(found.map((one) => [one.url, one])).values()].slice(0, most)
}
