import type { Blobs } from '../domain/blobs.ts'
import type { Log } from '../http/ports.ts'

/** A place that has lost its blobs may miss thousands at once: this often is one of them told of. */
const tellMs = 60_000
/** As many characters of a key as find its file. */
const shownCharacters = 16

/**
 * The blobs; the log tells of those that are named and are missing or damaged. A cache fetches the page again and an old result says that its content is
 * gone, so nobody else would hear that the place loses what it was given.
 */
export function tellingOfMissing(blobs: Blobs, log: Log, now: () => number): Blobs {
  let toldAt = Number.NEGATIVE_INFINITY
  let untold = 0
  return {
    ...blobs,
    async get(key) {
      const bytes = await blobs.get(key)
      if (bytes !== null) return bytes
      untold++
      if (now() - toldAt >= tellMs) {
        log('warn', 'blob-missing', { blob: key.slice(0, shownCharacters), missing: untold })
        toldAt = now()
        untold = 0
      }
      return null
    },
  }
}
