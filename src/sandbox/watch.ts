import { readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type ProcessStat, processStats } from '../machine/process-stats.ts'

/** A process and all its descendants, as they are watched. */
export interface Ward {
  readonly pid: number
  /** Whether its children have their own network and scratch space. */
  readonly walled: boolean
  /** Whether somebody waits for its work. */
  busy(): boolean
  kill(why: string): void
}

/**
 * Watches a process and all its descendants; returns a function that stops. Calls `kill` with a reason when they use too
 * much.
 */
export type Watch = (ward: Ward) => () => void

/** The resources used by a process and all its descendants. */
interface Use {
  readonly bytes: number
  readonly cpuMs: number
}

/** The state of a ward between checks. */
interface Watched {
  readonly ward: Ward
  cpuMs: number
  idleCpuMs: number
}

const everyMs = 500

/**
 * Each process with all its descendants. Orphans become children of the first process in their namespace, so none escapes.
 */
function familiesOf(all: ReadonlyMap<number, ProcessStat>, roots: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const families = new Map<number, number[]>(roots.map((root) => [root, []]))
  for (const pid of all.keys()) {
    // Parent ids may be reused: do not follow a chain forever.
    for (let [at, steps] = [pid, 0]; at > 1 && steps < 1_000; at = all.get(at)?.parent ?? 0, steps++) families.get(at)?.push(pid)
  }
  return families
}

/**
 * The proportional memory of a process (`Pss` in proc(5)), in which shared pages count partially; `otherwise` when it
 * cannot be read.
 */
async function shareOf(pid: number, otherwise: number): Promise<number> {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'latin1').catch(() => ''))?.[1]
  return kilobytes === undefined ? otherwise : Number(kilobytes) * 1024
}

/**
 * The resources of a family. Pages that its processes share are counted once; that is only determined when it matters,
 * because it walks through all pages.
 */
async function useOf(family: readonly number[], all: ReadonlyMap<number, ProcessStat>, memoryBytes: number): Promise<Use> {
  const stats = family.flatMap((pid) => all.get(pid) ?? [])
  const cpuMs = stats.reduce((sum, stat) => sum + stat.cpuMs, 0)
  const bytes = stats.reduce((sum, stat) => sum + stat.bytes, 0)
  if (bytes <= memoryBytes) return { bytes, cpuMs }
  const shares = await Promise.all(family.map((pid) => shareOf(pid, all.get(pid)?.bytes ?? 0)))
  return { bytes: shares.reduce((sum, share) => sum + share, 0), cpuMs }
}

/** Kernel resources of a ward, which are not counted as memory. */
interface Kept {
  readonly sockets: number
  readonly files: number
}

const nothing: Kept = { sockets: 0, files: 0 }

/** Measured through the first process inside the confinement, which is ours. */
async function keptIn(all: ReadonlyMap<number, ProcessStat>, { pid, walled }: Ward): Promise<Kept> {
  const [inside] = walled ? ([...all].find(([, { parent }]) => parent === pid) ?? []) : []
  if (inside === undefined) return nothing
  const [sockets, files] = await Promise.all([
    readFile(`/proc/${inside}/net/sockstat`, 'latin1').then((text) => Number(/^sockets: used (\d+)/.exec(text)?.[1] ?? 0), () => 0),
    statfs(join('/proc', String(inside), 'root', 'tmp')).then((scratch) => scratch.files - scratch.ffree, () => 0),
  ])
  return { sockets, files }
}

/** Limits of wards. */
export interface WatchLimits {
  readonly memoryBytes: number
  /** Open sockets of all processes together: each may buffer half a megabyte. */
  readonly sockets: number
  /** Names in the scratch space, which cost memory even for empty files. */
  readonly scratchFiles: number
  /** Total processor time while nobody waits for them. */
  readonly idleCpuMs: number
}

function judge(one: Watched, { bytes, cpuMs, sockets, files }: Use & Kept, { memoryBytes, idleCpuMs, ...most }: WatchLimits): void {
  if (!one.ward.busy()) one.idleCpuMs += Math.max(0, cpuMs - one.cpuMs)
  one.cpuMs = cpuMs
  if (bytes > memoryBytes) one.ward.kill(`It used more than ${Math.round(memoryBytes / 1024 ** 2)} MB of memory.`)
  else if (sockets > most.sockets) one.ward.kill(`It had more than ${most.sockets} sockets open.`)
  else if (files > most.scratchFiles) one.ward.kill(`It kept more than ${most.scratchFiles} files.`)
  else if (one.idleCpuMs > idleCpuMs) one.ward.kill('It worked on for too long after its runs.')
}

/** A watch over any number of processes, which only runs while there are some. */
export function processWatch(limits: WatchLimits): Watch {
  const watched = new Set<Watched>()
  let timer: NodeJS.Timeout | null = null

  async function look(): Promise<void> {
    const all = await processStats()
    const families = familiesOf(all, [...watched].map(({ ward }) => ward.pid))
    const looked = [...watched].map(async (one) => {
      const family = families.get(one.ward.pid) ?? []
      if (family.length === 0) return
      const [use, kept] = await Promise.all([useOf(family, all, limits.memoryBytes), keptIn(all, one.ward)])
      if (watched.has(one)) judge(one, { ...use, ...kept }, limits)
    })
    await Promise.all(looked)
    timer = watched.size === 0 ? null : setTimeout(look, everyMs).unref()
  }

  return (ward) => {
    const one: Watched = { ward, cpuMs: 0, idleCpuMs: 0 }
    watched.add(one)
    timer ??= setTimeout(look, everyMs).unref()
    return () => void watched.delete(one)
  }
}
