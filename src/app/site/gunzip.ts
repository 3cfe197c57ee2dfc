/** The unpacked bytes of a gzip file, cut after `maxBytes`; what is readable of a broken one. Throws when nothing is. */
export async function unzipped(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  const reader = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  try {
    while (length < maxBytes) {
      const { done, value } = await reader.read()
      if (done) break
      parts.push(value)
      length += value.length
    }
  } catch (error) {
    if (length === 0) throw error
  } finally {
    await reader.cancel().catch(() => undefined) // its end, or the error above, is known already
  }
  return Buffer.concat(parts).subarray(0, maxBytes)
}
