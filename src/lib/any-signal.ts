/** What a signal that follows others keeps of them. */
const followed = new WeakMap<AbortSignal, readonly AbortSignal[]>()

/**
 * A signal that aborts as soon as one of `signals` does, with its reason. In place of `AbortSignal.any`, whose signals hold those that they
 * follow by weak references alone in Node 20: a time limit of which nobody else knows is collected as garbage and never rings.
 */
export function anySignal(...signals: readonly AbortSignal[]): AbortSignal {
  // oxlint-disable-next-line eslint/no-restricted-properties -- the one place that makes up for it
  const signal = AbortSignal.any([...signals])
  followed.set(signal, signals)
  return signal
}
