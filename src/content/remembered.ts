import { detached } from '../lib/detached.ts'

/** With the length of what is remembered, some megabytes at most. */
const maxRemembered = 10_000
const maxLength = 200

/**
 * The same function of short texts, which remembers what it answered: the pages of a site share the names of their elements. Forgets all once it
 * knows 10,000 texts; what is longer than 200 characters it asks about each time.
 */
export function remembered<T>(answer: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const found = answer(text)
    if (text.length > maxLength) return found
    if (known.size >= maxRemembered) known.clear()
    known.set(detached(text), found)
    return found
  }
}
