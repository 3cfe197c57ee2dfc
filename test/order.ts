/**
 * Waits for `count` turns of the event loop. Work that needs no more turns has completed then, however busy the machine
 * is.
 */
export async function rounds(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve))
}

/**
 * The result of `work`, or `late` when it has none after a timer of `ms`, started now, has fired and 20 turns of the
 * event loop have passed. Timers of one process fire in order, so the result does not depend on the load of the
 * machine.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => void rounds(20).then(() => resolve('late')), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
