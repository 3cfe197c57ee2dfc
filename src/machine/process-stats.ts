import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** What the system says of a process (stat in proc(5)). */
export interface ProcessStat {
  /** `Z` or `X` when it has ended: ended ones stay in the table until their parent asks for their status. */
  readonly state: string
  readonly parent: number
  readonly group: number
  /** CPU time used by it and by its children that have ended, in milliseconds. */
  readonly cpuMs: number
  /** Start time in ticks since boot: with the process id, it names a process for ever. */
  readonly started: string
  /** Its memory, with what it shares with others, in bytes. */
  readonly bytes: number
}

// True for Linux on x86-64 and most of arm64.
export const pageBytes = 4096
const tickMs = 10

function statIn(text: string): ProcessStat {
  // The name in parentheses may contain anything, including parentheses and spaces. The fields after it begin with the third.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (number: number): string => fields[number - 3] ?? ''
  return {
    state: field(3),
    parent: Number(field(4)),
    group: Number(field(5)),
    cpuMs: [14, 15, 16, 17].reduce((sum, number) => sum + Number(field(number)) * tickMs, 0),
    started: field(22),
    bytes: Number(field(24)) * pageBytes,
  }
}

/** What the system says of one process; null when there is none, or the system has no /proc. */
export function processStat(pid: number): ProcessStat | null {
  try {
    return statIn(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return null
  }
}

/** All processes by their ids, without those that end meanwhile; none where the system has no /proc. */
export async function processStats(): Promise<ReadonlyMap<number, ProcessStat>> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').then(statIn, () => null)))
  return new Map(pids.flatMap((pid, i) => (stats[i] === null || stats[i] === undefined ? [] : [[pid, stats[i]] as const]))) // a pair
}
