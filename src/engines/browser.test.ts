import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../domain/call.ts'
import type { Capture, Engine, Order } from '../domain/pages/capture.ts'
import { header } from '../domain/pages/capture.ts'
import { type TestPages, testPages } from '../../test/pages.ts'
import { type Site, startSite, startTlsSite } from '../../test/site/index.ts'
import { tiers } from '../../test/tiers.ts'
import { browserEngine } from './browser.ts'

const fetched: Order[] = []

/** Stands in for the HTTP engine and records its requests. */
const files: Engine = {
  name: 'http',
  can: new Set(),
  cost: 1,
  fetch: async (order) => {
    fetched.push(order)
    return { kind: 'captured', capture: { requestedUrl: order.url, url: order.url, status: 200, headers: [], body: Buffer.from('file'), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 } }
  },
}

function callOf(ms: number): Call {
  return { id: 'call', team: 'team', signal: AbortSignal.timeout(ms), deadline: Date.now() + ms, retention: 'normal', log: () => undefined }
}

describe.each(tiers)('the browser engine, %s tier,', (tier) => {
  let site: Site
  let pages: TestPages
  let engine: Engine
  beforeAll(async () => {
    site = await startSite()
    pages = await testPages(site.port)
    engine = browserEngine(pages, { clock: { now: Date.now }, maxBytes: 50_000_000, files })
  })
  afterAll(async () => {
    await pages.close()
    await site.close()
  })

  async function get(page: string, more: Partial<Order> = {}, ms = 30_000): Promise<Capture> {
    const url = page.startsWith('http') ? page : site.url(page)
    const answer = await engine.fetch({ url, headers: {}, languages: ['en-US', 'en'], skipTlsVerification: true, tier, ...more }, callOf(ms))
    if (answer.kind !== 'captured') throw new Error(JSON.stringify(answer))
    return answer.capture
  }
  const bodyOf = (capture: Capture): string => Buffer.from(capture.body).toString()

  it.each([
    ['/scripts/inline', 'Inline MARK'],
    ['/scripts/fetched', 'Fetched MARK'],
    ['/scripts/fetched-after-load', 'Fetched MARK'],
    ['/scripts/chained', 'Fetched MARK'],
    ['/scripts/timer', 'Timer MARK'],
    ['/scripts/clock', 'Clock MARK'],
    ['/scripts/traps', 'Trap MARK'],
    ['/scripts/workers', 'classic, module, shared, events MARK'],
  ])('fetches %s completely', async (page, mark) => {
    const capture = await get(page)
    expect(bodyOf(capture)).toContain(mark)
    expect(bodyOf(await get(page, { onRedirect: () => undefined }))).toContain(mark)
    expect({ status: capture.status, engine: capture.engine, truncated: capture.truncated, type: header(capture, 'content-type') }).toEqual({ status: 200, engine: 'browser', truncated: false, type: 'text/html; charset=utf-8' })
  })

  it.each([
    ['/scripts/redirects', '/scripts/fetched?from=script', 'Fetched MARK', 200],
    ['/scripts/refresh', '/scripts/inline', 'Inline MARK', 200],
    ['/scripts/push-state', '/scripts/pushed/view', 'Pushed MARK', 200],
    ['/scripts/self-solving', '/scripts/self-solving', 'Behind the wall MARK', 200],
    ['/scripts/broken-server', '/scripts/broken-server', 'Broken MARK', 500],
    ['/scripts/bare-500', '/scripts/bare-500', '', 500],
    ['/status/404', '/status/404', '', 404],
    ['/redirect/chain/3', null, '', 200],
  ])('follows %s to its end', async (page, url, mark, status) => {
    const capture = await get(page)
    expect([url === null ? null : capture.url, capture.requestedUrl, capture.status]).toEqual([url === null ? null : site.url(url), site.url(page), status])
    expect(bodyOf(capture)).toContain(mark)
  })

  it.each([
    ['/redirect/chain/2', ['/redirect/chain/1', '/redirect/landing']],
    ['/scripts/redirects', ['/scripts/fetched?from=script']],
    ['/scripts/refresh', ['/scripts/inline']],
    ['/redirect/cross-host', ['http://localhost/redirect/landing']],
    ['/scripts/fetched', []],
  ])('asks before it follows %s, and fetches nothing without permission', async (page, hops) => {
    const asked: string[] = []
    const onRedirect = async (url: string): Promise<void> => void asked.push(url.replace(site.url(''), '').replace(`localhost:${site.port}`, 'localhost'))
    await get(page, { onRedirect })
    expect(asked).toEqual(hops)
    const last = hops.at(-1)?.replace('http://localhost', '').replace(/\?.*/, '')
    if (last === undefined) return
    const before = site.hits(last)
    const barred = new Error('not there')
    await expect(get(page, { onRedirect: async (url) => (url.includes(last) ? Promise.reject(barred) : undefined) })).rejects.toBe(barred)
    expect(site.hits(last)).toBe(before)
  })

  it('fetches nothing for windows that a page opens if it must ask before it continues', async () => {
    const windows = ['/scripts/window/1', '/scripts/window/2', '/scripts/window/3', '/scripts/window/4']
    const opened = async (more: Partial<Order>): Promise<readonly number[]> => {
      site.reset()
      expect(bodyOf(await get('/scripts/windows', { waitFor: 1_000, ...more }))).toContain('Windows MARK')
      return windows.map((path) => site.hits(path))
    }
    expect(await opened({ onRedirect: () => undefined })).toEqual([0, 0, 0, 0])
    expect(await opened({})).toEqual([1, 1, 1, 1])
  })

  it('fetches no speculative pages if it must ask before it continues', async () => {
    const ahead = ['link', 'document', 'written', 'scripted'].map((name) => `/scripts/ahead/${name}`)
    const fetchedAhead = async (more: Partial<Order>): Promise<readonly number[]> => {
      site.reset()
      expect(bodyOf(await get('/scripts/ahead', { waitFor: 1_000, ...more }))).toContain('Ahead MARK, Fetched MARK')
      return ahead.map((path) => site.hits(path))
    }
    expect(await fetchedAhead({ onRedirect: () => undefined })).toEqual([0, 0, 0, 0])
    expect(await fetchedAhead({})).toEqual([1, 1, 1, 1])
  })

  it('includes shadow trees, also closed ones, with slotted content', async () => {
    const body = bodyOf(await get('/scripts/shadow'))
    const main = /<main>.*<\/main>/s.exec(body)?.[0]
    expect(main).toBe('<main><open-card><h2>Open shadow MARK</h2>fallback text<p>Slotted MARK</p></open-card><closed-card><p>Closed shadow MARK</p><inner-card><p>Inner closed MARK</p></inner-card></closed-card><div id="plain"><p>Plain host MARK</p></div></main>')
  })

  it('inserts frames of the same origin, with absolute addresses', async () => {
    const body = bodyOf(await get('/scripts/frames'))
    const inner = `<div data-frame="${site.url('/scripts/frames/inner?n=1')}">\n<h2>Inner frame MARK</h2><p><a href="${site.url('/scripts/frames/deep')}">deeper</a> <img src="${site.url('/scripts/pic.png')}" alt="pic"></p>\n\n\n</div>`
    expect(body).toContain(inner)
    expect(body).toContain('<p>Inline frame MARK</p>')
    expect(body.match(/Inner frame MARK/g)).toHaveLength(1)
  })

  it('inserts frames of other origins, but none that show no content', async () => {
    const capture = await get('/scripts/frames/foreign')
    const body = bodyOf(capture)
    const other = site.url('/scripts/frames').replace('127.0.0.1', 'localhost')
    expect(body.match(/[A-Z]\w+ (?:frame )?MARK(?!')|Refused text|Verify you|<div data-frame="[^"]*"[^>]*>/g)).toEqual([
      'Outside MARK',
      `<div data-frame="${other}/outer" id="jobs">`,
      'Outer frame MARK',
      'Late MARK',
      `<div data-frame="${site.url('/scripts/frames/inner?n=deep')}">`,
      'Inner frame MARK',
      '<div data-frame="about:srcdoc">',
      'Sandboxed MARK',
      `<div data-frame="${other}/inner?n=lazy">`,
      'Inner frame MARK',
    ])
    expect(body).toContain(`<a href="${other}/deep">`)
    expect([...body.matchAll(/<iframe src="[^"]*\/(\w+)(?:\?n=(\w+))?"/g)].map(([, path, name]) => name ?? path)).toEqual(['small', 'none', 'refused', 'check', 'ad'])
    const noted = (capture.unseen ?? []).map((at) => /^<[^>]* id="(unseen-[^"]*)"/.exec(body.slice(at))?.[1]).filter((id) => id !== undefined)
    expect([noted, capture.unseen?.every((at) => body[at] === '<')]).toEqual([['unseen-first', 'unseen-third', 'unseen-second'], true])
  })

  it('inserts the frames of a frameset', async () => {
    const body = bodyOf(await get('/scripts/frameset'))
    expect(body.match(/<div data-frame="[^"]*">|Inner frame MARK|<frame/g)).toEqual([`<div data-frame="${site.url('/scripts/frames/inner?n=1')}">`, 'Inner frame MARK', `<div data-frame="${site.url('/scripts/frames/inner?n=2')}">`, 'Inner frame MARK'])
  })

  it('marks what a visitor does not see, by the rendering and not by the HTML', async () => {
    const capture = await get('/scripts/unseen')
    const body = bodyOf(capture)
    const ids = [...(body.split('<script>')[0] ?? '').matchAll(/id="((?:un)?seen-[\w-]+)"/g)].map(([, id = '']) => id)
    const noted = capture.unseen?.map((at) => /^<[^>]* id="([^"]*)"/.exec(body.slice(at))?.[1] ?? body.slice(at, at + 30))
    expect(noted).toEqual(ids.filter((id) => id.startsWith('unseen-')))
    expect(noted).toHaveLength(9)
  })

  it('includes the values of forms, except passwords', async () => {
    const body = bodyOf(await get('/scripts/form'))
    expect(/<form>.*<\/form>/s.exec(body)?.[0]).toBe('<form><input id="name" value="typed MARK"><input id="box" type="checkbox" checked=""><textarea id="area">area &lt;MARK&gt;</textarea><select id="pick"><option value="a">A</option><option value="b" selected="">B</option></select><input id="secret" type="password"></form>')
  })

  it('reads forms with fields named like properties', async () => {
    expect(bodyOf(await get('/scripts/traps'))).toContain('<input name="attributes" value="clobbered"><input name="lastChild"><input name="nodeType"><p>Inside the form MARK</p></form>')
  })

  it('waits for what a form says is to come, whatever its fields are named', async () => {
    expect(bodyOf(await get('/scripts/clobbered'))).toContain('<p id="late">Arrived MARK</p>')
  })

  it.each(['/scripts/json', '/scripts/download', '/files/report.pdf'])('leaves the file at %s to the HTTP engine', async (page) => {
    fetched.length = 0
    const capture = await get(page)
    expect([bodyOf(capture), capture.requestedUrl, fetched.map((order) => order.url)]).toEqual(['file', site.url(page), [site.url(page)]])
  })

  it('leaves XHTML with a fault to the HTTP engine, and takes what there is of it if it must be shown', async () => {
    expect(bodyOf(await get('/scripts/xhtml'))).toContain('Sound MARK')
    expect(bodyOf(await get('/scripts/xhtml-fault'))).toBe('file')
    const shown = await get('/scripts/xhtml-fault', { screenshot: { fullPage: false, quality: 80 } })
    expect([/Before MARK|After MARK|following errors/.exec(bodyOf(shown))?.[0], shown.truncated, shown.shots?.length]).toEqual(['Before MARK', true, 1])
  })

  it('waits seconds for the end of an answer that no script reads, and longer for one of which nothing came yet', async () => {
    const begin = performance.now()
    expect(bodyOf(await get('/scripts/unread'))).toContain('Unread MARK')
    expect(performance.now() - begin).toBeLessThan(9_500)
    expect(bodyOf(await get('/scripts/begun'))).toContain('Begun MARK')
  })

  it('does not wait for pages that poll or stream', async () => {
    const endless = ['/scripts/polls', '/scripts/polls-fast', '/scripts/streams']
    const begin = performance.now()
    const bodies = await Promise.all(endless.map(async (page) => bodyOf(await get(page))))
    expect(bodies.map((body) => /Polling MARK|Stream MARK/.exec(body)?.[0])).toEqual(['Polling MARK', 'Polling MARK', 'Stream MARK'])
    expect(performance.now() - begin).toBeLessThan(9_500)
  })

  it('waits for the end of a document that is still loading, and for what its scripts then fetch', async () => {
    const capture = await get('/slow/halves?ms=9000')
    expect([bodyOf(capture).includes('Second half MARK'), bodyOf(capture).includes('Fetched MARK'), capture.truncated]).toEqual([true, true, false])
  })

  it('returns a document as truncated if its end does not arrive in time', async () => {
    const captures = await Promise.all([get('/slow/halves?ms=30000', {}, 5_000), get('/slow/body?parts=1000', { waitFor: 200 }, 5_000), get('/slow/halves?ms=300', {}, 5_000)])
    expect(captures.map((capture) => [/First half MARK|Drop 1/.exec(bodyOf(capture))?.[0], capture.truncated])).toEqual([['First half MARK', true], ['Drop 1', true], ['First half MARK', false]])
  })

  it('stops an endless script and returns what is there', async () => {
    const capture = await get('/scripts/loops', {}, 6_000)
    expect(bodyOf(capture)).toContain('Loop MARK')
  })

  it('waits as long as requested', async () => {
    const begin = performance.now()
    await get('/scripts/inline', { waitFor: 1_200 })
    expect(performance.now() - begin).toBeGreaterThan(1_200)
  })

  it('keeps within the deadline', async () => {
    const begin = performance.now()
    await expect(get('/slow/never', {}, 2_000)).rejects.toThrow()
    expect(performance.now() - begin).toBeLessThan(4_000)
  })

  it('reports an invalid certificate, or refuses it on request', async () => {
    const tls = await startTlsSite()
    try {
      const capture = await get(tls.url('/scripts/inline'))
      expect([capture.tlsVerified, bodyOf(capture).includes('Inline MARK')]).toEqual([false, true])
      await expect(get(tls.url('/scripts/inline'), { skipTlsVerification: false })).rejects.toMatchObject({ code: 'SCRAPE_SSL_ERROR', message: expect.stringContaining('its issuer is not trusted') })
    } finally {
      await tls.close()
    }
  })

  it('reports an invalid certificate of a redirect, and of a page to which one leads', async () => {
    const tls = await startTlsSite()
    try {
      const [from, to] = [site.url(`/redirect/to?url=${encodeURIComponent(tls.url('/redirect/landing'))}`), tls.url(`/redirect/to?url=${encodeURIComponent(site.url('/redirect/landing'))}`)]
      expect([(await get(from)).tlsVerified, (await get(to)).tlsVerified, (await get('/redirect/301')).tlsVerified]).toEqual([false, false, true])
    } finally {
      await tls.close()
    }
  })

  it('says that the HTML that an action takes is cut', async () => {
    const small = browserEngine(pages, { clock: { now: Date.now }, maxBytes: 200, files })
    const answer = await small.fetch({ url: site.url('/scripts/inline'), headers: {}, languages: ['en'], skipTlsVerification: true, tier, actions: [{ type: 'scrape' }] }, callOf(30_000))
    expect(answer.kind === 'captured' && answer.capture.actions?.scrapes[0]?.cut).toBe(true)
  })

  it('reports an invalid certificate on the way to a file', async () => {
    const tls = await startTlsSite()
    try {
      expect((await get(tls.url(`/redirect/to?url=${encodeURIComponent(site.url('/scripts/json'))}`))).tlsVerified).toBe(false)
    } finally {
      await tls.close()
    }
  })

  /** The width and height of a PNG or a JPEG. */
  function sizeOf(bytes: Uint8Array): readonly [number, number] {
    const buffer = Buffer.from(bytes)
    if (buffer.subarray(1, 4).toString() === 'PNG') return [buffer.readUInt32BE(16), buffer.readUInt32BE(20)]
    for (let at = 2; at < buffer.length; at += 2 + buffer.readUInt16BE(at + 2)) {
      if ([0xc0, 0xc1, 0xc2].includes(buffer[at + 1] ?? 0)) return [buffer.readUInt16BE(at + 7), buffer.readUInt16BE(at + 5)]
    }
    throw new Error('no picture')
  }

  it.each([
    ['the window', { fullPage: false }, 'image/png', [1280, 800], false],
    ['a window of the size asked for', { fullPage: false, viewport: { width: 640, height: 480 } }, 'image/png', [640, 480], false],
    ['JPEG', { fullPage: false, quality: 40 }, 'image/jpeg', [1280, 800], false],
  ] as const)('takes a picture: %s', async (_name, screenshot, type, size, clipped) => {
    const [shot, ...more] = (await get('/scripts/gallery', { screenshot })).shots ?? []
    expect([shot?.type, shot === undefined ? null : sizeOf(shot.bytes), shot?.clipped, more]).toEqual([type, size, clipped, []])
  })

  it('captures the whole page with lazily loaded pictures', async () => {
    site.reset()
    const [shot] = (await get('/scripts/gallery', { screenshot: { fullPage: true } })).shots ?? []
    const [width, height] = sizeOf(shot?.bytes ?? new Uint8Array())
    expect([width, height > 3_600, height < 4_400, shot?.clipped, site.hits('/scripts/picture.svg')]).toEqual([1280, true, true, false, 12])
  })

  it("captures a phone page at the phone's pixel ratio", async () => {
    const [shot] = (await get('/scripts/inline', { mobile: true, screenshot: { fullPage: false } })).shots ?? []
    const [width = 0, height] = sizeOf(shot?.bytes ?? new Uint8Array())
    // 412 CSS pixels at a ratio of 2.625; versions of Chromium round differently.
    expect([Math.abs(width - 412 * 2.625) <= 1, height]).toEqual([true, 2055])
  })

  it('crops pictures that are too large for the encoder', async () => {
    const [shot] = (await get('/scripts/endless-height', { screenshot: { fullPage: true, quality: 20 } })).shots ?? []
    expect([sizeOf(shot?.bytes ?? new Uint8Array()), shot?.clipped]).toEqual([[1280, 16_384], true])
  })

  it('blocks hosts of advertisements by default', async () => {
    const without = bodyOf(await get('/scripts/ads', { blockAds: true }))
    expect([without.includes('no ad'), without.includes('picture loaded'), site.hits('/scripts/ad.js')]).toEqual([true, true, 0])
    const withThem = bodyOf(await get('/scripts/ads', { blockAds: false }))
    expect([withThem.includes('Buy now'), site.hits('/scripts/ad.js')]).toEqual([true, 1])
  })

  it(`fetches images ${tier === 'basic' ? 'only for a screenshot' : 'always, as visitors do'}`, async () => {
    site.reset()
    await get('/scripts/ads')
    const before = site.hits('/scripts/picture.svg')
    await get('/scripts/ads', { screenshot: { fullPage: false } })
    expect([before, site.hits('/scripts/picture.svg')]).toEqual(tier === 'basic' ? [0, 1] : [1, 2])
  })

  it('refuses cookies in a dialog over the page by default', async () => {
    const body = bodyOf(await get('/scripts/cookie-dialog', { blockAds: true }))
    expect([body.includes('refused MARK'), body.includes('id="onetrust-consent-sdk"')]).toEqual([true, false])
    expect(bodyOf(await get('/scripts/cookie-dialog', { blockAds: false }))).toContain('id="onetrust-consent-sdk"')
  })

  it('uses filter lists if there are any', async () => {
    site.reset()
    const asked: string[] = []
    const strict = browserEngine(pages, { clock: { now: Date.now }, maxBytes: 1e6, files, matcher: () => ({ url }: { readonly url: string }) => (asked.push(new URL(url).pathname), url.endsWith('data.json?after=300')) })
    await strict.fetch({ url: site.url('/scripts/fetched'), headers: {}, languages: ['en'], skipTlsVerification: true, blockAds: true }, callOf(20_000))
    expect([site.hits('/scripts/data.json'), asked]).toEqual([0, ['/scripts/data.json']])
  })

  it("sends the caller's headers and cookies to the origin of the page only", async () => {
    site.reset()
    const headers = { 'X-Tide': 'high', Authorization: 'Bearer secret', Cookie: 'visit=first; theme=dark' }
    await get('/scripts/ads', { headers })
    await get(`/redirect/to?url=${encodeURIComponent(site.url('/scripts/inline').replace('127.0.0.1', 'localhost'))}`, { headers })
    const seen = (path: string): unknown => {
      const got = site.lastRequest(path)?.headers
      return [got?.['x-tide'], got?.authorization, got?.cookie]
    }
    expect([seen('/scripts/ads'), seen('/redirect/to'), seen('/scripts/ad.js'), seen('/scripts/inline')]).toEqual([
      ['high', 'Bearer secret', 'visit=first; theme=dark'],
      ['high', 'Bearer secret', 'visit=first; theme=dark'],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ])
  })
})
