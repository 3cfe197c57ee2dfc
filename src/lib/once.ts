/** Calls `f` at most once; later calls get its first answer. */
export function once<T>(f: () => T): () => T {
  let done = false
  let value: T
  return () => {
    if (!done) {
      value = f()
      done = true
    }
    return value
  }
}
