/**
 * Splits TypeScript into tokens, so that rules see code only: no comments, no text inside strings, templates or
 * regular expressions. Not a parser: `<` stays a sign, types look like code. (TypeScript 7 has no API in JavaScript
 * that could be asked instead.)
 *
 * @typedef {{ kind: 'word' | 'number' | 'string' | 'regex' | 'sign', text: string, line: number }} Token
 *   `text` of a string is what it holds, of a template only the part without `${…}`.
 */

const wordStart = /[\p{ID_Start}$_#@\\]/u
const wordPart = /[\p{ID_Continue}$\\]/u
const signs = ['=>', '++', '--', '?.', '...', '??', '&&', '||']
/** After these words, a `/` begins a regular expression, not a division. */
const beforeValue = new Set(['return', 'typeof', 'case', 'in', 'of', 'do', 'else', 'void', 'delete', 'throw', 'new', 'await', 'yield', 'instanceof', 'extends', 'default'])
const headWords = new Set(['if', 'while', 'for', 'with'])

/** @param {string} text @returns {Token[]} */
export function tokensOf(text) {
  return new Lexer(text).run()
}

const partner = { ')': '(', ']': '[', '}': '{', '}$': '${' }

/**
 * Whether every bracket has its partner. When not, a quote or a slash was taken for something else, and what was read
 * after it cannot be trusted.
 *
 * @param {Token[]} tokens
 */
export function isBalanced(tokens) {
  const open = []
  for (const { kind, text } of tokens) {
    if (kind !== 'sign') continue
    if (Object.values(partner).includes(text)) open.push(text)
    else if (text in partner && open.pop() !== partner[text]) return false
  }
  return open.length === 0
}

class Lexer {
  /** @param {string} text */
  constructor(text) {
    this.text = text
    this.at = text.startsWith('#!') ? lineEnd(text, 0) : 0
    this.line = 1
    /** @type {Token[]} */
    this.tokens = []
    /** Open brackets, to distinguish a template's `${` from a block's `{`. @type {{ sign: string, headed: boolean }[]} */
    this.open = []
    this.closedHead = false
  }

  run() {
    while (this.at < this.text.length) this.step()
    return this.tokens
  }

  step() {
    const { text, at } = this
    const here = text[at]
    if (here === '\n') this.line++
    if (/\s/.test(here) || here === '\ufeff') this.at++
    else if (text.startsWith('//', at)) this.at = lineEnd(text, at)
    else if (text.startsWith('/*', at)) this.skipTo(endOf(text, '*/', at + 2))
    else if (here === "'" || here === '"') this.string(here)
    else if (here === '`') this.template(at + 1)
    else if (here === '}' && this.open.at(-1)?.sign === '${') this.templateGoesOn()
    else if (/[0-9]/.test(here)) this.number()
    else if (wordStart.test(charAt(text, at))) this.word()
    else if (here === '/' && this.regexMayStart()) this.regex()
    else this.sign()
  }

  /** @param {Token['kind']} kind @param {string} text */
  push(kind, text) {
    this.tokens.push({ kind, text, line: this.line })
  }

  /** @param {number} end */
  skipTo(end) {
    for (let i = this.at; i < end; i++) if (this.text[i] === '\n') this.line++
    this.at = end
  }

  /** @param {string} quote */
  string(quote) {
    let end = this.at + 1
    while (end < this.text.length && this.text[end] !== quote && this.text[end] !== '\n') end += this.text[end] === '\\' ? 2 : 1
    this.push('string', unescape(this.text.slice(this.at + 1, end)))
    this.skipTo(Math.min(end + 1, this.text.length))
  }

  /** @param {number} from */
  template(from) {
    let end = from
    while (end < this.text.length && this.text[end] !== '`' && !this.text.startsWith('${', end)) end += this.text[end] === '\\' ? 2 : 1
    this.push('string', unescape(this.text.slice(from, end)))
    const holds = this.text.startsWith('${', end)
    if (holds) this.open.push({ sign: '${', headed: false })
    // A token between the parts keeps `import(`a${b}`)` from looking like a plain string.
    if (holds) this.push('sign', '${')
    this.skipTo(Math.min(end + (holds ? 2 : 1), this.text.length))
  }

  templateGoesOn() {
    this.open.pop()
    this.push('sign', '}$')
    this.template(this.at + 1)
  }

  number() {
    const end = matchAt(/[0-9a-fA-FxXoObBnN_]*(?:\.[0-9_]*)?(?:(?<=[eE])[+-][0-9_]+)?[0-9a-zA-Z_]*/y, this.text, this.at)
    this.push('number', this.text.slice(this.at, end))
    this.at = end
  }

  word() {
    let end = this.at
    while (end < this.text.length && (end === this.at || wordPart.test(charAt(this.text, end)))) end += charAt(this.text, end).length
    this.push('word', this.text.slice(this.at, end))
    this.at = end
  }

  sign() {
    const sign = signs.find((s) => this.text.startsWith(s, this.at)) ?? this.text[this.at]
    if (sign === '(' || sign === '[' || sign === '{') {
      const before = this.tokens.at(-1)
      this.open.push({ sign, headed: sign === '(' && before?.kind === 'word' && headWords.has(before.text) })
    }
    if (sign === ')' || sign === ']' || sign === '}') this.closedHead = this.open.pop()?.headed ?? false
    this.push('sign', sign)
    this.at += sign.length
  }

  regexMayStart(index = this.tokens.length - 1) {
    const before = this.tokens[index]
    if (before === undefined) return true
    if (before.kind === 'word') return beforeValue.has(before.text) && this.tokens[index - 1]?.text !== '.'
    if (before.kind !== 'sign') return false
    if (before.text === ')') return this.closedHead
    if (before.text === ']' || before.text === '}' || before.text === '}$') return false
    // `a! / b` and `a++ / b` divide; `!/x/` and `++/x/` do not.
    if (before.text === '!' || before.text === '++' || before.text === '--') return this.regexMayStart(index - 1)
    return true
  }

  regex() {
    let end = this.at + 1
    let inClass = false
    while (end < this.text.length && this.text[end] !== '\n' && (inClass || this.text[end] !== '/')) {
      if (this.text[end] === '[') inClass = true
      if (this.text[end] === ']') inClass = false
      end += this.text[end] === '\\' ? 2 : 1
    }
    end = matchAt(/[a-z]*/y, this.text, end + 1)
    this.push('regex', this.text.slice(this.at, end))
    this.at = end
  }
}

function lineEnd(text, from) {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function endOf(text, mark, from) {
  const end = text.indexOf(mark, from)
  return end < 0 ? text.length : end + mark.length
}

function charAt(text, at) {
  return String.fromCodePoint(text.codePointAt(at) ?? 32)
}

function matchAt(pattern, text, at) {
  pattern.lastIndex = at
  return pattern.exec(text) ? pattern.lastIndex : at
}

/** `'node:\x66s'` is also `node:fs`. */
function unescape(text) {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|\r?\n|([^]))/g, (_, ...groups) => {
    const [braced, four, two, other] = groups
    const hex = braced ?? four ?? two
    return hex === undefined ? (other ?? '') : String.fromCodePoint(Number.parseInt(hex, 16))
  })
}
