import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../domain/call.ts'
import type { Capture, Engine, Order } from '../domain/pages/capture.ts'
import { type TestPages, testPages } from '../../test/pages.ts'
import { document, type Page, page } from '../../test/site/page.ts'
import { type Site, startSite } from '../../test/site/index.ts'
import { browserEngine } from './browser.ts'

const files: Engine = { name: 'http', can: new Set(), cost: 1, fetch: async () => Promise.reject(new Error('no file is here')) }

const text = 'The ferry leaves the inner harbour at seven and calls at both islands before noon. '.repeat(6)
const script = (code: string): string => `<script>const text = ${JSON.stringify(text)}; ${code}</script>`
const parts = (style: string): string => [2, 3, 4, 5, 6].map((n) => `<section data-n="${n}" style="${style}"></section>`).join('')
const fill = "function fill(part) { part.innerHTML = '<h2>Part ' + part.dataset.n + ' MARK</h2><p>' + text }"
const observe = (act: string): string => script(`${fill} const seer = new IntersectionObserver((seen) => { for (const { isIntersecting, target } of seen) if (isIntersecting) { seer.unobserve(target); (${act})(target) } }); for (const part of document.querySelectorAll('section')) seer.observe(part)`)
const first = `<h1>Ferries</h1><p>${text}</p>`
const late = (waiting: string, ms: number): Page => page(document('Late', `<main><h1>Ferries</h1><div id="part">${waiting}</div></main>${script(`setTimeout(() => { part.textContent = text + 'Late MARK' }, ${ms})`)}`))
const steps = (most: number): Page =>
  page(document('Steps', `<main id="list">${first}</main><div class="sentinel"></div>${script(`let n = 1; new IntersectionObserver(async ([{ isIntersecting, target }], seer) => { if (!isIntersecting) return; await fetch('/late/step?n=' + ++n); list.insertAdjacentHTML('beforeend', '<section style="height:900px"><h2>Part ' + n + ' MARK</h2><p>' + text + '</section>'); seer.unobserve(target); if (n < ${most}) seer.observe(target); else target.remove() }).observe(document.querySelector('.sentinel'))`)}`))

const beside = (waiting: string, ms: number): Page => page(document('Beside', `<main>${first}<div id="part">${waiting}</div></main>${script(`setTimeout(() => { part.textContent = text + 'Late MARK' }, ${ms})`)}`))
const rows = (list: string, placed: boolean, most = 20): Page =>
  page(document('Rows', `<main>${first}${list}</main>${script(`for (let n = 0; n < ${most}; n++) { const row = document.createElement(list.localName === 'tbody' ? 'tr' : 'div'); row.style.cssText = 'height: 20px' + (${placed} ? '; position: absolute; top: ' + n * 20 + 'px' : ''); row.innerHTML = '<td>Ship ' + n; list.append(row) }`)}`))

let site: Site
let pages: TestPages
let engine: Engine
beforeAll(async () => {
  site = await startSite({
    '/late/parts': page(document('Parts', `<main>${first}${parts('min-height:900px')}</main>${observe('fill')}`)),
    '/late/fetched': page(document('Parts', `<main>${first}${parts('min-height:900px')}</main>${observe("(part) => fetch('/late/step').then(() => fill(part))")}`)),
    '/late/windows': page(document('Parts', `<main><div style="min-height:100vh">${first}</div>${parts('min-height:100vh')}</main>${observe('fill')}`)),
    '/late/within': page(document('Parts', `<div style="height:100vh;overflow:auto"><main>${first}${parts('min-height:900px')}</main></div>${observe('fill')}`, '<style>html, body { margin: 0; overflow: hidden }</style>')),
    '/late/scrolled': page(document('Parts', `<main>${first}${parts('min-height:900px')}</main>${script(`${fill} addEventListener('scroll', () => { for (const part of document.querySelectorAll('section:empty')) if (part.getBoundingClientRect().top < innerHeight) fill(part); history.replaceState(null, '', '/late/elsewhere') })`)}`)),
    '/late/four-steps': steps(4),
    '/late/endless': steps(Infinity),
    '/late/articles': page(document('Ferries', `<main>${first}<p>${text.repeat(8)}</p></main><div class="infinite"></div>${script("let n = 1; new IntersectionObserver(([{ isIntersecting }]) => { if (!isIntersecting || n > 8) return; n++; document.querySelector('main').insertAdjacentHTML('beforeend', '<article><h1>Other ' + n + ' MARK</h1><p>' + text.repeat(5) + '</article>'); document.title = 'Other ' + n; history.replaceState(null, '', '/late/other-' + n) }).observe(document.querySelector('.infinite'))")}`, '<style>main { width: 300px }</style>')),
    '/late/nothing': page(document('Nothing', `<main>${first}</main>${script("setTimeout(() => document.documentElement.remove(), 50)")}`)),
    '/late/full': page(document('Full', `<main>${first}<div style="height:3000px;background-image:url(/a.png)"></div><div class="spacer" style="height:200px"></div><p>${text}</p></main>${script("addEventListener('scroll', () => fetch('/late/step'))")}`)),
    '/late/step': (_visit, answer) => answer.send(200, { 'content-type': 'text/plain' }, ''),
    '/late/skeleton': late('<div class="skeleton" style="height:20px">&nbsp;</div>', 2_500),
    '/late/words': late('Loading ferries…', 2_500),
    '/late/stream': page(document('Stream', `<main><h1>Ferries</h1><div id="part"></div></main>${script("const source = new EventSource('/late/events'); source.onmessage = ({ data }) => { part.textContent = text + data; source.close() }")}`)),
    '/late/events': async (visit, answer) => {
      await visit.later(2_000)
      answer.send(200, { 'content-type': 'text/event-stream' }, 'data: Late MARK\n\n')
    },
    '/late/place': beside('<div class="skeleton" style="height:300px"></div>', 2_500),
    '/late/part': beside('<div class="skeleton" style="height:300px"></div>', 60_000),
    '/late/covered': beside('<div style="position:relative"><div class="skeleton" style="height:300px"></div><img src="/a.png" alt="" style="position:absolute;inset:0;width:100%;height:300px"></div>', 60_000),
    '/late/content': late('Loading ferries…', 60_000),
    '/late/frame': page(document('Frame', `<main>${first}<iframe src="/late/never" width="600" height="400"></iframe></main>`)),
    '/late/rows': rows('<div id="list" style="position: relative; height: 40000px"></div>', true),
    '/late/padded': rows('<div id="list" style="padding-bottom: 40000px"></div>', false),
    '/late/within-rows': rows('<div style="height: 300px; overflow: auto"><div style="position: absolute; width: 1px; height: 40000px"></div><div id="list"></div></div>', false),
    '/late/table': rows('<table><tbody id="list"><tr><td style="height: 40000px"></td></tr></tbody></table>', false),
    '/late/all-rows': rows('<div id="list" style="height: 20000px"></div>', false, 1000),
    '/late/tall-frame': rows('<div id="list"></div><iframe style="height: 5000px" srcdoc="<p>A form"></iframe>', false),
    '/late/tall-text': rows('<div id="list"></div><div style="height: 5000px">A wide space</div>', false),
    '/late/hidden': page(document('Frame', `<main>${first}<iframe src="/late/never" style="display: none"></iframe><iframe src="/late/never" width="40" height="40"></iframe></main>`)),
    '/late/never': () => undefined,
    '/late/script': page(document('Script', `<main>${first}</main>${script('for (;;) {}')}`)),
    '/late/onward': page(document('Moved', `<p>You are being redirected.</p>${script("setTimeout(() => { location.href = '/late/there' }, 2_500)")}`)),
    '/late/refreshed': page(document('Moved', '<p>You will be redirected in 4 seconds.</p>', '<meta http-equiv="refresh" content="4; url=/late/there">')),
    '/late/header': (_visit, answer) => answer.send(200, { 'content-type': 'text/html', refresh: '2; url=/late/there' }, '<title>Moved</title><p>Thank you.</p>'),
    '/late/header-to-itself': (_visit, answer) => answer.send(200, { 'content-type': 'text/html', refresh: '2; url=#again' }, `<title>News</title><p>${text}</p>`),
    '/late/widget': (visit, answer) => page(document('Widget', `<main>${first}<iframe src="${visit.origin.replace('127.0.0.1', 'localhost')}/late/widget-${visit.number('ms', 0)}" width="600" height="400"></iframe></main>`))(visit, answer),
    '/late/widget-1500': late('<div class="spinner" style="height:20px">&nbsp;</div>', 1_500),
    '/late/widget-60000': late('<div class="spinner" style="height:20px">&nbsp;</div>', 60_000),
    '/late/drawn': page(document('Drawn', `<h1>Ferries</h1><x-app></x-app>${script("document.querySelector('x-app').attachShadow({ mode: 'open' }).innerHTML = '<canvas width=1200 height=700></canvas>'")}`)),
    '/late/chart': page(document('Chart', `<h1>Ferries</h1><canvas width="1200" height="700"></canvas><p>${text}</p>${script('')}`)),
    '/late/backdrop': page(document('Backdrop', `<main style="min-height:100vh"><h1>Ferries</h1></main><canvas width="1200" height="700" style="position:fixed;inset:0;z-index:-1"></canvas>${script('')}`)),
    '/late/small-chart': page(document('Chart', `<h1>Ferries</h1><canvas width="300" height="200"></canvas>${script('')}`)),
    '/late/thanks': page(document('Thanks', `<main>${first}<div id="part"></div></main>${script("location.href = '/late/file'; setTimeout(() => { part.textContent = 'Late MARK' }, 100)")}`)),
    '/late/thanks-later': page(document('Thanks', `<main>${first}<p>There MARK</p></main>`, '<meta http-equiv="refresh" content="1; url=/late/file">')),
    '/late/onward-to-file': page(document('Moved', `<p>Your file is ready.</p>${script("location.href = '/late/file'")}`)),
    '/late/file': (_visit, answer) => answer.send(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename=a.zip' }, 'PK'),
    '/late/there': page(document('There', `<main>${first}<p>There MARK</p></main>`)),
  })
  pages = await testPages(site.port)
  engine = browserEngine(pages, { clock: { now: Date.now }, maxBytes: 50_000_000, files })
})
afterAll(async () => {
  await pages.close()
  await site.close()
})

async function get(path: string, more: Partial<Order> = {}, ms = 30_000): Promise<Capture> {
  const call: Call = { id: 'call', team: 'team', signal: AbortSignal.timeout(ms), deadline: Date.now() + ms, retention: 'normal', log: () => undefined }
  const answer = await engine.fetch({ url: site.url(path), headers: {}, languages: ['en'], skipTlsVerification: true, ...more }, call)
  if (answer.kind !== 'captured') throw new Error(JSON.stringify(answer))
  return answer.capture
}

const marked = ({ body }: Capture): readonly string[] => Buffer.from(body).toString().match(/\w+ \d(?= MARK<)/g) ?? []
const all = ['Part 2', 'Part 3', 'Part 4', 'Part 5', 'Part 6']

describe('parts that wait to be scrolled to', () => {
  it.each(['parts', 'fetched', 'windows', 'within', 'scrolled'])('are there: %s', async (name) => {
    const capture = await get(`/late/${name}`)
    expect([marked(capture), capture.url]).toEqual([all, site.url(`/late/${name}`)])
  })

  it('are there if they come one after another, but not without end', async () => {
    expect(marked(await get('/late/four-steps'))).toEqual(['Part 2', 'Part 3', 'Part 4'])
    const endless = marked(await get('/late/endless'))
    expect([endless.length > 2, endless.length < 20]).toEqual([true, true])
  })

  it('are not other articles than the first', async () => {
    for (const more of [{}, { screenshot: { fullPage: true } }]) {
      const capture = await get('/late/articles', more)
      expect([marked(capture), capture.url, /<title>(.*?)<\/title>/.exec(Buffer.from(capture.body).toString())?.[1]]).toEqual([[], site.url('/late/articles'), 'Ferries'])
    }
  })

  it('are left where they are by actions, and do not change the picture of the window', async () => {
    const acted = await get('/late/parts', { actions: [{ type: 'executeJavascript', script: '[innerHeight < 1200, scrollY]' }] })
    expect([marked(acted).length < 3, acted.actions?.javascriptReturns.map(({ value }) => value)]).toEqual([true, [[true, 0]]])
    const [plain, again] = [await get('/late/parts', { screenshot: { fullPage: false } }), await get('/late/parts', { screenshot: { fullPage: false }, waitFor: 10 })]
    expect([marked(plain), plain.shots?.[0]?.bytes]).toEqual([all, again.shots?.[0]?.bytes])
  })

  it('are not looked for on pages that are full', async () => {
    site.reset()
    await get('/late/full')
    expect(site.hits('/late/step')).toBe(0)
  })
})

describe('a page of which something does not come', () => {
  it.each([
    ['content', 12_000],
    ['frame', 12_000],
    ['script', 5_000],
  ])('is read, and says so: %s', async (name, ms) => expect((await get(`/late/${name}`, {}, ms)).missing).toEqual([name]))

  it('says that a large part waits for its content, unless that covers it', async () => {
    expect([(await get('/late/part', {}, 12_000)).missing, (await get('/late/covered', {}, 12_000)).missing]).toEqual([['content'], undefined])
  })

  it.each(['rows', 'padded', 'within-rows', 'table'])('says that a list has only the rows in view: %s', async (name) => {
    expect((await get(`/late/${name}`)).missing).toEqual(['rows'])
  })

  it.each(['all-rows', 'tall-frame', 'tall-text'])('says nothing of a list that has all of its rows: %s', async (name) => {
    expect((await get(`/late/${name}`)).missing).toBeUndefined()
  })

  it('says that the page draws what it shows, unless there is text, or the drawing is small or behind', async () => {
    const found = await Promise.all(['drawn', 'chart', 'backdrop', 'small-chart'].map(async (name) => (await get(`/late/${name}`)).missing))
    expect(found).toEqual([['drawing'], undefined, undefined, undefined])
  })

  it('says nothing of frames that would not be read', async () => {
    expect((await get('/late/hidden', {}, 12_000)).missing).toBeUndefined()
  })
})

describe('a frame of another origin that says that it is loading', () => {
  it('is waited for, and told of if nothing comes', async () => {
    const [soon, never] = [await get('/late/widget?ms=1500'), await get('/late/widget?ms=60000')]
    expect([Buffer.from(soon.body).toString().includes('Late MARK</div>'), soon.missing]).toEqual([true, undefined])
    expect([Buffer.from(never.body).toString().includes('<h1>Ferries</h1><div id="part">'), never.missing]).toEqual([true, ['frame']])
  })
})

describe('a page whose script removes all of it', () => {
  it('is an empty page, and no fault', async () => {
    const { body, status } = await get('/late/nothing', { waitFor: 200, look: true, screenshot: { fullPage: true } })
    expect([Buffer.from(body).toString(), status]).toEqual(['<!DOCTYPE html>\n', 200])
  })
})

describe('a page that says little, and that more is coming,', () => {
  it.each(['skeleton', 'words', 'stream'])('is waited for: %s', async (name) => {
    const { body, missing } = await get(`/late/${name}`)
    expect([Buffer.from(body).toString().includes('Late MARK</div>'), missing]).toEqual([true, undefined])
  })

  it('is waited for, too, when only a large part of it does', async () => {
    const { body, missing } = await get('/late/place')
    expect([Buffer.from(body).toString().includes('Late MARK</div>'), missing]).toEqual([true, undefined])
  })

  it.each(['onward', 'refreshed', 'header'])('is followed to the next: %s', async (name) => {
    expect((await get(`/late/${name}`)).url).toBe(site.url('/late/there'))
  })
})

describe('a page that reloads itself by a header', () => {
  it('is read as it is', async () => {
    const { url, body } = await get('/late/header-to-itself')
    expect([url, Buffer.from(body).toString().includes('ferry')]).toEqual([site.url('/late/header-to-itself'), true])
  })
})

describe('a page that starts a download', () => {
  it('is what it says, if it says something', async () => {
    const [now, later] = [await get('/late/thanks'), await get('/late/thanks-later')]
    expect([now.url, now.status, Buffer.from(now.body).toString().includes('Late MARK</div>')]).toEqual([site.url('/late/thanks'), 200, true])
    expect([later.url, later.headers.find(([name]) => name === 'content-type'), Buffer.from(later.body).toString().includes('There MARK')]).toEqual([site.url('/late/thanks-later'), ['content-type', 'text/html; charset=utf-8'], true])
  })

  it('is the file otherwise', async () => {
    await expect(get('/late/onward-to-file')).rejects.toThrow('no file is here')
  })
})
