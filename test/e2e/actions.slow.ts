import { readdir, readlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { Firecrawl, type SdkError } from 'firecrawl'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { departures, vectors } from '../browser/vectors.ts'
import { type Answered, startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let trawl: TestService
let client: Firecrawl

beforeAll(async () => {
  site = await startSite()
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_ZDR_TEAMS: '*' } })
  client = new Firecrawl({ apiKey: testKey, apiUrl: trawl.base })
})
afterAll(async () => {
  await trawl.stop()
  await site.close()
})
beforeEach(() => site.reset())

const bytesOf = async (url: string): Promise<{ type: string | null; bytes: Buffer; status: number }> => {
  const answer = await fetch(url)
  return { status: answer.status, type: answer.headers.get('content-type'), bytes: Buffer.from(await answer.arrayBuffer()) }
}
const refusal = ({ status, json }: Answered): unknown => [status, json.code]

describe('scrapes with actions', () => {
  it('do all ten kinds for the official client, and return their results', async () => {
    const document = await client.scrape(site.url('/act/form'), {
      formats: ['markdown', 'html'],
      onlyMainContent: false,
      actions: [
        { type: 'wait', milliseconds: 10 },
        { type: 'wait', selector: '#name' },
        { type: 'screenshot', fullPage: true },
        { type: 'click', selector: '#name' },
        { type: 'write', text: 'Ada' },
        { type: 'scrape' },
        { type: 'press', key: 'Enter' },
        { type: 'scroll', direction: 'down' },
        { type: 'executeJavascript', script: 'document.querySelector("#who").textContent' },
        { type: 'pdf', format: 'A4' },
        { type: 'screenshot', quality: 60, viewport: { width: 500, height: 400 } },
      ],
    })
    expect(document.markdown).toContain('Hello Ada')
    expect(document.metadata).toMatchObject({ url: site.url('/act/done?name=Ada'), statusCode: 200, verdict: 'ok' })
    expect(document.metadata?.['cacheState']).toBeUndefined()
    const actions = document.actions as { readonly screenshots: string[]; readonly pdfs: string[]; readonly scrapes: { url: string; html: string }[]; readonly javascriptReturns: unknown[] } // as in the contract
    expect(actions.javascriptReturns).toEqual([{ type: 'string', value: 'Hello Ada' }])
    expect(actions.scrapes.map(({ url, html }) => [url, html.includes('id="form"')])).toEqual([[site.url('/act/form'), true]])
    const files = await Promise.all([...actions.screenshots, ...actions.pdfs].map(bytesOf))
    expect(files.map(({ status, type, bytes }) => [status, type, bytes.subarray(0, 4).toString('latin1')])).toEqual([
      [200, 'image/png', '\x89PNG'],
      [200, 'image/jpeg', '\xff\xd8\xff\xe0'],
      [200, 'application/pdf', '%PDF'],
    ])
    const stored = await trawl.call('GET', `/v2/scrape/${String(document.metadata?.['scrapeId'])}`)
    expect(stored.json.data.actions).toEqual(actions)
    // A page changed by actions is not cached for others.
    const plain = await client.scrape(site.url('/act/done?name=Ada'))
    expect(plain.metadata?.['cacheState']).toBe('miss')
  })

  it('print a page as a PDF whose headings, lists and tables are tagged', async () => {
    const { json } = await trawl.scrape({ url: site.url('/article'), maxAge: 0, actions: [{ type: 'pdf', format: 'A4' }] })
    const { bytes } = await bytesOf(json.data.actions.pdfs[0])
    const read = await client.parse({ data: bytes, filename: 'article.pdf' })
    expect(read.markdown).toContain('## Why it matters\n\n- Ships need depth.\n- Builders need heights:\n  1. of the quay,\n  2. of the dyke.\n\n> A gauge that nobody reads is only a pipe.')
    expect(read.markdown).toContain('|Station|Low (m)|High (m)|\n|---|---|---|\n|North pier|0.4|3.1|')
    expect(read.markdown).toContain('def height(line):\n    time, metres, wind, pressure = line.split()\n    return float(metres)\n```')
  })

  it('say so when a script returns what JSON cannot express', async () => {
    const returned = async (script: string): Promise<unknown> => {
      const { data } = (await trawl.scrape({ url: site.url('/act/order'), actions: [{ type: 'executeJavascript', script }] })).json
      return [data.actions.javascriptReturns, data.warning]
    }
    const said = 'A script of the actions returned an object that JSON cannot express, as it is circular or holds a BigInt; its value is null.'
    expect(await returned('const list = [1]; list.push(list); list')).toEqual([[{ type: 'object', value: null }], said])
    // Nor what a page writes that has replaced what writes JSON.
    expect(await returned('JSON.stringify = () => "no JSON"; ({ a: 1 })')).toEqual([[{ type: 'object', value: null }], said])
    expect(await returned('null')).toEqual([[{ type: 'null', value: null }], undefined])
  })

  it('report a window that they opened, which is not part of the answer', async () => {
    const { json } = await trawl.call('POST', '/v2/scrape', { url: site.url('/act/order'), actions: [{ type: 'click', selector: '#receipt' }] })
    expect([json.data.metadata.url, json.data.warning]).toEqual([site.url('/act/order'), `The actions opened another window, which is not part of the answer: ${site.url('/act/receipt?name=Nobody&size=Small')}`])
  })

  const click = (selector: string): object => ({ type: 'click', selector })

  it('leave a page that asks for confirmation', async () => {
    const { json } = await trawl.scrape({ url: site.url('/act/unsaved'), actions: [{ type: 'write', text: 'x', selector: '#name' }, click('#next')] })
    expect(json.data.metadata.url).toBe(site.url('/act/done?name=Ada'))
  })

  it('lead to no refused address, and say so', async () => {
    for (const more of [[], [{ type: 'wait', milliseconds: 500 }, click('#none')]]) expect(refusal(await trawl.scrape({ url: site.url('/act/ways'), actions: [click('#private'), ...more] }))).toEqual([403, 'FORBIDDEN'])
    expect(refusal(await trawl.scrape({ url: site.url('/redirect/to?url=http://10.0.0.1/'), waitFor: 1 }))).toEqual([403, 'FORBIDDEN'])
    // A status that the site itself sends is part of its answer.
    expect((await trawl.scrape({ url: site.url('/act/ways'), actions: [{ type: 'executeJavascript', script: 'location.href = "/status/403"' }] })).json.data.metadata.statusCode).toBe(403)
  }, 30_000)

  it('return the status of the page that is shown', async () => {
    const { json } = await trawl.scrape({ url: site.url('/act/ways'), actions: [click('#nothing')] })
    expect(json.data.metadata).toMatchObject({ statusCode: 200, url: site.url('/act/ways') })
    const missing = await trawl.scrape({ url: site.url('/act/ways'), actions: [{ type: 'executeJavascript', script: 'location.href = "/status/404"' }] })
    expect(missing.json.data.metadata).toMatchObject({ statusCode: 404, url: site.url('/status/404') })
  })

  it.each([{ type: 'pdf' }, { type: 'screenshot', fullPage: true }, { type: 'screenshot', viewport: { width: 500, height: 400 } }, { type: 'scrape' }])('wait for a page that loads slowly before %j', async (action) => {
    const { json } = await trawl.scrape({ url: site.url('/act/ways'), actions: [click('#late'), action] })
    expect([json.error, json.data?.metadata.url]).toEqual([undefined, site.url('/slow/headers?ms=4500')])
  }, 30_000)

  it.each([
    ['#kept', `The actions started a download, which is not part of the answer: SITE/files/report.pdf`],
    ['#pdf', `The actions started a download, which is not part of the answer: SITE/files/report.pdf`],
    ['#json', `The actions led to a file, of which the answer has what a browser shows: SITE/scripts/json`],
    ['#none-of-these', ''],
  ])('report that they led to a file (%s)', async (selector, text) => {
    const { json } = await trawl.scrape({ url: site.url('/act/ways'), actions: [{ type: 'click', selector, all: true }] })
    expect(json.data.warning ?? '').toBe(text.replace('SITE', site.url('')))
  })

  it('report which action failed, why, and what was on the page', async () => {
    const error: unknown = await client.scrape(site.url('/act/form'), { actions: [{ type: 'scroll', direction: 'up' }, { type: 'click', selector: '#off' }] }).then(() => null, (thrown: unknown) => thrown)
    const { status, code, details } = error as SdkError // the client throws nothing else
    expect([status, code]).toEqual([500, 'SCRAPE_ACTION_ERROR'])
    expect(details).toEqual({ index: 1, type: 'click', message: 'The element that matches "#off" is disabled.', seen: { url: site.url('/act/form'), title: 'Form', text: expect.stringContaining('The ferry leaves the inner harbour') as unknown } })
  })

  it('are a timeout of the request where they wait for longer than it may take', async () => {
    const { status, json } = await trawl.scrape({ url: site.url('/act/form'), timeout: 3_000, actions: [{ type: 'wait', milliseconds: 10 }, { type: 'wait', milliseconds: 30_000 }] })
    expect([status, json.code, json.details]).toEqual([408, 'SCRAPE_TIMEOUT', expect.objectContaining({ index: 1, type: 'wait' })])
  })

  it('are refused where they cannot be carried out', async () => {
    const of = (actions: readonly object[], more: object = {}): Promise<Answered> => trawl.scrape({ url: site.url('/act/form'), actions, ...more })
    const wait = { type: 'wait', milliseconds: 30_000 }
    const answers = [
      await of([{ type: 'scrape' }], { url: site.url('/files/report.pdf') }),
      await of([wait, wait, { type: 'wait', selector: 'p' }]),
      await of(Array.from({ length: 51 }, () => ({ type: 'scrape' }))),
      await of([{ type: 'wait', milliseconds: 5, selector: 'p' }]),
      await of([{ type: 'hover', selector: 'p' }]),
      await of([{ type: 'scrape' }], { minAge: 1 }),
    ]
    expect(answers.map(refusal)).toEqual([[400, 'SCRAPE_ACTIONS_NOT_SUPPORTED'], [400, 'BAD_REQUEST'], [400, 'BAD_REQUEST'], [400, 'BAD_REQUEST'], [400, 'BAD_REQUEST'], [404, 'SCRAPE_NO_CACHED_DATA']])
  })

  it('leave nothing behind under zero retention', async () => {
    const { json } = await trawl.scrape({ url: site.url('/act/form'), zeroDataRetention: true, actions: [{ type: 'screenshot', quality: 10 }, { type: 'pdf' }] })
    const { actions, metadata } = json.data
    expect([actions.screenshots[0].slice(0, 24), actions.pdfs[0].slice(0, 28)]).toEqual(['data:image/jpeg;base64,/', 'data:application/pdf;base64,'])
    expect((await trawl.call('GET', `/v2/scrape/${metadata.scrapeId}`)).status).toBe(404)
  })

  it('are done on every page of a batch, with separate files for each page', async () => {
    const job = await client.batchScrape([site.url('/act/form?n=1'), site.url('/act/form?n=2')], { pollInterval: 1, options: { actions: [{ type: 'executeJavascript', script: 'location.search' }, { type: 'screenshot' }] } })
    const all = job.data.map(({ actions }) => actions as { readonly screenshots: string[]; readonly javascriptReturns: { value: unknown }[] }) // as in the contract
    expect([job.status, all.map(({ javascriptReturns }) => javascriptReturns[0]?.value).sort()]).toEqual(['completed', ['?n=1', '?n=2']])
    expect(await Promise.all(all.map(async ({ screenshots }) => (await bytesOf(screenshots[0] ?? '')).status))).toEqual([200, 200])
  }, 30_000)
})

describe('pages with actions, behind the egress guard', () => {
  const contacts: string[] = []
  const canary = createServer((socket: Socket) => {
    contacts.push('tcp')
    socket.on('error', () => undefined).end()
  })
  let target = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
    target = `127.0.0.1:${(canary.address() as AddressInfo).port}` // a TCP server's address
  })
  afterAll(() => void canary.close())

  /** Everything that the caller of an attempt gets to see: the page before and after the actions. */
  async function attempt(actions: readonly object[]): Promise<string> {
    const answer = await trawl.scrape({ url: site.url('/act/form'), formats: ['rawHtml'], actions: [...actions, { type: 'wait', milliseconds: 200 }, { type: 'scrape' }] })
    return `${answer.status} ${answer.text}`
  }
  const script = (text: string): object => ({ type: 'executeJavascript', script: text })
  const link = (href: string, more = ''): readonly object[] => [script(`document.body.insertAdjacentHTML('afterbegin', '<a id=out ${more} href="${href}">out</a>'); 1`), { type: 'click', selector: '#out' }]

  const local = ['file:///etc/passwd', 'view-source:file:///etc/passwd', 'view-source:http://127.0.0.1/', 'chrome://version/', 'chrome://settings/', 'chrome-error://chromewebdata/', 'chrome-untrusted://print/', 'devtools://devtools/bundled/inspector.html', 'about:blank', 'filesystem:file:///etc/passwd', 'intent://x#Intent;end', 'ftp://127.0.0.1/', 'data:text/html,<iframe src=file:///etc/passwd>', 'javascript:location=`file:///etc/passwd`']

  it('lead to no address outside the web, whether clicked on or set by a script', async () => {
    const attempts = [
      ...local.map((url) => link(url)),
      ...local.slice(0, 2).map((url) => link(url, 'target=_blank')),
      ...local.slice(0, 4).map((url) => [script(`location.href = ${JSON.stringify(url)}; 1`)]),
      [script('open("file:///etc/passwd"); fetch("file:///etc/passwd").then((r) => r.text(), String)')],
      [script('new Promise((resolve) => { const x = new XMLHttpRequest(); x.open("GET", "file:///etc/passwd"); x.onloadend = () => resolve(x.responseText); x.send() })')],
      [script('const f = document.createElement("iframe"); f.src = "file:///etc/passwd"; const o = document.createElement("object"); o.data = "file:///etc/passwd"; document.body.append(f, o); 1')],
      [script('document.head.insertAdjacentHTML("beforeend", "<meta http-equiv=refresh content=\\"0;url=file:///etc/passwd\\">"); 1')],
      [script('const m = document.createElement("form"); m.action = "file:///etc/passwd"; document.body.append(m); m.submit(); 1')],
      [script('import("file:///etc/passwd").catch(String)')],
      [script('document.body.insertAdjacentHTML("afterbegin", "<input type=file id=upload>"); 1'), { type: 'click', selector: '#upload' }],
      [{ type: 'press', key: 'Control+O' }, { type: 'press', key: 'Control+U' }, { type: 'press', key: 'F12' }, { type: 'press', key: 'Control+L' }, { type: 'press', key: 'Control+S' }],
    ]
    expect(attempts.length).toBeGreaterThan(25)
    const seen = await Promise.all(attempts.map(attempt))
    expect(seen.filter((text) => /root:.?x?:0:0|Command Line|ERR_[A-Z]|DevTools/.test(text))).toEqual([])
    // Either the page is where it was, or the caller gets an error.
    expect(seen.filter((text) => !/^200 .*"url":"(?:http:\/\/127\.0\.0\.1:\d+\/|about:blank|data:)/.test(text) && !/^(?:500|400|403) .*"code":"SCRAPE_(?:SITE_ERROR|ACTION_ERROR)"/.test(text))).toEqual([])
  }, 120_000)

  it('reach nothing on this machine that is not allowed, in any of the ways that pages have', async () => {
    const all = (to: string): object => script(`${Object.values(vectors).map((vector) => `try { (() => { ${vector(to)} })() } catch {}`).join('\n')}; 'tried'`)
    // The same ways do reach what is allowed.
    await attempt([all(`127.0.0.1:${site.port}`), { type: 'wait', milliseconds: 1_000 }])
    expect(['/fetch', '/beacon', '/iframe', '/worker-fetch', '/css-image'].map((path) => site.hits(path) > 0)).toEqual([true, true, true, true, true])
    expect(await attempt([all(target), { type: 'wait', milliseconds: 1_500 }])).toContain('"value":"tried"')
    const leaving = Object.values(departures).map((departure) => attempt([script(`document.open(); document.write(${JSON.stringify(departure(target))}); document.close(); 1`)]))
    const links = [link(`http://${target}/click`), link(site.url(`/redirect/to?url=${encodeURIComponent(`http://${target}/`)}`)), link(`http://${target}/download`, 'download')]
    await Promise.all([...leaving, ...links.map(attempt)])
    await attempt([script(`fetch("${trawl.base}/health", { mode: "no-cors" }).then((r) => r.type, String)`)])
    expect(contacts).toEqual([])
  }, 120_000)

  it('get no answer from the service itself', async () => {
    const text = await attempt([script(`location.href = "${trawl.base}/health"; 1`)])
    expect(text).not.toContain('uptimeSeconds')
  })

  it('leave no file descriptor open', async () => {
    const one = (): Promise<unknown> => trawl.scrape({ url: site.url('/act/form'), actions: [script('1'), { type: 'screenshot', quality: 10 }, { type: 'pdf' }] })
    const openOnes = async (): Promise<number> => {
      const all = await readdir(`/proc/${trawl.pid}/fd`)
      const targets = await Promise.all(all.map((fd) => readlink(`/proc/${trawl.pid}/fd/${fd}`).catch(() => '')))
      // The number of sockets varies with the tests; pipes and files belong to the browser.
      return targets.filter((path) => path !== '' && !path.startsWith('socket:')).length
    }
    await Promise.all(Array.from({ length: 4 }, one))
    const before = await openOnes()
    await Promise.all(Array.from({ length: 8 }, one))
    expect(await openOnes()).toBeLessThanOrEqual(before)
  }, 60_000)
})
