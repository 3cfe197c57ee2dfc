import { readFileSync } from 'node:fs'

/** CPU time of this process while `f` runs, in milliseconds: unlike a clock it does not count what others do to the machine. */
export function cpuMs(f: () => void): number {
  const before = process.cpuUsage()
  f()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** CPU time that another process has used so far, in milliseconds (proc(5): fields 14 and 15, in ticks of 10 ms). */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
