/** Operations that are not counted: those of the start, of housekeeping, and heartbeats, which come by the clock and not with the work. */
const uncounted = /^(accounts|upkeep)\.|^jobs\.beat$|^cache\.touch$|^sessions\.(beat|leave|reap)$/

/** The operation that is counted first: a process may finish what another left before it starts what it is to die of. */
const beginning = 'jobs.create'

/** Counts commits towards the one after which the process is to die, from the first job on that it starts; for tests of what a crash leaves behind (R12). */
export interface CrashPoint {
  /** Whether a commit of these operations may be counted, so that each needs one of its own. */
  counts(names: readonly string[]): boolean
  /** Says that an operation that wrote something is committed; does not return when it was the n-th. */
  committed(name: string): void
}

/** Dies after the n-th commit that counts, by the signal that nothing can catch, before anybody hears of that commit. */
export function crashPoint(n: number): CrashPoint {
  let count = 0
  return {
    counts: (names) => count > 0 || names.includes(beginning),
    committed(name) {
      if (uncounted.test(name) || (count === 0 && name !== beginning)) return
      count += 1
      if (count !== n) return
      process.kill(process.pid, 'SIGKILL')
      // The signal may take a moment; until then nothing more may happen on this thread.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    },
  }
}
