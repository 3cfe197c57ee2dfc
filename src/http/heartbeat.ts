/** The parts of a stream, and `beat` at its start and whenever nothing else has come for so long: who waits between would give the connection up. */
export async function* withHeartbeat(source: AsyncIterator<Uint8Array>, beat: Uint8Array, everyMs: number): AsyncGenerator<Uint8Array> {
  yield beat
  for (;;) {
    const next = source.next()
    let part = await within(next, everyMs)
    while (part === null) {
      yield beat
      part = await within(next, everyMs)
    }
    if (part.done === true) return
    yield part.value
  }
}

/** Null when the time is up first. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
