import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Ended, trawlCommand } from '../command.ts'
import { type Answered, otherKey, startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let trawl: TestService
beforeAll(async () => {
  site = await startSite()
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1', TRAWL_WEBHOOK_SECRET: 'of-the-settings', TRAWL_RATE_LIMITS: 'map=2/h' } })
})
afterAll(async () => {
  await trawl.stop()
  await site.close()
})

const run = (...args: readonly string[]): Promise<Ended> => trawlCommand(args, { TRAWL_DATA_DIR: trawl.dataDir })
async function done(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args)
  expect([code, stderr]).toEqual([0, ''])
  return stdout.trim()
}
const bearer = (key: string): { authorization: string } => ({ authorization: `Bearer ${key}` })
const scrape = (key: string, more: object = {}): Promise<Answered> => trawl.scrape({ url: site.url('/article'), ...more }, bearer(key))
const idOf = async (name: string): Promise<string> => (await done('keys', 'list')).split('\n').find((row) => row.split('\t')[3] === name)?.split('\t')[0] ?? ''
/** Polls until a change is in effect, which takes up to five seconds. */
const known = (question: () => Promise<unknown>, answer: unknown): Promise<void> => expect.poll(question, { timeout: 15_000, interval: 250 }).toEqual(answer)

describe('limits of teams and keys, set beside a running service', () => {
  it('are monthly budgets that a team can query, with a 402 once they are used up', async () => {
    const laptop = await done('keys', 'create', 'default', '--name', 'laptop')
    const id = await idOf('laptop')
    await done('keys', 'set', id, '--budget', '2')
    const usage = async (key: string): Promise<unknown> => (await trawl.call('GET', '/v2/team/credit-usage', undefined, bearer(key))).json.data
    const month = { billingPeriodStart: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00.000Z$/), billingPeriodEnd: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00.000Z$/) }
    await known(() => usage(laptop), { remainingCredits: 2, planCredits: 2, ...month })
    expect(await usage(testKey)).toEqual({ remainingCredits: 1_000_000_000, planCredits: 1_000_000_000, billingPeriodStart: null, billingPeriodEnd: null })
    expect([(await scrape(laptop)).status, (await scrape(laptop)).status]).toEqual([200, 200])
    expect((await scrape(laptop)).json).toMatchObject({ success: false, code: 'INSUFFICIENT_CREDITS', error: 'The credits that this key may still use this month do not cover the request.' })
    const batch = await trawl.call('POST', '/v2/batch/scrape', { urls: [site.url('/article')] }, bearer(laptop))
    const crawl = await trawl.call('POST', '/v2/crawl', { url: site.url('/article'), limit: 3 }, bearer(laptop))
    const map = await trawl.call('POST', '/v2/map', { url: site.url('/') }, bearer(laptop))
    const search = await trawl.call('POST', '/v2/search', { query: 'tides' }, bearer(laptop))
    expect([batch.status, crawl.status, map.status, search.status]).toEqual([402, 402, 402, 402])
    for (const { json } of [batch, crawl, map, search]) expect(json.error).toContain('The credits that this key may still use this month')
    expect((await scrape(testKey)).status).toBe(200)
    await done('teams', 'set', 'default', '--budget', '3')
    await known(() => usage(testKey), { remainingCredits: 0, planCredits: 3, ...month })
    expect(await scrape(testKey)).toMatchObject({ status: 402, json: { error: 'The credits that the team may still use this month do not cover the request.' } })
    expect((await scrape(otherKey)).status).toBe(200)
    await done('teams', 'set', 'default', '--budget', 'off')
    await done('keys', 'set', id, '--budget', 'off')
    await known(() => usage(laptop), { remainingCredits: 1_000_000_000, planCredits: 1_000_000_000, billingPeriodStart: null, billingPeriodEnd: null })
    const { periods } = await new Firecrawl({ apiKey: testKey, apiUrl: trawl.base }).getCreditUsageHistorical(true)
    expect(periods.map(({ apiKey, creditsUsed }) => [apiKey, creditsUsed])).toEqual([['seeded', 1], ['laptop', 2]])
  })

  it('are credits that can be granted, listed and revoked', async () => {
    expect(await done('teams', 'create', 'shop', '--rate-limits', 'scrape=9/s')).toContain('Made team shop')
    expect((await run('teams', 'create', 'shop')).stderr).toContain('There is a team "shop" already.')
    const key = await done('keys', 'create', 'shop')
    expect(await done('credits', 'grant', 'shop', '1')).toBe('1 credits are left to team shop.')
    await known(async () => (await new Firecrawl({ apiKey: key, apiUrl: trawl.base }).getCreditUsage()).remainingCredits, 1)
    const first = await scrape(key)
    expect([first.status, first.headers.get('ratelimit-limit'), (await scrape(key)).status]).toEqual([200, '9', 402])
    expect(await done('credits', 'grant', 'shop', '5')).toBe('5 credits are left to team shop.')
    expect((await scrape(key)).status).toBe(200)
    expect((await done('credits', 'list', 'shop')).split('\n').map((row) => row.split('\t').toSpliced(3, 2))).toEqual([['TEAM', 'GRANTED', 'LEFT', 'CREDITS', 'TOKENS'], ['shop', '6', '4', '2', '0']])
    await done('teams', 'set', 'shop', '--budget', '2')
    expect([await done('credits', 'grant', 'shop', '1'), await done('credits', 'list', 'shop')]).toEqual(['5 credits are left to team shop; its budget leaves it 0 this month.', expect.stringContaining('\nshop\t7\t0\t')])
    await done('teams', 'set', 'shop', '--budget', 'off')
    expect(await done('credits', 'grant', 'shop', 'unlimited')).toBe('Unlimited credits are left to team shop.')
    expect((await done('teams', 'list')).split('\n').map((row) => row.split('\t').toSpliced(1, 1).join(' '))).toContain('shop - - scrape=9/s - -')
    for (const args of [['credits', 'grant', 'shop', '-5'], ['credits', 'grant', 'gone', '5'], ['credits', 'list', 'gone'], ['teams', 'set', 'gone', '--budget', '1'], ['teams', 'set', 'shop'], ['teams', 'set', 'shop', '--budget', '1.5'], ['teams', 'set', 'shop', '--gates', 'all'], ['teams', 'set', 'shop', '--rate-limits', 'scarpe=1/s'], ['teams', 'create', 'a b'], ['keys', 'set', 'gone', '--budget', '1']]) {
      const { code, stderr } = await run(...args)
      expect([args.join(' '), code, stderr.trim().split('\n').length]).toEqual([args.join(' '), 1, 1])
    }
  })

  it('are rates by key and kind of request, with a 429 and Retry-After', async () => {
    const map = (key: string): Promise<Answered> => trawl.call('POST', '/v2/map', { url: site.url('/') }, bearer(key))
    const phone = await done('keys', 'create', 'other', '--name', 'phone')
    const headers = ({ status, headers: all }: Answered): unknown[] => [status, ...['ratelimit-limit', 'ratelimit-remaining'].map((name) => all.get(name))]
    expect([headers(await map(otherKey)), headers(await map(otherKey))]).toEqual([[200, '2', '1'], [200, '2', '0']])
    const refused = await map(otherKey)
    expect([...headers(refused), refused.json.code]).toEqual([429, '2', '0', 'RATE_LIMITED'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect(refused.headers.get('ratelimit-reset')).toBe(refused.headers.get('retry-after'))
    expect(headers(await map(phone))).toEqual([200, '2', '1'])
    expect(headers(await scrape(otherKey))).toEqual([200, null, null])
    await done('keys', 'set', await idOf('phone'), '--rate-limits', 'map=1/h')
    expect(headers(await map(phone))).toEqual([429, '1', '0'])
  })

  it('are the features that a team may use', async () => {
    const zero = async (key: string): Promise<number> => (await scrape(key, { zeroDataRetention: true })).status
    expect(await zero(testKey)).toBe(403)
    await done('teams', 'set', 'default', '--gates', 'zdr,ignore-robots')
    await known(() => zero(testKey), 200)
    expect(await zero(otherKey)).toBe(403)
    await done('teams', 'set', 'default', '--gates', 'off')
    await known(() => zero(testKey), 403)
  })

  it('do not include the key of webhook signatures, of which a team can have its own', async () => {
    const got: { readonly signature: unknown; readonly body: string }[] = []
    const receiver = createServer((request, response) => void text(request).then((body) => {
      got.push({ signature: request.headers['x-service-signature'], body })
      response.end()
    }))
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as AddressInfo // it listens on a port
    onTestFinished(() => void receiver.close())
    await done('teams', 'set', 'other', '--webhook-secret', 'of-the-team')
    const signedBy = (secret: string): boolean => got.some(({ signature, body }) => signature === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
    await expect.poll(async () => {
      await trawl.call('POST', '/v2/batch/scrape', { urls: [site.url('/article')], webhook: { url: `http://127.0.0.1:${port}/`, events: ['completed'] } }, bearer(otherKey))
      return signedBy('of-the-team')
    }, { timeout: 20_000, interval: 1_000 }).toBe(true)
    expect(await done('teams', 'list')).not.toContain('of-the-team')
  })
})
