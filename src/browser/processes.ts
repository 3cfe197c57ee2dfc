import { readFileSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process that cannot be taken for another one: numbers are used again, start times are not. */
export interface ProcessId {
  readonly pid: number
  /** Start time in ticks since boot; empty where the system has no /proc. */
  readonly started: string
}

// Linux on x86-64 and most of arm64.
const pageBytes = 4096

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // Gone meanwhile, or no /proc: both mean "nothing to be known".
    return null
  }
}

/** When the process started (proc(5), field 22 of stat); null when there is none of that number. */
export function startOf(pid: number): string | null {
  const stat = read(`/proc/${pid}/stat`)
  // The name in brackets may hold anything, brackets and blanks included.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields === undefined || fields[0] === 'Z' ? null : (fields[19] ?? null)
}

/** Whether exactly that process still runs. */
export function isAlive({ pid, started }: ProcessId): boolean {
  return startOf(pid) === started
}

/** The process and everything below it. */
export function treeOf(pid: number): readonly number[] {
  const below = read(`/proc/${pid}/task/${pid}/children`)?.trim().split(' ').filter(Boolean).map(Number) ?? []
  return [pid, ...below.flatMap(treeOf)]
}

/** Memory that the process alone holds, in bytes: what its end would give back. */
export function privateBytes(pid: number): number {
  const [, resident = 0, shared = 0] = read(`/proc/${pid}/statm`)?.split(' ').map(Number) ?? []
  return (resident - shared) * pageBytes
}

/** Whether the process draws pages of a Chromium. */
export function isRenderer(pid: number): boolean {
  return read(`/proc/${pid}/cmdline`)?.includes('--type=renderer') ?? false
}

/** Ends a process, or with a negative number its group; false when there is none. */
export function killNow(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    // Already gone, which is what was wanted.
    return false
  }
}

const dyingMs = 10
/** Far longer than the kernel takes for the memory of a large page on a busy machine. */
const mostLooks = 200

/** Answers when nothing of a process group is left, ending what still is: the leader goes first, the others may take a moment to die. */
export async function groupEnded(leader: number | undefined): Promise<void> {
  if (leader === undefined) return
  for (let looks = 0; killNow(-leader) && looks < mostLooks && !(await isDead(leader)); looks++) await sleep(dyingMs)
}

/** Whether all of a process group is dead, though its orphans are in the table until process 1 has asked how they ended: in a container that may take a second, or for ever. */
async function isDead(group: number): Promise<boolean> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')))
  // Its state and its group are the first and the third field behind the name; a process that is gone has none, and where there is no /proc nothing is known.
  const members = stats.map((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')).filter((fields) => fields[2] === String(group))
  return members.length > 0 && members.every(([state]) => state === 'Z' || state === 'X')
}
