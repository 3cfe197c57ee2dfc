import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

const lessThan = '<', ampersand = '&', doubleQuote = '"', singleQuote = "'"

/** Where a sign comes next, looked up once for all places before it: going from sign to sign is linear for any text. */
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

/** The inside of the tokenizer as far as it is used here: the text that it was given, its place in there, and two of its states. */
interface Inside {
  readonly buffer: string
  index: number
  readonly next: PageTokenizer['next']
  stateText(code: number): void
  handleInAttributeValue(code: number, quote: number): void
  fastForwardTo(code: number): boolean
}

/** Cuts a page into tags and texts. To be given all of the page at once. */
export class PageTokenizer extends Tokenizer {
  readonly next = { lessThan: new Next(lessThan), ampersand: new Next(ampersand), doubleQuote: new Next(doubleQuote), singleQuote: new Next(singleQuote) }

  constructor(callbacks: TokenizerCallbacks) {
    super({ recognizeSelfClosing: true }, callbacks)
  }
}

const inherited = Tokenizer.prototype as unknown as Inside // its states are private, and looking at each character of a text is most of what they cost

/** Most characters of texts and values mean nothing to the tokenizer: it goes right to those that do. */
const states: Pick<Inside, 'stateText' | 'handleInAttributeValue' | 'fastForwardTo'> & ThisType<Inside> = {
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
    // Where it is not found, its caller goes on behind the last character.
    this.index = there ? found : this.buffer.length - 1
    return there
  },
}
Object.assign(PageTokenizer.prototype, states)
