import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { clean, type Files, findingsIn } from './tree.ts'

/** Strings that the check must not find in this file. */
const slash = '/'
const home = `${slash}home${slash}somebody`
const registry = `https:${slash}${slash}registry.${'npmjs'}.org${slash}`

function lines(count: number): string {
  return Array.from({ length: count }, (_, i) => `  step(${i})`).join('\n')
}

/** Appends statements to a file of the clean project. */
function plus(path: string, text: string): Files {
  return { [path]: `${clean[path] ?? ''}\n${text}\n` }
}

const planted: readonly (readonly [rule: string, what: string, where: string, files: Files])[] = [
  ['border', 'an import upwards', 'src/domain/words.ts', plus('src/domain/words.ts', "import { use } from '../app/use.ts'\nexport const w = use")],
  ['border', 'a type-only import upwards', 'src/domain/words.ts', plus('src/domain/words.ts', "import type { app } from '../http/app.ts'\nexport type W = typeof app")],
  ['border', 'an inline type import', 'src/spec/table.ts', plus('src/spec/table.ts', "import { type Port } from '../domain/words.ts'\nexport type W = Port")],
  ['border', 'a re-export', 'src/lib/text.ts', plus('src/lib/text.ts', "export * from '../spec/table.ts'")],
  ['border', 'a named type re-export', 'src/lib/text.ts', plus('src/lib/text.ts', "export type { Port } from '../domain/words.ts'")],
  ['border', 'a dynamic import', 'src/app/use.ts', plus('src/app/use.ts', "export const late = () => import('../net/index.ts')")],
  ['border', 'a type query import', 'src/app/use.ts', plus('src/app/use.ts', "export type Late = import('../net/index.ts').dial")],
  ['border', 'an import inside a template', 'src/app/use.ts', plus('src/app/use.ts', "export const late = async () => `${await import('../net/index.ts')}`")],
  ['border', 'an import for its effect', 'src/app/use.ts', plus('src/app/use.ts', "import '../net/index.ts'")],
  ['border', 'import = require', 'src/app/use.ts', plus('src/app/use.ts', "import net = require('../net/index.ts')\nexport const n = net")],
  ['border', 'a require call', 'src/app/use.ts', plus('src/app/use.ts', "export const n = require('../net/index.ts')")],
  ['border', 'a worker of another folder', 'src/app/use.ts', plus('src/app/use.ts', "export const w = new Worker(new URL('../net/index.js', import.meta.url))")],
  ['border', 'an escaped address', 'src/app/use.ts', plus('src/app/use.ts', "export const n = import('../\\x6eet/index.ts')")],
  ['border', 'an import after a regular expression with a quote', 'src/app/use.ts', plus('src/app/use.ts', "export const q = /'/.test('a')\nexport const n = import('../net/index.ts')")],
  ['border', 'an import of main', 'src/app/use.ts', plus('src/app/use.ts', "import { service } from '../main/service.ts'\nexport const s = service")],
  ['border', 'compute importing an adapter that is not on its list', 'src/compute/pool.ts', { 'src/compute/pool.ts': "export * from '../net/index.ts'\n" }],
  ['cycle', 'two files that import each other', 'src/domain/a.ts', { 'src/domain/a.ts': "import { b } from './b.ts'\nexport const a = () => b\n", 'src/domain/b.ts': "import { a } from './a.ts'\nexport const b = () => a\n" }],
  ['cycle', 'three files in a ring of types', 'src/domain/a.ts', { 'src/domain/a.ts': "export type { B } from './b.ts'\n", 'src/domain/b.ts': "import type { C } from './c.ts'\nexport type B = C\n", 'src/domain/c.ts': "import type { B } from './a.ts'\nexport type C = B\n" }],
  ['cycle', 'a file that imports itself', 'src/domain/a.ts', { 'src/domain/a.ts': "export * as me from './a.ts'\n" }],
  ['io-in-pure', 'files in domain', 'src/domain/words.ts', plus('src/domain/words.ts', "import { readFileSync } from 'node:fs'\nexport const r = readFileSync")],
  ['io-in-pure', 'an unprefixed part of Node', 'src/lib/text.ts', plus('src/lib/text.ts', "import path from 'path'\nexport const p = path")],
  ['io-in-pure', 'zlib in content', 'src/content/z.ts', { 'src/content/z.ts': "import { gunzipSync } from 'node:zlib'\nexport const z = gunzipSync\n" }],
  ['io-in-pure', 'a part of Node asked for at run time', 'src/formats/f.ts', { 'src/formats/f.ts': "export const f = process.getBuiltinModule('node:fs')\n" }],
  ['test-in-product', 'product code importing a test', 'src/net/dial.ts', { ...plus('src/net/dial.ts', "import './dial.test.ts'"), }],
  ['test-in-product', 'product code importing a contract suite', 'src/store/extra.ts', { 'src/store/extra.ts': "import './queue.contract.ts'\n", 'src/store/queue.contract.ts': 'export const suite = 1\n' }],
  ['unknown-folder', 'a folder outside the table', 'src/utils/help.ts', { 'src/utils/help.ts': 'export const help = 1\n' }],
  ['unknown-folder', 'a file directly in src', 'src/helpers.ts', { 'src/helpers.ts': 'export const help = 1\n' }],
  ['door', 'an adapter entered past its index', 'src/main/service.ts', plus('src/main/service.ts', "import { dial } from '../net/dial.ts'\nexport const d = dial")],
  ['door', 'an adapter entered past its index by another adapter', 'src/store/s3.ts', { 'src/store/s3.ts': "import { dial } from '../net/dial.ts'\nexport const d = dial\n" }],
  ['own-index', 'a file importing its own door', 'src/net/more.ts', { 'src/net/more.ts': "import { dial } from './index.ts'\nexport const d = dial\n" }],
  ['own-index', 'a file importing the door of the folder above', 'src/net/deep/more.ts', { 'src/net/deep/more.ts': "import type { dial } from '../index.ts'\nexport type D = typeof dial\n" }],
  ['unresolved-import', 'an address without ending', 'src/app/use.ts', plus('src/app/use.ts', "import { day as d } from '../domain/words'\nexport const e = d")],
  ['outside-src', 'product code reaching out of src', 'src/app/use.ts', { ...plus('src/app/use.ts', "import '../../test/help.ts'"), 'test/help.ts': '' }],
  ['computed-import', 'an import whose address is computed', 'src/app/use.ts', plus('src/app/use.ts', 'export const load = (name: string) => import(name)')],
  ['computed-import', 'an import whose address is a template', 'src/app/use.ts', plus('src/app/use.ts', 'export const load = (name: string) => import(`../${name}.ts`)')],
  ['environment', 'process.env outside config', 'src/main/service.ts', plus('src/main/service.ts', 'export const p = process.env.PORT')],
  ['environment', 'process["env"]', 'src/net/dial.ts', plus('src/net/dial.ts', "export const p = process['env']")],
  ['environment', 'process?.env', 'src/net/dial.ts', plus('src/net/dial.ts', 'export const p = globalThis.process?.env')],
  ['environment', 'env imported from node:process', 'src/net/dial.ts', plus('src/net/dial.ts', "import { env } from 'node:process'\nexport const e = env")],
  ['clock', 'Date.now in app', 'src/app/use.ts', plus('src/app/use.ts', 'export const t = Date.now()')],
  ['clock', 'Date.now passed on', 'src/app/use.ts', plus('src/app/use.ts', 'export const t = Date.now')],
  ['clock', 'new Date() in domain', 'src/domain/words.ts', plus('src/domain/words.ts', 'export const t = new Date()')],
  ['clock', 'new Date without brackets', 'src/domain/words.ts', plus('src/domain/words.ts', 'export const t = +new Date')],
  ['clock', 'Date() called', 'src/domain/words.ts', plus('src/domain/words.ts', 'export const t = Date()')],
  ['clock', 'Math.random in content', 'src/content/c.ts', { 'src/content/c.ts': 'export const c = Math.random()\n' }],
  ['clock', 'setTimeout in formats', 'src/formats/f.ts', { 'src/formats/f.ts': 'export const f = () => setTimeout(f, 1)\n' }],
  ['clock', 'globalThis.setInterval in app', 'src/app/use.ts', plus('src/app/use.ts', 'export const f = () => globalThis.setInterval(f, 1)')],
  ['clock', 'performance.now in app', 'src/app/use.ts', plus('src/app/use.ts', 'export const f = performance.now()')],
  ['socket', 'node:net in store', 'src/store/index.ts', plus('src/store/index.ts', "import { connect } from 'node:net'\nexport const c = connect")],
  ['socket', 'dns/promises in main', 'src/main/service.ts', plus('src/main/service.ts', "import { lookup } from 'node:dns/promises'\nexport const c = lookup")],
  ['socket', 'impit outside net', 'src/engines/http.ts', { 'src/engines/http.ts': "import { Impit } from 'impit'\nexport const i = Impit\n" }],
  ['socket', 'node:net in http', 'src/http/app.ts', plus('src/http/app.ts', "import type { Socket } from 'node:net'\nexport type S = Socket")],
  ['socket', 'a client of ws in http', 'src/http/app.ts', plus('src/http/app.ts', "import { WebSocket } from 'ws'\nexport const r = WebSocket")],
  ['socket', 'node:net for its effect', 'src/http/app.ts', plus('src/http/app.ts', "import 'node:net'")],
  ['socket', 'sending requests from http', 'src/http/app.ts', plus('src/http/app.ts', "import { request } from 'node:http'\nexport const r = request")],
  ['socket', 'the whole of node:http in http', 'src/http/app.ts', plus('src/http/app.ts', "import * as server from 'node:http'\nexport const r = server")],
  ['socket', 'global fetch', 'src/app/use.ts', plus('src/app/use.ts', "export const got = await fetch('http://a/')")],
  ['socket', 'globalThis.fetch', 'src/llm/index.ts', { 'src/llm/index.ts': "export const got = (flag: boolean) => flag ? globalThis.fetch('http://a/') : null\n" }],
  ['socket', 'a new WebSocket', 'src/http/app.ts', plus('src/http/app.ts', "export const got = new WebSocket('ws://a/')")],
  ['confined-package', 'fastify outside http', 'src/main/service.ts', plus('src/main/service.ts', "import type { FastifyInstance } from 'fastify'\nexport type F = FastifyInstance")],
  ['confined-package', 'pg outside store', 'src/main/service.ts', plus('src/main/service.ts', "import { Pool } from 'pg'\nexport const p = Pool")],
  ['undeclared-package', 'a package that is not declared', 'src/net/dial.ts', plus('src/net/dial.ts', "import got from '@scope/other/deep'\nexport const g = got")],
  ['undeclared-package', 'a package for tests in product code', 'src/net/dial.ts', plus('src/net/dial.ts', "import { it } from 'vitest'\nexport const g = it")],
  ['file-size', 'a file over twice the limit', 'src/net/long.ts', { 'src/net/long.ts': Array.from({ length: 601 }, (_, i) => `export const a${i} = 1`).join('\n') }],
  ['file-size', 'a lib file over twice its limit', 'src/lib/long.ts', { 'src/lib/long.ts': Array.from({ length: 161 }, (_, i) => `export const a${i} = 1`).join('\n') }],
  ['function-size', 'a function over twice the limit', 'src/net/long.ts', { 'src/net/long.ts': `export function long(step: (n: number) => void): { a: number } {\n${lines(100)}\n  return { a: 1 }\n}\n` }],
  ['function-size', 'an arrow function over twice the limit', 'src/net/long.ts', { 'src/net/long.ts': `export const long = async (step: (n: number) => void) => {\n${lines(100)}\n}\n` }],
  ['function-size', 'a method over twice the limit', 'src/net/long.ts', { 'src/net/long.ts': `export class Long {\n  run<T>(step: (n: T) => void): Promise<T[]> {\n${lines(100)}\n  }\n}\n` }],
  ['unreadable', 'a file whose brackets do not match', 'src/net/odd.ts', { 'src/net/odd.ts': 'export const odd = [1, 2}\n' }],
  ['machine-path', 'a path of a machine', 'docs/start.md', { 'docs/start.md': `Look into ${home}/trawl\n` }],
  ['machine-path', 'a file address', 'docs/start.md', { 'docs/start.md': `See file:${slash}${slash}${home}/trawl\n` }],
  ['registry-host', 'the address of a registry', 'docs/start.md', { 'docs/start.md': `From ${registry}\n` }],
  ['registry-host', 'a resolved address in the lock file', 'package-lock.json', { 'package-lock.json': '{\n  "resolved": "https://packages.example.test/x.tgz"\n}\n' }],
  ['lost-file', 'a guide to a file that is not there', 'docs/start.md', { 'docs/start.md': 'Rules of addresses are in `net/dial.ts`, those of proxies in `net/proxies.ts`.\n' }],
  ['lost-link', 'a link to a page that is not there', 'docs/start.md', { 'docs/start.md': 'Read [the rows](gone.md) first.\n' }],
  ['lost-link', 'a link to a heading that another page does not have', 'docs/start.md', { 'docs/start.md': 'Read [the end](dependencies.md#the-end) first.\n' }],
  ['lost-link', 'a link to a heading of its own page that is only in code', 'docs/start.md', { 'docs/start.md': '# Start\n\n```sh\n# Then\n```\n\n[then](#then)\n' }],
  ['undocumented-dependency', 'a dependency without a row', 'docs/dependencies.md', { 'package.json': JSON.stringify({ dependencies: { fastify: '1', pg: '1', impit: '1', extra: '1' }, devDependencies: { vitest: '1' } }) }],
  ['undocumented-dependency', 'a row without a dependency', 'docs/dependencies.md', { 'docs/dependencies.md': `${clean['docs/dependencies.md'] ?? ''}| \`gone\` | e | MIT |\n` }],
]

describe('the border check', () => {
  it('finds nothing in a clean project with look-alikes', () => {
    expect(findingsIn(clean)).toEqual([])
  })

  it.each(planted)('reports %s for %s', (rule, _what, where, files) => {
    const errors = findingsIn({ ...clean, ...files }).filter((finding) => finding.level === 'error')
    expect([...new Set(errors.map((finding) => `${finding.rule} ${finding.path}`))]).toContain(`${rule} ${where}`)
  })

  it.each([
    ['file-size', 'src/net/long.ts', Array.from({ length: 301 }, (_, i) => `export const a${i} = 1`).join('\n')],
    ['function-size', 'src/net/long.ts', `export const long = (step: (n: number) => void) => {\n${lines(60)}\n}\n`],
    ['dead-export', 'src/net/dead.ts', 'export const dead = 1\n'],
    ['dead-export', 'src/net/dead.ts', 'const a = 1\nconst b = 2\nexport { a, b as dead }\n'],
    ['assertion', 'src/net/cast.ts', 'export const cast = (a: unknown) => a as string\n'],
  ])('warns about %s in %s without failing', (rule, path, text) => {
    const found = findingsIn({ ...clean, [path]: text }).filter((finding) => finding.rule === rule)
    expect(found.length).toBeGreaterThan(0)
    expect(found.every((finding) => finding.level === 'warning' && finding.path === path)).toBe(true)
  })

  it('reports an export that only a test uses as unused', () => {
    const files = { ...clean, 'src/net/dead.ts': 'export const dead = 1\n', 'src/net/dead.test.ts': "import { dead } from './dead.ts'\nexport const d = dead\n" }
    expect(findingsIn(files)).toEqual([{ rule: 'dead-export', path: 'src/net/dead.ts', line: 1, message: 'nothing in src imports dead', level: 'warning' }])
  })

  it('does not mistake a name after `as` in a module list for an assertion', () => {
    const text = "import d, { half as h } from '../lib/text.ts'\nimport * as all from '../lib/text.ts'\nexport { h as dial, d as at } from './dial.ts'\nexport const c = [h, d, all, 'x' as const]\n"
    expect(findingsIn({ ...clean, 'src/net/index.ts': text }).filter((finding) => finding.rule === 'assertion')).toEqual([])
  })

  it('measures a factory by its longest method, not by their sum', () => {
    const method = (name: string) => `    ${name}() {\n${lines(40)}\n    },\n`
    const factory = `export function factory(step: (n: number) => void) {\n  return {\n${['a', 'b', 'c', 'd'].map(method).join('')}  }\n}\n`
    expect(findingsIn({ ...clean, 'src/net/index.ts': `${clean['src/net/index.ts'] ?? ''}${factory}` })).toEqual([])
  })

  it('reports the path of an import cycle', () => {
    const files = { ...clean, 'src/net/a.ts': "import './b.ts'\n", 'src/net/b.ts': "import './a.ts'\n" }
    expect(findingsIn(files)).toEqual([{ rule: 'cycle', path: 'src/net/a.ts', line: 1, message: 'files import each other: src/net/a.ts → src/net/b.ts → src/net/a.ts', level: 'error' }])
  })

  it('fails as a command on a finding, and names the place', () => {
    const script = fileURLToPath(new URL('../../scripts/check-borders.mjs', import.meta.url))
    const fixture = fileURLToPath(new URL('broken', import.meta.url))
    const { status, stdout } = spawnSync(process.execPath, [script, '--root', fixture], { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stdout).toContain('src/domain/up.ts:1  error  border: domain may not import app (src/app/use.ts)')
  })
})
