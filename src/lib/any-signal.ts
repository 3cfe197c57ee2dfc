/** What a signal that follows others keeps of them. */
const followed = new WeakMap<AbortSignal, readonly AbortSignal[]>()

/**
 * A signal that aborts as soon as one of `signals` does, with its reason. Replaces `AbortSignal.any`, which in Node 20 holds its sources only
 * by weak references: a timeout that nothing else references is garbage-collected and never fires.
 */
export function anySignal(...signals: readonly AbortSignal[]): AbortSignal {
  // oxlint-disable-next-line eslint/no-restricted-properties -- the one place that makes up for it
  const signal = AbortSignal.any([...signals])
  followed.set(signal, signals)
  return signal
}
