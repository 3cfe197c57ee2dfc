import { readdirSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { treeOf } from '../../src/browser/chromium/processes.ts'
import { startTrawl, type TestService, testKey } from '../service.ts'
import { heavyPages, startHostile } from './browser-pages.ts'

let site: Awaited<ReturnType<typeof startHostile>>
let trawl: TestService
let temp = ''

beforeAll(async () => {
  site = await startHostile(heavyPages)
  temp = await mkdtemp(join(tmpdir(), 'trawl-r21-'))
  // The browser may run as another user, who must be able to enter the folder.
  await chmod(temp, 0o711)
  trawl = await startTrawl({ settings: { TMPDIR: temp, TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_BROWSER_CONCURRENCY: '4' } })
})
afterAll(async () => {
  await trawl.stop()
  site.close()
  await rm(temp, { recursive: true, force: true })
})

describe('R21 pages that are too large to be shown or read', () => {
  it.each(['text', 'attribute'])('R21 are returned in part, and the answer says so: %s', async (name) => {
    const { status, json } = await trawl.scrape({ url: site.url(name), waitFor: 1, maxAge: 0, timeout: 60_000, explain: true })
    expect([status, json.data?.warning, json.data?.explain.engine, json.data?.markdown.startsWith('# Heavy MARK')]).toEqual([200, expect.stringContaining('larger than what is read'), 'browser', true])
  }, 70_000)

  it('R21 are flattened if they are too deep, and returned completely', async () => {
    const { status, json } = await trawl.scrape({ url: site.url('deep'), waitFor: 1, maxAge: 0, timeout: 60_000 })
    expect([status, json.data?.markdown.includes('word 5999')]).toEqual([200, true])
  }, 70_000)
})

interface Kind {
  readonly page: string
  readonly more?: object
  /** The delay after which the client disconnects. */
  readonly leaveMs?: number
}

const shot = { formats: ['markdown', { type: 'screenshot', fullPage: true }] }
const enhanced = { proxy: 'enhanced' }
const kinds: readonly Kind[] = [
  { page: 'good' },
  { page: 'good', more: shot },
  { page: 'good', more: { mobile: true } },
  { page: 'good', more: enhanced },
  { page: 'loop' },
  { page: 'memory' },
  { page: 'half' },
  { page: 'dialogs' },
  { page: 'good', leaveMs: 150 },
  { page: 'popups' },
  { page: 'console', more: enhanced },
  { page: 'leave' },
  { page: 'loop', more: shot, leaveMs: 800 },
  { page: 'workers' },
  { page: 'sockets', more: { mobile: true, ...shot } },
  { page: 'frames' },
  { page: 'download' },
  { page: 'away', more: enhanced },
  { page: 'sockets', leaveMs: 1_000 },
  { page: 'half', more: { mobile: true }, leaveMs: 300 },
]

/** What is wrong with an answer; null if it is right. */
async function fault({ page, more = {}, leaveMs }: Kind): Promise<string | null> {
  // Innocent pages have time enough even on the busiest machine, and must be served.
  const timeout = page === 'good' ? 30_000 : 3_000
  const body = JSON.stringify({ url: site.url(page), waitFor: 100, maxAge: 0, timeout, ...more })
  const signal = leaveMs === undefined ? null : AbortSignal.timeout(leaveMs)
  const began = performance.now()
  const answer = await fetch(`${trawl.base}/v2/scrape`, { method: 'POST', signal, headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }, body }).then(
    async (got) => `${got.status} ${/"code":"(\w+)"/.exec(await got.text())?.[1] ?? 'ok'}`,
    () => (leaveMs === undefined ? 'no answer' : 'left'),
  )
  const took = Math.round(performance.now() - began)
  const expected = page === 'good' ? ['200 ok'] : ['200 ok', '408 SCRAPE_TIMEOUT', '408 CONCURRENCY_QUEUE_TIMEOUT', '500 SCRAPE_SITE_ERROR']
  const right = expected.includes(answer) || (leaveMs !== undefined && answer === 'left')
  return right && took <= timeout + 4_000 ? null : `${page} ${JSON.stringify(more)}: ${answer} after ${took} ms`
}

const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
const browsersBelow = (folder: string): string[] => readdirSync(folder).flatMap((name) => (name.startsWith('trawl-browsers-') ? readdirSync(join(folder, name)) : []))

/** The resources of the service: its processes, its descriptors, and the files in its temporary folder. */
function held(): { readonly processes: number; readonly descriptors: number; readonly files: readonly string[] } {
  return { processes: treeOf(trawl.pid).length, descriptors: descriptorsOf(trawl.pid), files: readdirSync(temp, { recursive: true }).map(String) }
}

/**
 * Waits until the service is at rest and returns its resources: browsers end when nobody has used them for a minute,
 * and their connections with them.
 */
async function rested(most = Number.POSITIVE_INFINITY): Promise<ReturnType<typeof held>> {
  await expect.poll(() => treeOf(trawl.pid).length, { timeout: 90_000, interval: 500 }).toBe(1)
  await expect.poll(() => descriptorsOf(trawl.pid), { timeout: 30_000, interval: 500 }).toBeLessThanOrEqual(most)
  return held()
}

describe('R21 two hundred hostile pages', () => {
  it('R21 are each answered in time, and leave no process, descriptor or file behind', async () => {
    // Descriptors that are opened at first use stay open.
    expect((await Promise.all(kinds.slice(0, 4).map(fault))).filter((one) => one !== null)).toEqual([])
    const before = await rested()
    const queue = Array.from({ length: 200 }, (_, i) => kinds[i % kinds.length])
    const wrong: string[] = []
    const seen = { processes: 0, browsers: 0 }
    const client = async (): Promise<void> => {
      for (let kind = queue.shift(); kind !== undefined; kind = queue.shift()) {
        const found = await fault(kind)
        if (found !== null) wrong.push(found)
        seen.processes = Math.max(seen.processes, treeOf(trawl.pid).length)
        seen.browsers = Math.max(seen.browsers, browsersBelow(temp).length)
      }
    }
    await Promise.all(Array.from({ length: 5 }, client))
    expect(wrong).toEqual([])
    expect([seen.processes > 5, seen.browsers > 0]).toEqual([true, true])
    const after = await rested(before.descriptors)
    expect(after).toEqual({ ...before, descriptors: after.descriptors })
    expect(trawl.output()).not.toMatch(/browser-(folder-left|end-failed)/)
  }, 400_000)
})
