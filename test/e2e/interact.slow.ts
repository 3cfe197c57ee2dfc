import { Firecrawl, SdkError } from 'firecrawl'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, otherKey, startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let trawl: TestService
let client: Firecrawl
/** The status of `/moods`. */
let mood = 200
/** A session that is never used. */
let unused: string
const other = { authorization: `Bearer ${otherKey}` }
const unknown = '00000000-0000-4000-8000-000000000000'

beforeAll(async () => {
  site = await startSite({ '/moods': (_visit, answer) => answer.send(mood, { 'content-type': 'text/html' }, `<title>Mood ${mood}</title><main><h1>Mood ${mood}</h1><p>A page that is not always there.</p></main>`) })
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_ZDR_TEAMS: '*', TRAWL_MAX_BROWSER_SESSIONS: '3' } })
  client = new Firecrawl({ apiKey: testKey, apiUrl: trawl.base })
  unused = (await trawl.call('POST', '/v2/browser', { activityTtl: 10 }, other)).json.id
}, 120_000)
afterAll(async () => {
  await trawl.stop()
  await site.close()
})

// A failed test must not leave sessions open that fail the next ones.
afterEach(async () => {
  const { sessions = [] } = await client.listBrowsers({ status: 'active' })
  await Promise.all(sessions.map(({ id }) => client.deleteBrowser(id)))
})

/** The status and code of the error that the client throws. */
async function failure(work: Promise<unknown>): Promise<{ status: unknown; code: unknown }> {
  const error = await work.then(() => null, (thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SdkError)
  const { status, code } = error as SdkError // asserted on the line above
  return { status, code }
}

const codeOf = ({ status, json }: Answered): readonly unknown[] => [status, json.code]
const scraped = async (path = '/article', options: object = {}): Promise<string> => (await trawl.scrape({ url: site.url(path), ...options })).json.data.metadata.scrapeId
const interact = (id: string, body: object, headers = {}): Promise<Answered> => trawl.call('POST', `/v2/scrape/${id}/interact`, body, headers)

describe('the session of a scrape', () => {
  it('is opened by the first call on the page of the scrape, keeps its state, and is gone for good once stopped', async () => {
    const id = await scraped()
    const first = await client.interact(id, { code: "globalThis.kept = 41; console.log('seen'); page.url()", language: 'node', timeout: 60 })
    expect(first).toMatchObject({ success: true, stdout: expect.stringContaining('seen'), result: site.url('/article'), stderr: '', exitCode: 0, killed: false })
    expect(first).not.toHaveProperty('error')
    expect(first.liveViewUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2\/browser\/[0-9a-f-]{36}\/view\?token=/)
    expect(await client.interact(id, { code: 'kept + 1' })).toMatchObject({ success: true, result: '42' })
    expect(await client.interact(id, { code: 'get url', language: 'bash' })).toMatchObject({ success: true, stdout: expect.stringContaining('/article'), exitCode: 0 })
    await client.interact(id, { code: "await page.evaluate(() => document.querySelector('article h1, h1').textContent = 'Changed by code')" })
    expect(await client.interact(id, { code: 'agent-browser scrape', language: 'bash' })).toMatchObject({ success: true, stdout: expect.stringMatching(/^# Changed by code\n\n[^]{500,}$/), exitCode: 0 })
    // To read more values than that for the driver would hold up everybody else.
    expect(await client.interact(id, { code: "eval 'Array(400000).fill(0)'", language: 'bash' })).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('The value holds more than 250000 values and names of members') })
    const failed = await client.interact(id, { code: "throw new Error('of the user')" })
    expect(failed).toMatchObject({ success: false, exitCode: 1, killed: false, error: expect.stringContaining('of the user') })
    const stopped = await client.stopInteraction(id)
    expect(stopped).toMatchObject({ success: true, status: 'stopped', creditsBilled: 2 })
    expect(await client.stopInteraction(id)).toEqual(stopped)
    expect(await failure(client.interact(id, { code: '1' }))).toEqual({ status: 410, code: 'SESSION_DESTROYED' })
  }, 120_000)

  it('starts with the page as the actions of the scrape left it', async () => {
    const id = await scraped('/act/long', { actions: [{ type: 'executeJavascript', script: "document.querySelector('h1').textContent = 'changed by an action'" }, { type: 'scroll' }, { type: 'screenshot' }], headers: { 'X-Tide': 'high' }, mobile: true })
    const answer = await interact(id, { code: "JSON.stringify(await page.evaluate(() => [document.querySelector('h1').textContent, scrollY > 0, navigator.userAgent.includes('Mobile')]))" })
    expect(JSON.parse(answer.json.result)).toEqual(['changed by an action', true, true])
    expect(site.lastRequest('/act/long')?.headers).toMatchObject({ 'x-tide': 'high' })
    await trawl.call('DELETE', `/v2/scrape/${id}/interact`)
  }, 120_000)

  it('starts where a page of a crawl ended', async () => {
    const crawl = await trawl.call('POST', '/v2/crawl', { url: site.url('/act/long'), limit: 1, scrapeOptions: { headers: { 'X-Tide': 'ebb' } } })
    await expect.poll(async () => (await trawl.call('GET', `/v2/crawl/${crawl.json.id}`)).json.status, { timeout: 30_000 }).toBe('completed')
    const [page] = (await trawl.call('GET', `/v2/crawl/${crawl.json.id}`)).json.data
    expect((await interact(page.metadata.scrapeId, { code: 'page.url()' })).json.result).toBe(site.url('/act/long'))
    expect(site.lastRequest('/act/long')?.headers).toMatchObject({ 'x-tide': 'ebb' })
  }, 120_000)

  it('is opened once for concurrent calls, which run one after the other', async () => {
    const id = await scraped()
    const answers = await Promise.all([0, 1, 2].map(() => interact(id, { code: 'globalThis.turns = (globalThis.turns ?? 0) + 1; const mine = turns; await new Promise((go) => setTimeout(go, 50)); mine === turns' })))
    expect(answers.map(({ json }) => json.result)).toEqual(['true', 'true', 'true'])
    expect(new Set(answers.map(({ json }) => json.sessionId)).size).toBe(1)
    const sessions: { id: string }[] = (await client.listBrowsers({ status: 'active' })).sessions ?? []
    expect(sessions.map((session) => session.id)).toEqual([answers[0]?.json.sessionId])
    // It is also available at /browser.
    expect(await client.browserExecute(answers[0]?.json.sessionId, { code: 'turns', language: 'node' })).toMatchObject({ success: true, result: '3' })
    await client.deleteBrowser(answers[0]?.json.sessionId)
    expect(codeOf(await interact(id, { code: '1' }))).toEqual([410, 'SESSION_DESTROYED'])
  }, 120_000)

  it('ends a run at its timeout, and a run whose session is stopped', async () => {
    const id = await scraped()
    const late = await interact(id, { code: 'await new Promise(() => {})', timeout: 1 })
    // Opening the session may have taken the whole timeout.
    expect([late.status, late.json.success, late.json.killed, typeof late.json.error]).toEqual([200, false, true, 'string'])
    expect((await interact(id, { code: 'await new Promise(() => {})', timeout: 1 })).json).toMatchObject({ success: false, killed: true })
    const running = interact(id, { code: "await page.goto('data:text/html,busy'); await new Promise(() => {})", timeout: 60 })
    await expect.poll(async () => (await trawl.call('GET', `/v2/browser/${late.json.sessionId}`)).json.status).toBe('active')
    const [ended, stopped] = await Promise.all([running, trawl.call('DELETE', `/v2/scrape/${id}/interact`)])
    expect([codeOf(ended), stopped.status]).toEqual([[410, 'SESSION_DESTROYED'], 200])
  }, 120_000)

  it('is refused for unknown scrapes, other teams, and scrapes that were not stored', async () => {
    expect(codeOf(await interact(unknown, { code: '1' }))).toEqual([404, 'NOT_FOUND'])
    expect(codeOf(await interact('x', { code: '1' }))).toEqual([400, 'BAD_REQUEST'])
    const id = await scraped()
    expect(codeOf(await interact(id, { code: '1' }, other))).toEqual([403, 'FORBIDDEN'])
    expect(codeOf(await trawl.call('DELETE', `/v2/scrape/${id}/interact`))).toEqual([404, 'NOT_FOUND'])
    expect(codeOf(await trawl.call('DELETE', `/v2/scrape/${id}/interact`, undefined, other))).toEqual([403, 'FORBIDDEN'])
    for (const options of [{ zeroDataRetention: true }, { lockdown: true }]) expect(codeOf(await interact(await scraped('/article', options), { code: '1' }))).toEqual([409, 'REPLAY_UNAVAILABLE'])
    const file = await scraped('/files/doc.pdf')
    expect(codeOf(await interact(file, { code: '1' }))).toEqual([409, 'REPLAY_UNAVAILABLE'])
  }, 120_000)

  it('is not opened on an error page unless the scrape had that error', async () => {
    const id = await scraped('/moods')
    mood = 503
    const refused = await interact(id, { code: 'document.title' })
    expect([codeOf(refused), refused.json.error]).toEqual([[409, 'REPLAY_UNAVAILABLE'], expect.stringContaining('status 503 now')])
    expect((await client.listBrowsers({ status: 'active' })).sessions).toEqual([])
    mood = 404
    const missing = await scraped('/moods', { maxAge: 0 })
    expect((await interact(missing, { code: 'await page.title()' })).json).toMatchObject({ success: true, result: 'Mood 404' })
    mood = 200
    expect((await interact(id, { code: 'await page.title()' })).json).toMatchObject({ success: true, result: 'Mood 200' })
  }, 120_000)

  it.each([
    ['neither code nor prompt', {}],
    ['both', { code: '1', prompt: 'x' }],
    ['no code', { code: '' }],
    ['too much code', { code: 'x'.repeat(100_001) }],
    ['too long a prompt', { prompt: '😀'.repeat(10_001) }],
    ['too short a timeout', { code: '1', timeout: 0.5 }],
    ['too long a timeout', { code: '1', timeout: 301 }],
    ['another language', { code: '1', language: 'perl' }],
    ['an unknown key', { code: '1', timeOut: 3 }],
  ])('is not opened for %s', async (_what, body) => {
    expect(codeOf(await interact(unknown, body))).toEqual([400, 'BAD_REQUEST'])
  })

  it('accepts code and prompts of the maximum length, and says what a prompt requires', async () => {
    expect(codeOf(await interact(unknown, { code: '😀'.repeat(100_000) }))).toEqual([404, 'NOT_FOUND'])
    const answer = await interact(await scraped(), { prompt: '😀'.repeat(10_000), language: 'node', origin: 'test' })
    expect(codeOf(answer)).toEqual([501, 'FEATURE_NOT_CONFIGURED'])
    expect(answer.json.error).toContain('TRAWL_LLM_BASE_URL')
  })
})

describe('a standalone session', () => {
  it('is created, listed, used and stopped by the official client', async () => {
    const made = await client.browser({ ttl: 120, activityTtl: 60 })
    expect(made).toMatchObject({ success: true, id: expect.any(String), cdpUrl: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/v2\/browser\//), liveViewUrl: expect.any(String), interactiveLiveViewUrl: expect.any(String) })
    const left = Date.parse(made.expiresAt ?? '') - Date.now()
    expect([left > 60_000, left <= 120_000]).toEqual([true, true])
    const id = made.id ?? ''
    const run = await client.browserExecute(id, { code: `await page.goto('${site.url('/article')}'); await page.title()`, language: 'node' })
    expect(run).toMatchObject({ success: true, result: expect.stringContaining('How harbours measure the tide'), exitCode: 0, killed: false })
    expect(await client.browserExecute(id, { code: 'no such command' })).toMatchObject({ success: true, error: expect.any(String) })
    const raised = await client.browserExecute(id, { code: "await page.click('#nowhere', { timeout: 100 })", language: 'node' })
    expect(raised).toMatchObject({ success: true, exitCode: 1, error: expect.any(String) })
    expect((await client.listBrowsers({ status: 'active' })).sessions?.map((session) => session.id)).toEqual([id])
    expect((await trawl.call('GET', `/v2/interact/${id}`)).json).toMatchObject({ success: true, id, status: 'active', streamWebView: true, cdpUrl: made.cdpUrl, liveViewUrl: made.liveViewUrl })
    for (const [method, path, body] of [['GET', ''], ['POST', '/execute', { code: '1' }], ['DELETE', '']] as const) {
      const answer = await trawl.call(method, `/v2/browser/${id}${path}`, body, other)
      expect([codeOf(answer), answer.text.includes(testKey)]).toEqual([[403, 'FORBIDDEN'], false])
    }
    expect(await client.deleteBrowser(id)).toMatchObject({ success: true, status: 'stopped', creditsBilled: 2 })
    expect(await failure(client.browserExecute(id, { code: '1' }))).toEqual({ status: 410, code: 'SESSION_DESTROYED' })
    const ended = (await client.listBrowsers({ status: 'destroyed' })).sessions ?? []
    expect(ended.find((session) => session.id === id)).toMatchObject({ status: 'destroyed', cdpUrl: '', liveViewUrl: '' })
    expect((await trawl.call('GET', `/v2/browser/${id}`)).json).not.toHaveProperty('cdpUrl')
    expect(codeOf(await trawl.call('GET', '/v2/browser/unknown'))).toEqual([404, 'NOT_FOUND'])
  }, 120_000)

  it('survives a page whose script does not end, and reports what it did about it', async () => {
    const id = (await client.browser({ ttl: 300 })).id ?? ''
    const execute = async (code: string, timeout: number, language = 'node'): Promise<Answered['json']> => (await trawl.call('POST', `/v2/browser/${id}/execute`, { code, language, timeout })).json
    expect(await execute(`await page.goto('${site.url('/article')}'); await page.title()`, 60)).toMatchObject({ exitCode: 0 })
    // First an endless loop in the code's own evaluate, then one that the page itself starts later.
    const killed = await execute('await page.evaluate(() => { while (true) {} })', 2)
    expect(killed).toMatchObject({ killed: true, error: expect.stringContaining('ended after 2 s'), warning: expect.stringContaining(`A script of the page ${site.url('/article')} did not end and was stopped.`) })
    expect(await execute('page.url()', 20)).toMatchObject({ result: site.url('/article'), killed: false, exitCode: 0 })
    await execute('await page.evaluate(() => void setInterval(() => { while (true) {} }, 300))', 20)
    expect(await execute('await new Promise((go) => setTimeout(go, 500)); await page.title()', 2)).toMatchObject({ killed: true, warning: expect.stringContaining('was closed') })
    const next = await execute('await page.evaluate(() => 1 + 1)', 20)
    expect(next).toMatchObject({ result: '2', killed: false })
    expect(next).not.toHaveProperty('warning')
    // A page hangs before the interpreter of another language has started.
    await execute('await page.evaluate(() => void setTimeout(() => { while (true) {} }, 100)); await new Promise((go) => setTimeout(go, 300))', 20)
    expect(await execute('await page.evaluate("2 + 2")', 20, 'python')).toMatchObject({ result: '', killed: false, warning: expect.stringContaining('was stopped') })
    // Code that fails by itself before its timeout.
    await execute('await page.evaluate("setTimeout(() => { while (true) {} }, 100)"); await asyncio.sleep(0.3)', 20, 'python')
    expect(await execute('await page.title()', 3, 'python')).toMatchObject({ killed: false, error: expect.stringContaining('does not answer'), warning: expect.stringContaining('was closed') })
    expect(await execute('await page.title()', 20, 'python')).toMatchObject({ killed: false, exitCode: 0 })
    await client.deleteBrowser(id)
  }, 120_000)

  it('lets running code answer dialogs, whatever ran before in another language', async () => {
    const id = (await client.browser({ ttl: 300 })).id ?? ''
    const execute = async (code: string, language = 'node', timeout = 30): Promise<Answered['json']> => (await trawl.call('POST', `/v2/browser/${id}/execute`, { code, language, timeout })).json
    expect(await execute('await page.title()', 'python')).toMatchObject({ exitCode: 0 })
    const asking = "page.once('dialog', (one) => one.accept('hey')); await page.evaluate(() => prompt('x'))"
    for (let tries = 0; tries < 3; tries++) expect(await execute(asking)).toMatchObject({ result: 'hey', exitCode: 0 })
    // Without a handler, a dialog is dismissed, even by interpreters that do not run.
    expect(await execute("await page.evaluate(() => prompt('x'))")).toMatchObject({ result: expect.stringMatching(/^(?:null)?$/), exitCode: 0 })
    expect(await execute("page.on('dialog', () => {}); await page.evaluate(() => prompt('x'))", 'node', 2)).toMatchObject({ killed: true })
    expect(await execute('print(await page.evaluate("1 + 1"))', 'python')).toMatchObject({ stdout: '2\n' })
    await client.deleteBrowser(id)
  }, 120_000)

  it('answers dialogs as commands say, whatever ran before in another language', async () => {
    const id = (await client.browser({ ttl: 300 })).id ?? ''
    const execute = async (code: string, language = 'bash'): Promise<Answered['json']> => (await trawl.call('POST', `/v2/browser/${id}/execute`, { code, language })).json
    const ask = `dialog accept; eval 'confirm("Sure?")'`
    expect(await execute(ask)).toMatchObject({ stdout: expect.stringMatching(/\ntrue\n$/), stderr: '! eval: The page showed a dialog (confirm): "Sure?"; it was accepted.\n' })
    // Interpreters that wait dismiss dialogs, but not those.
    for (const language of ['node', 'python']) expect(await execute('await page.title()', language)).toMatchObject({ exitCode: 0 })
    for (let tries = 0; tries < 10; tries++) expect(await execute(ask)).toMatchObject({ stdout: expect.stringMatching(/\ntrue\n$/), stderr: '! eval: The page showed a dialog (confirm): "Sure?"; it was accepted.\n' })
    // Meanwhile somebody sees to the dialogs of other tabs, and to what asks whether a page may be left.
    const leaving = `eval 'onbeforeunload = (one) => one.preventDefault()'; click body; dialog accept; open about:blank`
    expect(await execute(leaving)).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await execute(`tab new; eval 'confirm("Other?")'`)).toMatchObject({ stdout: expect.stringMatching(/\nfalse\n$/), stderr: expect.stringContaining('it was dismissed') })
    await execute('tab close')
    expect(await execute('network requests')).toMatchObject({ stdout: '(no requests)\n' })
    await client.deleteBrowser(id)
  }, 120_000)

  it('begins in each language with the tab that was used last, and knows where the others are', async () => {
    const id = (await client.browser({ ttl: 300 })).id ?? ''
    const execute = async (code: string, language: string): Promise<unknown> => (await trawl.call('POST', `/v2/browser/${id}/execute`, { code, language })).json.result
    const [first, second, third, fourth] = ['/article', '/act/long', '/moods', '/article?again'].map((path) => site.url(path))
    await execute(`open ${first}; tab new ${second}; tab new ${third}; tab 1`, 'bash')
    expect(await execute('page.url()', 'node')).toBe(second)
    await execute('tab 2', 'bash')
    expect(await execute('print(page.url, end="")', 'python')).toBe(third)
    await execute(`tab new ${fourth}`, 'bash')
    // Interpreters keep the page that they have.
    expect(JSON.parse(String(await execute('import json; print(json.dumps([page.url, sorted(one.url for one in context.pages)]))', 'python')))).toEqual([third, [first, second, third, fourth].toSorted()])
    expect(JSON.parse(String(await execute('[page.url(), context.pages().map((one) => one.url()).toSorted()]', 'node')))).toEqual([second, [first, second, third, fourth].toSorted()])
    await client.deleteBrowser(id)
  }, 120_000)

  it('counts against the session limit of its team', async () => {
    const open = await Promise.all([0, 1, 2].map(() => trawl.call('POST', '/v2/interact', { streamWebView: false })))
    expect(open.map(({ status, json }) => [status, json.liveViewUrl])).toEqual([[200, undefined], [200, undefined], [200, undefined]])
    const full = await trawl.call('POST', '/v2/browser', {})
    expect([...codeOf(full), Number(full.headers.get('retry-after')) > 0]).toEqual([429, 'CONCURRENCY_LIMITED', true])
    expect(codeOf(await interact(await scraped(), { code: '1' }))).toEqual([429, 'CONCURRENCY_LIMITED'])
    await trawl.call('DELETE', `/v2/interact/${open[0]?.json.id}`)
    const again = await trawl.call('POST', '/v2/browser', {}, { 'x-idempotency-key': 'one' })
    expect((await trawl.call('POST', '/v2/browser', {}, { 'x-idempotency-key': 'one' })).text).toBe(again.text)
    for (const { json } of [...open.slice(1), again]) expect((await trawl.call('POST', `/v2/interact/${json.id}/execute`, { code: '1 + 1' })).json.result).toBe('2')
    await Promise.all([...open.slice(1), again].map(({ json }) => trawl.call('DELETE', `/v2/browser/${json.id}`)))
  }, 120_000)

  it('refuses unsupported requests', async () => {
    expect(codeOf(await trawl.call('POST', '/v2/browser', { recordSession: true }))).toEqual([501, 'FEATURE_NOT_CONFIGURED'])
    for (const body of [{ ttl: 29 }, { ttl: 3601 }, { activityTtl: 9 }, { ttl: 1.5 }, { profile: {} }]) expect(codeOf(await trawl.call('POST', '/v2/browser', body))).toEqual([400, 'BAD_REQUEST'])
  })

  it('ends by itself when it is idle', async () => {
    await expect.poll(async () => (await trawl.call('GET', `/v2/browser/${unused}`, undefined, other)).json.status, { timeout: 30_000 }).toBe('destroyed')
    const late = await trawl.call('POST', `/v2/browser/${unused}/execute`, { code: '1' }, other)
    expect([...codeOf(late), late.json.error]).toEqual([410, 'SESSION_DESTROYED', 'This browser session was not used for too long.'])
  }, 60_000)
})
