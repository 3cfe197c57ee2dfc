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
  it('are no longer waited for once one has come', async () => {
    const once = "import asyncio\nasync with page.expect_event('dialog') as info:\n    clicked = asyncio.ensure_future(page.click('#ask'))\n    await (await info.value).accept()\nawait clicked"
    expect(await value(`await page.goto('${browser.site}/odd')\n${once}\n[await page.title(), await page.click('#ask'), await page.title()]`, 20_000)).toBe('["true", null, "false"]')
  })

  it('are not told to methods that do not listen any more', async () => {
    const ears = "class Ears:\n    def hear(self, dialog): pass\nears = Ears()\npage.on('dialog', ears.hear)\npage.remove_listener('dialog', ears.hear)"
    expect(await value(`${ears}\nawait page.evaluate('confirm(1)')`, 20_000)).toBe('false')
  })

  it('are not compared with what was expected in vain', async () => {
    const vain = "asked = []\ntry:\n    async with page.expect_response(lambda one: asked.append(one.url), timeout=50): pass\nexcept PlaywrightTimeoutError as error:\n    print(error)"
    expect(await run(python, `${vain}\nawait page.evaluate('fetch("/none").then((one) => one.text())')\nasked`)).toMatchObject({ stdout: 'Timeout 50ms exceeded while waiting for event "response"\n', result: '[]' })
  })

  it('are not waited for when the page closes, or when the code that should cause them fails', async () => {
    const closed = { exitCode: 1, killed: false, error: 'Error: Target page, context or browser has been closed' }
    expect(await run(python, 'other = await context.new_page()\nasync with other.expect_popup():\n    await other.close()')).toMatchObject(closed)
    expect(await run(python, "await other.wait_for_event('dialog')")).toMatchObject(closed)
    for (const what of ['expect_navigation', 'expect_popup']) expect(await run(python, `async with page.${what}():\n    1 / 0`)).toMatchObject({ error: 'ZeroDivisionError: division by zero', stderr: expect.not.stringContaining('never') })
  })

  it('name the line of a listener that fails, and no lines of ours', async () => {
    const { stderr } = await run(python, "page.once('response', lambda one: 1 / 0)\nawait page.evaluate('fetch(\"/none\").then((one) => one.text())')")
    expect(stderr).toMatch(/^Traceback.*\n  File "<code>", line 1, in <lambda>\n(?:.*\n){1,2}ZeroDivisionError: division by zero\n$/)
  })

  it('tell of answers that send a request on', async () => {
    const moved = `async with page.expect_response('**/moved') as info:\n    await page.goto('${browser.site}/moved')\nanswer = await info.value`
    expect(await value(`${moved}\n[answer.status, answer.headers['location'], page.url]`)).toBe(`[302, "/next", "${browser.site}/next"]`)
    expect(await run(python, 'await answer.text()')).toMatchObject({ exitCode: 1, error: expect.stringContaining('body is unavailable for redirect') })
  })
})

describe('waits of a page', () => {
  // Its answer takes 0.6 s, and its picture 0.5 s more.
  it('end after one limit, however much they wait for', async () => {
    const [url, there] = [`'${browser.site}/slow'`, "await page.evaluate('void (location.href = \"/slow\")')"]
    const tried = (code: string): string => `try:\n    ${code}\n    told.append(None)\nexcept PlaywrightTimeoutError as error:\n    told.append(str(error))`
    const calls = [`await page.goto(${url}, timeout=1000)`, `async with page.expect_navigation(timeout=1000): ${there}`, `${there}; await page.wait_for_url('**/slow', timeout=1000)`, 'await page.reload(timeout=1000)']
    const rest = `await page.goto(${url})`
    expect(await value(['told = []', ...calls.flatMap((call) => [tried(call), rest]), 'told'].join('\n'))).toBe(JSON.stringify(['goto', 'expect_navigation', 'wait_for_url', 'reload'].map((name) => `Page.${name}: Timeout 1000ms exceeded.`)).replaceAll('","', '", "'))
  })

  it('end before the run does', async () => {
    expect(await run(python, `await page.goto('${browser.site}/slow')`, 2_000)).toMatchObject({ killed: false, exitCode: 1, error: 'TimeoutError: Page.goto: Timeout 1000ms exceeded.' })
  })

  it('of several steps end after one limit', async () => {
    const fails = async (setting: string, call: string) => {
      const timed = ['import time', `await page.set_content('''${setting}''')`, 'began = time.monotonic()', 'try:', `    ${call}`, 'except PlaywrightTimeoutError as error:', "    said = str(error).split('\\n')[0]", '[said, time.monotonic() - began < 1.4]']
      return value(timed.join('\n'))
    }
    // It is found after half of the time, and covered.
    const covered = "<input type=checkbox><p style='position:fixed; inset:0'></p><script>setTimeout(() => { document.querySelector('input').id = 'found' }, 500)</script>"
    for (const call of ["page.check('#found', timeout=1000)", "page.locator('#found').set_checked(True, timeout=1000)"]) expect(await fails(covered, `await ${call}`)).toBe('["Locator.click: Timeout 1000ms exceeded.", true]')
    // It is gone once it was scrolled to.
    const fleeting = "<p style='margin-top:3000px'>Low</p><script>setTimeout(() => { document.querySelector('p').id = 'found' }, 500); addEventListener('scroll', () => document.querySelector('p').remove())</script>"
    expect(await fails(fleeting, "await page.locator('#found').screenshot(timeout=1000)")).toMatch(/Timeout 1000ms exceeded\..*, true\]$/)
  })

  it('take a brace without the other in an address as it is', async () => {
    expect(await value(`await page.goto('${browser.site}/#{a'); await page.wait_for_url('**/#{a'); await page.wait_for_url('**/{b,#*}'); page.url`)).toBe(`${browser.site}/#{a`)
    expect(await run(python, "await page.wait_for_url('**}', timeout=100)")).toMatchObject({ error: 'TimeoutError: Page.wait_for_url: Timeout 100ms exceeded.' })
  })

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

  it('is a picture of no more than what there is', async () => {
    await run(python, "await page.set_content('<body style=\"margin:0; height:3000px\">'); view = await page.evaluate('[innerWidth, innerHeight]')")
    const size = "def size(png): return [int.from_bytes(png[at:at + 4], 'big') for at in (16, 20)]\nfar = {'x': view[0] - 30, 'y': -5, 'width': 99, 'height': 9999}"
    expect(await value(`${size}\n[size(await page.screenshot(clip=far)) == [30, view[1]], size(await page.screenshot(clip=far, full_page=True))]`)).toBe('[true, [30, 3000]]')
    for (const all of ['False', 'True']) expect(await run(python, `await page.screenshot(full_page=${all}, clip={'x': 0, 'y': 5000, 'width': 9, 'height': 9})`)).toMatchObject({ error: 'Error: Page.screenshot: Clipped area is either empty or outside the resulting image' })
  })

  it('takes an option that is None as one that is not given', async () => {
    const calls = ["page.click('#late', button=None, click_count=None, delay=None, position=None)", "page.locator('#late').hover(force=None)", "page.type('#name', 'A', delay=None)", "page.keyboard.press('B', delay=None)", 'page.mouse.click(1, 1, button=None)', "page.wait_for_selector('#later', state=None)", 'page.reload(wait_until=None)', "page.get_by_role('link', name=None, exact=None, include_hidden=None).count()", 'page.screenshot(full_page=None, clip=None, type=None, scale=None)']
    for (const call of calls) expect([call, (await run(python, `await ${call}`)).error]).toEqual([call, null])
    expect(await run(python, "await page.click('#late', position={'x': 1, 'y': 1})")).toMatchObject({ error: expect.stringContaining('position') })
  })

  it('is clicked with no keys held, if none are named', async () => {
    expect(await value("await page.click('#late', modifiers=None); await page.wait_for_selector('#later'); True")).toBe('true')
  })
})

describe('a loop of its own', () => {
  it('is told that there is one, and what to write instead', async () => {
    const main = 'async def main():\n    return await page.title()'
    for (const call of ['asyncio.run(main())', 'asyncio.get_event_loop().run_until_complete(main())']) {
      const { error, stderr } = await run(python, `import asyncio\n${main}\n${call}`)
      expect(error).toBe('RuntimeError: The code runs in an event loop already: write `await main()`, which works outside of functions too.')
      expect(stderr).not.toContain('never awaited')
    }
    expect(await value("await main()")).toBe('Shop')
    expect(await value('async def four(): return 4\nawait asyncio.to_thread(lambda: asyncio.run(four()))')).toBe('4')
  })
})
