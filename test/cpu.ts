import { readFileSync } from 'node:fs'
import { GCProfiler } from 'node:v8'

/**
 * CPU time that this process uses while `f` runs, in milliseconds. Unlike wall-clock time, it excludes other processes.
 */
export function cpuMs(f: () => void): number {
  const before = process.cpuUsage()
  f()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const asleep = new Int32Array(new SharedArrayBuffer(4))

/**
 * CPU time that this thread has used so far, in milliseconds (proc(5), schedstat: nanoseconds). The kernel adds to it when a
 * thread stops running, and of one that runs in steps of some milliseconds only: hence the short sleep.
 */
function threadMs(): number {
  Atomics.wait(asleep, 0, 0, 0.01)
  return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6
}

/**
 * CPU time of this thread while `f` runs, without what the garbage collector takes, in milliseconds. What is small is never
 * copied by the collector, and what is large is searched together with what all other tests of the process hold: with it,
 * the time of linear work would grow three times as fast as the work.
 */
function workMs(f: () => void): number {
  const collector = new GCProfiler()
  collector.start()
  const before = threadMs()
  const began = performance.now()
  f()
  const passed = performance.now() - began
  const used = threadMs() - before
  // The collector's pauses are told in elapsed time, of which this thread had a part.
  const pauses = collector.stop().statistics.reduce((sum, { cost }) => sum + cost, 0) / 1000
  return used * Math.max(0, 1 - pauses / passed)
}

/** The least time of an input that is told apart from none, in milliseconds. */
const leastMs = 0.05

/** Quadratic work would look like this only if sizes this far apart were measured with an error of eleven times. */
const [farApart, surelyLinear] = [32, 1.3]

/**
 * With which power of the size of its input the time of `work` grows: 1 when it is linear, 2 when it is quadratic. One input of
 * the size `to` is compared with as many of the size `from` as are as large together, so that what it takes to begin and to end
 * a measurement counts as little in both; sizes far apart leave out that what is small fits into the caches of the processor.
 * `inputOf` makes the inputs, which does not count, and each is used once. The speed of the machine cancels out, and the best of three runs leaves
 * out what the load of others adds. Each run has both sizes, so that a machine that is slow for a while is so for both. A run that
 * shows linear work at sizes far apart is the last: the load of others would have to make the small inputs alone many times slower.
 */
export function growth<Input>(inputOf: (n: number) => Input, work: (input: Input) => unknown, from: number, to = 64 * from): number {
  const times = to / from
  const msFor = (inputs: readonly Input[]): number => workMs(() => inputs.forEach((input) => void work(input)))
  const far = times >= farApart
  let [small, large] = [Infinity, Infinity]
  const ofSmall = (): number => (small = Math.min(small, Math.max(leastMs, msFor(Array.from({ length: times }, () => inputOf(from))) / times)))
  const ofLarge = (): number => (large = Math.min(large, Math.max(leastMs, msFor([inputOf(to)]))))
  for (let run = 1; ; run++) {
    // What V8 compiles meanwhile counts against the large input where one run may be enough.
    for (const measure of far ? [ofLarge, ofSmall] : [ofSmall, ofLarge]) measure()
    const power = Math.log(large / small) / Math.log(times)
    if (run === 3 || (far && power < surelyLinear)) return power
  }
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
