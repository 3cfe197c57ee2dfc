import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { environmentOf } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

// The README's first command, run as a reader would.

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'trawl-up-'))
let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Up {
  readonly process: ChildProcess
  /** Its output, once that matches the pattern or the process has ended. */
  said(pattern: RegExp): Promise<string>
}

function up(port: string): Up {
  const env = environmentOf({ TRAWL_DATA_DIR: folder, TRAWL_PORT: port, TRAWL_FILTER_LISTS: 'off', TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` })
  const process = spawn('npm', ['run', 'up'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(process, 'close')
  // Of no effect once it has ended.
  onTestFinished(() => void process.kill())
  let output = ''
  const said = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => void (pattern.test(output) && resolve(output))
      for (const stream of [process.stdout, process.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString(), look()))
      void ended.then(() => resolve(output))
      look()
    })
  return { process, said }
}

async function stopped(process: ChildProcess): Promise<readonly unknown[]> {
  const ended = once(process, 'close')
  process.kill('SIGTERM')
  return ended
}

it('starts the service, prints a key once and a command that scrapes, and reports a busy port in one sentence', async () => {
  const first = up('0')
  const text = await first.said(/Stop with/)
  const [, key = ''] = /shown this once \(team default\): (fc-\S+)/.exec(text) ?? []
  const [, base = ''] = /ready on (http:\S+)/.exec(text) ?? []
  expect(text).toContain(`curl -s ${base}/v2/scrape -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"url":"https://example.com/"}'`)
  const answer = await fetch(`${base}/v2/scrape`, { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, body: JSON.stringify({ url: site.url('/article') }) })
  expect(await answer.json()).toMatchObject({ success: true, data: { markdown: expect.stringContaining('# ') } })

  const busy = up(new URL(base).port)
  const refusal = await busy.said(/TRAWL_PORT[^]*\n/)
  expect(refusal.split('\n').filter((line) => line.includes('TRAWL_PORT'))).toHaveLength(1)
  expect((await once(busy.process, 'exit'))[0]).toBe(1)

  await stopped(first.process)
  const second = up('0')
  const again = await second.said(/Stop with/)
  expect([again.includes('Bearer <your key>'), again.includes('shown this once')]).toEqual([true, false])
  await stopped(second.process)
}, 120_000)
