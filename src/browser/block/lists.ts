import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { LogFields } from '../../domain/call.ts'
import type { Asked, Matcher } from './requests.ts'

export interface ListOptions {
  /** `auto`: the lists of an installed system package; `off`: none; otherwise a folder with `*.txt` files. */
  readonly lists: string
  /** Where the compiled lists are stored. Lists in its subfolder `lists` are used as well, whoever put them there. */
  readonly folder: string
  log(event: string, fields?: LogFields): void
}

/** Filter lists in EasyList syntax, installed on the system as data. */
export interface FilterLists {
  /** Null until the lists are loaded, and when there are none; the first call starts loading them. */
  matcher(): Matcher | null
  /** Resolves once the lists are loaded, or it is known that there are none. */
  ready(): Promise<void>
  close(): Promise<void>
}

const packaged = '/usr/share/chromium/extensions/ublock-origin/assets'
const packagedLists = ['thirdparties/easylist/easylist.txt', 'thirdparties/easylist/easyprivacy.txt', 'ublock/filters.min.txt', 'ublock/badware.min.txt', 'ublock/unbreak.min.txt']

/** Finds, compiles and stores the lists: seconds of work once, in a thread; milliseconds after that. */
export function filterLists(options: ListOptions): FilterLists {
  let match: Matcher | null = null
  let worker: Worker | null = null
  let loading: Promise<void> | null = null

  async function load(): Promise<void> {
    const files = options.lists === 'off' ? [] : await listFiles(options)
    if (files.length === 0) return
    const compiled = join(options.folder, `filters-${await keyOf(files)}.bin`)
    if ((await bytesOf(compiled)) === null) await compile(files, compiled)
    const bytes = await bytesOf(compiled)
    if (bytes === null) return
    match = await matcherOf(bytes).catch(async (error: unknown) => {
      // Made by another version of the library, or broken: the next start compiles it again.
      await rm(compiled, { force: true })
      throw error
    })
    options.log('filter-lists-loaded', { lists: files.length, bytes: bytes.length })
  }

  async function compile(files: readonly string[], compiled: string): Promise<void> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 })
    const library = pathToFileURL(createRequire(import.meta.url).resolve('@ghostery/adblocker')).href
    const thread = new Worker(compiler, { eval: true, workerData: { library, files, compiled }, resourceLimits: { maxOldGenerationSizeMb: 768 } })
    worker = thread
    thread.unref()
    await new Promise<void>((resolve, reject) => {
      thread.once('error', reject)
      thread.once('exit', () => resolve())
    })
    worker = null
  }

  const start = (): Promise<void> =>
    (loading ??= load().catch((error: unknown) => options.log('filter-lists-not-loaded', { why: error instanceof Error ? error.name : 'unknown' })))

  return {
    matcher() {
      void start()
      return match
    },
    ready: start,
    close: async () => void (await worker?.terminate()),
  }
}

// Source text, so that it is the same from source and from the built package. The result is renamed when complete, so that
// no partial file is ever read.
const compiler = `
const { workerData: { library, files, compiled } } = require('node:worker_threads')
const { readFileSync, renameSync, writeFileSync } = require('node:fs')
import(library).then((loaded) => {
  const { FiltersEngine } = loaded.FiltersEngine ? loaded : loaded.default
  const engine = FiltersEngine.parse(files.map((file) => readFileSync(file, 'utf8')).join('\\n'), { loadCosmeticFilters: false })
  writeFileSync(compiled + '.' + process.pid, engine.serialize(), { mode: 0o600 })
  renameSync(compiled + '.' + process.pid, compiled)
})`

async function listFiles({ lists, folder }: ListOptions): Promise<readonly string[]> {
  const own = await textFiles(join(folder, 'lists'))
  if (lists !== 'auto') return [...(await textFiles(lists)), ...own]
  const found = await Promise.all(packagedLists.map(async (name) => ((await sizeOf(join(packaged, name))) === null ? [] : [join(packaged, name)])))
  return [...found.flat(), ...own]
}

async function textFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith('.txt')).sort().map((name) => join(folder, name))
}

async function sizeOf(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null)
  return found === null || !found.isFile() ? null : `${found.size} ${found.mtimeMs}`
}

const bytesOf = (path: string): Promise<Uint8Array | null> => readFile(path).catch(() => null)

/** A key that changes with every list; the compiled form has its own version check. */
async function keyOf(files: readonly string[]): Promise<string> {
  const lines = await Promise.all(files.map(async (file) => `${file} ${await sizeOf(file)}`))
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
}

const kinds: Readonly<Record<string, 'script' | 'image' | 'xhr' | 'fetch' | 'sub_frame' | 'ping' | 'stylesheet' | 'font' | 'media'>> = {
  Script: 'script', Image: 'image', XHR: 'xhr', Fetch: 'fetch', Document: 'sub_frame', Ping: 'ping', Stylesheet: 'stylesheet', Font: 'font', Media: 'media',
}

async function matcherOf(bytes: Uint8Array): Promise<Matcher> {
  const { FiltersEngine, Request } = await import('@ghostery/adblocker')
  const engine = FiltersEngine.deserialize(bytes)
  return ({ url, kind, pageUrl }: Asked) => engine.match(Request.fromRawDetails({ url, sourceUrl: pageUrl, type: kinds[kind] ?? 'other' })).match
}
