import { read } from '../content/reading.ts'
import type { Capture } from '../domain/pages/capture.ts'
import type { DeriveOrder } from '../domain/pages/derivation.ts'
import { pack } from '../domain/pages/packed.ts'
import { readDefaults } from '../domain/pages/reading.ts'
import { atOnce } from '../lib/in-steps.ts'
import { deriveInSteps } from './run.ts'
import { samplePage } from './sample-page.ts'

/** How much to warm up, and how gently. */
export interface WarmUpOptions {
  readonly pages: number
  /** Milliseconds of CPU after which it stops. */
  readonly budgetMs: number
  /** Whether no request is waiting: requests come first, and what they read warms up as well. */
  readonly isIdle: () => boolean
  /** Yields to everything else, or waits for so many milliseconds. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** CPU time used so far, in milliseconds. */
  readonly cpuMs: () => number
  /** Ends it. */
  readonly signal: AbortSignal
}

/** Pause between two checks whether requests are still waiting. */
const lookMs = 50

const order: DeriveOrder = {
  formats: [{ type: 'markdown' }],
  read: readDefaults,
  parsers: [],
  explain: false,
  discover: true,
  index: true,
}

function captureOf(number: number): Capture {
  const url = `https://sample.invalid/${number}`
  return { requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html; charset=utf-8']], body: new TextEncoder().encode(samplePage(number)), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }
}

function readOne(number: number): void {
  const reading = read(captureOf(number), order.read)
  if (reading.isSmall()) pack(atOnce(deriveInSteps(reading, order)))
}

/**
 * Reads sample pages on the calling thread, so that the reader is compiled before the first request: the first hundred pages of a process cost
 * several times what later ones do. Returns how many were read; rejects with what `sleep` rejects with.
 */
export async function warmUp({ pages, budgetMs, isIdle, sleep, cpuMs, signal }: WarmUpOptions): Promise<number> {
  let done = 0
  let spent = 0
  while (done < pages && spent < budgetMs && !signal.aborted) {
    if (!isIdle()) {
      await sleep(lookMs, signal)
      continue
    }
    const before = cpuMs()
    readOne(done++)
    spent += cpuMs() - before
    await sleep(0, signal)
  }
  return done
}
