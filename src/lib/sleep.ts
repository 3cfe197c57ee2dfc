/** The longest delay that Node timers keep (31 bits); with a longer one they fire at once. */
export const longestTimer = 2 ** 31 - 1

/** Waits, but at most `longestTimer`; rejects with the signal's reason when it aborts first. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, Math.min(ms, longestTimer))
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** Repeats something every `ms` without keeping the process alive; returns the function that stops it. */
export function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms).unref()
  return () => clearInterval(timer)
}
