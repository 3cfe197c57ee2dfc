import { ServiceError } from '../domain/errors.ts'
import { limits } from '../spec/limits.ts'

const quote = 0x22
const backslash = 0x5c
const opening = new Set([0x7b, 0x5b])
const closing = new Set([0x7d, 0x5d])

/** The deepest nesting of a JSON text, in one pass and without parsing it (R16). */
export function jsonDepth(bytes: Uint8Array): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    if (inString) {
      if (byte === backslash) i += 1
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (opening.has(byte)) deepest = Math.max(deepest, ++depth)
    else if (closing.has(byte)) depth -= 1
  }
  return deepest
}

const suspicious = /\\u(0000|d[89a-f])|__proto__|\\u005f/i
const forbidden = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** Refuses what a store or a log cannot carry, and a key that is a trap for whoever copies objects. */
function guard(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new ServiceError('BAD_REQUEST', 'Bad Request: Unknown key "__proto__"', { details: [{ code: 'unrecognized_keys', path: [key], message: 'Unknown key "__proto__"' }] })
  if ((typeof value === 'string' && forbidden.test(value)) || forbidden.test(key)) {
    throw new ServiceError('BAD_REQUEST_INVALID_JSON', 'The body holds a NUL character or half of a surrogate pair.')
  }
  return value
}

/** Parses a request body. Throws `BAD_REQUEST_INVALID_JSON` unless it is UTF-8 JSON of at most 64 levels. */
export function parseJson(bytes: Uint8Array): unknown {
  if (jsonDepth(bytes) > limits.jsonDepth) throw new ServiceError('BAD_REQUEST_INVALID_JSON', `The body nests deeper than ${limits.jsonDepth} levels.`)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // Visiting every value costs ten times the parsing: only where the text shows that there may be something to find.
    return JSON.parse(text, suspicious.test(text) ? guard : undefined)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw new ServiceError('BAD_REQUEST_INVALID_JSON', 'The body is not valid JSON in UTF-8.', { cause: error })
  }
}
