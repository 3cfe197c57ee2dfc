import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the kernel shows the control groups. */
export interface Kernel {
  /** The file that names the groups of this process. */
  readonly own: string
  readonly root: string
}

const kernel: Kernel = { own: '/proc/self/cgroup', root: '/sys/fs/cgroup' }

/** The two interfaces of the kernel to the memory of a group. A group of the newer one is slowed down from `memory.high` on. */
const interfaces = [
  { line: /^0::(\/.*)$/m, folder: '', limits: ['memory.max', 'memory.high'], used: 'memory.current', reclaimable: /^inactive_file (\d+)$/m, kills: 'memory.events' },
  { line: /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m, folder: 'memory', limits: ['memory.limit_in_bytes'], used: 'memory.usage_in_bytes', reclaimable: /^total_inactive_file (\d+)$/m, kills: 'memory.oom_control' },
] as const // `const`: as they are

/** The text of a file of the kernel; empty where there is no such file. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

const found = (path: string, line: RegExp): number => Number(line.exec(textOf(path))?.[1] ?? Number.NaN)

/**
 * The folders of our own group and of all groups around it, innermost first. A container may see its own group as the root,
 * under a name that only the machine outside knows: folders that are not there hold no files, and say nothing.
 */
function foldersOf({ own, root }: Kernel, { line, folder }: (typeof interfaces)[number]): readonly string[] {
  const names = (line.exec(textOf(own))?.[1] ?? '').split('/').filter((name) => name !== '')
  const inner = names.includes('..') ? [] : names.map((_, index) => names.slice(0, names.length - index))
  return [...inner, []].map((path) => join(root, folder, ...path))
}

/** Share of the memory in use of the tightest group that this process is in; 0 where none has a limit. */
export function containerLoad(from: Kernel = kernel): number {
  let most = 0
  for (const way of interfaces) {
    for (const folder of foldersOf(from, way)) {
      const limit = Math.min(...way.limits.map((name) => found(join(folder, name), /^(\d+)$/m)).filter((bytes) => bytes > 0))
      if (!Number.isFinite(limit)) continue
      const reclaimable = found(join(folder, 'memory.stat'), way.reclaimable) || 0
      most = Math.max(most, (found(join(folder, way.used), /^(\d+)$/m) - reclaimable) / limit || 0)
    }
  }
  return most
}

/**
 * How many processes of our own group the kernel has killed for want of memory; of the next group around it that says so
 * otherwise. `null` where none does.
 */
export function containerKills(from: Kernel = kernel): number | null {
  for (const way of interfaces) {
    for (const folder of foldersOf(from, way)) {
      const kills = found(join(folder, way.kills), /^oom_kill (\d+)$/m)
      if (!Number.isNaN(kills)) return kills
    }
  }
  return null
}
