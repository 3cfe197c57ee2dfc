/**
 * For work in many steps each of which answers at once: `await` alone never lets the event loop go on. What this answers is to be awaited before
 * a step; it waits for the next turn of the loop once steps of this one, whosoever they are, have taken `ms`.
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
