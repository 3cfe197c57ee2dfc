import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { browserFolders, groupsOf, processesOf } from '../processes.ts'
import { openedAs, startTrawl, type TestService } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site

beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

/** A folder that is removed with the test. */
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'trawl-life-'))
  // Browsers run as another user when the service is root.
  chmodSync(path, 0o711)
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Starts a service that the test may end as it likes. */
async function started(dataDir: string, settings: Record<string, string> = {}): Promise<TestService> {
  const service = await startTrawl({ dataDir, settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, ...settings } })
  onTestFinished(() => service.stop('SIGKILL').then(() => undefined))
  return service
}

const scraped = async (service: TestService): Promise<string> => (await service.scrape({ url: site.url('/article') })).json.data.metadata.scrapeId

describe('a session whose service ends', () => {
  it('is gone after a kill, charged once, and leaves no browser; one that was never opened opens then', async () => {
    const [dataDir, parent] = [folder(), folder()]
    const first = await started(dataDir, { TMPDIR: parent })
    const [used, unused] = [await scraped(first), await scraped(first)]
    const run = await first.call('POST', `/v2/scrape/${used}/interact`, { code: '1 + 1' })
    expect(run.json.result).toBe('2')
    const groups = groupsOf(browserFolders(parent))
    expect(processesOf(groups).length).toBeGreaterThan(3)
    const waiting = first.call('POST', `/v2/scrape/${used}/interact`, { code: 'await new Promise(() => {})' }).catch(() => 'cut')
    await first.stop('SIGKILL')
    expect(await waiting).toBe('cut')
    await expect.poll(() => processesOf(groups), { timeout: 20_000 }).toEqual([])
    const second = await started(dataDir, { TMPDIR: parent })
    for (const path of [`/v2/scrape/${used}/interact`, `/v2/browser/${run.json.sessionId}/execute`]) {
      const late = await second.call('POST', path, { code: '1' })
      expect([late.status, late.json.code, late.json.error]).toEqual([410, 'SESSION_DESTROYED', 'This browser session was lost together with the process that had it.'])
    }
    expect((await second.call('GET', `/v2/browser/${run.json.sessionId}`)).json.status).toBe('destroyed')
    expect((await second.call('DELETE', `/v2/scrape/${used}/interact`)).json).toMatchObject({ success: true, status: 'stopped', creditsBilled: 2 })
    expect((await second.call('POST', `/v2/scrape/${unused}/interact`, { code: '2 + 2' })).json).toMatchObject({ success: true, result: '4' })
    expect(await second.stop()).toBe(0)
    expect(browserFolders(parent)).toEqual([])
  }, 180_000)

  it('saves its profile at SIGTERM, at its end and at its timeout, with one writer at a time', async () => {
    const dataDir = folder()
    const first = await started(dataDir)
    const profile = { name: 'harbour' }
    const open = async (service: TestService, body: object = {}): Promise<string> => {
      const answer = await service.call('POST', '/v2/browser', { profile, ...body })
      expect(answer.json).toMatchObject({ success: true })
      return answer.json.id
    }
    const run = async (service: TestService, id: string, code: string): Promise<string> => {
      const answer = await service.call('POST', `/v2/browser/${id}/execute`, { code: `await page.goto('${site.url('/article')}'); ${code}` })
      expect(answer.json.error).toBeUndefined()
      return answer.json.result
    }
    const remembers = "await page.evaluate(() => `${localStorage.tide} ${document.cookie}`)"
    const writer = await open(first)
    const locked = await first.call('POST', '/v2/browser', { profile })
    expect([locked.status, locked.json.code]).toEqual([409, 'PROFILE_LOCKED'])
    await run(first, writer, "await page.evaluate(() => { localStorage.tide = 'high'; document.cookie = 'ebb=low; max-age=3600' })")
    expect((await first.call('DELETE', `/v2/browser/${writer}`)).status).toBe(200)
    // Readers save no changes.
    const reader = await open(first, { profile: { ...profile, saveChanges: false } })
    expect(await run(first, reader, remembers)).toBe('high ebb=low')
    await run(first, reader, "await page.evaluate(() => { localStorage.tide = 'gone' })")
    const last = await open(first)
    expect(await run(first, last, remembers)).toBe('high ebb=low')
    await run(first, last, "await page.evaluate(() => { localStorage.tide = 'at the end' })")
    expect(await first.stop()).toBe(0)
    const second = await started(dataDir)
    const late = await second.call('POST', `/v2/browser/${last}/execute`, { code: '1' })
    expect([late.status, late.json.error]).toEqual([410, 'This browser session ended because the service was stopped.'])
    const short = await open(second, { activityTtl: 10 })
    expect(await run(second, short, remembers)).toBe('at the end ebb=low')
    await run(second, short, "await page.evaluate(() => { localStorage.tide = 'after its time' })")
    await expect.poll(async () => (await second.call('GET', `/v2/browser/${short}`)).json.status, { timeout: 40_000 }).toBe('destroyed')
    // A scrape with the profile is the same visitor; so is the session of that scrape, which then writes the profile.
    const scrape = await second.scrape({ url: site.url('/article'), profile, maxAge: 0, actions: [{ type: 'executeJavascript', script: "localStorage.tide += ' and scraped'" }] })
    const interact = await second.call('POST', `/v2/scrape/${scrape.json.data.metadata.scrapeId}/interact`, { code: remembers })
    expect(interact.json.result).toMatch(/^after its time and scraped( and scraped)? ebb=low$/)
    expect((await second.call('POST', '/v2/browser', { profile })).json.code).toBe('PROFILE_LOCKED')
    expect((await second.scrape({ url: site.url('/article'), profile })).json.code).toBe('PROFILE_LOCKED')
  }, 180_000)
})

describe('a service that is asked to stop', () => {
  it('ends its sessions and their runs, and says so', async () => {
    const dataDir = folder()
    const service = await started(dataDir)
    const id = await scraped(service)
    expect((await service.call('POST', `/v2/scrape/${id}/interact`, { code: '1' })).json.success).toBe(true)
    const running = service.call('POST', `/v2/scrape/${id}/interact`, { code: 'await new Promise(() => {})', timeout: 300 })
    const busy = service.call('POST', `/v2/scrape/${id}/interact`, { code: 'for (;;);', timeout: 300 })
    await expect.poll(async () => (await service.call('GET', '/v2/browser')).json.sessions.length).toBe(1)
    expect(await service.stop()).toBe(0)
    expect([(await running).status, (await busy).status]).toEqual([503, 503])
    expect(service.output()).toMatch(/"end":"stopped".*"closed":true/)
    expect(service.output()).not.toContain('profile-not-saved')
    const next = await started(dataDir)
    expect((await next.call('POST', `/v2/scrape/${id}/interact`, { code: '1' })).json.error).toBe('This browser session ended because the service was stopped.')
  }, 120_000)
})

describe('credits of a session', () => {
  it('must be available before it starts, and are charged for at least a minute', async () => {
    const poor = await started(folder(), { TRAWL_CREDITS: '3' })
    const id = await scraped(poor)
    const made = await poor.call('POST', '/v2/browser', {})
    expect(made.status).toBe(200)
    const refused = await poor.call('POST', `/v2/scrape/${id}/interact`, { code: '1' })
    expect([refused.status, refused.json.code]).toEqual([402, 'INSUFFICIENT_CREDITS'])
    expect((await poor.call('DELETE', `/v2/browser/${made.json.id}`)).json.creditsBilled).toBe(2)
    expect((await poor.call('POST', '/v2/browser', {})).json.code).toBe('INSUFFICIENT_CREDITS')
    expect((await poor.scrape({ url: site.url('/article') })).json.code).toBe('INSUFFICIENT_CREDITS')
  }, 120_000)
})

it('a session does not inherit files that its service had open from the start', async () => {
  const file = join(folder(), 'lock')
  writeFileSync(file, 'of the machine')
  const service = await startTrawl({ opened: file })
  onTestFinished(() => service.stop('SIGKILL').then(() => undefined))
  const { id } = (await service.call('POST', '/v2/browser', {})).json
  const run = async (language: string, code: string): Promise<string> => JSON.stringify((await service.call('POST', `/v2/browser/${id}/execute`, { code, language })).json)
  expect(await run('python', `import os\nos.pread(${openedAs}, 99, 0)`)).not.toContain('of the machine')
  expect(await run('python', `import os\nos.write(${openedAs}, b'of a stranger')`)).toContain('Bad file descriptor')
  expect(await run('node', `require('fs').readSync(${openedAs}, Buffer.alloc(9), 0, 9, 0)`)).toContain('"result":"0"')
  expect(readFileSync(file, 'utf8')).toBe('of the machine')
})
