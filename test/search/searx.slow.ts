/** A real searx, from the Debian package `searx`, with one engine on loopback: its answers are not of our making. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Answered, startTrawl, type TestService } from '../service.ts'

const example = '/usr/share/doc/searx/examples/settings.yml'
const program = '/usr/bin/searx-run'

const folder = mkdtempSync(join(tmpdir(), 'trawl-searx-'))
let engine: Server
let searx: ChildProcess | undefined
let trawl: TestService
let status = 200
let asked: string[] = []

async function freePort(): Promise<number> {
  const server = createTcp()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listening on TCP
  await new Promise((resolve) => server.close(resolve))
  return port
}

function settings(port: number, enginePort: number): string {
  const given = readFileSync(example, 'utf8')
  const own = (name: string, category: string): string => `  - name: ${name}
    engine: json_engine
    shortcut: ${name}
    categories: ${category}
    paging: True
    enable_http: True
    timeout: 5.0
    search_url: http://127.0.0.1:${enginePort}/${category}?q={query}&page={pageno}
    results_query: results
    url_query: url
    title_query: title
    content_query: text
`
  return given
    .replace(/^engines:\n[\s\S]*?(?=^locales:)/m, `engines:\n${own('one', 'general')}${own('two', 'news')}\n`)
    .replace(/^(\s+)port : 8888/m, `$1port : ${port}`)
    .replace('"ultrasecretkey"', `"${'s'.repeat(32)}"`)
    .replace(/^search:\n/m, 'search:\n    formats: [html, json]\n')
}

beforeAll(async () => {
  if (!existsSync(program)) throw new Error('This suite needs searx: apt-get install --no-install-recommends searx')
  engine = createServer((request, response) => {
    asked.push(decodeURIComponent((request.url ?? '').replaceAll('+', ' ')))
    const results = [1, 2, 3].map((at) => ({ url: `https://r${at}.example/${at === 3 ? 'guide.pdf' : 'page'}`, title: `Tide ${at}`, text: `All about tide ${at}` }))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ results: request.url?.includes('page=1') === true ? results : [] }))
  })
  await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve))
  const port = await freePort()
  const file = join(folder, 'settings.yml')
  writeFileSync(file, settings(port, (engine.address() as AddressInfo).port)) // listening on TCP
  searx = spawn(program, [], { env: { PATH: '/usr/bin:/bin', SEARX_SETTINGS_PATH: file, HOME: folder }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  searx.stdout?.on('data', (piece) => (output += String(piece)))
  searx.stderr?.on('data', (piece) => (output += String(piece)))
  const up = async (): Promise<boolean> => fetch(`http://127.0.0.1:${port}/search?q=x&format=json`).then((answer) => answer.ok, () => false)
  while (!(await up())) {
    if (searx.exitCode !== null) throw new Error(`searx ended: ${output.slice(-2_000)}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  trawl = await startTrawl({ settings: { TRAWL_SEARXNG_URL: `http://127.0.0.1:${port}` } })
}, 120_000)
afterAll(async () => {
  await trawl?.stop()
  searx?.kill()
  engine?.close()
  rmSync(folder, { recursive: true, force: true })
})

const search = (body: object): Promise<Answered> => trawl.call('POST', '/v2/search', body)

it('web and news results of searx are returned, with operators passed on or applied', async () => {
  asked = []
  const both = await search({ query: 'tide "by the sea"', sources: ['web', 'news'], limit: 2 })
  expect(both.json).toMatchObject({
    data: {
      web: [{ url: 'https://r1.example/page', title: 'Tide 1', description: 'All about tide 1', position: 1 }, { url: 'https://r2.example/page', position: 2 }],
      news: [{ url: 'https://r1.example/page', title: 'Tide 1', snippet: 'All about tide 1', position: 1 }, { position: 2 }],
    },
    warning: null,
  })
  expect(asked.filter((url) => url.includes('tide "by the sea"'))).not.toEqual([])
  expect((await search({ query: 'tide site:r3.example' })).json.data.web.map(({ url }: { url: string }) => url)).toEqual(['https://r3.example/guide.pdf'])
  expect((await search({ query: 'tide', categories: ['pdf'] })).json.data.web).toEqual([expect.objectContaining({ category: 'pdf', url: 'https://r3.example/guide.pdf' })])
})

it('a failure of its engines is reported as a failure of searx', async () => {
  status = 429
  expect(await search({ query: 'another tide' })).toMatchObject({ status: 500, json: { code: 'SEARCH_FAILED', details: { reasons: [expect.stringContaining('searxng failed')] } } })
  // searx now suspends the engine, and answers as if there were no results.
  expect(await search({ query: 'another tide' })).toMatchObject({ status: 500, json: { details: { reasons: [expect.stringContaining('left alone')] } } })
})
