/**
 * How long the functions of a file are. A function's own lines count, not those of functions inside it: a factory that
 * returns an object of methods is as long as its longest part, like a class.
 *
 * @typedef {import('./lexer.mjs').Token} Token
 * @typedef {{ name: string, line: number, lines: number }} Size
 */

const control = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'function'])
const ends = new Set(['const', 'let', 'var', 'return', 'function', 'export', 'import', 'class', 'interface', 'if', 'for', 'while', 'throw', 'await', 'case', 'break'])
/** A brace after one of these opens a type or an object, not a body. */
const beforeType = new Set([':', '|', '&', '?', '=>', '<', ',', 'is', 'extends', 'keyof', 'readonly'])

/** @param {Token[]} tokens @returns {Size[]} */
export function functionSizes(tokens) {
  const pairs = pairsOf(tokens)
  const bodies = []
  tokens.forEach((token, i) => {
    if (token.kind !== 'sign') return
    if (token.text === '=>' && isSign(tokens[i + 1], '{')) bodies.push({ open: i + 1, name: arrowName(tokens, i, pairs) })
    if (token.text === '(' && mayHaveBody(tokens, i)) {
      const open = bodyAfter(tokens, pairs.get(i), pairs)
      if (open !== undefined) bodies.push({ open, name: tokens[i - 1].text === '>' ? 'function' : tokens[i - 1].text })
    }
  })
  return sized(bodies, tokens, pairs)
}

function sized(bodies, tokens, pairs) {
  const spans = bodies.map(({ open, name }) => ({ name, start: tokens[open].line, end: tokens[pairs.get(open) ?? open].line }))
  return spans.map((span) => {
    const inner = spans.filter((other) => other !== span && other.start >= span.start && other.end <= span.end && other.end - other.start < span.end - span.start)
    const outermost = inner.filter((a) => !inner.some((b) => b !== a && b.start <= a.start && b.end >= a.end && b.end - b.start > a.end - a.start))
    const taken = outermost.reduce((sum, other) => sum + Math.max(0, other.end - other.start - 1), 0)
    return { name: span.name, line: span.start, lines: span.end - span.start + 1 - taken }
  })
}

function isSign(token, text) {
  return token?.kind === 'sign' && token.text === text
}

function pairsOf(tokens) {
  const pairs = new Map()
  const open = []
  tokens.forEach((token, i) => {
    if (token.kind !== 'sign') return
    if ('([{'.includes(token.text) || token.text === '${') open.push(i)
    else if (')]}'.includes(token.text) || token.text === '}$') {
      const start = open.pop()
      if (start !== undefined) {
        pairs.set(start, i)
        pairs.set(i, start)
      }
    }
  })
  return pairs
}

/** `name(`, `name<T>(`, `['name'](`, `function (` may be followed by a body. */
function mayHaveBody(tokens, open) {
  const before = tokens[open - 1]
  if (before === undefined) return false
  if (before.kind === 'word') return before.text === 'function' || !control.has(before.text)
  return before.kind === 'string' || before.text === '>' || before.text === ']'
}

/** The `{` of the body that follows a parameter list, after the return type if there is one. */
function bodyAfter(tokens, close, pairs) {
  if (close === undefined) return undefined
  if (isSign(tokens[close + 1], '{')) return close + 1
  if (!isSign(tokens[close + 1], ':')) return undefined
  for (let i = close + 2; i < tokens.length && i < close + 200; i++) {
    const token = tokens[i]
    if (isSign(token, '{') && !beforeType.has(tokens[i - 1].text)) return i
    if (token.kind === 'sign' && '([{'.includes(token.text)) i = pairs.get(i) ?? i
    else if (ends.has(token.text) || (token.kind === 'sign' && ');}='.includes(token.text))) return undefined
  }
  return undefined
}

function arrowName(tokens, arrow, pairs) {
  const close = tokens[arrow - 1]
  const start = isSign(close, ')') ? (pairs.get(arrow - 1) ?? arrow) : arrow - 1
  const before = tokens.slice(Math.max(0, start - 3), start).filter((t) => t.kind === 'word' && t.text !== 'async')
  return before.at(-1)?.text ?? 'arrow function'
}
