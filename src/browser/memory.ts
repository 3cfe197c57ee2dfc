import { readFileSync } from 'node:fs'
import { freemem, totalmem } from 'node:os'
import { join } from 'node:path'
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

/** Where the kernel tells of the memory of a container, in both of its interfaces. */
const groups = [
  { folder: '', limit: 'memory.max', used: 'memory.current', reclaimable: /^inactive_file (\d+)$/m },
  { folder: 'memory', limit: 'memory.limit_in_bytes', used: 'memory.usage_in_bytes', reclaimable: /^total_inactive_file (\d+)$/m },
] as const // `const`: as they are

function reclaimable(path: string, line: RegExp): number {
  try {
    return Number(line.exec(readFileSync(path, 'latin1'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Share of the memory of the container in use; 0 outside of one, or where it has no limit. */
export function containerLoad(root = '/sys/fs/cgroup'): number {
  const loads = groups.map(({ folder, limit, used, reclaimable: line }) => {
    const at = join(root, folder)
    const share = (numberIn(join(at, used)) - reclaimable(join(at, 'memory.stat'), line)) / numberIn(join(at, limit))
    return Number.isFinite(share) ? share : 0
  })
  return Math.max(...loads)
}

/** Share of memory in use, 0 to 1, of the machine or the container, whichever is tighter (R22). */
const memoryLoad = (): number => Math.max(1 - freemem() / totalmem(), containerLoad())

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
