import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../src/domain/call.ts'
import type { Capture, Order } from '../../src/domain/pages/capture.ts'
import { Action } from '../../src/spec/actions.ts'
import { type TestPages, testPages } from '../pages.ts'
import { type Site, startSite } from '../site/index.ts'
import { contextTerms, putState, stateFrom, visit } from '../../src/browser/index.ts'
import { bytesOf } from '../../src/browser/profile/state.ts'
import { wireOf } from '../../src/browser/protocol/wire.ts'

const callOf = (ms: number): Call => ({ id: 'call', team: 'team', signal: AbortSignal.timeout(ms), deadline: Date.now() + ms, retention: 'normal', log: () => undefined })

describe.each(['basic', 'enhanced'] as const)('the stored state of a browser of the %s tier', (tier) => {
  let site: Site
  let pages: TestPages
  beforeAll(async () => {
    site = await startSite()
    pages = await testPages()
  })
  afterAll(async () => {
    await pages.close()
    await site.close()
  })

  async function show(url: string, profile: Order['profile'], actions: readonly object[] = []): Promise<Capture> {
    const order: Order = { url, headers: {}, languages: ['en'], skipTlsVerification: true, tier, profile, actions: actions.map((one) => Action.parse(one)) }
    const terms = contextTerms(order)
    const call = callOf(40_000)
    const visited = await pages.use({ ...terms, quiet: tier === 'enhanced' }, (page) => visit(page, { order, terms }, { clock: { now: Date.now }, maxBytes: 1e7 }, call))
    if (visited.kind !== 'captured') throw new Error('a file')
    return visited.capture
  }
  const memoryOf = ({ body }: Capture): unknown => JSON.parse((/<pre id="memory"[^>]*>([^<]*)/.exec(Buffer.from(body).toString())?.[1] ?? 'null').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
  const nothing = { cookie: '', kept: null, things: [], inline: null, keys: [], state: 2 }

  it('is saved after a visit and restored in the next one', async () => {
    const first = await show(site.url('/act/memory?set=one'), { state: null, save: true })
    const state = first.remembered?.state ?? null
    expect([memoryOf(first), first.remembered?.warnings]).toEqual([nothing, []])
    const second = await show(site.url('/act/memory'), { state, save: false })
    const thing = { text: 'one', list: ['x'], map: [[1, { a: 'one' }]], date: '1970-01-01T00:00:00.000Z', bytes: 'Uint16Array 1,65535', file: 'file one', big: '12n', none: 'undefined', odd: 0, self: 'itself' }
    expect([memoryOf(second), second.remembered]).toEqual([{ ...nothing, cookie: 'kept=one; session=one', kept: 'one\u2028</script>', things: [thing], inline: 'one', keys: [1] }, { state: null, warnings: [] }])
    // Saving again continues from the restored state.
    const third = await show(site.url('/act/memory?set=two'), { state, save: true })
    const fourth = await show(site.url('/act/memory'), { state: third.remembered?.state ?? null, save: false })
    expect(memoryOf(fourth)).toMatchObject({ cookie: 'kept=two; session=two', inline: 'two', keys: [1, 2] })
  }, 60_000)

  it('is updated for each visited origin, and kept for others', async () => {
    const other = site.url('/act/memory?set=there').replace('127.0.0.1', 'localhost')
    const first = await show(site.url('/act/memory?set=here'), { state: null, save: true })
    const second = await show(other, { state: first.remembered?.state ?? null, save: true })
    const state = stateFrom(second.remembered?.state ?? null)
    expect(state.origins.map((one) => (one as { readonly origin: string }).origin).sort()).toEqual([site.url('').replace(/\/$/, ''), site.url('').replace(/\/$/, '').replace('127.0.0.1', 'localhost')])
    expect(memoryOf(await show(site.url('/act/memory'), { state: second.remembered?.state ?? null, save: false }))).toMatchObject({ kept: 'here\u2028</script>', inline: 'here' })
    // The page itself cleared it: nothing is saved.
    const emptied = await show(site.url('/act/form'), { state: second.remembered?.state ?? null, save: true }, [{ type: 'executeJavascript', script: 'localStorage.clear(); await new Promise((done) => { indexedDB.deleteDatabase("things").onsuccess = done }); document.cookie = "kept=; max-age=0"; 1' }])
    expect(stateFrom(emptied.remembered?.state ?? null).origins.map((one) => (one as { readonly origin: string }).origin)).toEqual([site.url('').replace(/\/$/, '').replace('127.0.0.1', 'localhost')])
  }, 60_000)

  it('cannot be forged by a page: what it patches affects only itself', async () => {
    const script = 'Storage.prototype.setItem.call(localStorage, "real", "1"); indexedDB.databases = () => { throw new Error("no") }; Object.keys = () => ["forged"]; JSON.stringify = () => "forged"; 1'
    const first = await show(site.url('/act/form'), { state: null, save: true }, [{ type: 'executeJavascript', script }])
    expect(stateFrom(first.remembered?.state ?? null).origins).toEqual([{ origin: site.url('').replace(/\/$/, ''), localStorage: [{ name: 'real', value: '1' }], indexedDB: [] }])
  }, 40_000)

  it('is reported as incomplete if the browser cannot export it', async () => {
    const script = 'const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]); await new Promise((done) => { const open = indexedDB.open("keys"); open.onupgradeneeded = () => open.result.createObjectStore("keys"); open.onsuccess = () => { open.result.transaction("keys", "readwrite").objectStore("keys").put(key, "k").onsuccess = done } }); 1'
    const first = await show(site.url('/act/form'), { state: null, save: true }, [{ type: 'executeJavascript', script }])
    expect(first.remembered?.warnings).toEqual([`Of what ${site.url('').replace(/\/$/, '')} stored in IndexedDB 1 entry cannot be kept.`])
  }, 40_000)

  it('keeps a database that a page is changing as it was', async () => {
    const first = await show(site.url('/act/memory?set=one'), { state: null, save: true })
    const state = first.remembered?.state ?? null
    const script = 'localStorage.setItem("later", "1"); await new Promise((begun) => { const open = indexedDB.open("things", 4); open.onupgradeneeded = () => { const store = open.transaction.objectStore("things"); const go = () => { store.get(0).onsuccess = go }; go(); begun() } }); 1'
    const second = await show(site.url('/act/form'), { state, save: true }, [{ type: 'executeJavascript', script }])
    const [before, after] = [state, second.remembered?.state ?? null].map((bytes) => stateFrom(bytes).origins[0] as { readonly localStorage: readonly object[]; readonly indexedDB: readonly object[] }) // one origin was visited
    expect([after?.indexedDB, after?.localStorage]).toEqual([before?.indexedDB, [...(before?.localStorage ?? []), { name: 'later', value: '1' }]])
    expect(second.remembered?.warnings).toEqual([`Of what ${site.url('').replace(/\/$/, '')} stored in IndexedDB 1 database could not be read; that part of the profile is as it was.`])
  }, 60_000)

  // In quiet contexts, the driver reads nothing.
  if (tier === 'enhanced') return

  it('equals what the driver reads and writes, except for files', async () => {
    const first = await show(site.url('/act/memory?set=driver'), { state: null, save: true })
    const { context: options } = contextTerms({ url: site.url('/'), headers: {}, languages: ['en'], skipTlsVerification: true })
    const context = await pages.browser.newContext(options)
    try {
      const page = await context.newPage()
      const { targetInfo } = await (await context.newCDPSession(page)).send('Target.getTargetInfo')
      await wireOf(pages.browser).hear(targetInfo.browserContextId ?? '')
      await putState(context, stateFrom(first.remembered?.state ?? null), () => 20_000)
      const driven = await context.storageState({ indexedDB: true })
      const again = await show(site.url('/act/memory'), { state: bytesOf(driven), save: false })
      expect(memoryOf(again)).toMatchObject({ cookie: 'kept=driver; session=driver', kept: 'driver\u2028</script>', inline: 'driver', keys: [1], things: [{ text: 'driver', big: '12n', date: '1970-01-01T00:00:00.000Z' }] })
    } finally {
      await context.close()
    }
  }, 40_000)
})
