import { type Capture, mediaType } from './capture.ts'

/** What a capture's body is, as far as choosing a reader goes. */
export type FileKind = 'page' | 'pdf' | 'binary'

const textual = /^(text\/|application\/(json|xml|xhtml\+xml|javascript|ecmascript|x-javascript|x-ndjson|ld\+json|yaml|x-yaml|toml|sql)|.*\+(json|xml)$|message\/|multipart\/)/

const sampleBytes = 1024

/** No text holds these (WHATWG MIME Sniffing §7.1, binary data bytes). */
function looksBinary(body: Uint8Array): boolean {
  const utf16 = (body[0] === 0xfe && body[1] === 0xff) || (body[0] === 0xff && body[1] === 0xfe)
  if (utf16) return false
  return body.subarray(0, sampleBytes).some((byte) => byte <= 8 || byte === 11 || (byte >= 14 && byte <= 26) || (byte >= 28 && byte <= 31))
}

function startsWith(body: Uint8Array, text: string): boolean {
  return [...text].every((character, i) => body[i] === character.charCodeAt(0))
}

/** Decides by the bytes first, then by the media type: servers mislabel files more often than files lie. */
export function fileKind(capture: Pick<Capture, 'headers' | 'body'>): FileKind {
  if (startsWith(capture.body, '%PDF-')) return 'pdf'
  const type = mediaType(capture)
  if (type === 'application/pdf') return capture.body.length === 0 ? 'page' : 'pdf'
  if (textual.test(type)) return 'page'
  if (type === '' || type === 'application/octet-stream' || type === 'unknown/unknown') return looksBinary(capture.body) ? 'binary' : 'page'
  return looksBinary(capture.body) || /^(image|audio|video|font)\//.test(type) ? 'binary' : 'page'
}
