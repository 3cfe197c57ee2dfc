/** Operations that are not counted: start, housekeeping and heartbeats. They depend on the clock, not on the work. */
const uncounted = /^(accounts|upkeep)\.|^jobs\.beat$|^cache\.touch$|^sessions\.(beat|leave|reap)$/

/** Counting begins with this operation: before it, a process may finish the work of a former one. */
const beginning = 'jobs.create'

/** Counts commits from the first new job on, and ends the process after the n-th: for tests of crashes (R12). */
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
