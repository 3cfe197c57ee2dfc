import { DatabaseSync } from '@photostructure/sqlite'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, trawlCommand } from '../command.ts'
import { type Answered, startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let trawl: TestService
beforeAll(async () => {
  site = await startSite()
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_CREDITS: '100' } })
})
afterAll(async () => {
  await trawl.stop()
  await site.close()
})

const run = (args: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<Ended> => trawlCommand(['teams', 'delete', ...args], { TRAWL_DATA_DIR: trawl.dataDir, ...settings })
const refusal = (reason: string): Ended => ({ code: 1, stdout: '', stderr: `${reason}\n` })

/** A team with a key, a result, a cached page and a crawl that does not end. */
async function busyTeam(team: string): Promise<{ readonly key: string; readonly job: string }> {
  const key = (await trawlCommand(['keys', 'create', team], { TRAWL_DATA_DIR: trawl.dataDir })).stdout.trim()
  const ask = (path: string, body: object): Promise<Answered> => trawl.call('POST', path, body, { authorization: `Bearer ${key}` })
  expect((await ask('/v2/scrape', { url: site.url('/article') })).status).toBe(200)
  const { json } = await ask('/v2/batch/scrape', { urls: [site.url('/article'), site.url('/slow/never')], timeout: 200_000 })
  await expect.poll(() => site.hits('/slow/never'), { timeout: 20_000 }).toBeGreaterThan(0)
  return { key, job: String(json.id) }
}

describe('trawl teams delete', () => {
  it('refuses a team that is unknown, seeded by the settings, or has work under way', async () => {
    const { key } = await busyTeam('busy')
    expect(await run(['nobody'])).toEqual(refusal('There is no team "nobody"; "trawl teams list" shows them.'))
    expect(await run(['busy'], { TRAWL_API_KEYS: 'busy:fc-0123456789abcdef' })).toEqual(refusal('TRAWL_API_KEYS has a key of team "busy", which would come back at the next start: take it out there first.'))
    expect(await run(['busy'])).toEqual(refusal('Team busy has 1 job under way; --force deletes it nevertheless.'))
    expect((await trawl.call('GET', '/v2/team/credit-usage', undefined, { authorization: `Bearer ${key}` })).status).toBe(200)
  })

  it('with --force ends what is under way and leaves nothing of the team, beside a running service', async () => {
    const { key, job } = await busyTeam('former')
    expect(await run(['former', '--force'])).toEqual({ code: 0, stdout: 'Deleted team former, with its keys, jobs, results, sessions, profiles and ledger.\n', stderr: '' })
    expect((await trawl.call('GET', `/v2/batch/scrape/${job}`, undefined, { authorization: `Bearer ${key}` })).status).toBe(401)
    expect((await trawl.call('GET', `/v2/batch/scrape/${job}`, undefined, { authorization: `Bearer ${testKey}` })).status).toBe(404)
    const database = new DatabaseSync(join(trawl.dataDir, 'trawl.db'), { readOnly: true })
    const tables = database.prepare(`select t.name from pragma_table_list t where exists (select 1 from pragma_table_info(t.name) c where c.name = 'team')`).all()
    expect(tables.length).toBeGreaterThan(10)
    for (const { name } of tables) expect([name, database.prepare(`select team from ${String(name)} where team = 'former'`).all()]).toEqual([name, []])
    expect(database.prepare('select job from job_details where job = ?').all(job)).toEqual([])
    database.close()
    expect((await trawl.scrape({ url: site.url('/article') })).status).toBe(200)
  })

  it('answers a scrape that was under way that its key is no longer good, and logs no fault', async () => {
    const key = (await trawlCommand(['keys', 'create', 'scraping'], { TRAWL_DATA_DIR: trawl.dataDir })).stdout.trim()
    const answer = trawl.scrape({ url: site.url('/slow/held?ms=60000') }, { authorization: `Bearer ${key}` })
    await expect.poll(() => site.hits('/slow/held'), { timeout: 20_000 }).toBeGreaterThan(0)
    expect((await run(['scraping', '--force'])).code).toBe(0)
    await fetch(site.url('/slow/let-go'))
    const { status, json } = await answer
    expect([status, json.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(trawl.output()).not.toContain('request-failed')
  })

  it('keeps the only team, and the one that requests without keys belong to, unless told otherwise', async () => {
    const alone = { TRAWL_DATA_DIR: join(trawl.dataDir, 'alone') }
    await trawlCommand(['teams', 'create', 'default'], alone)
    expect(await run(['default'], alone)).toEqual(refusal('Team default is the only one; --force deletes it nevertheless.'))
    expect(await run(['default'], { ...alone, TRAWL_AUTH: 'off' })).toEqual(refusal('Team default is the team of every request while TRAWL_AUTH is off; --force deletes it nevertheless.'))
    expect(await run(['default', '--force'], alone)).toMatchObject({ code: 0, stderr: '' })
  })
})
