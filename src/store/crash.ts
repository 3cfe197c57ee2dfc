/** Operations that are not counted: those of the start, of housekeeping, and heartbeats, which come by the clock and not with the work. */
const uncounted = /^(accounts|upkeep)\.|^jobs\.beat$|^cache\.touch$|^sessions\.(beat|leave|reap)$/

/** Counts commits towards the one after which the process is to die; for tests of what a crash leaves behind (R12). */
export interface CrashPoint {
  /** Says that an operation that wrote something is committed; does not return when it was the n-th. */
  committed(name: string): void
}

/** Dies after the n-th commit that counts, by the signal that nothing can catch, before anybody hears of that commit. */
export function crashPoint(n: number): CrashPoint {
  let count = 0
  return {
    committed(name) {
      if (uncounted.test(name)) return
      count += 1
      if (count !== n) return
      process.kill(process.pid, 'SIGKILL')
      // The signal may take a moment; until then nothing more may happen on this thread.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    },
  }
}
