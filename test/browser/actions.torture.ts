import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTrawl, type TestService } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let trawl: TestService
const folder = mkdtempSync(join(tmpdir(), 'trawl-acts-'))

beforeAll(async () => {
  // Root's browsers run as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711)
  site = await startSite()
  trawl = await startTrawl({ settings: { TMPDIR: folder, TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` } })
})
afterAll(async () => {
  await trawl.stop('SIGKILL')
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The command lines of processes that use the test folder. */
async function processes(): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(folder))
}

/** The profile folders of browsers. */
async function profiles(): Promise<readonly string[]> {
  const parents = await readdir(folder)
  return (await Promise.all(parents.map((name) => readdir(join(folder, name))))).flat()
}

const descriptors = async (): Promise<number> => (await readdir(`/proc/${trawl.pid}/fd`)).length

/** Runs a scrape; some of them must fail, some keep a profile. Returns what went wrong. */
async function scrape(i: number): Promise<readonly string[]> {
  const actions = [{ type: 'write', selector: '#name', text: 'a' }, { type: 'executeJavascript', script: '1' }, { type: 'screenshot', quality: 10 }, { type: 'pdf' }, ...(i % 5 === 0 ? [{ type: 'click', selector: '##' }] : [])]
  const answer = await trawl.scrape({ url: site.url('/act/form'), actions, ...(i % 4 === 0 ? { profile: { name: `p${i}` } } : {}) })
  const [status, index] = i % 5 === 0 ? [500, 4] : [200, undefined]
  return answer.status === status && answer.json.details?.index === index ? [] : [`${i}: ${answer.text.slice(0, 500)}`]
}

describe('a hundred scrapes with actions', () => {
  it('leave no process, profile folder or descriptor behind', async () => {
    await Promise.all([1, 2, 3, 4].map(scrape))
    const before = await descriptors()
    const wrong: string[] = []
    for (let i = 0; i < 100; i += 4) wrong.push(...(await Promise.all([0, 1, 2, 3].map((k) => scrape(i + k)))).flat())
    expect(wrong).toEqual([])
    expect(await descriptors()).toBeLessThanOrEqual(before + 4)
    await trawl.stop()
    expect([await processes(), await profiles()]).toEqual([[], []])
  }, 600_000)
})
