import { readFileSync } from 'node:fs'

/**
 * CPU time that this process uses while `f` runs, in milliseconds. Unlike wall-clock time, it excludes other processes.
 */
export function cpuMs(f: () => void): number {
  const before = process.cpuUsage()
  f()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * How many times longer `f` takes for four times as much: about 4 when its work is linear, 16 when it is quadratic. The speed
 * of the machine cancels out, and the best of three runs leaves out what the load of others adds. The runs of both sizes take
 * turns, so that a machine that is slow for a while is so for both.
 */
export function growth(f: (n: number) => void, n: number): number {
  const runs = [0, 1, 2].map(() => [cpuMs(() => f(n)), cpuMs(() => f(4 * n))] as const)
  return Math.min(...runs.map(([, large]) => large)) / Math.max(Math.min(...runs.map(([small]) => small)), 1)
}

/** Total CPU time from a proc(5) stat file, in milliseconds: fields 14 and 15, in ticks of 10 ms. */
function cpuMsIn(file: string): number {
  const stat = readFileSync(file, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** CPU time that another process has used so far, in milliseconds. */
export const cpuMsOf = (pid: number): number => cpuMsIn(`/proc/${pid}/stat`)

/**
 * CPU time that the main thread of another process has used so far, in milliseconds. In a service, the main thread
 * answers requests.
 */
export const loopCpuMsOf = (pid: number): number => cpuMsIn(`/proc/${pid}/task/${pid}/stat`)

/** How a service answered health checks under load. */
export interface Meanwhile {
  /** The number of answers. */
  readonly answers: number
  /** The longest CPU time of the main thread between a request and its answer, in milliseconds. */
  readonly loopMs: number
}

/**
 * Requests `/health` until `work` settles. Measures latency as CPU time of the main thread, so that the load of the
 * machine does not matter.
 */
export async function meanwhile(service: { readonly pid: number; call(method: string, path: string): Promise<{ readonly status: number }> }, work: Promise<unknown>): Promise<Meanwhile> {
  const state = { done: false, answers: 0, loopMs: 0 }
  const end = (): void => void (state.done = true)
  void work.then(end, end)
  while (!state.done) {
    const before = loopCpuMsOf(service.pid)
    const { status } = await service.call('GET', '/health')
    if (status !== 200) throw new Error(`/health answered ${status}`)
    state.loopMs = Math.max(state.loopMs, loopCpuMsOf(service.pid) - before)
    state.answers++
    // Without a pause, the service would be busy with the health checks.
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return state
}

/** CPU time of `calibrationWork` on the reference machine for the bounds of R20, in milliseconds. */
const referenceMs = 20

function calibrationWork(): number {
  const counts = new Map<string, number>()
  let sum = 0
  for (let i = 0; i < 300_000; i++) {
    const key = `k${i % 5000}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
    sum = (sum * 31 + key.length) | 0
  }
  return sum
}

/**
 * How many times slower than the reference this machine is at the moment: clamped to 1 to 2.5, so that bounds are never
 * stricter and never much looser than on the reference.
 */
export function slowness(): number {
  const times = Array.from({ length: 3 }, () => cpuMs(calibrationWork))
  return Math.min(2.5, Math.max(1, Math.min(...times) / referenceMs))
}
