import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { environmentOf, testKey } from '../service.ts'
import { startSite, type Site } from '../site/index.ts'

const bin = fileURLToPath(new URL('../../bin/trawl.js', import.meta.url))
const isRoot = process.getuid?.() === 0

/**
 * Runs `trawl …` where no user namespaces are available: in a namespace whose limit for further ones is zero, so that
 * nothing on the machine changes. Without new privileges, because some systems install a helper that builds the sandbox
 * as root.
 * Programs in the namespace only have the necessary capabilities once its user mapping is written from outside.
 */
async function withoutNamespaces(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<{ readonly child: ChildProcess; output(): string; readonly ended: Promise<number | null> }> {
  const limit = 'echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --no-new-privs "$@"'
  const start = 'echo there; read go; exec sh -c "$0" sh "$@"'
  const mine = isRoot ? [] : ['--map-current-user', '--keep-caps']
  const child = spawn('unshare', ['--user', ...mine, 'sh', '-c', start, limit, process.execPath, bin, ...args], { env: environmentOf(settings), stdio: ['pipe', 'pipe', 'pipe'] })
  let text = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    void ended.then(() => reject(new Error(`These tests need user namespaces, to take them away: ${text}`)))
    child.stderr.on('data', (part: Buffer) => void (text += part.toString()))
    child.once('error', reject)
  })
  child.stdout.on('data', (part: Buffer) => void (text += part.toString()))
  if (isRoot) for (const map of ['uid_map', 'gid_map']) await writeFile(`/proc/${child.pid}/${map}`, '0 0 65536\n')
  child.stdin.end('go\n')
  return { child, output: () => text, ended }
}

describe('a machine on which Chromium cannot build its sandbox', () => {
  let site: Site
  let dataDir = ''
  beforeAll(async () => {
    site = await startSite()
    dataDir = await mkdtemp(join(tmpdir(), 'trawl-unconfined-'))
  })
  afterAll(async () => {
    await site.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const settings = (): Record<string, string> => ({ TRAWL_PORT: '0', TRAWL_FILTER_LISTS: 'off', TRAWL_DATA_DIR: dataDir, TRAWL_API_KEYS: `default:${testKey}`, TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` })

  it('still renders pages, and logs once that they are not confined', async () => {
    const { child, output, ended } = await withoutNamespaces(['serve'], settings())
    onTestFinished(() => void child.kill('SIGKILL'))
    const address = (): string => /"address":"([^"]+)"/.exec(output())?.[1] ?? ''
    await expect.poll(address, { timeout: 20_000 }).not.toBe('')
    for (const path of ['/scripts/inline', '/scripts/fetched']) {
      const answer = await fetch(`${address()}/v2/scrape`, { method: 'POST', headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }, body: JSON.stringify({ url: site.url(path), maxAge: 0 }) })
      expect(await answer.text()).toContain('MARK')
    }
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(output().match(/"event":"browser-unconfined"/g)).toHaveLength(1)
    expect(output()).toMatch(/sandbox[^\n]*user namespaces/)
  }, 90_000)

  it('is reported by the doctor', async () => {
    const { output, ended } = await withoutNamespaces(['doctor'], settings())
    await ended
    expect(output()).toMatch(/^absent browser sandbox: .*user namespaces/m)
  }, 60_000)
})
