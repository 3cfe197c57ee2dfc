import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { browserFolders, groupsOf, processesOf } from '../processes.ts'
import { startSite } from '../site/index.ts'
import { startTrawl } from '../service.ts'

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
  await expect.poll(() => site.hits('/article') > 0 && processesOf(groupsOf(browserFolders(parent))).length > 3, { timeout: 40_000 }).toBe(true)
  const groups = groupsOf(browserFolders(parent))
  await first.stop('SIGKILL')
  await expect.poll(() => processesOf(groups), { timeout: 20_000 }).toEqual([])
  const left = browserFolders(parent)
  expect(left.length).toBeGreaterThan(0)
  // The batch goes on, so browsers start again.
  const second = await startTrawl({ dataDir, settings })
  onTestFinished(() => second.stop('SIGKILL').then(() => undefined))
  await expect.poll(async () => (await second.call('GET', `/v2/batch/scrape/${batch.json.id}`)).json.status, { timeout: 60_000, interval: 200 }).toBe('completed')
  expect(browserFolders(parent).filter((folder) => left.includes(folder))).toEqual([])
  expect(await second.stop()).toBe(0)
  expect(browserFolders(parent)).toEqual([])
}, 150_000)
