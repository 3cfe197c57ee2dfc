import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, trawlCommand } from '../command.ts'
import { type ModelServer, startModelServer } from '../model-server.ts'
import { startProxy } from '../proxy.ts'
import { environmentOf, startTrawl, testKey } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
const bin = fileURLToPath(new URL('../../bin/trawl.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'trawl-cli-'))

beforeAll(async () => {
  site = await startSite()
})
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Is reported as absent, not as broken; to start one takes as long as all else that `trawl doctor` does. */
const noBrowser = { TRAWL_CHROMIUM_PATH: '/none' }

const oneLine = (text: string): string[] => text.trim().split('\n')

describe('trawl scrape', () => {
  it('prints markdown without a server and without touching a store', async () => {
    const dataDir = join(folder, 'untouched')
    const ended = await trawlCommand(['scrape', site.url('/article')], { TRAWL_DATA_DIR: dataDir, TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` })
    expect([ended.code, ended.stderr]).toEqual([0, ''])
    expect(ended.stdout).toMatch(/^# How harbours measure the tide\n/)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('renders a page that needs it, and leaves nothing behind', async () => {
    const dataDir = join(folder, 'untouched')
    const ended = await trawlCommand(['scrape', site.url('/scripts/fetched')], { TRAWL_DATA_DIR: dataDir, TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` })
    expect([ended.code, ended.stdout.includes('MARK'), existsSync(dataDir)]).toEqual([0, true, false])
  })

  it('prints a file that is read in another process', async () => {
    const ended = await trawlCommand(['scrape', site.url('/files/doc.pdf')], { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` })
    expect(ended).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Tide tables for 2026') })
  })

  it('reports a page that is not the one requested', async () => {
    const ended = await trawlCommand(['scrape', site.url('/no/such/page')], { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` })
    expect([ended.code, oneLine(ended.stderr)[0]]).toEqual([0, 'The site answered with status 404.'])
  })

  it('ends silently when nobody reads its output', async () => {
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', '"$0" "$1" scrape "$2" | true; echo ${PIPESTATUS[0]}', process.execPath, bin, site.url('/article')], { env: environmentOf({ TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` }) })
    expect([stdout, stderr]).toEqual(['0\n', ''])
  })

  it('fails with one sentence when its output cannot be written', async () => {
    const { stdout } = await promisify(execFile)('bash', ['-c', '"$0" "$1" openapi 2>&1 >/dev/full; echo $?', process.execPath, bin], { env: environmentOf({}) })
    expect(oneLine(stdout)).toEqual([expect.stringMatching(/^What the command prints cannot be written: .*no space left/), '1'])
  })

  it('prints other formats, and one sentence on failure', async () => {
    const settings = { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` }
    const links = await trawlCommand(['scrape', site.url('/article'), '--format', 'links'], settings)
    expect(oneLine(links.stdout)).toContain(site.url('/page/3'))
    const refused = await trawlCommand(['scrape', 'http://10.0.0.1/'], settings)
    expect([refused.code, refused.stdout, oneLine(refused.stderr).length]).toEqual([1, '', 1])
    const bad = await trawlCommand(['scrape', site.url('/article'), '--format', 'poem'], settings)
    expect([bad.code, bad.stderr]).toEqual([1, '--format must be one of markdown, html, rawHtml, links, images.\n'])
    const unclear = await trawlCommand(['scrape', site.url('/article'), '--timeout', '5s'], settings)
    expect([unclear.code, unclear.stderr]).toEqual([1, '--timeout must be a number of milliseconds, from 1000 to 300000.\n'])
  })
})

describe('settings', () => {
  it('stop the start with one sentence when a name is unknown or a value is invalid', async () => {
    const typo = await trawlCommand(['serve'], { TRAWL_PROT: '1' })
    expect([typo.code, typo.stderr]).toEqual([1, 'Unknown setting TRAWL_PROT; did you mean TRAWL_PORT?\n'])
    const value = await trawlCommand(['serve'], { TRAWL_PORT: 'eighty' })
    expect([value.code, value.stderr]).toEqual([1, 'TRAWL_PORT must be a whole number.\n'])
    const list = await trawlCommand(['serve'], { TRAWL_ALLOW_PRIVATE_ADDRESSES: 'localhost:80', TRAWL_DATA_DIR: join(folder, 'never') })
    expect([list.code, oneLine(list.stderr).length]).toEqual([1, 1])
    expect(list.stderr).toContain('TRAWL_ALLOW_PRIVATE_ADDRESSES')
  })

  it('keep authentication on beyond loopback, and allow separate roles only with Postgres', async () => {
    const open = await trawlCommand(['serve'], { TRAWL_AUTH: 'off', TRAWL_HOST: '0.0.0.0' })
    expect([open.code, open.stderr]).toEqual([1, 'TRAWL_AUTH=off is allowed only where TRAWL_HOST is a loopback address.\n'])
    const apart = await trawlCommand(['serve', '--roles', 'worker'], { TRAWL_DATA_DIR: join(folder, 'never') })
    expect([apart.code, oneLine(apart.stderr).length]).toEqual([1, 1])
    expect(apart.stderr).toContain('TRAWL_DATABASE_URL')
  })

  it('are printed with secrets masked, including those read from files', async () => {
    const file = join(folder, 'secret')
    writeFileSync(file, 'hush-hush\n')
    const { stdout } = await trawlCommand(['config'], { TRAWL_PORT: '4000', TRAWL_WEBHOOK_SECRET_FILE: file, TRAWL_API_KEYS: `t:${testKey}` })
    expect(oneLine(stdout)).toEqual(expect.arrayContaining(['TRAWL_PORT=4000', 'TRAWL_WEBHOOK_SECRET=********', 'TRAWL_API_KEYS=********', 'TRAWL_HOST=127.0.0.1  (default)']))
    expect(stdout).not.toMatch(/hush|fc-test/)
  })

  it('are printed even if a service cannot start with them, and then the command fails', async () => {
    const { code, stdout, stderr } = await trawlCommand(['config'], { TRAWL_AUTH: 'off', TRAWL_HOST: '0.0.0.0' })
    expect([code, oneLine(stdout).includes('TRAWL_AUTH=off'), stderr]).toEqual([1, true, 'TRAWL_AUTH=off is allowed only where TRAWL_HOST is a loopback address.\n'])
    expect((await trawlCommand(['config'], { TRAWL_RATE_LIMITS: 'poems=1/min' })).stderr).toMatch(/^TRAWL_RATE_LIMITS: .+\n$/)
  })
})

describe('trawl keys', () => {
  it('create and revoke keys of a running service, with immediate effect', async () => {
    const trawl = await startTrawl()
    const settings = { TRAWL_DATA_DIR: trawl.dataDir }
    try {
      const created = await trawlCommand(['keys', 'create', 'harbour', '--name', 'laptop'], settings)
      const key = created.stdout.trim()
      expect(key).toMatch(/^fc-[A-Za-z0-9]{32}$/)
      const ask = async (): Promise<number> => (await trawl.call('GET', '/v2/scrape/00000000-0000-4000-8000-000000000000', undefined, { authorization: `Bearer ${key}` })).status
      expect(await ask()).toBe(404)
      const listed = await trawlCommand(['keys', 'list'], settings)
      expect(listed.stdout).not.toContain(key)
      const row = oneLine(listed.stdout).find((line) => line.includes('harbour')) ?? ''
      expect(row).toContain('laptop')
      const revoked = await trawlCommand(['keys', 'revoke', row.split('\t')[0] ?? ''], settings)
      expect(revoked.code).toBe(0)
      expect(await ask()).toBe(401)
      const again = await trawlCommand(['keys', 'revoke', 'no-such-id'], settings)
      expect([again.code, oneLine(again.stderr).length]).toEqual([1, 1])
    } finally {
      await trawl.stop()
    }
  })

  it('refuse an invalid team name', async () => {
    const ended = await trawlCommand(['keys', 'create', '../x'], { TRAWL_DATA_DIR: join(folder, 'keys') })
    expect([ended.code, oneLine(ended.stderr).length]).toEqual([1, 1])
  })
})

describe('commands in a data folder without a store', () => {
  it('report that instead of an empty list, and create none', async () => {
    const dataDir = join(folder, 'elsewhere')
    const run = (...args: readonly string[]): Promise<Ended> => trawlCommand(args, { TRAWL_DATA_DIR: dataDir })
    const said = { code: 1, stdout: '', stderr: `There is no store in ${dataDir} (TRAWL_DATA_DIR); give the command the settings of the service.\n` }
    expect([await run('keys', 'list'), await run('webhooks', 'list'), await run('keys', 'revoke', 'any'), await run('teams', 'set', 'any', '--budget', '1'), existsSync(dataDir)]).toEqual([said, said, said, said, false])
  })

  it('create a first key there before the first start, and report where', async () => {
    const dataDir = join(folder, 'first')
    const create = (): Promise<Ended> => trawlCommand(['keys', 'create'], { TRAWL_DATA_DIR: dataDir })
    expect([await create(), await create()]).toMatchObject([{ code: 0, stdout: expect.stringMatching(/^fc-\w{32}\n$/), stderr: `Made a new store in ${dataDir} (TRAWL_DATA_DIR).\n` }, { code: 0, stderr: '' }])
    const slip = await trawlCommand(['keys', 'create', 'defualt'], { TRAWL_DATA_DIR: dataDir })
    expect(slip).toMatchObject({ code: 0, stdout: expect.stringMatching(/^fc-\w{32}\n$/), stderr: 'Made team defualt.\n' })
  })
})

describe('trawl doctor', () => {
  const asking = ({ url }: ModelServer): Record<string, string> => ({ TRAWL_DATA_DIR: join(folder, 'doctor'), TRAWL_LLM_BASE_URL: url, TRAWL_LLM_MODEL: 'small', TRAWL_LLM_API_KEY: 'key-of-ours' })

  it('scrapes a page of its own, asks the language model, and reports what is available', async () => {
    const model = await startModelServer()
    const search = createServer((_, response) => response.end('{"results":[]}'))
    await new Promise<void>((done) => void search.listen(0, '127.0.0.1', done))
    const ended = await trawlCommand(['doctor'], { ...asking(model), TRAWL_SEARXNG_URL: `http://127.0.0.1:${(search.address() as AddressInfo).port}` }) // a TCP server that listens
    search.close()
    await model.close()
    expect(ended.stdout).toMatch(/ok +language model: small answers/)
    expect(ended.stdout).toContain('ok     search provider: searxng answers\n')
    expect(ended.stdout).toMatch(/ok +scraped a page of its own in \d+ ms/)
    expect(ended.stdout).not.toContain('BROKEN')
    expect(ended.code).toBe(0)
  })

  it('reports what is broken and exits with status 1', async () => {
    const model = await startModelServer(() => ({ status: 401 }))
    const ended = await trawlCommand(['doctor'], { ...asking(model), ...noBrowser, TRAWL_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
    await model.close()
    expect(ended.stdout).toMatch(/BROKEN +language model: small \(TRAWL_LLM_\*\): .*does not accept the key/)
    expect(ended.stdout).not.toContain('key-of-ours')
    expect(ended.stdout).toMatch(/BROKEN +store: The database \(TRAWL_DATABASE_URL\) cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1; start Postgres there, or correct the address\.\n/)
    expect(ended.code).toBe(1)
  })

  it('reports proxies and search providers that do not work, without addresses and passwords', async () => {
    const [refusing, failing] = [await startProxy({ manner: 407 }), await startProxy({ manner: 502 })]
    const proxies = { TRAWL_PROXY_BASIC: `http://us:hush@127.0.0.1:${refusing.port},http://127.0.0.1:${failing.port}`, TRAWL_PROXY_ENHANCED: 'http://127.0.0.1:9' }
    const ended = await trawlCommand(['doctor'], { TRAWL_DATA_DIR: join(folder, 'doctor'), TRAWL_SEARXNG_URL: 'http://127.0.0.1:9', ...noBrowser, ...proxies })
    await Promise.all([refusing.close(), failing.close()])
    expect(ended.stdout).toContain('BROKEN proxy 1 of TRAWL_PROXY_BASIC: status 407\nabsent proxy 2 of TRAWL_PROXY_BASIC: answers, but opened no connection to example.com\nBROKEN proxy 1 of TRAWL_PROXY_ENHANCED: Error ECONNREFUSED\n')
    expect(ended.stdout).toContain('BROKEN search provider: searxng: it did not give a usable answer (it does not accept connections)\n')
    expect(ended.stdout).not.toMatch(/hush|127\.0\.0\.1/)
    expect(ended.code).toBe(1)
  })

  it('reports settings with which the service does not start, and goes on with what does not need them', async () => {
    const ended = await trawlCommand(['doctor'], { TRAWL_DATA_DIR: join(folder, 'doctor'), TRAWL_FILTER_LISTS: '/no/such/folder', ...noBrowser })
    expect(ended.stdout).toContain('BROKEN TRAWL_FILTER_LISTS must be auto, off or a folder that is there.\nok     data folder can be written\n')
    expect([ended.code, ended.stderr]).toEqual([1, ''])
  })

  it('reports limits of the machine with which the service soon stands still', async () => {
    const { stdout } = await promisify(execFile)('bash', ['-c', 'ulimit -n 64; "$0" "$1" doctor || echo "status $?"', process.execPath, bin], { env: environmentOf({ TRAWL_DATA_DIR: join(folder, 'doctor'), ...noBrowser }) })
    expect(stdout).toContain('BROKEN limits: at most 64 open files and connections (ulimit -n); the service needs 256, and 4096 under load\n')
    expect(stdout).toMatch(/status 1\n$/)
  })

  it('says why a browser that has a version does not start', async () => {
    const program = join(folder, 'no-browser')
    writeFileSync(program, '#!/bin/sh\ncase "$*" in *--version*) echo Chromium 150.0.1.1 ;; *) exit 7 ;; esac\n', { mode: 0o755 })
    const ended = await trawlCommand(['doctor'], { TRAWL_DATA_DIR: join(folder, 'doctor'), TRAWL_CHROMIUM_PATH: program })
    const line = oneLine(ended.stdout).find((one) => one.includes('browser:'))
    expect(line).toMatch(/^BROKEN browser: it does not start: .{20,}/)
    expect(line).not.toContain('trawl doctor')
  })
})

describe('trawl doctor, where blobs cannot be kept', () => {
  const report = async (settings: Readonly<Record<string, string>>): Promise<string> => {
    const { stdout } = await trawlCommand(['doctor'], { ...noBrowser, TRAWL_DATA_DIR: join(folder, 'doctor-blobs'), ...settings })
    return oneLine(stdout).find((line) => line.includes('blobs')) ?? ''
  }

  it('names the setting that decides and says the reason once', async () => {
    expect(await report({ TRAWL_BLOB_URL: 'file:/dev/null/blobs' })).toMatch(/^BROKEN blobs \(TRAWL_BLOB_URL\): The folder of blobs \/dev\/null\/blobs \(TRAWL_BLOB_URL\) cannot be used: ENOTDIR: [^(]+\.$/)
    mkdirSync(join(folder, 'doctor-blobs'), { recursive: true })
    writeFileSync(join(folder, 'doctor-blobs/blobs'), 'in the way')
    expect(await report({})).toMatch(/^BROKEN blobs \(TRAWL_DATA_DIR\): The folder of blobs \S+ \(TRAWL_DATA_DIR\) cannot be used: [A-Z]+: [^(]+\.$/)
  })
})

describe('trawl serve', () => {
  it('names TRAWL_PORT in one sentence when the port is busy', async () => {
    const ended = await trawlCommand(['serve'], { TRAWL_PORT: String(site.port), TRAWL_DATA_DIR: join(folder, 'busy') })
    expect([ended.code, ended.stderr]).toEqual([1, `Port ${site.port} is in use; choose another with TRAWL_PORT.\n`])
  })

  it('reports the system error of a data folder that cannot be written', async () => {
    const dataDir = join(folder, 'full')
    const limited = promisify(execFile)('bash', ['-c', 'ulimit -f 100; "$0" "$1" serve', process.execPath, bin], { env: environmentOf({ TRAWL_DATA_DIR: dataDir }) })
    await expect(limited).rejects.toMatchObject({ code: 1, stderr: `The data folder ${dataDir} (TRAWL_DATA_DIR) cannot be used: disk I/O error.\n` })
  })

  it('reports a folder of blobs that cannot be written, in place of failing each scrape', async () => {
    const ended = await trawlCommand(['serve'], { TRAWL_DATA_DIR: join(folder, 'apart'), TRAWL_PORT: '0', TRAWL_BLOB_URL: 'file:/dev/null/blobs' })
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(/^The folder of blobs \/dev\/null\/blobs \(TRAWL_BLOB_URL\) cannot be used: ENOTDIR: .*\.\n$/)])
  })

  it('creates and prints a first key once, with a command that works', async () => {
    const dataDir = join(folder, 'first-run')
    const settings = { TRAWL_API_KEYS: '', TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` }
    const first = await startTrawl({ dataDir, settings, args: ['--first-run'] })
    await expect.poll(() => first.output()).toContain('Stop with Ctrl-C')
    const key = /fc-[A-Za-z0-9]{32}/.exec(first.output())?.[0] ?? ''
    expect(first.output()).toContain(`-H 'Authorization: Bearer ${key}'`)
    const answer = await first.call('POST', '/v2/scrape', { url: site.url('/article') }, { authorization: `Bearer ${key}` })
    expect(answer.status).toBe(200)
    expect(await first.stop('SIGINT')).toBe(0)
    const second = await startTrawl({ dataDir, settings, args: ['--first-run'] })
    await expect.poll(() => second.output()).toContain('Stop with Ctrl-C')
    expect(second.output()).not.toMatch(/fc-[A-Za-z0-9]{32}/)
    expect(await second.stop()).toBe(0)
  })

  it('makes its folder private to its owner', async () => {
    const trawl = await startTrawl()
    expect(statSync(trawl.dataDir).mode & 0o777).toBe(0o700)
    expect(statSync(join(trawl.dataDir, 'trawl.db')).mode & 0o777).toBe(0o600)
    await trawl.stop()
  })
})
