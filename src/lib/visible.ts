/** What is not seen, or changes how the rest is read: control characters, marks of direction, halves of a surrogate pair and the like. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu

/** A text of somebody else as part of a message: up to so many characters of it, the unseen ones by their numbers. */
export function visible(text: string, most = 100): string {
  const characters = Array.from(text.slice(0, 2 * most + 2))
  const shown = characters.slice(0, most).join('').replace(unseen, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`)
  return characters.length > most ? `${shown}…` : shown
}
