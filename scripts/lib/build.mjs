/** Bundles `src` into `dist` if something has changed. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { precompile } from './precompile.mjs'
import { root } from './run.mjs'

const stamp = 'dist/.sources'

/**
 * The modules that are started from `dist` by name: the command line, and modules that tests and tools of this project
 * load. `filesBeside` finds the files that the code itself names by `new URL('./x.js', import.meta.url)`.
 */
const entries = ['main/cli', 'main/settings/settings', 'main/version', 'spec/errors', 'spec/routes', 'http/openapi', 'http/docs/curl', 'content/reading', 'content/main-content/learned/training', 'compute/run', 'app/scrape/findable', 'app/search/own', 'domain/pages/packed', 'domain/search/search-query', 'content/passages/rank', 'content/passages/blocks', 'formats/fill/index', 'net/index', 'browser/index', 'browser/chromium/launch', 'browser/protocol/wire', 'parsers/index', 'store/index']

/**
 * Packages that every start needs, with their dependencies: bundled with our code, they make the start 40 % cheaper.
 */
const inlined = new Set(['@ai-sdk/provider', 'chardet', 'commander', 'css-select', 'css-what', 'domhandler', 'domutils', 'fastify', 'htmlparser2', 'iconv-lite', 'ipaddr.js', 'jsonrepair', 'prom-client', 're2js', 'tldts', 'uuid', 'zod'])
/** Packages that Fastify only loads for features that we do not use: bundled, every start would read them. */
const apart = new Set(['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request', 'pino'])

const packageOf = (id) => id.split('/', id.startsWith('@') ? 2 : 1).join('/')

/** Whether an import is resolved at run time. */
function stays(id, importer = '') {
  if (id.startsWith('.') || id.startsWith('/')) return false
  return apart.has(packageOf(id)) || !(inlined.has(packageOf(id)) || importer.includes('/node_modules/'))
}

/** Builds if `dist` was not made from the current sources; returns an exit code. */
export async function buildIfStale() {
  return isBuilt() ? 0 : build()
}

function isBuilt() {
  const file = join(root, stamp)
  return existsSync(file) && existsSync(join(root, 'dist/main/cli.js')) && readFileSync(file, 'utf8') === fingerprint()
}

/**
 * Builds; returns an exit code. A failed build leaves the previous one without a stamp, so the next start builds again.
 */
export async function build() {
  console.log('Building …')
  // Computed before bundling: a file saved in the meantime makes the build stale, as it should.
  const print = fingerprint()
  const made = join(root, `dist.${process.pid}`)
  try {
    rmSync(join(root, stamp), { force: true })
    // Where nothing may be written, this says so in one sentence.
    mkdirSync(made, { recursive: true })
    await bundle(made)
    // In the same folder as the bundle, so that both are deleted together.
    await precompile(made)
    writeFileSync(join(made, '.sources'), print)
    rmSync(join(root, 'dist'), { recursive: true, force: true })
    renameSync(made, join(root, 'dist'))
    return 0
  } catch (error) {
    console.error(`The build failed: ${error instanceof Error ? error.message : error}`)
    return 1
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

async function bundle(folder) {
  // Loaded late: the packages may not be installed yet, and an up-to-date build does not need them.
  const [{ rolldown }, { spreads }] = await Promise.all([import('rolldown'), import('./spreads.mjs')])
  const bundled = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(root, 'src', `${name}.ts`)])),
    platform: 'node',
    external: stays,
    plugins: [filesBeside, stamped, importing, spreads],
  })
  // All output is one level deep, so that paths relative to the root are the same for each file. CommonJS, because only
  // that can use V8's code cache. ASCII, because one character beyond Latin-1, even in a comment, makes V8 read and
  // keep the whole file in twice the memory.
  const { output } = await bundled.write({ dir: folder, format: 'cjs', charset: 'ascii', comments: { jsdoc: false }, sourcemap: true, entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js', assetFileNames: 'files/[name]-[hash][extname]' })
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n')
  writeFileSync(join(folder, importFile), 'module.exports = (id) => import(id)\n')
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), notices(output.flatMap((file) => file.moduleIds ?? [])))
}

/** The licences of the packages that the modules belong to: their terms require them wherever the code goes. */
function notices(modules) {
  const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []))
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
      return `${name} ${version} (${license})\n\n${file === undefined ? 'See the package.' : readFileSync(join(folder, file), 'utf8').trim()}\n`
    })
    .join(`\n${'-'.repeat(72)}\n\n`)
}

/** Copies the files of a folder; returns the reference of one of them. */
function emitFolder(context, folder) {
  const to = join('files', relative(join(root, 'src'), folder))
  const refs = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile()).map(({ name }) => context.emitFile({ type: 'asset', fileName: join(to, name), source: readFileSync(join(folder, name)) }))
  return refs[0]
}

/**
 * Includes what a module starts or reads by `new URL('./x', import.meta.url)`: a module of ours becomes an entry, any
 * other file is copied, and so are the files of a folder (`./x/`).
 */
const filesBeside = {
  name: 'files-beside',
  transform(code, id) {
    if (!id.startsWith(join(root, 'src'))) return null
    const named = /new URL\('(\.\/[\w./-]+)', import\.meta\.url\)/g
    if (!named.test(code)) return null
    // Line numbers do not change, so the source map stays valid.
    const replaced = code.replace(named, (_, path) => {
      const file = join(dirname(id), path)
      if (path.endsWith('/')) return `new URL('.', import.meta.ROLLUP_FILE_URL_${emitFolder(this, file)})`
      const source = file.replace(/\.js$/, '.ts')
      const name = relative(join(root, 'src'), file).replace(/\.js$/, '')
      const ref = existsSync(source) && source !== file ? this.emitFile({ type: 'chunk', id: source, name, fileName: `${name}.js` }) : this.emitFile({ type: 'asset', name, source: readFileSync(file) })
      return `new URL(import.meta.ROLLUP_FILE_URL_${ref})`
    })
    return { code: replaced, map: null }
  },
}

/** The only file of `dist` with dynamic imports, which Node itself has to load. */
const importFile = 'import.cjs'

/** Makes dynamic imports of packages go through that file: a script from the code cache cannot import. */
const importing = {
  name: 'importing',
  renderChunk: (code, chunk) => ({ code: code.replace(/\bimport\((?="[^"]+"\))/g, `require("${relative(dirname(`/${chunk.fileName}`), `/${importFile}`)}")(`), map: null }),
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
    .sort()
}

/** Writes the version of the content code into `version.ts`. */
const stamped = {
  name: 'stamped',
  transform: (code, id) => (id === join(root, 'src/content/version.ts') ? { code: code.replace("'unbuilt'", `'${contentVersion()}'`), map: null } : null),
}

const productFiles = (folder) => filesBelow(folder).filter((path) => !/\.(test|contract)\.ts$/.test(path) && !path.endsWith('.md'))

/** A hash of the product files of `src` and of everything that determines how they are bundled. */
const fingerprint = () => hashOf(['package-lock.json', 'tsconfig.json', 'bin/load.js', ...['build', 'precompile', 'precompile-run', 'spreads'].map((name) => `scripts/lib/${name}.mjs`), ...productFiles('src')])

/**
 * A hash of everything that determines what is read from a page: a newer version must not return what an older one has
 * derived.
 */
const contentVersion = () => hashOf(['package-lock.json', ...['lib', 'domain', 'content', 'formats', 'parsers', 'compute'].flatMap((folder) => productFiles(`src/${folder}`))])

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    const file = join(root, path)
    hash.update(`${path}\0`).update(existsSync(file) ? readFileSync(file) : '').update('\0')
  }
  return hash.digest('hex')
}
