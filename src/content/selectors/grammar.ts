/** Escapes of CSS Syntax: a code point in hexadecimal digits, optionally ended by white space, or any other character. */
const escape = String.raw`\\(?:[0-9a-f]{1,6}(?:\r\n|[ \t\r\n\f])?|[^\r\n\f0-9a-f])`
const start = String.raw`[a-z_\u0080-\u{10ffff}]|${escape}`
const identifier = new RegExp(String.raw`(?:--|-?(?:${start}))(?:[\w\u0080-\u{10ffff}-]|${escape})*`, 'iuy')
const text = /"(?:[^"\\\r\n\f]|\\(?:\r\n|[^]))*"|'(?:[^'\\\r\n\f]|\\(?:\r\n|[^]))*'/uy
/** A value without quotes. CSS requires a name there, but what HTML would accept (`[data-id=12]`) is unambiguous. */
const bare = /(?:[^\s"'`=<>\]\\]|\\[^])+/uy
const comment = /\/\*[^]*?\*\//uy
const space = /[ \t\r\n\f]+/uy
const combinator = /[>+~]|\|\|/uy
const comparison = /[~|^$*]?=/uy
/** The content of other pseudo-classes' parentheses, up to the next character that nests or ends there. */
const other = /(?:[^()"'\\]|\\[^])+/uy

/** Pseudo-classes that take selectors. */
const nesting: ReadonlySet<string> = new Set(['not', 'is', 'where', 'matches', 'has', 'host', 'host-context'])

/** Parses a text from left to right by the grammar of Selectors Level 4. */
class Grammar {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  isWhole(): boolean {
    return this.#list() && this.#at === this.#source.length
  }

  /** Consumes and returns what a pattern matches here; null for nothing. */
  #taken(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)?.[0] ?? null
    this.#at += found?.length ?? 0
    return found
  }

  #has(characters: string): boolean {
    const found = this.#source.startsWith(characters, this.#at)
    if (found) this.#at += characters.length
    return found
  }

  /** Skips white space and comments; returns whether there was white space. */
  #spaced(): boolean {
    let spaced = false
    for (;;) {
      if (this.#taken(space) !== null) spaced = true
      else if (this.#taken(comment) === null) return spaced
    }
  }

  #list(): boolean {
    do {
      this.#spaced()
      if (!this.#complex()) return false
    } while (this.#has(','))
    return true
  }

  /** Parses compound selectors with combinators between them, and the white space after. */
  #complex(): boolean {
    for (;;) {
      if (!this.#compound()) return false
      const spaced = this.#spaced()
      if (this.#taken(combinator) !== null) this.#spaced()
      else if (!spaced || this.#isEnd()) return true
    }
  }

  #isEnd(): boolean {
    const next = this.#source[this.#at]
    return next === undefined || next === ',' || next === ')'
  }

  #compound(): boolean {
    let parts = this.#name(true) ? 1 : 0
    for (;;) {
      while (this.#taken(comment) !== null);
      const read = this.#simple()
      if (read === null) return parts > 0
      if (!read) return false
      parts++
    }
  }

  /** Parses a name with its namespace; an element name may be `*` if `any`. */
  #name(any: boolean): boolean {
    const before = this.#at
    const first = this.#has('*') ? '*' : this.#taken(identifier)
    const next = this.#source[this.#at + 1]
    if (this.#source[this.#at] === '|' && next !== '=' && next !== '|') {
      this.#at++
      if ((any && this.#has('*')) || this.#taken(identifier) !== null) return true
    } else if (first !== null && (any || first !== '*')) return true
    this.#at = before
    return false
  }

  /** Parses a simple selector; null when none begins here, false when it is invalid. */
  #simple(): boolean | null {
    if (this.#has('.') || this.#has('#')) return this.#taken(identifier) !== null
    if (this.#has('[')) return this.#attribute()
    if (this.#has('::')) return this.#pseudo()
    return this.#has(':') ? this.#pseudo() : null
  }

  #attribute(): boolean {
    this.#spaced()
    if (!this.#name(false)) return false
    this.#spaced()
    if (this.#taken(comparison) !== null) {
      this.#spaced()
      if (this.#taken(text) === null && this.#taken(bare) === null) return false
      this.#spaced()
      const flag = this.#taken(identifier)
      if (flag !== null && !/^[is]$/i.test(flag)) return false
      this.#spaced()
    }
    return this.#has(']')
  }

  #pseudo(): boolean {
    const name = this.#taken(identifier)
    if (name === null || !this.#has('(')) return name !== null
    if (!nesting.has(name.toLowerCase())) return this.#nested()
    return this.#list() && this.#has(')')
  }

  /** Skips to the closing parenthesis. */
  #nested(): boolean {
    let open = 1
    while (open > 0) {
      if (this.#has('(')) open++
      else if (this.#has(')')) open--
      else if (this.#taken(text) === null && this.#taken(other) === null) return false
    }
    return true
  }
}

/** Whether a text is a valid CSS selector list, whatever it matches. The parser of the selector engine accepts more. */
export const isSelectorList = (source: string): boolean => new Grammar(source).isWhole()
