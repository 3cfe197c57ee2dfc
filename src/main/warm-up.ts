import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { warmUp } from '../compute/index.ts'
import type { Log } from '../http/ports.ts'
import { sleep } from '../lib/sleep.ts'
import type { Config } from './config.ts'

// The start itself is not held up, and whoever scrapes at once is not disturbed.
const warmAfterMs = 1_000
/** A process that has not come to rest by then has read enough pages of others. */
const giveUpMs = 20_000
/** With the second of waiting it is over when a process has been up for three seconds, on a slow machine too. */
const work = { pages: 240, budgetMs: 1_900 }

/** The engine's own. */
const usualGrowth = 2
const grow = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/**
 * Gives back what the start made of memory for young objects. V8 of Node 24 and later may by then use 17 MB for them, which the warm-up would fill and
 * which is not given back at rest: 14 MB of what Node 26 holds then. Before the warm-up, since what it has had compiled would go, too.
 */
const shrink = (): void => {
  if (Number.parseInt(process.versions.v8, 10) < 13) return
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') collect({ type: 'major', flavor: 'last-resort' })
}

/**
 * How long V8 11 (Node 20) watches a function before it optimises it, in bytes of bytecode, four times what it does of its own accord. After the
 * warm-up, which has had what is hot optimised, half of what it compiles runs too rarely to earn that back in the next thousands of pages.
 */
const patience = 270_336
const bePatient = (): void => {
  // Later engines have a tier between, and gain nothing.
  if (process.versions.v8.startsWith('11.')) setFlagsFromString(`--interrupt-budget=${patience}`)
}

/** Readies this process for its first pages when its start is over, at moments when it is idle; answers what ends that. */
export function warmUpLater({ TRAWL_WARM_UP }: Config, isIdle: () => boolean, log: Log): () => void {
  if (TRAWL_WARM_UP === 'off') return () => undefined
  const ending = new AbortController()
  const run = async (): Promise<void> => {
    const timer = setTimeout(() => ending.abort(), giveUpMs).unref()
    if (isIdle()) shrink()
    // Memory for young objects that grows now is not given back while the process rests: 20 MB of those that it may have at rest.
    grow(1)
    try {
      log('info', 'warmed-up', { pages: await warmUp({ ...work, isIdle, sleep, now: () => performance.now(), signal: ending.signal }) })
    } finally {
      clearTimeout(timer)
      grow(usualGrowth)
      bePatient()
    }
  }
  const timer = setTimeout(() => void run().catch((error: unknown) => void (ending.signal.aborted || log('warn', 'warm-up-failed', { reason: String(error) }))), warmAfterMs).unref()
  return () => {
    clearTimeout(timer)
    ending.abort()
  }
}
