import type { Call } from '../domain/call.ts'
import { timeLeft, within } from '../lib/deadline.ts'
import type { Recogniser } from './ocr.ts'

/** Pages of a PDF that are to be recognised. */
export interface Recognition {
  readonly bytes: Uint8Array
  readonly wanted: readonly number[]
  readonly eye: Recogniser
  /** The clock of the deadlines of calls. */
  readonly now: () => number
}

/** Most pages of one file that are tried. */
const maxPages = 100
/** Milliseconds of the caller's time that are reserved for the answer. */
const answerMs = 3_000

/** The text of pages by their numbers, and whether the time was up before all of them were tried. */
interface Recognised {
  readonly texts: ReadonlyMap<number, string>
  readonly isLate: boolean
}

/**
 * The text of those pages, as many as the caller's time allows; pages that fail are left out. Pages are read one by one, so
 * that other callers get their turn.
 */
export async function recognisePages({ bytes, wanted, eye, now }: Recognition, call: Call): Promise<Recognised> {
  const texts = new Map<number, string>()
  const signal = within(call, timeLeft(call, now()) - answerMs)
  const sub: Call = { ...call, signal }
  for (const number of wanted.slice(0, maxPages)) {
    try {
      const text = await eye.page(bytes, number, sub)
      if (text !== null) texts.set(number, text)
    } catch (error) {
      call.signal.throwIfAborted()
      if (signal.aborted) return { texts, isLate: true }
      throw error
    }
  }
  return { texts, isLate: false }
}
