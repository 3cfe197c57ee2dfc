import { availableParallelism } from 'node:os'
import { read } from '../content/reading.ts'
import { areCheap } from '../content/selectors.ts'
import type { Capture } from '../domain/capture.ts'
import type { Compute, DeriveOrder, Packed } from '../domain/derivation.ts'
import { fileKind } from '../domain/file-kind.ts'
import { detached, pack } from '../domain/packed.ts'
import type { Call } from '../domain/call.ts'
import type { Analyse, AnalysisInput, AnalysisName, AnalysisOutput } from '../formats/analysis/index.ts'
import { tracksFields } from '../formats/tracking.ts'
import { slots } from '../lib/slots.ts'
import { busyMeter } from './busy.ts'
import { pool, type PoolOptions } from './pool.ts'
import { asBase64, deriveFrom } from './run.ts'

export { warmUp } from './warm-up.ts'

export interface ComputeOptions extends Partial<PoolOptions> {
  /** Whether the calling thread has no time to spare; measured by default. */
  readonly isBusy?: () => boolean
}

/** How many bytes the calling thread looks at itself, to decode them and to see whether they are a small page; the rest goes to a thread that can be ended (R20). */
const smallBytes = 256 * 1024

const cores = availableParallelism()
const mostThreads = 8

const defaults: PoolOptions = {
  entry: new URL('./worker.js', import.meta.url),
  threads: Math.min(Math.max(cores, 2), mostThreads),
  // The calling thread needs a core for itself.
  helpers: Math.min(cores, mostThreads) - 1,
  maxMs: 10_000,
  maxHeapMb: 512,
  idleMs: 120_000,
}

/** The selectors of an order's caller. */
function selectorsOf({ read: { includeTags, excludeTags }, formats }: DeriveOrder): readonly string[] {
  return [...includeTags, ...excludeTags, ...formats.flatMap((format) => (format.type === 'attributes' ? format.selectors.map((query) => query.selector) : []))]
}

/** Formats that look at each word of a page: of these only short pages are read on the calling thread. */
const thorough: ReadonlySet<string> = new Set(['json', 'summary', 'question', 'highlights', 'query', 'product', 'audio', 'video'])
const shortBytes = 24 * 1024

const shortSchema = 4_000

function isQuick({ body }: Capture, order: DeriveOrder): boolean {
  if (order.formats.some((format) => (format.type === 'json' || tracksFields(format)) && JSON.stringify(format).length > shortSchema)) return false
  return body.length <= (order.formats.some((format) => thorough.has(format.type) || tracksFields(format)) ? shortBytes : smallBytes) && areCheap(selectorsOf(order))
}

/**
 * Reads small pages on the calling thread, where that costs less than handing them over, all others in threads. A calling thread that has no
 * time to spare is relieved of small pages, too, as long as there are cores for it.
 */
export function compute({ isBusy = busyMeter(), ...options }: ComputeOptions = {}): Compute & { readonly analyse: Analyse } {
  const threads = pool({ ...defaults, ...options })
  /** One page is no work yet: a service that only starts and tries itself needs no thread. */
  let working = false
  /** One page per turn of the event loop: whatever else came meanwhile waits for one page, not for all that are there. */
  const turn = slots(1)
  function readHere(capture: Capture, order: DeriveOrder): Packed | null {
    const reading = read(capture, order.read)
    return reading.isSmall() ? detached(pack(deriveFrom(reading, order))) : null
  }
  return {
    async derive(capture, order, call) {
      if (!isQuick(capture, order)) return threads.run({ capture, order }, call)
      const leave = await turn.enter(call)
      if (threads.canHelp() && isBusy()) {
        // That takes no time here: the next may have this turn.
        leave()
        return threads.help({ capture, order }, call)
      }
      setImmediate(leave)
      if (fileKind(capture) === 'pdf') return pack(asBase64(capture, order))
      if (working) threads.prepare()
      working = true
      return readHere(capture, order) ?? threads.run({ capture, order }, call)
    },
    analyse: async <K extends AnalysisName>(analysis: K, input: AnalysisInput<K>, call: Call) => (await threads.analyse({ analysis, input }, call)) as AnalysisOutput<K>, // the worker looks the name up in the table that types it
    close: () => threads.close(),
  }
}
