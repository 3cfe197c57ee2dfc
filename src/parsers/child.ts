import { writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Reply, Work } from './messages.ts'

/** How often the memory of a busy process is checked, in milliseconds. */
const watchMs = 25

/** The memory limit of this process, from its command line. */
const maxRss = Number(process.argv[2] ?? 640) * 1024 * 1024
/** A file that has taken more than this is about to be stopped for its memory, and a second reader would only fight for it. */
const mostHurriedRss = 300 * 1024 * 1024
/** When only the plain text of a PDF is read, too, and when that is the answer, in milliseconds. */
const [slowMs, latestMs] = [Number(process.argv[3] ?? 15_000), Number(process.argv[4] ?? 24_000)]

/** Ends the process at once, whatever native code is running; `process.exit` would wait for it. */
const end = (): void => void process.kill(process.pid, 'SIGKILL')

function tell(reply: Reply, then?: () => void): void {
  process.send?.(reply, undefined, undefined, () => then?.())
}

// The parent has gone: nobody waits for this process any more.
process.on('disconnect', end)
// It may have gone before this line was reached.
if (!process.connected) end()
// Signals from a terminal or service manager reach the whole group; the parent finishes its work first and then ends this
// process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
try {
  // When memory runs out, Linux should kill this process before any other.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Not on Linux, or not permitted: it is only an optimisation.
}

const startReader = (): Worker => new Worker(new URL('./reader.js', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 384 } })
const reader = startReader()
reader.on('error', (error: NodeJS.ErrnoException) => tell({ problem: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'fault', detail: error.message }, end))
let watch: NodeJS.Timeout | undefined
let slow: NodeJS.Timeout | undefined
/** A second reader, while the first is busy with native code, which cannot be stopped. */
let hurried: Worker | undefined

function answer(reply: Reply, then?: () => void): void {
  clearInterval(watch)
  clearTimeout(slow)
  tell(reply, then)
}

/** Reads the plain text of the same file beside the first reader, which may still answer before that is sent. */
function hurry(work: Work): void {
  if (process.memoryUsage.rss() > mostHurriedRss) return
  const second = startReader()
  hurried = second
  second.on('error', () => void (hurried = undefined))
  const from = performance.now()
  second.on('message', (reply: Reply) => {
    if (hurried !== second || !('document' in reply)) return
    slow = setTimeout(() => answer({ ...reply, ends: true }, end), Math.max(0, latestMs - slowMs - (performance.now() - from)))
  })
  second.postMessage({ ...work, hurried: true })
}

reader.on('message', (reply: Reply) => {
  void hurried?.terminate()
  hurried = undefined
  answer(reply)
})
process.on('message', (work: Work) => {
  watch = setInterval(() => {
    if (process.memoryUsage.rss() > maxRss) tell({ problem: 'memory' }, end)
  }, watchMs)
  if (work.order !== null) slow = setTimeout(() => hurry(work), slowMs)
  reader.postMessage(work)
})
