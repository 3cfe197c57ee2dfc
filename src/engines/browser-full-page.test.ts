import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Call } from '../domain/call.ts'
import type { Capture, Engine, Order } from '../domain/pages/capture.ts'
import { type TestPages, testPages } from '../../test/pages.ts'
import { type Site, startSite } from '../../test/site/index.ts'
import { contextTerms } from '../browser/index.ts'
import { browserEngine } from './browser.ts'

const files: Engine = { name: 'http', can: new Set(), cost: 1, fetch: async () => Promise.reject(new Error('no file is here')) }

let site: Site
let pages: TestPages
let engine: Engine
beforeAll(async () => {
  site = await startSite({
    // Bars of the window in red, lime and yellow; a blue part that shows in the window alone; gray behind all.
    '/bars': async (_visit, answer) => {
      answer.send(200, { 'content-type': 'text/html' }, `<!doctype html><style>html { background: gray } body { margin: 0; height: 3200px } .bar { position: fixed; left: 0; right: 0; height: 50px } #part { position: absolute; top: 1610px; width: 100%; height: 100px; background: blue; opacity: 0; transition: opacity 300ms } #part.in { opacity: 1 }</style>
<div class="bar" style="top: 0; background: red"></div><div class="bar" style="bottom: 0; background: lime" id="foot"></div><div style="height: 2400px"></div><div style="position: sticky; bottom: 100px; height: 50px; background: yellow"></div><div id="part"></div>
<script>new IntersectionObserver(([seen]) => part.classList.toggle('in', seen.isIntersecting)).observe(part)</script>`)
    },
    '/still': async (_visit, answer) => {
      answer.send(200, { 'content-type': 'text/html', 'content-security-policy': 'sandbox' }, `<!doctype html><style>html { background: gray } body { margin: 0; height: 2000px }</style><h1>Still</h1><p>${'Text of the page. '.repeat(20)}</p><div style="position: absolute; top: 1900px; height: 100px; width: 100%; background: lime"></div><script>document.body.textContent = ''</script>`)
    },
    // Goes on as soon as it is scrolled.
    '/scrolled-on': async (visit, answer) => {
      const at = visit.number('at', 0)
      answer.send(200, { 'content-type': 'text/html' }, `<!doctype html><style>h1 { margin: 0 } body { margin: 0; height: ${at < 2 ? 9000 : 2000}px }</style><h1>Step ${at}</h1><p>${'Text of the page. '.repeat(20)}</p>${at < 2 ? `<script>addEventListener('scroll', () => { location.search = 'at=${at + 1}' }, { once: true })</script>` : ''}`)
    },
    // Scrolls in itself, and goes on as soon as its window changes.
    '/resized-on': async (_visit, answer) => {
      answer.send(200, { 'content-type': 'text/html' }, `<!doctype html><style>html, body { margin: 0; height: 100%; overflow: hidden } main { height: 100%; overflow: auto }</style><main><p>${'Text of the page. '.repeat(20)}</p><div style="height: 3000px"></div></main><script>onresize = () => { location.href = '/short' }</script>`)
    },
    '/short': async (_visit, answer) => {
      answer.send(200, { 'content-type': 'text/html' }, `<!doctype html><h1>Short</h1><p>${'Text of the page. '.repeat(20)}</p>`)
    },
    '/moves': async (visit, answer) => {
      const at = visit.number('at', 0)
      answer.send(200, { 'content-type': 'text/html' }, `<!doctype html><h1>Step ${at}</h1><p>${'Text of the page. '.repeat(20)}</p>${at < 4 ? `<script>setTimeout(() => { location.search = 'at=${at + 1}' }, ${at === 0 ? 1500 : 400})</script>` : ''}`)
    },
    // Goes on when a part below the window is scrolled to, which is after the picture of the window: once, or each time.
    '/further': async (visit, answer) => {
      const [at, most] = [visit.number('at', 0), visit.number('most', 1)]
      const on = `<section style="height: 2000px"></section><script>new IntersectionObserver(([seen]) => { if (seen.isIntersecting) location.search = 'at=${at + 1}&most=${most}' }).observe(document.querySelector('section'))</script>`
      answer.send(200, { 'content-type': 'text/html' }, `<!doctype html><style>html { background: ${at === 0 ? 'red' : 'lime'} } body { min-height: 100vh }</style><h1>Step ${at}</h1><p style="height: 900px">${'Text of the page. '.repeat(20)}</p>${at < most ? on : ''}`)
    },
  })
  pages = await testPages(site.port)
  engine = browserEngine(pages, { clock: { now: Date.now }, maxBytes: 50_000_000, files })
})
afterAll(async () => {
  await pages.close()
  await site.close()
})
beforeEach(() => site.reset())

async function get(path: string, more: Partial<Order>): Promise<Capture> {
  const call: Call = { id: 'call', team: 'team', signal: AbortSignal.timeout(30_000), deadline: Date.now() + 30_000, retention: 'normal', log: () => undefined }
  const answer = await engine.fetch({ url: site.url(path), headers: {}, languages: ['en'], skipTlsVerification: true, ...more }, call)
  if (answer.kind !== 'captured') throw new Error(JSON.stringify(answer))
  return answer.capture
}

function pngSize(bytes: Uint8Array = new Uint8Array(24)): readonly number[] {
  const buffer = Buffer.from(bytes)
  return [buffer.readUInt32BE(16), buffer.readUInt32BE(20)]
}

/** The colours in the middle of a picture at those heights. */
async function coloursOf(bytes: Uint8Array | undefined, heights: readonly number[]): Promise<readonly string[]> {
  const given = { url: `data:image/png;base64,${Buffer.from(bytes ?? []).toString('base64')}`, heights }
  return pages.use(contextTerms({ url: site.url('/'), headers: {}, languages: ['en'], skipTlsVerification: true }), (page) => page.evaluate(`(async ({ url, heights }) => {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: image.height })
    const ink = canvas.getContext('2d')
    ink.drawImage(image, -image.width / 2, 0)
    const names = { '255,0,0': 'red', '0,255,0': 'lime', '0,0,255': 'blue', '255,255,0': 'yellow', '128,128,128': 'gray' }
    return heights.map((y) => { const colour = [...ink.getImageData(0, y, 1, 1).data.slice(0, 3)].join(); return names[colour] ?? colour })
  })(${JSON.stringify(given)})`))
}

const barsAt = [25, 725, 775, 825, 1_575, 1_650, 2_425, 3_125, 3_175]
const bars = ['red', 'gray', 'gray', 'gray', 'gray', 'blue', 'yellow', 'gray', 'lime']

it('shows bars of the window at the edges of the page, and parts that fade away out of the window', async () => {
  const [shot] = (await get('/bars', { screenshot: { fullPage: true } })).shots ?? []
  expect([pngSize(shot?.bytes), await coloursOf(shot?.bytes, barsAt)]).toEqual([[1280, 3200], bars])
})

it('does so from wherever the page was scrolled to, and leaves the page as it was', async () => {
  const state = { type: 'executeJavascript', script: '[scrollY, document.getAnimations().length, foot.getBoundingClientRect().top, getComputedStyle(part).opacity]' } as const
  const { actions } = await get('/bars', { actions: [{ type: 'scroll', direction: 'down' }, { type: 'screenshot', fullPage: true }, { type: 'wait', milliseconds: 500 }, state] })
  expect(await coloursOf(actions?.screenshots[0]?.bytes, barsAt)).toEqual(bars)
  expect(actions?.javascriptReturns[0]?.value).toEqual([800, 0, 750, '0'])
})

it.each([100, 60])('captures all of a page that scrolls within itself, in %i percent of the window', async (share) => {
  const capture = await get(`/scripts/scrolls-within?share=${share}`, { screenshot: { fullPage: true } })
  const [shot] = capture.shots ?? []
  const [width, height = 0] = pngSize(shot?.bytes)
  expect([width, height > 3_050, shot?.clipped, site.hits('/scripts/picture.svg')]).toEqual([1280, true, false, 10])
})

it('says that a part is missing where the area that scrolls does not grow with the window, and gives the window its size back', async () => {
  const actions = [{ type: 'executeJavascript', script: "document.getElementById('area').style.height = '500px'" }, { type: 'screenshot', fullPage: true }, { type: 'executeJavascript', script: 'innerHeight' }] as const
  const results = (await get('/scripts/scrolls-within', { actions })).actions
  expect([results?.screenshots[0]?.clipped, results?.javascriptReturns[1]]).toEqual([true, { type: 'number', value: 800 }])
})

it('takes only the window unless the full page is asked for', async () => {
  const [shot] = (await get('/scripts/scrolls-within', { screenshot: { fullPage: false } })).shots ?? []
  expect([pngSize(shot?.bytes), shot?.clipped]).toEqual([[1280, 800], false])
})

it('takes pictures of a page that goes on to others meanwhile', async () => {
  const actions = Array.from({ length: 20 }, () => ({ type: 'screenshot', fullPage: false }) as const)
  const capture = await get('/moves', { actions })
  expect(capture.actions?.screenshots.map(({ bytes }) => pngSize(bytes))).toEqual(actions.map(() => [1280, 800]))
})

it('takes the full page of what a page goes on to while it is scrolled', async () => {
  const capture = await get('/scrolled-on', { screenshot: { fullPage: true } })
  expect([pngSize(capture.shots?.[0]?.bytes), String(capture.body).includes('Step 2')]).toEqual([[1280, 2000], true])
})

it('takes a page that comes when the window was made taller in a window of the usual size', async () => {
  const capture = await get('/resized-on', { screenshot: { fullPage: true } })
  expect([pngSize(capture.shots?.[0]?.bytes), String(capture.body).includes('Short')]).toEqual([[1280, 800], true])
})

it('takes picture and text of the same page when it goes on to another in between, or says that it did not', async () => {
  const once = await get('/further', { screenshot: { fullPage: false } })
  expect([await coloursOf(once.shots?.[0]?.bytes, [700]), String(once.body).includes('Step 1'), once.missing]).toEqual([['lime'], true, undefined])
  const always = await get('/further?most=9', { screenshot: { fullPage: false } })
  expect(always.missing).toEqual(['picture'])
})

it('takes pictures of documents that may not run scripts, and reads them', async () => {
  const { shots, body, missing } = await get('/still', { screenshot: { fullPage: true } })
  expect(await coloursOf(shots?.[0]?.bytes, [1_500, 1_950])).toEqual(['gray', 'lime'])
  expect([Buffer.from(body).toString().includes('Text of the page.'), missing]).toEqual([true, undefined])
}, 60_000)
