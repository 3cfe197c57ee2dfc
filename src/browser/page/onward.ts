import type { Order } from '../../domain/pages/capture.ts'

/** Decides about the documents that a page navigates to by itself. */
export interface Onward {
  /** Whether a document may be loaded; null when any may. */
  readonly mayGo: ((url: string) => Promise<boolean>) | null
  /** Rejects with the reason when one may not; never resolves. */
  readonly barred: Promise<never>
}

/** Asks the order about each redirect; a refusal ends the visit. */
export function onward({ onRedirect }: Order): Onward {
  let bar: (why: unknown) => void = () => undefined
  const barred = new Promise<never>((_, reject) => (bar = reject))
  // The rejection may come when nobody waits any more.
  barred.catch(() => undefined)
  if (onRedirect === undefined) return { mayGo: null, barred }
  const mayGo = async (url: string): Promise<boolean> => {
    try {
      await onRedirect(url)
      return true
    } catch (why) {
      bar(why)
      return false
    }
  }
  return { mayGo, barred }
}
