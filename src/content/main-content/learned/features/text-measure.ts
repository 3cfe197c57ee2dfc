/** Counts of a text, character by character, over one or several adjacent pieces. */
export class TextMeasure {
  words = 0
  letters = 0
  /** Punctuation that ends sentences, and punctuation that separates the items of a line. */
  ends = 0
  separators = 0
  /** The last character that is not white space. */
  last = 0
  /** Hash of the letters and digits, whatever is between them. */
  hash = 0x811c9dc5 | 0
  #inWord = false

  add(data: string): void {
    // Local variables for what changes with each letter: faster than fields.
    let { letters, hash } = this
    let inWord = this.#inWord
    for (let i = 0; i < data.length; i++) {
      const code = data.charCodeAt(i)
      const kind = code < 128 ? (ascii[code] ?? 0) : kindOf(code)
      if (kind === letter) {
        if (!inWord) this.words++
        inWord = true
        letters++
        hash = Math.imul(hash ^ (code >= 65 && code <= 90 ? code | 32 : code), 0x01000193)
        this.last = code
        continue
      }
      inWord = false
      if (code <= 32 || code === 160) continue
      this.last = code
      if (kind === ideograph) {
        this.words += 0.5
        letters++
        hash = Math.imul(hash ^ code, 0x01000193)
      } else if (kind === end) this.ends++
      else if (kind === separator) this.separators++
    }
    this.letters = letters
    this.hash = hash
    this.#inWord = inWord
  }

  /** Call it where the text continues after a break. */
  endWord(): void {
    this.#inWord = false
  }
}

const other = 0, letter = 1, end = 2, separator = 3, ideograph = 4

const ascii = new Uint8Array(128)
for (let code = 48; code <= 57; code++) ascii[code] = letter
for (let code = 65; code <= 90; code++) ascii[code] = ascii[code + 32] = letter
ascii[95] = letter
for (const sign of '.!?') ascii[sign.charCodeAt(0)] = end
for (const sign of '|/>') ascii[sign.charCodeAt(0)] = separator

function kindOf(code: number): number {
  if (code === 0x3002 || code === 0xff01 || code === 0xff1f) return end
  if (code === 0x60c || code === 0xff0c || code === 0xff1a || code === 0xff1b) return other
  if (code === 0xb7 || code === 0xbb || code === 0x203a || code === 0x2022 || code === 0x2192) return separator
  if (code >= 0x3040 && code <= 0x9fff) return ideograph
  return code >= 0xc0 && code !== 0xd7 && code !== 0xf7 && (code < 0x2000 || code > 0x2bff) && (code < 0x3000 || code > 0x303f) ? letter : other
}
