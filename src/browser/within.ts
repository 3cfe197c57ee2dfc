/** Whether a step ended within its time, well or badly; afterwards nobody waits for it. */
export async function within(step: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)))
  const done = step.then(() => true, () => true)
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}
