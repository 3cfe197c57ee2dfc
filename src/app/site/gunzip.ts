/** The unpacked bytes of a gzip file as they come; answers whether that was all of it. Of a broken file it gives what is readable. */
export async function* unzipped(bytes: Uint8Array): AsyncGenerator<Uint8Array, boolean> {
  const reader = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return true
      yield value
    }
  } catch {
    // Whatever is wrong with the file: what came before it has been handed out, and the answer says so.
    return false
  } finally {
    await reader.cancel().catch(() => undefined) // its end, or the error above, is known already
  }
}
