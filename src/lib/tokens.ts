/**
 * Estimates the number of tokens of a text, rather too high than too low: tokenizers differ, and a text that does not fit is
 * refused as a whole. A token is 3.5 Latin characters, 2 characters of other alphabets, or 1 of an East Asian script.
 */
export function tokensOf(text: string): number {
  let wide = 0
  let middle = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x2e80) wide++
    else if (code >= 0x250) middle++
  }
  return Math.ceil((text.length - wide - middle) / 3.5 + middle / 2 + wide)
}
