/**
 * The import borders and conventions of `src`, as rules over its files.
 *
 * @typedef {{ rule: string, path: string, line: number, message: string, level: 'error' | 'warning' }} Finding
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { builtinModules } from 'node:module'
import * as table from './border-table.mjs'
import { isBalanced } from './lexer.mjs'
import { functionSizes } from './functions.mjs'
import { filesBelow, readSource, trackedFiles } from './tree.mjs'
import { checkProject } from './project-rules.mjs'

/** Checks the tree below `root`. @returns {Finding[]} sorted by file and line */
export function checkTree(root) {
  const sources = filesBelow(root, 'src')
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readSource(root, path))
  const manifest = readManifest(root)
  const product = sources.filter((source) => !source.test)
  const findings = [
    ...sources.flatMap((source) => inAnyFile(source)),
    ...product.flatMap((source) => [...imports(source, manifest), ...words(source), ...sizes(source)]),
    ...cycles(product),
    ...deadExports(product, namesInScripts(root)),
    ...checkProject(root, { tracked: trackedFiles(root), manifest }),
  ]
  return findings.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line || a.rule.localeCompare(b.rule))
}

function readManifest(root) {
  const file = join(root, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

function error(rule, source, line, message) {
  return { rule, path: source.path, line, message, level: 'error' }
}

function warning(rule, source, line, message) {
  return { rule, path: source.path, line, message, level: 'warning' }
}

/** The rules that also apply to tests. */
function inAnyFile(source) {
  const found = []
  if (source.folder !== table.joiner && !(source.folder in table.may)) found.push(error('unknown-folder', source, 1, `src/${source.folder} is not in the table of folders`))
  if (source.path.split('/').length === 2 && source.path !== 'src/index.ts') found.push(error('unknown-folder', source, 1, 'only index.ts may lie directly in src'))
  if (!isBalanced(source.tokens)) found.push(error('unreadable', source, 1, 'the check cannot read this file: a bracket has no partner'))
  for (const one of source.imports) {
    if (one.to === null) found.push(error('unresolved-import', source, one.line, `${one.from} leads to no file (endings are written out: .ts)`))
  }
  return found
}

function imports(source, manifest) {
  return source.imports.flatMap((one) => {
    if (one.from === null) return [error('computed-import', source, one.line, 'an import computed at run time cannot be checked')]
    if (one.to === undefined) return outside(source, one, manifest)
    return one.to === null ? [] : inside(source, one)
  })
}

/** An import of another file of this project. */
function inside(source, { to, line }) {
  if (!to.startsWith('src/')) return [error('outside-src', source, line, `product code imports ${to}`)]
  const found = []
  if (/\.(test|contract)\.ts$/.test(to) || to.includes('/testing/')) found.push(error('test-in-product', source, line, `product code imports ${to}`))
  const [folder] = to.slice('src/'.length).split('/')
  const other = to.split('/').length === 2 ? table.joiner : folder
  const allowed = source.folder === table.joiner || other === source.folder || table.may[source.folder]?.includes(other)
  if (!allowed) found.push(error('border', source, line, `${source.folder} may not import ${other} (${to})`))
  if (other !== source.folder && table.adapters.includes(other) && to !== `src/${other}/index.ts`) found.push(error('door', source, line, `${to} is inside an adapter: import src/${other}/index.ts`))
  if (ownIndex(source.path, to)) found.push(error('own-index', source, line, `${to} is the door of this file's own folder`))
  return found
}

function ownIndex(path, to) {
  const door = posix.dirname(to)
  return posix.basename(to) === 'index.ts' && door !== 'src' && path !== to && `${posix.dirname(path)}/`.startsWith(`${door}/`)
}

/** An import of a package or a Node module. */
function outside(source, one, manifest) {
  const name = packageName(one.from)
  const builtin = builtinName(one.from)
  const found = []
  if (builtin !== undefined && table.pure.includes(source.folder) && !table.harmless.includes(builtin)) found.push(error('io-in-pure', source, one.line, `${source.folder} does no I/O: ${one.from}`))
  if (table.sockets.includes(builtin ?? name) && !maySocket(source, one, builtin ?? name)) found.push(error('socket', source, one.line, `only ${table.dialers.join(' and ')} open sockets: ${one.from}`))
  for (const { pattern, folder } of table.confined) {
    if ((pattern.test(name) || pattern.test(one.from)) && source.folder !== folder) found.push(error('confined-package', source, one.line, `${name} belongs to ${folder}`))
  }
  if (builtin === 'process' && source.path !== table.settingsFile) found.push(error('environment', source, one.line, `only ${table.settingsFile} reads the environment; \`process\` is a global for the rest`))
  if (builtin === undefined && !(name in { ...manifest.dependencies, ...manifest.optionalDependencies })) found.push(error('undeclared-package', source, one.line, `${name} is ${name in { ...manifest.devDependencies } ? 'only among the devDependencies' : 'not among the dependencies'} of package.json`))
  return found
}

function maySocket(source, one, module) {
  if (table.dialers.includes(source.folder)) return true
  return one.names !== 'all' && one.names.length > 0 && one.names.every((name) => table.passive[module]?.includes(name))
}

/** The name of a Node module without `node:`; undefined for packages. */
function builtinName(from) {
  if (from.startsWith('node:')) return from.slice('node:'.length)
  return builtinModules.includes(from) ? from : undefined
}

function packageName(from) {
  return from.split('/').slice(0, from.startsWith('@') ? 2 : 1).join('/')
}

/** Globals that a folder must not use, found by their tokens. */
function words(source) {
  const { tokens, folder } = source
  return tokens.flatMap((token, i) => {
    if (token.kind !== 'word') return []
    const found = []
    if (token.text === 'process' && member(tokens, i) === 'env' && source.path !== table.settingsFile) found.push(error('environment', source, token.line, `only ${table.settingsFile} reads the environment`))
    if (table.timeless.includes(folder) && readsClock(tokens, i)) found.push(error('clock', source, token.line, `${folder} gets time and chance from outside: ${token.text}`))
    if (!table.dialers.includes(folder) && table.dialingGlobals.includes(token.text) && isGlobalUse(tokens, i) && calls(tokens, i)) found.push(error('socket', source, token.line, `only ${table.dialers.join(' and ')} open sockets: ${token.text}`))
    if (token.text === 'as' && assertsWithoutReason(source, i)) found.push(warning('assertion', source, token.line, '`as` needs a reason in a comment on its line'))
    return found
  })
}

function text(token) {
  return token === undefined || token.kind === 'string' ? undefined : token.text
}

/** The member that the word at `i` is accessed with: `a.b`, `a?.b`, `a['b']`. */
function member(tokens, i) {
  const dot = text(tokens[i + 1])
  if (dot === '.' || dot === '?.') return text(tokens[i + 2]) === '[' ? tokens[i + 3]?.text : tokens[i + 2]?.text
  return dot === '[' && tokens[i + 2]?.kind === 'string' ? tokens[i + 2].text : undefined
}

function readsClock(tokens, i) {
  const word = tokens[i].text
  if (!isGlobalUse(tokens, i)) return false
  if (word === 'Date') {
    if (member(tokens, i) === 'now') return true
    // `new Date(value)` only converts; `new Date()`, `new Date` and `Date()` read the clock.
    const made = text(tokens[i - 1]) === 'new'
    const empty = text(tokens[i + 1]) === '(' ? text(tokens[i + 2]) === ')' : made
    return empty && (made || text(tokens[i + 1]) === '(')
  }
  if (word === 'Math') return member(tokens, i) === 'random'
  if (word === 'performance') return member(tokens, i) === 'now' || member(tokens, i) === 'timeOrigin'
  return ['setTimeout', 'setInterval', 'setImmediate'].includes(word)
}

/** False for `clock.setTimeout`, `{ fetch: … }` and `fetch?: …`; true for `globalThis.fetch`. */
function isGlobalUse(tokens, i) {
  const before = text(tokens[i - 1])
  if (before === '.' || before === '?.') return ['globalThis', 'window', 'global'].includes(text(tokens[i - 2]))
  return text(tokens[i + 1]) !== ':' && !(text(tokens[i + 1]) === '?' && text(tokens[i + 2]) === ':')
}

/** `fetch(…)` calls; `fetch(order, call): Promise<…>` and `async fetch(order) {` declare a method. */
function calls(tokens, i) {
  if (text(tokens[i - 1]) === 'new') return true
  if (text(tokens[i + 1]) !== '(' || ['async', 'function', 'readonly', '*'].includes(text(tokens[i - 1]))) return false
  let depth = 0
  for (let at = i + 1; at < tokens.length; at++) {
    if (['(', '[', '{', '${'].includes(text(tokens[at]))) depth++
    if ([')', ']', '}', '}$'].includes(text(tokens[at])) && --depth === 0) return !declares(tokens, i, at)
  }
  return true
}

function declares(tokens, name, close) {
  const after = text(tokens[close + 1])
  if (after === '{') return true
  return after === ':' && ['{', ';', ',', '}', ')'].includes(text(tokens[name - 1])) || (after === ':' && tokens[name - 1]?.line !== tokens[name].line)
}

function assertsWithoutReason(source, i) {
  const { tokens } = source
  const [before, token, after] = [tokens[i - 1], tokens[i], tokens[i + 1]]
  const value = before?.kind !== 'sign' || [')', ']', '}', '!'].includes(before.text)
  if (!value || before === undefined || after === undefined || text(after) === 'const' || inModuleList(tokens, i)) return false
  if (!(after.kind === 'word' || after.kind === 'string' || ['{', '[', '('].includes(after.text)) || before.line !== token.line) return false
  return !/\/[/*]/.test(source.text.split('\n', token.line).at(-1) ?? '')
}

/** Whether the word at `i` is in the braces of an import or export statement. */
function inModuleList(tokens, i) {
  let at = i - 1
  while (at > 0 && !['{', '}', '(', ')', ';'].includes(text(tokens[at]))) at--
  if (text(tokens[at]) !== '{') return false
  const [last, second, third] = [tokens[at - 1], tokens[at - 2], tokens[at - 3]].map(text)
  return ['import', 'export'].includes(last) || (['type', ','].includes(last) && ['import', 'export'].includes(last === ',' ? third : second))
}

function sizes(source) {
  const lines = source.text.split('\n').length - (source.text.endsWith('\n') ? 1 : 0)
  const found = []
  const generated = source.text.startsWith('// Generated by ')
  if (!generated && !table.tables.includes(source.path)) {
    found.push(...tooLong({ source, line: 1, lines, limit: source.folder === 'lib' ? table.limits.libFile : table.limits.file, rule: 'file-size', what: 'the file' }))
  }
  if (!generated) for (const one of functionSizes(source.tokens)) found.push(...tooLong({ source, ...one, limit: table.limits.function, rule: 'function-size', what: `function ${one.name}` }))
  return found
}

function tooLong({ source, line, lines, limit, rule, what }) {
  if (lines <= limit) return []
  const report = lines > 2 * limit ? error : warning
  return [report(rule, source, line, `${what} has ${lines} lines; the limit is ${limit}, ${2 * limit} fails`)]
}

/** One finding per cycle of files that import each other, type imports included. */
function cycles(sources) {
  const edges = new Map(sources.map((source) => [source.path, source.imports.filter((one) => one.kind !== 'worker' && typeof one.to === 'string').map((one) => one.to)]))
  return rings(edges).map((ring) => ({ rule: 'cycle', path: ring[0], line: 1, level: 'error', message: `files import each other: ${[...ring, ring[0]].join(' → ')}` }))
}

/** Depth-first search without recursion; every edge back to a file on the current path is a cycle. */
function rings(edges) {
  const done = new Set()
  const found = new Map()
  for (const start of edges.keys()) {
    const way = [{ path: start, next: 0 }]
    while (way.length > 0) {
      const here = way.at(-1)
      const to = done.has(here.path) ? undefined : (edges.get(here.path) ?? [])[here.next++]
      if (to === undefined) {
        done.add(here.path)
        way.pop()
        continue
      }
      const at = way.findIndex((step) => step.path === to)
      if (at >= 0) keep(found, way.slice(at).map((step) => step.path))
      else if (!done.has(to)) way.push({ path: to, next: 0 })
    }
  }
  return [...found.values()]
}

function keep(found, ring) {
  const first = ring.indexOf([...ring].sort()[0])
  const turned = [...ring.slice(first), ...ring.slice(0, first)]
  found.set(turned.join('\n'), turned)
}

/**
 * The names that scripts use of the compiled service. They load its files at run time, so only names can be compared.
 */
function namesInScripts(root) {
  const scripts = filesBelow(root, 'scripts').filter((path) => path.endsWith('.mjs'))
  const taken = scripts.flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(/^(?:import|.*const) \{([^}]*)\} (?:from|= await)/gm)])
  return new Set(taken.flatMap(([, names]) => names.split(',').map((name) => name.trim())))
}

/**
 * Exports that no other product file and no script uses. Exports of `index.ts` files and of `main` are used from
 * outside.
 */
function deadExports(sources, inScripts) {
  const taken = new Map()
  for (const { imports: list } of sources) {
    for (const one of list) if (typeof one.to === 'string') taken.set(one.to, [...(taken.get(one.to) ?? []), ...(one.names === 'all' ? ['*'] : one.names)])
  }
  return sources
    .filter((source) => source.folder !== table.joiner && posix.basename(source.path) !== 'index.ts')
    .flatMap((source) => {
      const names = [...(taken.get(source.path) ?? []), ...inScripts]
      if (names.includes('*')) return []
      return source.exports.filter((one) => !names.includes(one.name) && !(one.type && usedAtHome(source, one))).map((one) => warning('dead-export', source, one.line, `nothing in src imports ${one.name}`))
    })
}

/** A type in an exported signature must be exported, too. */
function usedAtHome(source, { name }) {
  return source.tokens.filter((token) => token.kind === 'word' && token.text === name).length > 1
}
