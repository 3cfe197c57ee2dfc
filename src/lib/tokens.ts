/**
 * Estimates a text's tokens, rather too high than too low: tokenizers differ, and a text that does not fit is refused whole. Four Latin
 * letters make a token, two of other alphabets, and each sign of a script without spaces is one.
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
