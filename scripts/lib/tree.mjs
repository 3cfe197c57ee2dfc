/** Reads the source tree: its files, and their imports. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { tokensOf } from './lexer.mjs'
import { modulesOf } from './modules.mjs'

/** The files below `folder`, as sorted paths from `root` with `/`; empty if the folder does not exist. */
export function filesBelow(root, folder) {
  const start = join(root, folder)
  if (!existsSync(start)) return []
  return readdirSync(start, { withFileTypes: true })
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(root, path)
      return entry.isFile() ? [path] : []
    })
    .sort()
}

/** The files that git tracks or would add; without git, all files of the usual folders. */
export function trackedFiles(root) {
  try {
    const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    if (existsSync(join(root, '.git'))) return list.split('\0').filter((path) => path !== '' && isFile(join(root, path)))
  } catch {
    // Not a clone (a source archive): the walk below finds the same files.
  }
  const skipped = new Set(['node_modules', 'dist', 'data', 'coverage', '.git', '.cache'])
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isFile()) return [entry.name]
    return entry.isDirectory() && !skipped.has(entry.name) ? filesBelow(root, entry.name) : []
  })
}

function isFile(path) {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Tests, contract suites and their helpers. */
export function isTest(path) {
  return /\.(test|contract)\.ts$/.test(path) || path.includes('/testing/')
}

/** Reads and parses a file of `src`. */
export function readSource(root, path) {
  const text = readFileSync(join(root, path), 'utf8')
  const tokens = tokensOf(text)
  const { imports, exports } = modulesOf(tokens)
  return { path, text, tokens, exports, folder: folderOf(path), test: isTest(path), imports: imports.map((one) => ({ ...one, to: target(root, path, one) })) }
}

/** The folder of `src` that a file is in; a file directly in `src` counts as `main`. */
export function folderOf(path) {
  const parts = path.split('/')
  return parts.length === 2 ? 'main' : parts[1]
}

/** The file that a relative import resolves to; null if there is none, undefined for a package or Node module. */
function target(root, path, { from, kind }) {
  if (from === null || !from.startsWith('.')) return undefined
  const plain = posix.normalize(posix.join(posix.dirname(path), from))
  // A worker is named by its file after the build.
  const wanted = kind === 'worker' ? [plain, plain.replace(/\.js$/, '.ts')] : [plain]
  return wanted.find((one) => isFile(join(root, one))) ?? null
}
