import { readFileSync } from 'node:fs'

/** CPU time of this process while `f` runs, in milliseconds: unlike a clock it does not count what others do to the machine. */
export function cpuMs(f: () => void): number {
  const before = process.cpuUsage()
  f()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** CPU time in a stat file of proc(5), in milliseconds: fields 14 and 15, in ticks of 10 ms. */
function cpuMsIn(file: string): number {
  const stat = readFileSync(file, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** CPU time that another process has used so far, in milliseconds. */
export const cpuMsOf = (pid: number): number => cpuMsIn(`/proc/${pid}/stat`)

/** CPU time that the first thread of another process has used so far, in milliseconds: of a service, the one that answers. */
export const loopCpuMsOf = (pid: number): number => cpuMsIn(`/proc/${pid}/task/${pid}/stat`)

/** How a service answered while it had something else to do. */
export interface Meanwhile {
  /** How often it answered. */
  readonly answers: number
  /** The most CPU time, in milliseconds, that the thread which answers spent between a question and its answer. */
  readonly loopMs: number
}

/** Asks a service again and again until the work is done. What it does before it comes to answer is told by its CPU time, however busy the machine is. */
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
    // Asked without a pause, the service would be busy with the answers.
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return state
}

/** CPU time of `calibrationWork` on the machine that the bounds of R20 are meant for, in milliseconds. */
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

/** How much slower than the reference this machine is right now, measured: from 1 to 2.5, never less strict than the reference and never much laxer. */
export function slowness(): number {
  const times = Array.from({ length: 3 }, () => cpuMs(calibrationWork))
  return Math.min(2.5, Math.max(1, Math.min(...times) / referenceMs))
}
