import type { SitePorts } from '../site/ports.ts'

/** The longest that work may run without yielding, in milliseconds. */
const sliceMs = 8

/** Yields the thread when it is time to. Await only what it answers, which is mostly nothing. */
export function pace({ now: settable, steady: now = settable, breathe }: SitePorts): () => Promise<void> | null {
  let since = now()
  return () => {
    if (now() - since < sliceMs) return null
    return breathe().then(() => void (since = now()))
  }
}
