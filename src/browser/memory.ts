import { readFileSync } from 'node:fs'
import { freemem, totalmem } from 'node:os'
import type { Say } from './launch.ts'
import { isRenderer, killNow, privateBytes, treeOf } from './processes.ts'

/** What one process of a browser holds. */
export interface Holding {
  readonly id: number
  readonly bytes: number
  /** Whether it draws pages. */
  readonly renderer: boolean
}

/** What the memory of the machine and of browsers is judged by. */
export interface Gauges {
  /** Share of the memory in use, 0 to 1. */
  load(): number
  /** The processes of the browser with that first process. */
  held(pid: number): readonly Holding[]
  kill(id: number): void
}

const numberIn = (path: string): number => {
  try {
    return Number(readFileSync(path, 'latin1').trim())
  } catch {
    // No such control group.
    return Number.NaN
  }
}

function reclaimable(): number {
  try {
    return Number(/^inactive_file (\d+)$/m.exec(readFileSync('/sys/fs/cgroup/memory.stat', 'latin1'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Share of the memory in use, 0 to 1: of the machine or of the container, whichever is tighter (R22). */
function memoryLoad(): number {
  const machine = 1 - freemem() / totalmem()
  const limit = numberIn('/sys/fs/cgroup/memory.max')
  const used = numberIn('/sys/fs/cgroup/memory.current') - reclaimable()
  return Number.isFinite(limit) && limit > 0 && Number.isFinite(used) ? Math.max(machine, used / limit) : machine
}

/** Of this machine as it is. */
export const gauges: Gauges = {
  load: memoryLoad,
  held: (pid) => treeOf(pid).map((id) => ({ id, bytes: privateBytes(id), renderer: isRenderer(id) })),
  kill: (id) => void killNow(id),
}

/** Ends the renderers of a browser that hold more than a page may. Answers what all its processes hold. */
export function weighed(pid: number, rendererBytes: number, { gauges: by, say }: { readonly gauges: Gauges; readonly say: Say }): number {
  let total = 0
  for (const { id, bytes, renderer } of by.held(pid)) {
    total += bytes
    if (bytes <= rendererBytes || !renderer) continue
    say('browser-page-killed', { megabytes: Math.round(bytes / 1024 ** 2) })
    by.kill(id)
  }
  return total
}
