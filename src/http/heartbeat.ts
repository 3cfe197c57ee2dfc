import { withTimeout } from '../lib/with-timeout.ts'

/**
 * The parts of a stream, with `beat` at its start and after each `everyMs` without a part: waiting clients would otherwise
 * give up.
 */
export async function* withHeartbeat(source: AsyncIterator<Uint8Array>, beat: Uint8Array, everyMs: number): AsyncGenerator<Uint8Array> {
  yield beat
  for (;;) {
    const next = source.next()
    let part = await withTimeout(next, everyMs, () => null)
    while (part === null) {
      yield beat
      part = await withTimeout(next, everyMs, () => null)
    }
    if (part.done === true) return
    yield part.value
  }
}
