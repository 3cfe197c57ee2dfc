/** Lets the event loop come round so many times: whatever needs no more than that has then happened, however busy the machine is. */
export async function rounds(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve))
}

/**
 * The outcome of the work, or `late` when it has none by the time that a timer of `ms`, started now, has fired and the event loop has come round
 * a few times more. Timers of one process fire in their order, however busy the machine is.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => void rounds(20).then(() => resolve('late')), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
