import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Script } from 'node:vm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type * as Loading from './loading.ts'

// The exports of that file.
const { load, loaderOf, readCompiled, writeCompiled } = createRequire(import.meta.url)('../../bin/load.js') as typeof Loading

const files = {
  'main/cli.js': `const { twice } = require('../chunks/twice.js')
exports.four = () => twice(2)
exports.failure = () => new Error('here')
exports.other = () => require('../import.cjs')('node:path')
exports.packaged = () => require('commander').Command.name
exports.place = __filename`,
  'chunks/twice.js': `exports.early = require('../main/cli.js').four
exports.twice = (x) => 2 * x`,
  'import.cjs': 'module.exports = (id) => import(id)',
}

let folder: string
beforeEach(() => {
  // Below the project, so that its packages are found.
  folder = mkdtempSync(join(import.meta.dirname, '../../node_modules/.trawl-load-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The exports of the files, and for each file whether V8 accepted the cached code; null if it was not given any. */
function loaded(): { readonly four: unknown; readonly taken: Readonly<Record<string, boolean>> } | null {
  const compiled = readCompiled(folder)
  if (compiled === null) return null
  const taken: Record<string, boolean> = {}
  const cli = loaderOf(folder, compiled, (name, script) => (taken[name] = script.cachedDataRejected === false))('main/cli.js')
  return { four: cli['four']?.(), taken }
}

function compile(): string {
  const scripts: [string, Script][] = []
  loaderOf(folder, { codes: new Map(), since: 0 }, (name, script) => scripts.push([name, script]))('main/cli.js')['four']?.()
  writeCompiled(folder, scripts)
  return join(folder, readdirSync(folder).find((name) => name.startsWith('compiled-')) ?? '')
}

const all = { 'main/cli.js': true, 'chunks/twice.js': true }

it('uses the cached code, and loads as Node does without it', () => {
  expect(loaded()).toBe(null)
  expect(load(folder, 'main/cli.js')['four']?.()).toBe(4)
  compile()
  expect(loaded()).toEqual({ four: 4, taken: all })
  expect(load(folder, 'main/cli.js')['four']?.()).toBe(4)
})

it.each([0, 31, 32, 40, 400, -1])('gives V8 no cached code of a file whose byte at %i has changed', (at) => {
  const path = compile()
  const bytes = readFileSync(path)
  const place = (at + bytes.length) % bytes.length
  bytes[place] = (bytes[place] ?? 0) ^ 1
  writeFileSync(path, bytes)
  expect(loaded()).toBe(null)
})

it.each([['cut short', (path: string) => truncateSync(path, 500)], ['empty', (path: string) => truncateSync(path, 0)], ['longer', (path: string) => appendFileSync(path, 'x')], ['of another Node, or of one with other flags', (path: string) => renameSync(path, `${path}0`)], ['not to be read', (path: string) => (rmSync(path), mkdirSync(path))]])(
  'gives V8 nothing of a file that is %s',
  (_, change) => {
    change(compile())
    expect(loaded()).toBe(null)
  },
)

it('compiles a source that has changed but kept its length, and uses the cached code of the others', () => {
  const { mtimeMs } = statSync(compile())
  const path = join(folder, 'chunks/twice.js')
  writeFileSync(path, files['chunks/twice.js'].replace('2 * x', '3 * x'))
  utimesSync(path, mtimeMs / 1000 + 1, mtimeMs / 1000 + 1)
  expect(loaded()).toEqual({ four: 6, taken: { ...all, 'chunks/twice.js': false } })
})

it('compiles a source whose length has changed', () => {
  compile()
  writeFileSync(join(folder, 'chunks/twice.js'), files['chunks/twice.js'].replace('2 * x', '30 * x'))
  utimesSync(join(folder, 'chunks/twice.js'), 1, 1)
  expect(loaded()).toEqual({ four: 60, taken: { ...all, 'chunks/twice.js': false } })
})

it('works in a folder that was moved, and reports file and line of an error', async () => {
  compile()
  const moved = `${folder}-moved`
  renameSync(folder, moved)
  folder = moved
  expect(loaded()).toEqual({ four: 4, taken: all })
  const cli = load(folder, 'main/cli.js')
  expect([cli['place'], await cli['other']?.(), cli['packaged']?.()]).toMatchObject([join(moved, 'main/cli.js'), { sep: '/' }, 'Command'])
  const error: Error = cli['failure']?.()
  expect(error.stack).toContain('(dist/main/cli.js:3:25)')
})

it('loads a file once, and again if it failed', () => {
  compile()
  const inFolder = loaderOf(folder, { codes: new Map(), since: 0 })
  expect(inFolder('main/cli.js')).toBe(inFolder('main/cli.js'))
  writeFileSync(join(folder, 'main/bad.js'), 'throw new Error("first")')
  expect(() => inFolder('main/bad.js')).toThrow('first')
  writeFileSync(join(folder, 'main/bad.js'), 'exports.good = true')
  expect(inFolder('main/bad.js')).toEqual({ good: true })
})
