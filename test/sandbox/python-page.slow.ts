import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Interpreter } from '../../src/domain/sessions/sandbox.ts'
import { sandbox } from '../../src/sandbox/index.ts'
import { run, type TestBrowser, testBrowser } from './session.ts'

const own = sandbox({ unsafe: false, hidden: [], searchPath: ['/usr/bin'] })
let browser: TestBrowser
let python: Interpreter

beforeAll(async () => {
  browser = await testBrowser()
  python = await own.open('python', browser)
})

afterAll(async () => {
  await own.close()
  await browser.stop()
})

beforeEach(() => browser.reset())

/** The value of the last expression; fails if the code writes to stderr. */
async function value(code: string, timeoutMs?: number): Promise<string | null> {
  const { result, stderr } = await run(python, code, timeoutMs)
  expect(stderr).toBe('')
  return result
}

describe('events of a page', () => {
  it('tell of answers that send a request on', async () => {
    const moved = `async with page.expect_response('**/moved') as info:\n    await page.goto('${browser.site}/moved')\nanswer = await info.value`
    expect(await value(`${moved}\n[answer.status, answer.headers['location'], page.url]`)).toBe(`[302, "/next", "${browser.site}/next"]`)
    expect(await run(python, 'await answer.text()')).toMatchObject({ exitCode: 1, error: expect.stringContaining('body is unavailable for redirect') })
  })
})

describe('waits of a page', () => {
  it('call true what is true for a script', async () => {
    expect(await value("[await page.wait_for_function(one) for one in ('() => []', '() => ({})', '() => () => 1', '\"a\"')]")).toBe('[[], {}, null, "a"]')
    for (const never of ['0 / 0', '() => 0 / 0', '() => 0n', 'null']) expect(await run(python, `await page.wait_for_function('${never}', timeout=150)`)).toMatchObject({ error: expect.stringContaining('Timeout 150ms exceeded') })
  })
})

describe('what a page is asked', () => {
  it('is told whatever its scripts have made of what there is', async () => {
    await run(python, "await page.evaluate('() => { Array.from = (all) => [].slice.call(all); Array.prototype.toJSON = () => `no` }')")
    expect(await value("await page.evaluate('() => { const day = { toJSON: () => ({ day: 1 }) }; const me = { n: 1, toJSON() { return this } }; return [day, day, [2n], new Set([me]), { toJSON: () => null }] }')")).toBe('[{"day": 1}, {"day": 1}, [2], [{"n": 1, "toJSON": null}], null]')
  })

  it('is a picture of what is seen, or of the whole', async () => {
    await run(python, "await page.set_content('<body style=\"margin:0; height:3000px; background:linear-gradient(red 500px, blue 500px)\">'); await page.evaluate('scrollTo(0, 600)')")
    expect(await value("box = {'x': 0, 'y': 0, 'width': 9, 'height': 9}\nseen, top, below = [await page.screenshot(clip=box), await page.screenshot(clip=box, full_page=True), await page.screenshot(clip={**box, 'y': 600}, full_page=True)]\n[seen == below, seen == top]")).toBe('[true, false]')
  })
})
