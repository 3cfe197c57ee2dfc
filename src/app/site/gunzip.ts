/**
 * Decompresses a gzip file chunk by chunk; returns whether the file was complete. Of a broken file, it yields what is
 * readable.
 */
export async function* unzipped(bytes: Uint8Array): AsyncGenerator<Uint8Array, boolean> {
  const reader = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return true
      yield value
    }
  } catch {
    // Whatever is wrong with the file: what came before has been yielded, and the return value reports it.
    return false
  } finally {
    await reader.cancel().catch(() => undefined) // its end or the error above is already known
  }
}
