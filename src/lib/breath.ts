/**
 * Lets the event loop run between steps that answer at once; `await` alone never does. Await what this answers before each step: it waits for
 * the next turn of the loop once the steps of this turn, whoever's they are, have taken `ms`.
 */
export function breather(ms: number): () => Promise<void> | undefined {
  let began: number | null = null
  const end = (): void => {
    began = null
  }
  return () => {
    const now = performance.now()
    if (began !== null) return now - began < ms ? undefined : new Promise((resolve) => setImmediate(resolve))
    began = now
    setImmediate(end)
    return undefined
  }
}
