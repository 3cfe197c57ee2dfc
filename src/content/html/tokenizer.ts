import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

const lessThan = '<', ampersand = '&', doubleQuote = '"', singleQuote = "'"
const greaterThanCode = 62, slashCode = 47, equalsCode = 61, doubleQuoteCode = 34

/** The next position of a character, cached: going from one to the next is linear for any text. */
class Next {
  readonly #sign: string
  #at = -1

  constructor(sign: string) {
    this.#sign = sign
  }

  after(at: number, text: string): number {
    if (this.#at < at) {
      const found = text.indexOf(this.#sign, at)
      this.#at = found < 0 ? text.length : found
    }
    return this.#at
  }
}

/** The parts of the tokenizer's internals used here: its text, its position, its callbacks, and some of its states. */
interface Inside {
  readonly buffer: string
  index: number
  readonly cbs: TokenizerCallbacks
  readonly next: PageTokenizer['next']
  stateText(code: number): void
  stateInTagName(code: number): void
  stateInClosingTagName(code: number): void
  stateBeforeAttributeName(code: number): void
  handleInAttributeValue(code: number, quote: number): void
  fastForwardTo(code: number): boolean
}

/** Splits a page into tags and texts. Needs the whole page at once. */
export class PageTokenizer extends Tokenizer {
  readonly next = { lessThan: new Next(lessThan), ampersand: new Next(ampersand), doubleQuote: new Next(doubleQuote), singleQuote: new Next(singleQuote) }

  constructor(callbacks: TokenizerCallbacks) {
    super({ recognizeSelfClosing: true }, callbacks)
  }
}

const inherited = Tokenizer.prototype as unknown as Inside // its states are private, and reading text character by character is most of their cost

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 9 || code === 13 || code === 12

/** The index after a tag name. */
function nameEnd(text: string, at: number): number {
  let end = at
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === greaterThanCode || code === slashCode || (code <= 32 && isSpace(code))) break
  }
  return end
}

/** Most characters of names, texts and values mean nothing to the tokenizer, so these states skip to those that do. */
const states: Omit<Inside, 'buffer' | 'index' | 'cbs' | 'next'> & ThisType<Inside> = {
  stateInTagName() {
    this.index = nameEnd(this.buffer, this.index)
    if (this.index < this.buffer.length) inherited.stateInTagName.call(this, this.buffer.charCodeAt(this.index))
  },
  stateInClosingTagName() {
    this.index = nameEnd(this.buffer, this.index)
    if (this.index < this.buffer.length) inherited.stateInClosingTagName.call(this, this.buffer.charCodeAt(this.index))
  },
  /** Reads attributes in the common form `name="value"`; leaves all others to the inherited states. */
  stateBeforeAttributeName() {
    const { buffer, cbs, next } = this
    let at = this.index
    for (;;) {
      while (at < buffer.length && isSpace(buffer.charCodeAt(at))) at++
      const start = at
      let code = greaterThanCode
      for (; at < buffer.length; at++) {
        code = buffer.charCodeAt(at)
        if (code === equalsCode || code === greaterThanCode || code === slashCode || isSpace(code)) break
      }
      const value = at + 2
      const end = code === equalsCode && at > start && buffer.charCodeAt(at + 1) === doubleQuoteCode ? next.doubleQuote.after(value, buffer) : buffer.length
      if (end >= buffer.length || next.ampersand.after(value, buffer) < end) {
        this.index = start
        if (start < buffer.length) inherited.stateBeforeAttributeName.call(this, buffer.charCodeAt(start))
        return
      }
      cbs.onattribname(start, at)
      cbs.onattribdata(value, end)
      cbs.onattribend(QuoteType.Double, end + 1)
      at = end + 1
    }
  },
  stateText(code) {
    if (code === lessThan.charCodeAt(0) || code === ampersand.charCodeAt(0)) inherited.stateText.call(this, code)
    else this.index = Math.min(this.next.lessThan.after(this.index, this.buffer), this.next.ampersand.after(this.index, this.buffer)) - 1
  },
  handleInAttributeValue(code, quote) {
    const next = quote === doubleQuote.charCodeAt(0) ? this.next.doubleQuote : this.next.singleQuote
    if (code === quote || code === ampersand.charCodeAt(0)) inherited.handleInAttributeValue.call(this, code, quote)
    else this.index = Math.min(next.after(this.index, this.buffer), this.next.ampersand.after(this.index, this.buffer)) - 1
  },
  fastForwardTo(code) {
    const from = this.index + 1
    const found = code === lessThan.charCodeAt(0) ? this.next.lessThan.after(from, this.buffer) : this.buffer.indexOf(String.fromCharCode(code), from)
    const there = found >= 0 && found < this.buffer.length
    // When it is not found, the caller continues after the last character.
    this.index = there ? found : this.buffer.length - 1
    return there
  },
}
Object.assign(PageTokenizer.prototype, states)
