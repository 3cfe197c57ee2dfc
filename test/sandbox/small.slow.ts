import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Interpreter } from '../../src/domain/sessions/sandbox.ts'
import { smallInterpreter } from '../../src/sandbox/small.ts'
import { ran, run, type TestBrowser, testBrowser } from './session.ts'

let browser: TestBrowser
let node: Interpreter

beforeAll(async () => {
  browser = await testBrowser()
  node = smallInterpreter(browser)
})
afterAll(async () => {
  await node.close()
  await browser.stop()
})
beforeEach(() => browser.reset())

describe('node in the small interpreter', () => {
  it.each([
    ['1 + 1', '2'],
    ["'text'", 'text'],
    ['({ a: [1, null] })', '{"a":[1,null]}'],
    ['// nothing', null],
    ['await Promise.resolve(3)', '3'],
    ['page.title()', 'Shop'],
    ['const t = await page.title(); t', 'Shop'],
    ['const t = await page.title() + 1; t', 'Shop1'],
    ['page.url().endsWith("/")', 'true'],
    ['await page.evaluate((n) => document.querySelectorAll(".item").length + n, 4)', '7'],
    ["await page.evaluate('document.title')", 'Shop'],
    ["await page.locator('.item').allInnerTexts()", '["One","Two","Three"]'],
    ["await page.locator('.item').nth(2).getAttribute('data-x')", '3'],
    ["await page.locator('.item').first().evaluate((one) => one.textContent)", 'One'],
    ["(await page.locator('.item').all()).length", '3'],
    ["await page.getByRole('link', { name: /next/i }).count()", '1'],
    ["(await page.screenshot()).toString('base64').slice(0, 4)", 'iVBO'],
    ["await page.locator('ul').filter({ has: page.locator('li', { hasText: 'Two' }) }).locator(page.locator('li').or(page.locator('h9'))).count()", '3'],
    ["await page.locator('li').and(page.locator('[data-x]')).innerText()", 'Three'],
    ['const answer = await page.reload(); [answer.status(), answer.ok(), answer.url() === page.url(), answer.headers()["content-type"]]', '[200,true,true,"text/html; charset=utf-8"]'],
    ["await (await page.waitForSelector('h1')).innerText()", 'Shop'],
    ["await page.waitForSelector('#later', { state: 'hidden' })", 'null'],
    ["await page.waitForSelector('h1')", "Locator locator('h1').first()"],
    ["page.getByRole('link', { name: /next/i }).or(page.locator('h9')).nth(0)", "Locator getByRole('link', { name: /next/i }).or(locator('h9')).nth(0)"],
    ['await page.evaluate(() => 1 / 0)', 'Infinity'],
    ['const list = await page.evaluate(() => [0 / 0]); Number.isNaN(list[0])', 'true'],
    ['new Map([[1, 2]])', 'Map(1) [[1,2]]'],
    ["new TypeError('mine')", 'TypeError: mine'],
    ['await new Promise((go) => setTimeout(go, 20, "later"))', 'later'],
    ['[typeof require, typeof process, typeof fetch, typeof doorCall, typeof WebAssembly].join()', 'undefined,undefined,undefined,undefined,undefined'],
  ])('returns the value of %s', async (code, result) => {
    expect(await run(node, code)).toEqual(ran({ result }))
  })

  it('controls the page, keeps variables, and separates stdout from stderr', async () => {
    expect(await run(node, "var kept = 41; await page.fill('#name', 'Ann'); await page.selectOption('#size', 'l'); await page.check('#ok'); await page.click('button[type=submit]'); console.log('sent', { a: 1 }); console.error('oh')")).toEqual(ran({ stdout: 'sent {"a":1}\n', stderr: 'oh\n' }))
    expect(await run(node, "[kept + 1, await page.innerText('#out')]")).toEqual(ran({ result: '[42,"Sent Ann l true"]' }))
    expect(await run(node, "const title = await page.title()\nif (title !== '') return kept\nreturn null")).toEqual(ran({ result: '41' }))
    expect(await run(node, `await page.goto('${browser.site}/next'); page.url()`)).toEqual(ran({ result: `${browser.site}/next` }))
    expect(await run(node, `console.log('there'); await page.goto('${browser.site}/next')`)).toEqual(ran({ stdout: 'there\n', result: `Response 200 ${browser.site}/next` }))
    expect(await run(node, '[await page.reload(), page, context]')).toEqual(ran({ result: `["Response 200 ${browser.site}/next","Page ${browser.site}/next","BrowserContext"]` }))
  })

  it.each([
    ["throw new Error('mine')", 'Error: mine'],
    ["throw 'text'", 'Uncaught "text"'],
    ['1 +', 'SyntaxError: unexpected token'],
    ["await page.goto('file:///etc/passwd')", 'Only addresses of the web'],
    ["await page.goto(' chrome://version')", 'Only addresses of the web'],
    ["await page.screenshot({ path: '/tmp/stolen.png' })", 'Files are not written'],
    ["await page.type('#name', 'x'.repeat(10_001))", 'No more than 10000 characters'],
    ['await page.setInputFiles("#f", "/etc/passwd")', 'page.setInputFiles is not available'],
    ['page.context().newPage()', 'context.newPage is not available'],
    ['browser.newContext()', 'browser.newContext is not available'],
    ["await page.locator('constructor').constructor('return process')()", 'locator.constructor is not available'],
    ['new Function("return this")().process.exit()', 'TypeError'],
    ['(function f() { f() })()', 'stack overflow'],
    ["await page.click('#nowhere', { timeout: 300 })", 'Timeout 300ms exceeded'],
    ["page.setDefaultTimeout(200); await page.click('#nowhere')", 'Timeout 200ms exceeded'],
    ["page.setDefaultTimeout(30000); await page.waitForFunction(() => false, null, { timeout: 250 })", 'Timeout 250ms exceeded'],
    ['await page.evaluate((a, b) => a + b, 1, 2)', 'Too many arguments'],
    ["await page.type('#name', 'x', { delay: 2000 })", 'delay must be a number from 0 to 1000 here'],
    ["await page.mouse.click(1, 1, { clickCount: 99 })", 'clickCount must be a number from 1 to 10 here'],
  ])('returns %s as data', async (code, error) => {
    expect(await run(node, code)).toMatchObject({ exitCode: 1, killed: false, error: expect.stringContaining(error) })
    expect(await run(node, '1')).toEqual(ran({ result: '1' }))
  })

  it('limits memory, output and calls', async () => {
    const before = process.resourceUsage().maxRSS
    expect(await run(node, "const all = []; for (;;) all.push(new ArrayBuffer(1e6))")).toMatchObject({ killed: false, exitCode: 137, error: 'The code used more than 64 MB of memory; its variables are gone.' })
    expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(250)
    for (const code of ['const all = []; for (;;) all.push({})', 'const all = new Map(); for (;;) all.set({}, 1)', "'a'.repeat(1e6).replace(/a/g, 'b'.repeat(1e3)).length"]) expect(await run(node, code)).toMatchObject({ killed: false, exitCode: 137, error: 'The code used more than 64 MB of memory; its variables are gone.' })
    expect(await run(node, 'var kept = 5; new ArrayBuffer(3e8)')).toMatchObject({ killed: false, exitCode: 1, error: 'InternalError: out of memory' })
    expect(await run(node, 'kept')).toEqual(ran({ result: '5' }))
    const { stdout, truncated } = await run(node, "for (let i = 0; i < 5e3; i++) console.log('x'.repeat(1e3)); 1")
    expect([stdout.length < 1.1e6, stdout.endsWith('[output cut at 1024 KB]'), truncated]).toEqual([true, true, true])
    expect(await run(node, 'await Promise.all(Array.from({ length: 1e4 }, () => page.title()))')).toMatchObject({ error: expect.stringContaining('Too many calls') })
  })

  it('lets neither what code asks of the page nor what the page answers fill the memory of the service', async () => {
    const before = process.resourceUsage().maxRSS
    const all = (count: number, call: string): string => `const told = await Promise.all(Array.from({ length: ${count} }, () => ${call}.catch((error) => error.message))); told.map((one) => one.length > 50 ? 'long' : one).filter((one, at, list) => list.indexOf(one) === at).sort().join()`
    expect((await run(node, `const text = 'x'.repeat(1e6); ${all(100, 'page.evaluate((given) => given.length, text)')}`)).result).toBe('1000000,long')
    expect((await run(node, all(6, "page.evaluate(() => 'y'.repeat(2e7))"))).result).toBe('The answer is too long.')
    expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(400)
  })

  it('lets many calls wait without a warning on the console of the service', async () => {
    const warned: string[] = []
    const hear = (warning: Error): unknown => warned.push(warning.name)
    process.on('warning', hear)
    expect((await run(node, 'const all = await Promise.all(Array.from({ length: 30 }, () => page.content())); all.length')).result).toBe('30')
    process.off('warning', hear)
    expect(warned).toEqual([])
  })

  it('hands values to scripts on elements, and does not let many of them hold up the service', async () => {
    expect(await run(node, "[await page.locator('#name').evaluate((one, { add, like }) => one.id + add + like.test('ab'), { add: '\\u2028\"', like: /^A/i }), await page.locator('#name').evaluate((one) => one.id), await page.locator('#name').evaluateAll((all, by) => all.length + by, 1)]")).toEqual(ran({ result: '["name\u2028\\"true","name",2]' }))
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    expect((await run(node, "const many = Array(6e5).fill({}); const said = []; for (let i = 0; i < 3; i++) for (const count of [1e5, 6e5]) said.push(await page.locator('#name').evaluate((one, all) => all.length, many.slice(0, count)).catch((error) => error.message)); said.join()", 30_000)).result).toMatch(/^(?:100000,A call takes no more than 200000 values here\.,?){3}$/)
    delay.disable()
    expect(delay.max / 1e6).toBeLessThan(400)
  })

  it('stops what takes too long, and ends on abort', async () => {
    expect(await run(node, 'var gone = 1; for (;;) {}', 500)).toMatchObject({ exitCode: 137, killed: true, error: 'The code was ended after 0.5 s; its variables are gone.' })
    expect(await run(node, 'for (;;) await null', 500)).toMatchObject({ killed: true })
    expect(await run(node, 'typeof gone')).toEqual(ran({ result: 'undefined' }))
    const stop = new AbortController()
    const waiting = node.run('await new Promise(() => {})', { timeoutMs: 60_000, signal: stop.signal })
    stop.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
  })

  it('lets nothing run on between two runs', async () => {
    const own = smallInterpreter(browser, { idleMs: 200 })
    try {
      expect(await run(own, 'let turns = 0; setTimeout(() => { for (;;) turns++ }, 0); 1')).toEqual(ran({ result: '1' }))
      await expect.poll(async () => (await run(own, 'turns > 0')).result, { timeout: 10_000 }).toBe('true')
    } finally {
      await own.close()
    }
  })

  it('waits for addresses with wildcards and patterns', async () => {
    expect(await run(node, "await page.click('a'); await page.waitForURL('**/next'); await page.waitForURL(/NEXT$/i); page.url().endsWith('/next')")).toEqual(ran({ result: 'true' }))
  })

  it('keeps sessions apart', async () => {
    const other = smallInterpreter(browser)
    await run(node, "globalThis.secret = 'mine'")
    expect(await run(other, 'typeof secret')).toEqual(ran({ result: 'undefined' }))
    await other.close()
  })
})
