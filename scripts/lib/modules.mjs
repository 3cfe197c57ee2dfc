/**
 * What a file imports and exports, read from its tokens.
 *
 * @typedef {import('./lexer.mjs').Token} Token
 * @typedef {{ from: string | null, kind: 'static' | 'dynamic' | 'worker' | 're-export', typeOnly: boolean, names: string[] | 'all', line: number }} Import
 *   `from` is null where the address is computed at run time. `names`: what is taken out of the module.
 * @typedef {{ name: string, type: boolean, line: number }} Export
 */

const typeWords = new Set(['interface', 'type'])
const declarers = new Set(['const', 'let', 'var', 'function', 'class', 'interface', 'type', 'enum', 'namespace'])
const modifiers = new Set(['async', 'abstract', 'declare', '*'])

/** @param {Token[]} tokens @returns {{ imports: Import[], exports: Export[] }} */
export function modulesOf(tokens) {
  /** @type {Import[]} */
  const imports = []
  /** @type {Export[]} */
  const exports = []
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    if (token.kind !== 'word' || isMember(tokens, i)) continue
    if (token.text === 'import') imports.push(...importAt(tokens, i))
    else if (token.text === 'export') exportAt(tokens, i, { imports, exports })
    else if (token.text === 'require' && is(tokens[i + 1], '(')) imports.push(called(tokens, i + 1, 'dynamic'))
    else if (token.text === 'URL' && is(tokens[i + 1], '(')) imports.push(...workerAt(tokens, i))
  }
  imports.push(...builtinCalls(tokens))
  return { imports, exports }
}

function is(token, text) {
  return token?.kind !== 'string' && token?.text === text
}

/** `a.import` and `{ import: 1 }` are names, not statements. */
function isMember(tokens, i) {
  return is(tokens[i - 1], '.') || is(tokens[i - 1], '?.') || is(tokens[i + 1], ':')
}

function importAt(tokens, i) {
  const next = tokens[i + 1]
  if (is(next, '.')) return []
  if (is(next, '(')) return [called(tokens, i + 1, 'dynamic')]
  const line = tokens[i].line
  if (next?.kind === 'string') return [{ from: next.text, kind: 'static', typeOnly: false, names: [], line }]
  const typeOnly = is(next, 'type') && !is(tokens[i + 2], 'from') && !is(tokens[i + 2], ',') && !is(tokens[i + 2], '=')
  const clause = clauseAt(tokens, i + (typeOnly ? 2 : 1))
  return clause.from === undefined ? [] : [{ from: clause.from, kind: 'static', typeOnly, names: clause.names, line }]
}

/** Parses `a, { b as c, type d }`, `* as n` up to `from '…'`, or `x = require('…')`. */
function clauseAt(tokens, start) {
  const names = []
  let all = false
  for (let i = start; i < tokens.length; i++) {
    const token = tokens[i]
    if (is(token, 'require') && is(tokens[i + 1], '(')) return { from: tokens[i + 2]?.text, names: 'all', end: i }
    if (is(token, 'from') && tokens[i + 1]?.kind === 'string') return { from: tokens[i + 1].text, names: all ? 'all' : names, end: i }
    if (is(token, '*')) all = true
    else if (is(token, '{')) i = namesAt(tokens, i, names)
    else if (token.kind === 'word' && i === start) names.push('default')
    else if (token.kind === 'string' || is(token, ';') || is(token, '(')) break
  }
  return { from: undefined, names, end: start }
}

/** Collects the outer names of `{ a, b as c, type d }`; returns the index of `}`. */
function namesAt(tokens, open, names) {
  let first = true
  let i = open + 1
  for (; i < tokens.length && !is(tokens[i], '}'); i++) {
    if (is(tokens[i], ',')) first = true
    else if (first && is(tokens[i], 'type') && !is(tokens[i + 1], ',') && !is(tokens[i + 1], '}') && !is(tokens[i + 1], 'as')) continue
    else if (first) {
      names.push(tokens[i].text)
      first = false
    }
  }
  return i
}

function called(tokens, open, kind) {
  const [argument, after] = [tokens[open + 1], tokens[open + 2]]
  const plain = argument?.kind === 'string' && (is(after, ')') || is(after, ','))
  return { from: plain ? argument.text : null, kind, typeOnly: false, names: 'all', line: tokens[open].line }
}

/** `new URL('./file.ts', import.meta.url)`, which names the file of a worker. */
function workerAt(tokens, i) {
  const address = tokens[i + 2]
  const ofThisFile = is(tokens[i + 3], ',') && is(tokens[i + 4], 'import') && is(tokens[i + 6], 'meta') && is(tokens[i + 8], 'url')
  if (!ofThisFile || address?.kind !== 'string' || !/\.[cm]?[jt]s$/.test(address.text)) return []
  return [{ from: address.text, kind: 'worker', typeOnly: false, names: 'all', line: address.line }]
}

/** `process.getBuiltinModule('node:fs')` */
function builtinCalls(tokens) {
  return tokens.flatMap((token, i) => (is(token, 'getBuiltinModule') && is(tokens[i + 1], '(') ? [called(tokens, i + 1, 'dynamic')] : []))
}

function exportAt(tokens, i, found) {
  const line = tokens[i].line
  let at = i + 1
  if (is(tokens[at], 'type') && (is(tokens[at + 1], '{') || is(tokens[at + 1], '*'))) at++
  if (is(tokens[at], '{') || is(tokens[at], '*')) return listAt(tokens, at, { ...found, line, typeOnly: at > i + 1 })
  if (is(tokens[at], 'default')) return found.exports.push({ name: 'default', type: false, line })
  while (modifiers.has(tokens[at]?.text)) at++
  const word = tokens[at]
  if (word === undefined || !declarers.has(word.text)) return
  const name = is(tokens[at + 1], '*') ? tokens[at + 2] : tokens[at + 1]
  if (name?.kind === 'word' && !(is(word, 'const') && is(name, 'enum'))) found.exports.push({ name: name.text, type: typeWords.has(word.text), line })
  else if (is(name, '{')) bound(tokens, at + 1).forEach((n) => found.exports.push({ name: n, type: false, line }))
}

/** `export { a as b }`, `export { a } from '…'`, `export * from '…'` */
function listAt(tokens, at, { imports, exports, line, typeOnly }) {
  const names = []
  const end = is(tokens[at], '{') ? namesAt(tokens, at, names) : at
  const source = tokens.slice(end, end + 5).findIndex((t) => is(t, 'from'))
  const from = source < 0 ? undefined : tokens[end + source + 1]
  if (from?.kind === 'string') imports.push({ from: from.text, kind: 're-export', typeOnly, names: is(tokens[at], '*') ? 'all' : names, line })
  else outerNames(tokens, at, end).forEach((name) => exports.push({ name, type: typeOnly, line }))
}

function outerNames(tokens, open, close) {
  return tokens.slice(open + 1, close).flatMap((t, k, list) => (t.kind === 'word' && (list[k + 1] === undefined || is(list[k + 1], ',')) ? [t.text] : []))
}

/** The names that `const { a, b: c } = …` binds, one level deep. */
function bound(tokens, open) {
  const names = []
  for (let i = open + 1; i < tokens.length && !is(tokens[i], '}'); i++) if (tokens[i].kind === 'word' && (is(tokens[i + 1], ',') || is(tokens[i + 1], '}'))) names.push(tokens[i].text)
  return names
}
