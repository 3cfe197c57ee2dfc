/** Characters that are invisible or change how the rest is displayed: control characters, direction marks, lone surrogates and the like. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu

/** A foreign text made safe for a message: at most so many characters, invisible ones escaped. */
export function visible(text: string, most = 100): string {
  const characters = Array.from(text.slice(0, 2 * most + 2))
  const shown = characters.slice(0, most).join('').replace(unseen, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`)
  return characters.length > most ? `${shown}…` : shown
}
