import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../src/domain/call.ts'
import type { Capture } from '../../src/domain/pages/capture.ts'
import { ServiceError } from '../../src/domain/errors.ts'
import { Action } from '../../src/spec/actions.ts'
import { type TestPages, testPages } from '../pages.ts'
import { type Site, startSite } from '../site/index.ts'
import { contextTerms, visit } from '../../src/browser/index.ts'

const callOf = (ms: number): Call => ({ id: 'call', team: 'team', signal: AbortSignal.timeout(ms), deadline: Date.now() + ms, retention: 'normal', log: () => undefined })

describe.each(['basic', 'enhanced'] as const)('actions in a page of the %s tier', (tier) => {
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

  async function act(path: string, given: readonly object[], ms = 30_000): Promise<Capture & { readonly html: string }> {
    const actions = given.map((one) => Action.parse(one))
    const order = { url: site.url(path), headers: {}, languages: ['en'], skipTlsVerification: true, tier, actions }
    const terms = contextTerms(order)
    const call = callOf(ms)
    const visited = await pages.use({ ...terms, quiet: tier === 'enhanced' }, (page) => visit(page, { order, terms }, { clock: { now: Date.now }, maxBytes: 1e7 }, call))
    if (visited.kind !== 'captured') throw new Error('a file')
    return { ...visited.capture, html: Buffer.from(visited.capture.body).toString() }
  }
  const logOf = ({ html }: { readonly html: string }): string | undefined => /<pre id="log">([^<]*)/.exec(html)?.[1]
  async function failure(path: string, given: readonly object[], ms?: number): Promise<unknown> {
    const error: unknown = await act(path, given, ms).then(() => null, (thrown: unknown) => thrown)
    return error instanceof ServiceError ? { code: error.code, details: error.details } : error
  }

  it('click, write and press like a person, and wait for the consequences', async () => {
    const done = await act('/act/form', [{ type: 'click', selector: '#name' }, { type: 'write', text: 'Ünal B' }, { type: 'press', key: 'Backspace' }, { type: 'press', key: 'ENTER' }])
    expect([done.url, done.html.includes('Hello Ünal '), done.status]).toEqual([site.url(`/act/done?name=${encodeURIComponent('Ünal ').replaceAll('%20', '+')}`), true, 200])
    expect(logOf(await act('/act/form', [{ type: 'write', text: 'ab', selector: '#name' }, { type: 'press', key: 'Control+A' }]))).toBe('a;b;Control;A;')
  })

  it('fill selects, dates, times and sliders, which keystrokes alone do not fill, and accept common key names', async () => {
    const write = (selector: string, text: string): object => ({ type: 'write', selector, text })
    const fields = [write('#size', 'Large size'), write('#day', '2026-12-01'), { type: 'click', selector: '#time' }, { type: 'write', text: '13:45' }, write('#many', '8'), write('#late', 'x')]
    expect(logOf(await act('/act/fields', [...fields, { type: 'scrape' }]))).toBe('size=l;day=2026-12-01;time=13:45;many=8;')
    expect(logOf(await act('/act/fields', [...fields, { type: 'press', key: 'ENTER' }]))).toBe('size=l;day=2026-12-01;time=13:45;many=8;late=x;')
    expect(logOf(await act('/act/fields', [write('#size', 's'), write('#size', 'larg'), { type: 'click', selector: '#size' }, { type: 'write', text: 'Sm' }, { type: 'press', key: 'enter' }]))).toBe('size=s;size=l;size=s;')
  })

  it('go on in a page that a script has emptied', async () => {
    const { actions } = await act('/act/form', [{ type: 'executeJavascript', script: 'document.documentElement.remove()' }, { type: 'scroll' }, { type: 'executeJavascript', script: 'document.childNodes.length' }])
    expect(actions?.javascriptReturns[1]).toEqual({ type: 'number', value: 1 })
  })

  it('click elements in shadow trees, labels, or all matches', async () => {
    expect(logOf(await act('/act/form', [{ type: 'click', selector: '#inner' }, { type: 'click', selector: '#agree' }, { type: 'click', selector: '.more', all: true }, { type: 'click', selector: '.none', all: true }]))).toBe('inner;agreed;more 1;more 2;')
    expect(logOf(await act('/act/form', [{ type: 'click', selector: '#fetch' }, { type: 'click', selector: '#alert' }]))).toBe('Fetched MARK;after alert;')
  })

  it('click all matches that were there, though a click removes one, writes all of them anew, or both, but none of another page', async () => {
    expect(logOf(await act('/act/leaving', [{ type: 'click', selector: '.gone', all: true }, { type: 'click', selector: '.anew', all: true }, { type: 'click', selector: '.fewer', all: true }]))).toBe('gone 1;gone 2;gone 3;anew 1;anew 2;anew 3;fewer 1;fewer 2;fewer 3;')
    const left = await act('/act/leaving', [{ type: 'click', selector: '.out', all: true }])
    expect([left.url, logOf(left)]).toEqual([site.url('/act/leaving?again'), ''])
  })

  it('find elements in closed shadow trees', async () => {
    const name = { type: 'write', text: 'A', selector: '.name' }
    expect(logOf(await act('/act/closed', [{ type: 'click', selector: '.go', all: true }, name, { type: 'wait', selector: '.in' }, { type: 'scroll', selector: '.in' }, { type: 'click', selector: '.in' }, { type: 'click', selector: '.in', all: true }]))).toBe('outer;A;inner;inner;inner;')
  })

  it('work in a document that may not run scripts', async () => {
    const { html, actions, missing } = await act('/act/still', [{ type: 'wait', selector: '#on' }, { type: 'scroll', direction: 'down' }, { type: 'screenshot', viewport: { width: 800, height: 600 } }, { type: 'click', selector: '#on' }])
    expect([/Hello \w+/.exec(html)?.[0], actions?.screenshots.length, missing]).toEqual(['Hello Ann', 1, undefined])
  })

  it('work in frames, of the same site and of others, also nested', async () => {
    const [near, far] = ['127.0.0.1', 'localhost']
    const go = (frame: string): object[] => [{ type: 'click', selector: `${frame} >>> #go` }, { type: 'click', selector: `${frame} >>> iframe >>> #go` }]
    expect(logOf(await act('/act/frames', [...go('iframe[name="own"]'), ...go('iframe[name="other"]')]))).toBe(`${near} 1 go;${far} 2 go;${far} 1 go;${near} 2 go;`)
    const writing = [{ type: 'wait', selector: '[name=other] >>> iframe >>> #name' }, { type: 'write', text: 'Ann', selector: '[name=other] >>> #name' }, { type: 'press', key: 'Enter' }, { type: 'write', text: 'La', selector: '[name=other] >>> #size' }, { type: 'press', key: 'Enter' }]
    expect(logOf(await act('/act/frames', writing))).toBe(`${far} 1 Ann;${far} 1 Large;`)
    const { actions } = await act('/act/frames', [{ type: 'scroll', selector: '[name=own] >>> #go' }, { type: 'click', selector: '[name=own] >>> .none', all: true }, { type: 'executeJavascript', script: 'frames[0].scrollY > 0' }])
    expect(actions?.javascriptReturns).toEqual([{ type: 'boolean', value: true }])
    const script = (text: string): object => ({ type: 'executeJavascript', script: text })
    expect(logOf(await act('/act/frames', [script("document.querySelector('[name=other]').style.transform = 'scale(0.5)'"), ...go('[name=other]')]))).toBe(`${far} 1 go;${near} 2 go;`)
    expect(await failure('/act/frames', [script("document.body.insertAdjacentHTML('beforeend', '<div id=veil style=\"position:fixed;inset:0\"></div>')"), { type: 'click', selector: '[name=own] >>> #go' }])).toMatchObject({ details: { index: 1, message: 'The element that matches "[name=own] >>> #go" is covered by <div id="veil">.' } })
    expect(await failure('/act/frames', [{ type: 'wait', milliseconds: 1 }, { type: 'click', selector: 'h1 >>> #go' }])).toMatchObject({ details: { index: 1, message: 'No element matches "#go" in the frame "h1", or there is no such frame.' } })
    expect(await failure('/act/frames', [{ type: 'click', selector: '[name=own] >>> !' }])).toMatchObject({ details: { message: '"[name=own] >>> !" is not a valid CSS selector.' } })
  }, 120_000)

  it('return their results in order', async () => {
    const { actions } = await act('/act/form', [
      { type: 'scrape' }, { type: 'screenshot' }, { type: 'executeJavascript', script: 'document.title = "Renamed"; secret' }, { type: 'screenshot', quality: 50, viewport: { width: 400, height: 300 } },
      { type: 'click', selector: '#next' }, { type: 'scrape' }, { type: 'executeJavascript', script: 'innerWidth' }, { type: 'pdf', format: 'A5', landscape: true }, { type: 'screenshot', fullPage: true },
    ])
    expect(actions?.scrapes.map(({ url, html }) => [url, html.includes('id="form"'), html.includes('id="bottom"')])).toEqual([[site.url('/act/form'), true, false], [site.url('/act/long'), false, true]])
    expect(actions?.javascriptReturns).toEqual([{ type: 'object', value: { depth: [1, 2, { three: 3 }] } }, { type: 'number', value: 1280 }])
    expect(actions?.screenshots.map(({ type, bytes }) => [type, type === 'image/png' ? Buffer.from(bytes).readUInt32BE(16) : 0, type === 'image/png' && Buffer.from(bytes).readUInt32BE(20) > 3_000])).toEqual([['image/png', 1280, false], ['image/jpeg', 0, false], ['image/png', 1280, true]])
    const [pdf] = actions?.pdfs ?? []
    const text = Buffer.from(pdf ?? []).toString('latin1')
    expect([text.slice(0, 5), /MediaBox \[0 0 595[.\d]* 4(?:19|20)/.test(text)]).toEqual(['%PDF-', true])
  })

  // The rest does not depend on the tier: test it in the enhanced one, which is stricter.
  if (tier === 'basic') return

  it('return the values of scripts by type', async () => {
    const values: readonly (readonly [string, string, unknown])[] = [
      ['1 + 1', 'number', 2],
      ['"text"', 'string', 'text'],
      ['Promise.resolve([1, null])', 'array', [1, null]],
      ['null', 'null', null],
      ['undefined', 'undefined', null],
      ['let x = 5; x > 3', 'boolean', true],
      ['const x = 6; const host = [x]; host', 'array', [6]],
      ['12n', 'bigint', '12'],
      ['NaN', 'number', null],
      ['(() => 1)', 'function', null],
      ['new Date(0)', 'object', '1970-01-01T00:00:00.000Z'],
      ['return await Promise.resolve(7)', 'number', 7],
      ['const one = await Promise.resolve(1); one + 1', 'number', 2],
      ['const one = await Promise.resolve(2); await (async () => one + 1)()', 'number', 3],
      ['const one = 3; one + 1', 'number', 4],
      ['const host = await Promise.resolve(4); host + 1', 'number', 5],
      ['(async () => { await null; return [6] })()', 'array', [6]],
      ['for await (const two of [Promise.resolve(7)]) two', 'number', 7],
      ['const one = await Promise.resolve(8); if (one > 7) return one', 'number', 8],
      ['await Promise.resolve(null)', 'null', null],
      ['location.href = "/act/long"', 'string', '/act/long'],
      ['document.title', 'string', 'Long'],
      ['document.querySelectorAll("title")', 'object', { 0: {} }],
      ['const circle = {}; circle.self = circle; circle', 'object', null],
      ['document.body.state = document.body; document.body.appendChild(document.body.firstChild); document.body', 'object', null],
    ]
    const { actions } = await act('/act/form', values.map(([script]) => ({ type: 'executeJavascript', script })))
    expect(actions?.javascriptReturns).toEqual(values.map(([, type, value]) => ({ type, value })))
  })

  it('scroll the page, an element, or the element that scrolls in its place', async () => {
    const titleOf = ({ html }: { readonly html: string }): string | undefined => /<title>([^<]*)/.exec(html)?.[1]
    expect(titleOf(await act('/act/long', [{ type: 'scroll' }, { type: 'scroll', amount: 100 }, { type: 'scroll', direction: 'up', amount: 50 }]))).toBe('Long 850')
    expect(titleOf(await act('/act/pane', [{ type: 'scroll', amount: 300 }]))).toBe('Pane 300')
    const { actions } = await act('/act/long', [{ type: 'scroll', selector: '#pane' }, { type: 'executeJavascript', script: 'document.getElementById("pane").scrollTop' }])
    expect(actions?.javascriptReturns).toEqual([{ type: 'number', value: 100 }])
  })

  it('wait for a time or an element', async () => {
    expect((await act('/act/form', [{ type: 'click', selector: '#later' }, { type: 'wait', selector: '#late' }, { type: 'wait', milliseconds: 20 }])).html).toContain('<b id="late">')
  })

  it('fail at the first one that cannot be done, with the reason and the state of the page', async () => {
    const cases: readonly (readonly [action: { readonly type: string; readonly [field: string]: unknown }, message: string])[] = [
      [{ type: 'click', selector: '#nothing' }, 'No element matches "#nothing".'],
      [{ type: 'click', selector: '#off' }, 'The element that matches "#off" is disabled.'],
      [{ type: 'click', selector: '#under' }, 'The element that matches "#under" is covered by <div class="veil">.'],
      [{ type: 'wait', selector: '##' }, '"##" is not a valid CSS selector.'],
      [{ type: 'write', text: 'x' }, 'No element has the focus that could be written into; click on one first, or give a selector.'],
      [{ type: 'press', key: 'ä' }, 'There is no key "ä". The keyboard is American; the action write types any character.'],
      [{ type: 'press', key: 'Foo' }, 'There is no key "Foo". Keys are named as Enter, Tab, ArrowDown, a or Control+A are.'],
      [{ type: 'executeJavascript', script: 'throw new TypeError("wrong")' }, 'The script failed: TypeError: wrong'],
      [{ type: 'executeJavascript', script: 'await Promise.reject(new TypeError("late"))' }, 'The script failed: TypeError: late'],
      [{ type: 'executeJavascript', script: '(async () => { await null; throw new TypeError("later") })()' }, 'The script failed: TypeError: later'],
      [{ type: 'executeJavascript', script: 'not a script' }, "The script failed: SyntaxError: Unexpected identifier 'a'"],
      [{ type: 'executeJavascript', script: 'let o = {}; for (let i = 0; i < 100000; i++) o = { o }; o' }, 'The value of the script nests deeper than 1000 levels.'],
      [{ type: 'executeJavascript', script: 'Array(600000).fill(0)' }, 'The value of the script holds more than 500000 values and names; it can return them as one text (JSON.stringify).'],
      ...['["x".repeat(6e7)]', '({ toJSON: () => "x".repeat(2 ** 30) })'].map((script) => [{ type: 'executeJavascript', script }, 'The results of the actions are larger than what is kept of them (50 MB together).'] as const),
    ]
    const fields: readonly (readonly [selector: string, text: string, message: string])[] = [
      ['#size', 'Huge', 'The list has no entry "Huge"; it has "Choose", "Small", "Large size".'],
      ['#day', '01.12.2026', 'A field of the type date takes 2026-12-31, not "01.12.2026".'],
      ['#many', '11', 'A field of the type range takes a number between its ends, not "11".'],
      ['#fixed', 'x', 'The field is read-only.'],
      ['#yes', 'x', 'Nothing can be written into an element of the type checkbox.'],
    ]
    expect(await Promise.all(fields.map(async ([selector, text]) => failure('/act/fields', [{ type: 'write', selector, text }])))).toMatchObject(fields.map(([, , message]) => ({ details: { type: 'write', message } })))
    const failed = await Promise.all(cases.map(([action]) => failure('/act/form', [{ type: 'scrape' }, action])))
    const text: unknown = expect.stringContaining('The ferry leaves the inner harbour')
    const expected = cases.map(([{ type }, message]) => ({ code: 'SCRAPE_ACTION_ERROR', details: { index: 1, type, message, seen: { url: site.url('/act/form'), title: 'Form', text } } }))
    expect(failed).toEqual(expected)
  }, 90_000)

  it('work in a form whose fields are named like what an element has', async () => {
    const { actions, ...done } = await act('/act/clobbered', [{ type: 'click', selector: '#go' }, { type: 'scroll' }, { type: 'scroll', selector: '#go' }, { type: 'click', selector: '#name' }, { type: 'write', text: 'Ann' }, { type: 'screenshot', fullPage: true }, { type: 'pdf' }])
    expect([logOf(done), done.html.includes('value="Ann"'), actions?.screenshots.length, actions?.pdfs.length]).toEqual(['go;', true, 1, 1])
    expect(await failure('/act/clobbered', [{ type: 'executeJavascript', script: 'throw 1' }])).toMatchObject({ details: { message: 'The script failed: 1', seen: { title: 'Clobbered', text: expect.stringContaining('The ferry leaves the inner harbour') as unknown } } })
  }, 60_000)

  it('fail in time on a page whose thread is blocked, and on an endless script', async () => {
    const [busy, endless] = await Promise.all([
      failure('/act/busy', [{ type: 'click', selector: '#hang' }, { type: 'scrape' }], 7_000),
      failure('/act/form', [{ type: 'executeJavascript', script: 'new Promise(() => undefined)' }], 7_000),
    ])
    expect(busy).toMatchObject({ code: 'SCRAPE_ACTION_ERROR', details: { index: 0, type: 'click' } })
    expect(endless).toMatchObject({ code: 'SCRAPE_ACTION_ERROR', details: { index: 0, message: 'The page did not respond in time.', seen: { title: 'Form' } } })
  }, 30_000)

  it('take the HTML of a page whose script never ends, as a plain scrape does', async () => {
    const { actions, html } = await act('/scripts/loops', [{ type: 'scrape' }])
    expect([actions?.scrapes[0]?.html.includes('Loop MARK'), html.includes('Loop MARK')]).toEqual([true, true])
  }, 60_000)

  it('are not done on files', async () => {
    expect(await failure('/files/scanned.pdf', [{ type: 'scrape' }])).toMatchObject({ code: 'SCRAPE_ACTIONS_NOT_SUPPORTED' })
    expect((await act('/act/form', [{ type: 'click', selector: '#file' }])).html).toContain('id="form"')
  })
})
