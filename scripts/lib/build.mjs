/** Compiling `src` into `dist`, only when something has changed. */
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, run } from './run.mjs'

const stamp = 'dist/.sources'

/** Builds when `dist` does not stem from the present sources; answers an exit code. */
export async function buildIfStale() {
  return isBuilt() ? 0 : build()
}

function isBuilt() {
  const file = join(root, stamp)
  return existsSync(file) && existsSync(join(root, 'dist/main/cli.js')) && readFileSync(file, 'utf8') === fingerprint()
}

/** Builds; answers an exit code. A build that fails leaves no stamp, so the next start builds again. */
export async function build() {
  console.log('Building …')
  rmSync(join(root, stamp), { force: true })
  // Taken before compiling: a file saved meanwhile makes the build stale, as it should.
  const print = fingerprint()
  const code = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'])
  if (code !== 0) return code
  const sources = productFiles()
  for (const path of sources.filter((one) => !one.endsWith('.ts'))) copy(path)
  removeStale(sources)
  writeFileSync(join(root, stamp), print)
  return 0
}

/** Files of `src` that belong to the product; the compiler handles `.ts`, the rest (SQL, pages) is copied. */
function productFiles() {
  return filesBelow('src').filter((path) => !/\.(test|contract)\.ts$/.test(path) && !path.endsWith('.md'))
}

function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
    .sort()
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const path of ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', ...productFiles()]) {
    const file = join(root, path)
    hash.update(`${path}\0`).update(existsSync(file) ? readFileSync(file) : '').update('\0')
  }
  return hash.digest('hex')
}

function outputOf(path) {
  return path.replace(/^src/, 'dist')
}

function copy(path) {
  const to = join(root, outputOf(path))
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(join(root, path), to)
}

/** Removes what no source explains any more: a renamed module must not be found under its old name. */
function removeStale(sources) {
  const wanted = new Set(sources.flatMap((path) => (path.endsWith('.ts') ? [outputOf(path).replace(/\.ts$/, '.js'), outputOf(path).replace(/\.ts$/, '.js.map')] : [outputOf(path)])))
  for (const path of filesBelow('dist')) if (!wanted.has(path)) rmSync(join(root, path))
  removeEmpty('dist')
}

function removeEmpty(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) if (entry.isDirectory()) removeEmpty(`${folder}/${entry.name}`)
  if (folder !== 'dist' && readdirSync(join(root, folder)).length === 0) rmdirSync(join(root, folder))
}
