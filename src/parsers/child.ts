import { writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Reply, Work } from './messages.ts'

/** How often the memory of a busy process is looked at. */
const watchMs = 25

/** What this process may use, from its command line. */
const maxRss = Number(process.argv[2] ?? 640) * 1024 * 1024

/** At once, whatever native code is doing; `process.exit` would wait for it. */
const end = (): void => void process.kill(process.pid, 'SIGKILL')

function tell(reply: Reply, then?: () => void): void {
  process.send?.(reply, undefined, undefined, () => then?.())
}

// The parent is gone, however it went: nobody waits for us any more.
process.on('disconnect', end)
// It may have gone before this line was reached.
if (!process.connected) end()
// Signals of a terminal or service manager reach the whole group; the parent finishes its work first and then ends us.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
try {
  // When memory runs out, Linux is to take this process before any other.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Not Linux, or not allowed: a help, not a need.
}

const reader = new Worker(new URL('./reader.js', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 384 } })
reader.on('error', (error: NodeJS.ErrnoException) => tell({ problem: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'fault', detail: error.message }, end))
let watch: NodeJS.Timeout | undefined

reader.on('message', (reply: Reply) => {
  clearInterval(watch)
  tell(reply)
})
process.on('message', (work: Work) => {
  watch = setInterval(() => {
    if (process.memoryUsage.rss() > maxRss) tell({ problem: 'memory' }, end)
  }, watchMs)
  reader.postMessage(work)
})
