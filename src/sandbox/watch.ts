import { readdir, readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** What is watched: a process with all below it. */
export interface Ward {
  readonly pid: number
  /** Whether what it starts has a network and scratch of its own. */
  readonly walled: boolean
  /** Whether somebody waits for what it does. */
  busy(): boolean
  kill(why: string): void
}

/** Watches a process and all below it; answers how to stop. Calls `kill`, with a reason, when they use too much. */
export type Watch = (ward: Ward) => () => void

/** What a process and all below it use. */
interface Use {
  readonly bytes: number
  readonly cpuMs: number
}

interface Stat extends Use {
  readonly parent: number
}

/** What is kept of a ward from look to look. */
interface Watched {
  readonly ward: Ward
  cpuMs: number
  idleCpuMs: number
}

const pageBytes = 4096
const tickMs = 10
const everyMs = 500

/** Of proc(5), fields 4, 14 to 17 and 24 of stat; the time of children that have ended counts with their parent. */
function statIn(text: string): Stat {
  // The name in brackets may hold anything, brackets and blanks included.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(fields[1]), bytes: Number(fields[21]) * pageBytes, cpuMs: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * tickMs, 0) }
}

async function processes(): Promise<ReadonlyMap<number, Stat>> {
  const numbers = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
  // Who is gone meanwhile is left out.
  const stats = await Promise.all(numbers.map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').then(statIn, () => null)))
  return new Map(numbers.flatMap((pid, i) => (stats[i] === null || stats[i] === undefined ? [] : [[pid, stats[i]] as const]))) // a pair
}

/** Each process with all below it. Orphans hang below the first process of their namespace, so none gets away. */
function familiesOf(all: ReadonlyMap<number, Stat>, roots: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const families = new Map<number, number[]>(roots.map((root) => [root, []]))
  for (const pid of all.keys()) {
    // Numbers of parents are used again: no chain is followed for ever.
    for (let [at, steps] = [pid, 0]; at > 1 && steps < 1_000; at = all.get(at)?.parent ?? 0, steps++) families.get(at)?.push(pid)
  }
  return families
}

/** The memory of a process in which what it shares with others counts for its part alone (`Pss` of proc(5)); `otherwise` where that cannot be read. */
async function shareOf(pid: number, otherwise: number): Promise<number> {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'latin1').catch(() => ''))?.[1]
  return kilobytes === undefined ? otherwise : Number(kilobytes) * 1024
}

/** What a family uses. Pages that its processes share are counted once, which is asked for only where it matters: it costs a walk through all of them. */
async function useOf(family: readonly number[], all: ReadonlyMap<number, Stat>, memoryBytes: number): Promise<Use> {
  const stats = family.flatMap((pid) => all.get(pid) ?? [])
  const cpuMs = stats.reduce((sum, stat) => sum + stat.cpuMs, 0)
  const bytes = stats.reduce((sum, stat) => sum + stat.bytes, 0)
  if (bytes <= memoryBytes) return { bytes, cpuMs }
  const shares = await Promise.all(family.map((pid) => shareOf(pid, all.get(pid)?.bytes ?? 0)))
  return { bytes: shares.reduce((sum, share) => sum + share, 0), cpuMs }
}

/** What a ward keeps in the kernel, which counts it as nobody's memory. */
interface Kept {
  readonly sockets: number
  readonly files: number
}

const nothing: Kept = { sockets: 0, files: 0 }

/** Seen from the first process within its walls, which is ours. */
async function keptIn(all: ReadonlyMap<number, Stat>, { pid, walled }: Ward): Promise<Kept> {
  const [inside] = walled ? ([...all].find(([, { parent }]) => parent === pid) ?? []) : []
  if (inside === undefined) return nothing
  const [sockets, files] = await Promise.all([
    readFile(`/proc/${inside}/net/sockstat`, 'latin1').then((text) => Number(/^sockets: used (\d+)/.exec(text)?.[1] ?? 0), () => 0),
    statfs(join('/proc', String(inside), 'root', 'tmp')).then((scratch) => scratch.files - scratch.ffree, () => 0),
  ])
  return { sockets, files }
}

/** What wards may use. */
export interface WatchLimits {
  readonly memoryBytes: number
  /** Open ones, of all processes together: each may hold half a megabyte on its way. */
  readonly sockets: number
  /** Names in scratch, which cost memory where they stand for nothing, too. */
  readonly scratchFiles: number
  /** In all, while nobody waits for them. */
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

/** A watch over any number of processes, which looks only while there are some. */
export function processWatch(limits: WatchLimits): Watch {
  const watched = new Set<Watched>()
  let timer: NodeJS.Timeout | null = null

  async function look(): Promise<void> {
    const all = await processes()
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
