/** CPU time of this process while `f` runs, in milliseconds: unlike a clock it does not count what others do to the machine. */
export function cpuMs(f: () => void): number {
  const before = process.cpuUsage()
  f()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
