/** Characters that are invisible or change how the rest is displayed: control characters, direction marks, lone surrogates and the like. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu

/** A foreign text made safe for a message: at most so many characters, invisible ones escaped. */
export function visible(text: string, most = 100): string {
  const characters = Array.from(text.slice(0, 2 * most + 2))
  const shown = characters.slice(0, most).join('').replace(unseen, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`)
  return characters.length > most ? `${shown}…` : shown
}

/** Characters that a terminal obeys rather than shows. */
const control = /\p{Cc}/gu

/** A foreign text without control characters: nothing that a log or a terminal would obey. */
export const withoutControls = (text: string): string => text.replace(control, '')

/** A foreign text for a terminal: its lines and tabs as they are, other control characters escaped. */
export const forTerminal = (text: string): string => text.replace(/\r\n/g, '\n').replace(control, (one) => (one === '\n' || one === '\t' ? one : visible(one)))
