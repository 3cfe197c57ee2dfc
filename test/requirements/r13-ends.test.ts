import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startSite } from '../site/index.ts'
import { startTrawl } from '../service.ts'

/** The browser folders below `parent`. */
function foldersIn(parent: string): readonly string[] {
  const base = join(parent, `trawl-browsers-${process.getuid?.() ?? 0}`)
  return existsSync(base) ? readdirSync(base).map((name) => join(base, name)) : []
}

/** The processes in these process groups. */
function processesOf(groups: readonly string[]): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      const stat = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/stat`, 'latin1') : ''
      const [state, , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return state !== 'Z' && groups.includes(group)
    } catch {
      return false // ended in the meantime
    }
  })
}

const groupsOf = (folders: readonly string[]): readonly string[] => folders.map((folder) => join(folder, 'pid')).filter(existsSync).map((file) => readFileSync(file, 'latin1').trim())

it('R13 a service that is killed while it renders pages leaves no browser, and its next start removes their folders', async () => {
  const site = await startSite()
  const parent = mkdtempSync(join(tmpdir(), 'trawl-ends-'))
  const dataDir = mkdtempSync(join(tmpdir(), 'trawl-ends-data-'))
  // Browsers run as another user when the service is root.
  chmodSync(parent, 0o711)
  const settings = { TMPDIR: parent, TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` }
  onTestFinished(async () => {
    await site.close()
    for (const folder of [parent, dataDir]) rmSync(folder, { recursive: true, force: true })
  })
  const first = await startTrawl({ dataDir, settings })
  onTestFinished(() => first.stop('SIGKILL').then(() => undefined))
  const batch = await first.call('POST', '/v2/batch/scrape', { urls: [site.url('/article'), site.url('/page/2')], waitFor: 10_000, maxAge: 0 })
  await expect.poll(() => site.hits('/article') > 0 && processesOf(groupsOf(foldersIn(parent))).length > 3, { timeout: 40_000 }).toBe(true)
  const groups = groupsOf(foldersIn(parent))
  await first.stop('SIGKILL')
  await expect.poll(() => processesOf(groups), { timeout: 20_000 }).toEqual([])
  const left = foldersIn(parent)
  expect(left.length).toBeGreaterThan(0)
  // The batch goes on, so browsers start again.
  const second = await startTrawl({ dataDir, settings })
  onTestFinished(() => second.stop('SIGKILL').then(() => undefined))
  await expect.poll(async () => (await second.call('GET', `/v2/batch/scrape/${batch.json.id}`)).json.status, { timeout: 60_000, interval: 200 }).toBe('completed')
  expect(foldersIn(parent).filter((folder) => left.includes(folder))).toEqual([])
  expect(await second.stop()).toBe(0)
  expect(foldersIn(parent)).toEqual([])
}, 150_000)
