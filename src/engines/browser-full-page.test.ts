import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Call } from '../domain/call.ts'
import type { Capture, Engine, Order } from '../domain/pages/capture.ts'
import { type TestPages, testPages } from '../../test/pages.ts'
import { type Site, startSite } from '../../test/site/index.ts'
import { browserEngine } from './browser.ts'

const files: Engine = { name: 'http', can: new Set(), cost: 1, fetch: async () => Promise.reject(new Error('no file is here')) }

let site: Site
let pages: TestPages
let engine: Engine
beforeAll(async () => {
  site = await startSite({
    '/moves': async (visit, answer) => {
      const at = visit.number('at', 0)
      answer.send(200, { 'content-type': 'text/html' }, `<!doctype html><h1>Step ${at}</h1><p>${'Text of the page. '.repeat(20)}</p>${at < 4 ? `<script>setTimeout(() => { location.search = 'at=${at + 1}' }, ${at === 0 ? 1500 : 400})</script>` : ''}`)
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
