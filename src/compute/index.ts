import { availableParallelism } from 'node:os'
import { read } from '../content/reading.ts'
import { areCheap } from '../content/selectors/selectors.ts'
import type { Capture } from '../domain/pages/capture.ts'
import type { Compute, DeriveOrder, Packed } from '../domain/pages/derivation.ts'
import { fileKind } from '../domain/pages/file-kind.ts'
import { detached, pack } from '../domain/pages/packed.ts'
import type { Call } from '../domain/call.ts'
import type { Analyse, AnalysisInput, AnalysisName, AnalysisOutput } from '../formats/analysis/index.ts'
import { tracksFields } from '../formats/tracking.ts'
import type { Steps } from '../lib/in-steps.ts'
import { busyMeter } from './busy.ts'
import type { Order } from './messages.ts'
import { pool, type PoolOptions } from './pool.ts'
import { asBase64, deriveInSteps } from './run.ts'
import { smallBytes } from './small.ts'
import { turns } from './turns.ts'

export { warmUp } from './warm-up.ts'

export interface ComputeOptions extends Partial<PoolOptions> {
  /** Whether the calling thread is saturated; measured by default. */
  readonly isBusy?: () => boolean
}

const cores = availableParallelism()
const mostThreads = 8

const defaults: PoolOptions = {
  entry: new URL('./worker.js', import.meta.url),
  threads: Math.min(Math.max(cores, 2), mostThreads),
  // One core is left to the calling thread.
  helpers: Math.min(cores, mostThreads) - 1,
  maxMs: 10_000,
  maxHeapMb: 512,
  idleMs: 120_000,
}

/** The caller's selectors in an order. */
function selectorsOf({ read: { includeTags, excludeTags }, formats }: DeriveOrder): readonly string[] {
  return [...includeTags, ...excludeTags, ...formats.flatMap((format) => (format.type === 'attributes' ? format.selectors.map((query) => query.selector) : []))]
}

/** Formats that look at every word: only short pages with these are read on the calling thread. */
const thorough: ReadonlySet<string> = new Set(['json', 'summary', 'question', 'highlights', 'query', 'product', 'audio', 'video'])
const shortBytes = 24 * 1024

const shortSchema = 4_000

function isQuick({ body }: Capture, order: DeriveOrder): boolean {
  if (order.formats.some((format) => (format.type === 'json' || tracksFields(format)) && JSON.stringify(format).length > shortSchema)) return false
  return body.length <= (order.formats.some((format) => thorough.has(format.type) || tracksFields(format)) ? shortBytes : smallBytes) && areCheap(selectorsOf(order))
}

/**
 * Reads small pages on the calling thread, where that costs less than handing them over, and all others in threads. If the calling thread is
 * saturated, small pages go to threads too, as long as there are cores for them.
 */
export function compute({ isBusy = busyMeter(), ...options }: ComputeOptions = {}): Compute & { readonly analyse: Analyse } {
  const threads = pool({ ...defaults, ...options })
  /** A single page starts no thread: a service that only tests itself at the start needs none. */
  let working = false
  function* here({ capture, order }: Order): Steps<Packed | null> {
    if (fileKind(capture) === 'pdf') return pack(asBase64(capture, order))
    const reading = read(capture, order.read)
    if (!reading.isSmall()) return null
    yield
    return detached(pack(yield* deriveInSteps(reading, order)))
  }
  function elsewhere(work: Order, call: Call): Promise<Packed> | null {
    if (threads.canHelp() && isBusy()) return threads.help(work, call)
    if (working) threads.prepare()
    working = true
    return null
  }
  const inTurn = turns<Order, Packed | null>({ elsewhere, here })
  return {
    async derive(capture, order, call) {
      const work = { capture, order }
      return (isQuick(capture, order) ? await inTurn(work, call) : null) ?? threads.run(work, call)
    },
    analyse: async <K extends AnalysisName>(analysis: K, input: AnalysisInput<K>, call: Call) => (await threads.analyse({ analysis, input }, call)) as AnalysisOutput<K>, // the worker looks the name up in the table that types it
    close: () => threads.close(),
  }
}
