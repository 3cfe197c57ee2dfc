import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { warmUp } from '../compute/index.ts'
import type { Log } from '../http/ports.ts'
import { sleep } from '../lib/sleep.ts'
import type { Config } from './settings/config.ts'

// Do not delay the start itself, nor disturb an early scrape.
const warmAfterMs = 1_000
/** A process that was not idle until then has read enough real pages. */
const giveUpMs = 20_000
/** On a machine whose processors are slow fewer pages must do. */
const work = { pages: 240, budgetMs: 3_000 }

/** Of the whole process, compiling included: on a machine that is busy with other work each page takes several times as long, and warming up pays all the more. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** The engine's default. */
const usualGrowth = 2
const grow = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/**
 * Returns the memory for young objects that the start used. V8 in Node 24 and later may use 17 MB of it by then, which the
 * warm-up would fill and an idle process never returns: 14 MB of the memory of Node 26. Before the warm-up, because a
 * collection would also discard the code it compiled.
 */
const shrink = (): void => {
  if (Number.parseInt(process.versions.v8, 10) < 13) return
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') collect({ type: 'major', flavor: 'last-resort' })
}

/**
 * How long V8 11 (Node 20) observes a function before it optimises it, in bytes of bytecode: four times the default. The
 * warm-up has had the hot code optimised; half of what is compiled later runs too rarely to repay that within thousands of
 * pages.
 */
const patience = 270_336
const bePatient = (): void => {
  // Later engines have a compiler tier in between, and gain nothing.
  if (process.versions.v8.startsWith('11.')) setFlagsFromString(`--interrupt-budget=${patience}`)
}

/**
 * Warms this process up for its first pages once its start is over, while it is idle; returns a function that stops that.
 */
export function warmUpLater({ TRAWL_WARM_UP }: Config, isIdle: () => boolean, log: Log): () => void {
  if (TRAWL_WARM_UP === 'off') return () => undefined
  const ending = new AbortController()
  const run = async (): Promise<void> => {
    const timer = setTimeout(() => ending.abort(), giveUpMs).unref()
    if (isIdle()) shrink()
    // Memory for young objects that grows now is not returned while the process is idle: 20 MB of what it may use when
    // idle.
    grow(1)
    try {
      log('info', 'warmed-up', { pages: await warmUp({ ...work, isIdle, sleep, cpuMs, signal: ending.signal }) })
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
