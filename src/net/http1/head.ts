import { headerName } from '../../lib/header-syntax.ts'
import { type HeaderList, headerText, headerValues } from '../headers.ts'

/**
 * How the end of a body is determined (RFC 9112 §6.3): by its length, by chunks, or by the end of the connection. A missing
 * body has length 0.
 */
export type Framing = { readonly by: 'length'; readonly bytes: number } | { readonly by: 'chunks' } | { readonly by: 'close' }

/** The head of an answer. */
export interface Head {
  readonly status: number
  /** Lower-case names, in the order received. */
  readonly headers: HeaderList
  readonly framing: Framing
  /** Milliseconds for which the connection may be reused after the body; 0 when it may not. */
  readonly keptMs: number
}

/** The answer violates RFC 9112. A more lenient parser may accept it. */
export class Malformed extends Error {}

const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: [^\0-\x08\n-\x1f\x7f]*)?$/
const control = /[\0-\x08\n-\x1f\x7f]/
// An expression for the blanks at the end would take quadratic time for those inside.
const content = /[^ \t](?:.*[^ \t])?/s
const timeout = /\btimeout=(\d{1,6})/i

const none: Framing = { by: 'length', bytes: 0 }

/** Parses a head, given as one character per byte, without the empty line at its end. Throws `Malformed`. */
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
  if (colon < 1 || !headerName.test(name) || control.test(line)) throw new Malformed()
  return [name.toLowerCase(), headerText(trimmed(line.slice(colon + 1)))]
}

/** Without blanks at its ends; `trim` would also take bytes that are part of a letter. */
const trimmed = (text: string): string => content.exec(text)?.[0] ?? ''

const wordsOf = (headers: HeaderList, name: string): readonly string[] => headerValues(headers, name).join(',').split(',').map((word) => trimmed(word).toLowerCase())

function framingOf(status: number, headers: HeaderList): Framing {
  if (status < 200 || status === 204 || status === 304) return none
  const codings = headers.some(([name]) => name === 'transfer-encoding') ? wordsOf(headers, 'transfer-encoding') : []
  if (codings.length > 0) {
    // Any other transfer coding was not requested.
    if (codings.length > 1 || codings[0] !== 'chunked') throw new Malformed()
    return { by: 'chunks' }
  }
  const [length, ...more] = headerValues(headers, 'content-length')
  if (length === undefined) return { by: 'close' }
  if (more.length > 0 || !/^\d{1,15}$/.test(length)) throw new Malformed()
  return { by: 'length', bytes: Number(length) }
}

/** A server that sends a length together with chunks cannot be trusted with a second answer (RFC 9112 §6.1). */
function keptMs(isCurrent: boolean, headers: HeaderList, { by }: Framing): number {
  if (by === 'close' || (by === 'chunks' && headers.some(([name]) => name === 'content-length'))) return 0
  const options = wordsOf(headers, 'connection')
  if (options.includes('close') || !(isCurrent || options.includes('keep-alive'))) return 0
  const seconds = timeout.exec(headerValues(headers, 'keep-alive').join())?.[1]
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1000
}
