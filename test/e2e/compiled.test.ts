import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { precompile } from '../../scripts/lib/precompile.mjs'
import { startTrawl } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))
// A copy of the build, because these tests damage its compiled code.
const root = mkdtempSync(join(tmpdir(), 'trawl-compiled-'))
const dist = join(root, 'dist')
const compiledIn = (folder: string): readonly string[] => readdirSync(folder).filter((name) => name.startsWith('compiled-'))

/**
 * Loaded before the service: counts the cached code that V8 accepts and rejects, and prints the counts when the process
 * ends.
 */
const counting = `const vm = require('node:vm')
const counts = { taken: 0, rejected: 0 }
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options)
    if (options?.cachedData !== undefined) counts[this.cachedDataRejected ? 'rejected' : 'taken']++
  }
}
if (require('node:worker_threads').isMainThread) process.on('exit', () => console.error('counted ' + JSON.stringify(counts)))`

let site: Site
beforeAll(async () => {
  site = await startSite()
  for (const name of ['bin', 'dist', 'package.json']) cpSync(join(project, name), join(root, name), { recursive: true, filter: (path) => !path.includes('compiled-') })
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'))
  writeFileSync(join(root, 'counting.cjs'), counting)
})
afterAll(async () => {
  await site.close()
  rmSync(root, { recursive: true, force: true })
})

/** Starts the copy and scrapes a page; returns the counts. */
async function counted(options = '', more: Readonly<Record<string, string>> = {}): Promise<{ readonly taken: number; readonly rejected: number }> {
  const trawl = await startTrawl({ root, settings: { TRAWL_CHROMIUM_PATH: '/none', TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', ...more, NODE_OPTIONS: `${options} -r ${join(root, 'counting.cjs')}` } })
  expect((await trawl.scrape({ url: site.url('/article') })).json).toMatchObject({ success: true, data: { markdown: expect.stringContaining('# ') } })
  expect(await trawl.stop()).toBe(0)
  expect(trawl.output()).not.toContain('Warning')
  return JSON.parse(/^counted (.*)$/m.exec(trawl.output())?.[1] ?? '') // printed by the script above
}

it('the build compiles, whatever the environment of the caller, and leaves nothing else behind', { timeout: 40_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-temporary-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  vi.stubEnv('TMPDIR', folder)
  vi.stubEnv('TRAWL_PORT', 'none')
  vi.stubEnv('NODE_OPTIONS', '--max-old-space-size=300')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(compiledIn(dist)).toEqual([])
  expect(await counted()).toEqual({ taken: 0, rejected: 0 })
  expect(await precompile(dist)).toBe(true)
  expect([compiledIn(dist).length, readdirSync(folder)]).toEqual([1, []])
})

it('a start and a scrape use all the compiled code', { timeout: 30_000 }, async () => {
  const { taken, rejected } = await counted()
  expect(taken).toBeGreaterThan(40)
  expect(rejected).toBe(0)
})

it('compiled code is not used with other V8 flags or under profiling, and the service still works', { timeout: 60_000 }, async () => {
  for (const options of ['--stack-trace-limit=20', '--enable-source-maps', `--heap-prof --heap-prof-dir=${root}`]) expect(await counted(options)).toEqual({ taken: 0, rejected: 0 })
  expect(await counted('', { NODE_V8_COVERAGE: join(root, 'coverage') })).toEqual({ taken: 0, rejected: 0 })
})

it('the service works when compiled code is damaged', { timeout: 30_000 }, async () => {
  const path = join(dist, compiledIn(dist)[0] ?? '')
  const bytes = readFileSync(path)
  for (const change of [() => bytes.subarray(0, bytes.length >> 1), () => Buffer.from(bytes.map((byte, i) => (i % 4_000 === 999 ? byte ^ 0xff : byte)))]) {
    writeFileSync(path, change())
    expect(await counted()).toEqual({ taken: 0, rejected: 0 })
  }
})

it('a failed compilation is reported in one line and leaves nothing behind', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const empty = join(root, 'empty')
  mkdirSync(empty)
  expect(await precompile(empty)).toBe(false)
  expect(said.mock.calls).toEqual([[expect.stringMatching(/^Starts will take longer, since nothing was compiled for them: .*ENOENT.*$/)]])
  expect(readdirSync(empty)).toEqual([])
})

it('compiled scripts contain no dynamic import, which would fail there', () => {
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  const imports = names.flatMap((name) => readFileSync(join(dist, name), 'utf8').match(/\bimport\(.*?\)/g) ?? [])
  // In the source text of a worker thread.
  expect(imports).toEqual(['import(library)'])
})
