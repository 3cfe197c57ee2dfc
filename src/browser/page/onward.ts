import type { Order } from '../../domain/capture.ts'

/** What a page is asked about the documents that it goes on to. */
export interface Onward {
  /** Whether the document may be fetched; null where any may. */
  readonly mayGo: ((url: string) => Promise<boolean>) | null
  /** Rejects with why one may not; never resolves. */
  readonly barred: Promise<never>
}

/** Asks the order where the page leads: what says no ends the visit. */
export function onward({ onRedirect }: Order): Onward {
  let bar: (why: unknown) => void = () => undefined
  const barred = new Promise<never>((_, reject) => (bar = reject))
  // Whoever is not waiting any more has no use for the news.
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
