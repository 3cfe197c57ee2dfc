import { readFileSync } from 'node:fs'
import { freemem, totalmem } from 'node:os'
import type { Say } from './launch.ts'
import { isRenderer, killNow, privateBytes, treeOf } from './processes.ts'

/** A process of a browser and its memory. */
export interface Holding {
  readonly id: number
  readonly bytes: number
  /** Whether it renders pages. */
  readonly renderer: boolean
}

/** Measures the memory of the machine and of browsers. */
export interface Gauges {
  /** Share of memory in use, 0 to 1. */
  load(): number
  /** The processes of the browser whose first process has that id. */
  held(pid: number): readonly Holding[]
  kill(id: number): void
}

const numberIn = (path: string): number => {
  try {
    return Number(readFileSync(path, 'latin1').trim())
  } catch {
    // There is no such control group.
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

/** Share of memory in use, 0 to 1, of the machine or the container, whichever is tighter (R22). */
function memoryLoad(): number {
  const machine = 1 - freemem() / totalmem()
  const limit = numberIn('/sys/fs/cgroup/memory.max')
  const used = numberIn('/sys/fs/cgroup/memory.current') - reclaimable()
  return Number.isFinite(limit) && limit > 0 && Number.isFinite(used) ? Math.max(machine, used / limit) : machine
}

/** The gauges of this machine. */
export const gauges: Gauges = {
  load: memoryLoad,
  held: (pid) => treeOf(pid).map((id) => ({ id, bytes: privateBytes(id), renderer: isRenderer(id) })),
  kill: (id) => void killNow(id),
}

/** Kills the renderers of a browser that use more than a page may. Returns the memory of all its processes, in bytes. */
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
