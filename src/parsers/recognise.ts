import type { Call } from '../domain/call.ts'
import { timeLeft, within } from '../lib/deadline.ts'
import type { Recogniser } from './ocr.ts'

/** Pages of a PDF to be read from pictures of them. */
export interface Recognition {
  readonly bytes: Uint8Array
  readonly wanted: readonly number[]
  readonly eye: Recogniser
}

/** More pages than this of one file are not tried. */
const maxPages = 100
/** What is left of the caller's time for the answer. */
const answerMs = 3_000

/**
 * The text of those pages, as many as the caller's time allows; one that fails is left out. Pages go one by one, so that other callers
 * get their turn between them.
 */
export async function recognisePages({ bytes, wanted, eye }: Recognition, call: Call): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>()
  const signal = within(call, timeLeft(call, Date.now()) - answerMs)
  const sub: Call = { ...call, signal }
  for (const number of wanted.slice(0, maxPages)) {
    try {
      const text = await eye.page(bytes, number, sub)
      if (text !== null) texts.set(number, text)
    } catch (error) {
      call.signal.throwIfAborted()
      if (signal.aborted) break
      throw error
    }
  }
  return texts
}
