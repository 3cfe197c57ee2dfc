import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pageBytes, processStat, processStats } from '../../machine/process-stats.ts'

/** A process that cannot be confused with another one: ids are reused, start times are not. */
export interface ProcessId {
  readonly pid: number
  /** Start time in ticks since boot; '' where the system has no /proc. */
  readonly started: string
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // The process has gone, or there is no /proc: nothing is known either way.
    return null
  }
}

/** When the process started; null when there is no such process. */
export function startOf(pid: number): string | null {
  const stat = processStat(pid)
  return stat === null || stat.state === 'Z' ? null : stat.started
}

/** Whether exactly that process still runs. */
export function isAlive({ pid, started }: ProcessId): boolean {
  return startOf(pid) === started
}

/** The process and all its descendants. */
export function treeOf(pid: number): readonly number[] {
  const below = read(`/proc/${pid}/task/${pid}/children`)?.trim().split(' ').filter(Boolean).map(Number) ?? []
  return [pid, ...below.flatMap(treeOf)]
}

/** Memory that only this process uses, in bytes: what its end would free. */
export function privateBytes(pid: number): number {
  const [, resident = 0, shared = 0] = read(`/proc/${pid}/statm`)?.split(' ').map(Number) ?? []
  return (resident - shared) * pageBytes
}

/** Whether the process is a renderer of Chromium. */
export function isRenderer(pid: number): boolean {
  return read(`/proc/${pid}/cmdline`)?.includes('--type=renderer') ?? false
}

/** Kills a process or, with a negative number, its group; false when there is none. */
export function killNow(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already, as wanted.
    return false
  }
}

const dyingMs = 10
/** Far longer than the kernel takes to free the memory of a large page on a busy machine. */
const mostLooks = 200

/**
 * Resolves when nothing of a process group is left; kills what remains: the leader dies first, the others may take a
 * moment.
 */
export async function groupEnded(leader: number | undefined): Promise<void> {
  if (leader === undefined) return
  for (let looks = 0; killNow(-leader) && looks < mostLooks && !(await isDead(leader)); looks++) await sleep(dyingMs)
}

/**
 * Whether a whole process group is dead. Its zombies stay in the table until process 1 has reaped them: in a container that
 * may take a second, or forever.
 */
async function isDead(group: number): Promise<boolean> {
  const members = [...(await processStats()).values()].filter((stat) => stat.group === group)
  // Without /proc nothing is known.
  return members.length > 0 && members.every(({ state }) => state === 'Z' || state === 'X')
}
