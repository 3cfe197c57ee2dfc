import { type HeaderList, headerText, headerValues } from '../headers.ts'

/** How the end of a body is known (RFC 9112 §6.3): there is none, by its length, by chunks, or by the end of the connection. */
export type Framing = { readonly by: 'length'; readonly bytes: number } | { readonly by: 'chunks' } | { readonly by: 'close' }

/** The head of an answer. */
export interface Head {
  readonly status: number
  /** Lower-case names, in the order received. */
  readonly headers: HeaderList
  readonly framing: Framing
  /** Milliseconds for which the connection may be kept once the body is over; 0 where it ends with it. */
  readonly keptMs: number
}

/** Not as RFC 9112 has it: another reader may forgive that. */
export class Malformed extends Error {}

const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: [^\0-\x08\n-\x1f\x7f]*)?$/
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const control = /[\0-\x08\n-\x1f\x7f]/
const blank = /^[ \t]+|[ \t]+$/g
const timeout = /\btimeout=(\d{1,6})/i

const none: Framing = { by: 'length', bytes: 0 }

/** Reads a head, given without the empty line that ends it, one character per byte. Throws `Malformed`. */
export function readHead(text: string): Head {
  const [first = '', ...lines] = text.split('\r\n')
  const [, minor, digits] = statusLine.exec(first) ?? []
  const status = Number(digits)
  if (minor === undefined || status < 100) throw new Malformed()
  const headers = lines.map(readField)
  const framing = framingOf(status, headers)
  return { status, headers, framing, keptMs: keptMs(minor === '1', headers, framing) }
}

function readField(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  const name = line.slice(0, colon)
  if (colon < 1 || !token.test(name) || control.test(line)) throw new Malformed()
  return [name.toLowerCase(), headerText(line.slice(colon + 1).replace(blank, ''))]
}

const wordsOf = (headers: HeaderList, name: string): readonly string[] => headerValues(headers, name).join(',').split(',').map((word) => word.replace(blank, '').toLowerCase()) // prettier-ignore

function framingOf(status: number, headers: HeaderList): Framing {
  if (status < 200 || status === 204 || status === 304) return none
  const codings = headers.some(([name]) => name === 'transfer-encoding') ? wordsOf(headers, 'transfer-encoding') : []
  if (codings.length > 0) {
    // Any other way to transfer it is one that was not asked for.
    if (codings.length > 1 || codings[0] !== 'chunked') throw new Malformed()
    return { by: 'chunks' }
  }
  const [length, ...more] = headerValues(headers, 'content-length')
  if (length === undefined) return { by: 'close' }
  if (more.length > 0 || !/^\d{1,15}$/.test(length)) throw new Malformed()
  return { by: 'length', bytes: Number(length) }
}

/** A server that gives a length beside chunks is not to be trusted with a second answer (RFC 9112 §6.1). */
function keptMs(isCurrent: boolean, headers: HeaderList, { by }: Framing): number {
  if (by === 'close' || (by === 'chunks' && headers.some(([name]) => name === 'content-length'))) return 0
  const options = wordsOf(headers, 'connection')
  if (options.includes('close') || !(isCurrent || options.includes('keep-alive'))) return 0
  const seconds = timeout.exec(headerValues(headers, 'keep-alive').join())?.[1]
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1000
}
