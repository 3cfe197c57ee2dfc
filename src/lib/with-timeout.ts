/** What `work` answers, or what `late` does (which may throw) when that takes longer than `ms`. The work itself goes on; nobody looks at what becomes of it then. */
export async function withTimeout<T, L>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))).then(late)
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
