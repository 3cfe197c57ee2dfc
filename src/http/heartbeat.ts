import { withTimeout } from '../lib/with-timeout.ts'

/** The parts of a stream, and `beat` at its start and whenever nothing else has come for so long: who waits between would give the connection up. */
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
