import { ServiceError } from '../domain/errors.ts'
import type { Body } from './body.ts'
import { type HeaderList, headerValues } from './headers.ts'
import { type Decode, gunzip, inflate, unbrotli } from './inflate.ts'

const removable: ReadonlyMap<string, Decode> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', unbrotli],
])

/** The codings that `decoded` removes. */
export const decodable: readonly string[] = [...removable.keys()]
const codings = [...decodable, 'zstd', 'compress', 'x-compress']

/**
 * The content coding of an answer; null without one. Unknown names are ignored, as browsers do. Throws `SCRAPE_SITE_ERROR`
 * for more than one coding (R19), or one that was not `offered`.
 */
export function contentCoding(headers: HeaderList, offered: readonly string[]): string | null {
  const words = headerValues(headers, 'content-encoding').join(',').split(',').map((word) => word.trim().toLowerCase())
  const [coding, ...more] = words.filter((word) => codings.includes(word))
  if (coding === undefined) return null
  if (more.length === 0 && offered.includes(coding)) return coding
  throw new ServiceError('SCRAPE_SITE_ERROR', 'The site compressed the page in a way that was not offered.')
}

/** The headers without those that describe the coded body and are wrong for the decoded one. */
export function withoutCoding(headers: HeaderList): HeaderList {
  const coded = headerValues(headers, 'content-encoding').some((value) => codings.some((coding) => value.toLowerCase().includes(coding)))
  return coded ? headers.filter(([name]) => name !== 'content-encoding' && name !== 'content-length') : headers
}

/** A body with its coding removed. */
export interface Decoded {
  readonly chunks: AsyncIterable<Uint8Array>
  /**
   * The body that was read from the chunks, marked as truncated when the coded data is incomplete: a complete response may
   * contain an incomplete coded body.
   */
  checked(read: Body): Body
}

/** Removes the coding from a body. */
export function decoded(source: AsyncIterable<Uint8Array>, coding: string | null): Decoded {
  const decode = removable.get(coding ?? '')
  if (decode === undefined) return { chunks: source, checked: (read) => read }
  let isWhole = true
  const chunks = async function* (): AsyncGenerator<Uint8Array, void> {
    isWhole = yield* decode(source)
  }
  return { chunks: chunks(), checked: (read) => (isWhole ? read : { ...read, truncated: true }) }
}
