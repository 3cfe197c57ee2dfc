import { detached } from './detached.ts'

/** Whichever limit is reached first: a few megabytes at most. */
const maxRemembered = 10_000
const maxCharacters = 1_000_000
/** Lists of utility classes may be hundreds of characters long, on each of the elements that look alike. */
const maxLength = 1_000

/**
 * Memoises a function of short texts, because the pages of a site share the names of their elements. Forgets everything
 * once it knows 10,000 texts, or texts of a million characters; does not cache texts longer than 1,000 characters.
 */
export function remembered<T>(answer: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  let characters = 0
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const found = answer(text)
    if (text.length > maxLength) return found
    if (known.size >= maxRemembered || characters + text.length > maxCharacters) {
      known.clear()
      characters = 0
    }
    known.set(detached(text), found)
    characters += text.length
    return found
  }
}
