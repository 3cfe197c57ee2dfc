import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Capture, Engine } from '../../src/domain/pages/capture.ts'
import { type TestPages, testPages } from '../pages.ts'
import { heavyPages, startHostile } from '../torture/browser-pages.ts'
import { browserEngine } from '../../src/engines/browser.ts'

const noFiles: Engine = { name: 'http', can: new Set(), cost: 1, fetch: () => Promise.reject(new Error('none of these is a file')) }
const little = '<!doctype html><title>Little</title><h1>Little text</h1>'

describe.each(['basic', 'enhanced'] as const)('the browser engine, %s tier,', (tier) => {
  let site: Awaited<ReturnType<typeof startHostile>>
  let pages: TestPages
  beforeAll(async () => {
    site = await startHostile({
      ...heavyPages,
      shared: `${little}<script>new SharedWorker('/idle.js')</script>`,
      missing: `${little}<script>new SharedWorker('/missing-worker')</script>`,
      'missing-worker': 'not a script',
      'idle.js': '0',
    })
    pages = await testPages()
  })
  afterAll(async () => {
    await pages.close()
    site.close()
  })

  async function get(name: string): Promise<{ readonly capture: Capture; readonly why: unknown }> {
    const ms = 60_000
    let why: unknown
    const log = (event: string, fields?: object): void => void (event === 'page-settled' && fields !== undefined && 'why' in fields && ({ why } = fields))
    const engine = browserEngine(pages, { clock: { now: Date.now }, maxBytes: 50_000_000, files: noFiles })
    const verdict = await engine.fetch({ url: site.url(name), headers: {}, languages: ['en'], skipTlsVerification: true, tier }, { id: 'call', team: 'team', signal: AbortSignal.timeout(ms), deadline: Date.now() + ms, retention: 'normal', log })
    if (verdict.kind !== 'captured') throw new Error(JSON.stringify(verdict))
    return { capture: verdict.capture, why }
  }

  it.each([
    ['elements', true],
    ['markup', true],
    ['text', true],
    ['one-text', true],
    ['attribute', true],
    ['deep', false],
  ])('returns what it can of an oversized page: %s', async (name, truncated) => {
    const { capture } = await get(name)
    const body = Buffer.from(capture.body).toString()
    if (name === 'deep') expect(body).toContain('word 5999')
    expect({ truncated: capture.truncated, start: body.includes('Heavy MARK'), whole: body.endsWith('</html>') }).toEqual({ truncated, start: true, whole: true })
    // R20: a million nodes and 20 MB of text, plus markup.
    expect([(body.match(/<[a-z]/g) ?? []).length <= 1_000_000, body.replace(/<[^>]*>/g, '').trim().length <= 20 * 1024 ** 2, body.length < 30_000_000]).toEqual([true, true, true])
  }, 60_000)

  it.each(['shared', 'missing'])('does not wait for responses to a shared worker, which are never reported: %s', async (name) => {
    expect((await get(name)).why).toBe('quiet')
  })
})
