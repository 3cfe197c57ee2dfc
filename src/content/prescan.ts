/** The estimated cost of reading a page, without parsing it. */
export interface Prescan {
  /** Whether the page may be read on the calling thread (R20). */
  readonly small: boolean
  /**
   * Upper estimate of the processor time, in nanoseconds, for everything that may be made from the page; counting stops
   * when it is too much.
   */
  readonly cost: number
}

/** Budget on the calling thread: R20 grants 50 ms, of which slower machines and garbage collection need a part. */
const mostCost = 17_000_000

/** Prices of characters, in text and inside tags; the latter pay for attributes, names and addresses. */
const textPrices = prices({ other: 140, plain: 20, signs: { '*': 500, _: 500, '~': 500, '`': 300, '[': 150, ']': 150, '\\': 1000, '<': 350, '>': 200, '!': 250, '&': 500, '|': 150, $: 500, '\n': 250, '(': 100, '"': 60, ',': 60 } })
const tagPrices = prices({ other: 600, plain: 100, signs: { ' ': 1000, '\n': 1000, '\t': 1000, '\r': 1000, '\f': 1000, '"': 400, "'": 400, '&': 500, ',': 600, '-': 200, _: 200, '<': 350, '/': 200 } })
/** A slash may start an attribute. */
const slashPrice = 1000
/** Prices of text when it is unknown whether a tag continues. */
const unsurePrices = tagPrices.slice()
unsurePrices['/'.charCodeAt(0)] = slashPrice
const tagPrice = 11_500
const endTagPrice = 700

/** Feeds contain whole pages, written as text. */
const feed = /<(?:rss|feed|rdf:RDF)[\s>]/i

function prices({ other, plain, signs }: { other: number; plain: number; signs: Readonly<Record<string, number>> }): Int32Array {
  const table = new Int32Array(129).fill(plain)
  table[128] = other
  for (const [sign, price] of Object.entries(signs)) table[sign.charCodeAt(0)] = price
  return table
}

const lessThan = 60, greaterThan = 62, slash = 47, equalsSign = 61

/**
 * States of the scan inside a tag: in its name, among attributes, after an equals sign, in a quoted value, in an unquoted
 * value.
 */
const inName = 0, inAttributes = 1, atValue = 2, inQuotes = 3, inValue = 4

/**
 * Adds up what every character and every tag of a page may cost. Follows tags as the tokenizer does; where it cannot be
 * sure (a tag inside a quoted value may be text), the rest is priced as if inside a tag. Linear, one look at each
 * character.
 */
export function prescan(page: string): Prescan {
  if (feed.test(page.slice(0, 4096))) return { small: false, cost: Number.POSITIVE_INFINITY }
  const scan = new Scan(page)
  while (scan.at < page.length && scan.cost <= mostCost) {
    scan.text()
    scan.tag()
  }
  return { small: scan.cost <= mostCost, cost: scan.cost }
}

class Scan {
  at = 0
  cost = 0
  readonly #page: string
  #prices = textPrices

  constructor(page: string) {
    this.#page = page
  }

  /** Reads up to the next start tag. */
  text(): void {
    const page = this.#page
    const table = this.#prices
    let cost = 0
    let i = this.at
    for (; i < page.length; i++) {
      const code = page.charCodeAt(i)
      if (code === lessThan) {
        const next = page.charCodeAt(i + 1)
        if (isLetter(next)) break
        if (next === slash) cost += endPrice(page.charCodeAt(i + 2) | 32, page.charCodeAt(i + 3) | 32)
      }
      cost += table[code < 128 ? code : 128] ?? 0
    }
    this.at = i
    this.cost += cost
  }

  /** Reads to the end of this start tag; a tag that starts inside is counted, and continues as the tag. */
  tag(): void {
    const page = this.#page
    let cost = 0
    let state = inName
    let quote = 0
    /** Whether an attribute name was read that may get a value. */
    let named = false
    let i = this.at
    for (; i < page.length; i++) {
      const code = page.charCodeAt(i)
      cost += tagPrices[code < 128 ? code : 128] ?? 0
      if (code === lessThan && isLetter(page.charCodeAt(i + 1))) {
        cost += startPrice(page.charCodeAt(i + 1) | 32, page.charCodeAt(i + 2) | 32)
        if (state === inQuotes) this.#prices = unsurePrices
        state = inName
        named = false
      } else if (state === inQuotes) {
        if (code === quote) state = inAttributes
      } else if (code === greaterThan) {
        break
      } else if (isSpace(code)) {
        if (state === inName || state === inValue) state = inAttributes
      } else if (state === atValue) {
        state = isQuote(code) ? inQuotes : inValue
        quote = code
      } else if (state !== inValue) {
        if (code === slash) {
          state = inAttributes
          cost += slashPrice
        } else if (code === equalsSign && named) {
          state = atValue
        } else if (code === equalsSign || isQuote(code)) {
          this.#prices = unsurePrices
        }
        named = state === inAttributes && code !== slash
      }
    }
    this.at = i
    this.cost += cost
  }
}

/** Links, cells, images and their sources cost more than other elements. */
function startPrice(first: number, second: number): number {
  if (first === 97) return 18_000
  if (first === 116) return 13_000
  if (first === 105 && second === 109) return 30_000
  return first === 115 && second === 111 ? 20_000 : tagPrice
}

/** A stray end tag of a paragraph or a line break creates an element. */
function endPrice(first: number, second: number): number {
  return first === 112 || (first === 98 && second === 114) ? tagPrice : endTagPrice
}

function isLetter(code: number): boolean {
  const lower = code | 32
  return lower >= 97 && lower <= 122
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39
}
