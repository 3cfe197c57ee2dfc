import type { SitePorts } from '../site/ports.ts'

/** Work without a pause takes so many milliseconds at most. */
const sliceMs = 8

/** Says when others are to have the thread; await it only where it answers something: most of the time it does not. */
export function pace({ now, breathe }: SitePorts): () => Promise<void> | null {
  let since = now()
  return () => {
    if (now() - since < sliceMs) return null
    return breathe().then(() => void (since = now()))
  }
}
