/** What `work` answers, or what `late` answers (or throws) if that takes longer than `ms`. The work goes on; its outcome is then ignored. */
export async function withTimeout<T, L>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))).then(late)
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
