import { freemem, totalmem } from 'node:os'
import { containerLoad } from './container.ts'
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

/** Share of memory in use, 0 to 1, of the machine or the container, whichever is tighter (R22). */
const memoryLoad = (): number => Math.max(1 - freemem() / totalmem(), containerLoad())

/** The gauges of this machine. */
export const gauges: Gauges = {
  load: memoryLoad,
  // Only of the few that use much is it asked what they are.
  held: (pid) => treeOf(pid).map((id) => ({ id, bytes: privateBytes(id), get renderer() { return isRenderer(id) } })),
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
