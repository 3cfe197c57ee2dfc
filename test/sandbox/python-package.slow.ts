import { execFile } from 'node:child_process'
import { chmod, copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Interpreter } from '../../src/domain/sessions/sandbox.ts'
import { sandbox } from '../../src/sandbox/index.ts'
import { startTrawl } from '../service.ts'
import { ran, run, type TestBrowser, testBrowser } from './session.ts'

const folders: string[] = []

/**
 * A Python virtual environment, with a fake of the `playwright` package that has the layout of the real one; returns
 * its `bin` folder.
 */
async function pythonWithPackage(driver: string | null): Promise<string> {
  // Confined code sees another /tmp.
  const folder = await mkdtemp('/var/tmp/trawl-venv-')
  folders.push(folder)
  await chmod(folder, 0o755)
  const packages = join(folder, 'lib', await versionOf('/usr/bin/python3'), 'site-packages')
  const bin = join(folder, 'bin')
  await Promise.all([mkdir(bin), mkdir(join(packages, 'playwright-9.8.7.dist-info'), { recursive: true })])
  await symlink('/usr/bin/python3', join(bin, 'python3'))
  await writeFile(join(folder, 'pyvenv.cfg'), 'home = /usr/bin\ninclude-system-site-packages = false\n')
  await cp('test/fixtures/python-package', packages, { recursive: true })
  await writeFile(join(packages, 'playwright-9.8.7.dist-info', 'METADATA'), 'Metadata-Version: 2.1\nName: playwright\nVersion: 9.8.7\n')
  if (driver !== null) {
    const own = join(packages, 'playwright', 'driver')
    await cp(resolve('node_modules/playwright-core'), join(own, 'package'), { recursive: true })
    await copyFile(driver, join(own, 'node'))
  }
  return bin
}

const said = (python: string, code: string): Promise<string> => new Promise((done, fail) => execFile(python, ['-I', '-c', code], (error, text) => (error === null ? done(text.trim()) : fail(error))))
const versionOf = (python: string): Promise<string> => said(python, 'import sys; print("python%d.%d" % sys.version_info[:2])')

/** A Python with a `playwright` package. */
interface Kind {
  readonly which: string
  readonly version: string
  bin(): Promise<string>
}

/** The real package, from the first Python on the search path that has it. */
async function realPackage(): Promise<Kind | null> {
  for (const bin of (process.env['PATH'] ?? '').split(':')) {
    const version = await said(join(bin, 'python3'), 'from importlib.metadata import version; import playwright; print(version("playwright"))').catch(() => null)
    if (version !== null) return { which: 'the real playwright package', version, bin: async () => bin }
  }
  return null
}

const real = await realPackage()
const standIn: Kind = { which: `a stand-in for the playwright package${real === null ? ' (no Python of the search path has the real one)' : ''}`, version: '9.8.7', bin: () => pythonWithPackage(process.execPath) }
// The package is optional and not in a registry that the project needs: without it, the names of the tests say so.
const kinds = [standIn, ...(real === null ? [] : [real])].map((kind) => [kind.which, kind] as const) // pairs
const sandboxes: ReturnType<typeof sandbox>[] = []
function sandboxWith(bin: string): ReturnType<typeof sandbox> {
  const one = sandbox({ unsafe: false, hidden: [], searchPath: [bin] })
  sandboxes.push(one)
  return one
}

let browser: TestBrowser
beforeAll(async () => void (browser = await testBrowser()))
afterAll(async () => {
  await Promise.all(sandboxes.map((one) => one.close()))
  await browser.stop()
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })))
})
beforeEach(() => browser.reset())

/** The value of the last expression; fails if the code writes to stderr. */
async function valueIn(python: Interpreter, code: string): Promise<string | null> {
  const { result, stderr } = await run(python, code)
  expect(stderr).toBe('')
  return result
}

describe.each(kinds)('python with %s', (_which, { version, bin }) => {
  let python: Interpreter
  let own: ReturnType<typeof sandbox>
  beforeAll(async () => {
    own = sandboxWith(await bin())
    python = await own.open('python', browser)
  }, 60_000)
  const value = (code: string): Promise<string | null> => valueIn(python, code)

  it('uses the package, and says so', async () => {
    const { level, reason } = (await own.levels()).python
    expect([level, / Python [\d.]+, its playwright package (.*)$/.exec(reason)?.[1]]).toEqual(['os', version])
  })

  it('provides its page, context and browser, which control the browser of the session', async () => {
    expect(await run(python, "print(await page.title(), type(page).__module__.startswith('playwright.async_api'))")).toEqual(ran({ stdout: 'Shop True\n' }))
    expect(await value("await page.fill('#name', 'Ann'); await page.click('text=Send'); [await page.inner_text('#out'), len(context.pages), browser.is_connected(), page.url.count('/')]")).toBe('["Sent Ann s false", 1, true, 3]')
    expect(await value(`await page.goto('${browser.site}/next'); await page.title()`)).toBe('Next')
  })

  it('transfers messages of any length, both ways', async () => {
    const lengths = [1, 125, 126, 65_500, 65_536, 300_000]
    for (const length of lengths) expect(await value(`text = 'ä' * ${length}; [len(await page.evaluate('"ä".repeat(${length})')), await page.evaluate('"' + text + '".length')]`)).toBe(`[${length}, ${length}]`)
  })

  it('returns its errors as data, without the stack frames of the package, and continues', async () => {
    const { stderr, ...outcome } = await run(python, "kept = 1\nawait page.click('#none', timeout=300)")
    expect(outcome).toMatchObject({ exitCode: 1, killed: false, error: expect.stringContaining('Timeout 300ms exceeded') })
    expect(stderr).toMatch(/^Traceback \(most recent call last\):\n {2}File "<code>", line 2, in <module>\n {4}await page\.click\('#none', timeout=300\)\n(?: +[~^]+\n)?\S*TimeoutError: /)
    expect(await value('from playwright.async_api import Error as E, TimeoutError as T\n[kept, E is Error, T is PlaywrightTimeoutError]')).toBe('[1, true, true]')
  })

  it('waits no longer than the run', async () => {
    expect(await run(python, "try:\n    await page.click('#none')\nexcept PlaywrightTimeoutError as error:\n    print('late')", 2_500)).toEqual(ran({ stdout: 'late\n' }))
    expect(await run(python, "from playwright.async_api import expect\nawait expect(page).to_have_title('None')", 2_500)).toMatchObject({ exitCode: 1, killed: false, error: expect.stringMatching(/^AssertionError: Page title expected to be 'None'/) })
  })

  it('switches to an open page if its own was closed, and opens one if there is none', async () => {
    expect(await value('other = await context.new_page(); await page.close(); len(context.pages)')).toBe('1')
    expect(await value('[page is other, page.url]')).toBe('[true, "about:blank"]')
    expect(await value('other = await context.new_page(); await page.close(); await other.close(); len(context.pages)')).toBe('0')
    expect(await value('[page.is_closed(), page.url, len(context.pages)]')).toBe('[false, "about:blank", 1]')
  })

  it('has no network, nor has its driver', async () => {
    expect(await run(python, "from playwright.async_api import async_playwright\nsecond = await async_playwright().start()\nawait second.chromium.connect_over_cdp('ws://127.0.0.1:9/')")).toMatchObject({ exitCode: 1, error: expect.stringMatching(/EAFNOSUPPORT|ECONNREFUSED|ENETUNREACH/) })
    await run(python, 'await second.stop()')
  })

  it('restarts after the code closed its browser or its driver died', async () => {
    expect(await run(python, 'await browser.close(); 1')).toEqual(ran({ result: '1' }))
    expect(await value('await page.title() in ("Shop", "")')).toBe('true')
    const killed = "import os\nkept = 1\nfor one in os.listdir('/proc'):\n    if one.isdigit() and open(f'/proc/{one}/stat').read().split(') ')[1].split()[1] == str(os.getpid()): os.kill(int(one), 9)\nawait page.title()"
    expect(await run(python, killed)).toMatchObject({ exitCode: 1, error: expect.stringContaining('Connection closed') })
    expect(await value('[await page.evaluate("1 + 1"), "kept" in globals()]')).toBe('[2, false]')
  })

  it('is stopped with its driver at a timeout', async () => {
    expect(await run(python, 'while True: pass', 1_500)).toMatchObject({ killed: true, exitCode: 137 })
    expect(await run(python, 'await page.evaluate("1 + 1")')).toEqual(ran({ result: '2' }))
  })
})

/** What users' scripts do, with the expected results. */
const used: readonly (readonly [string, string, string])[] = [
  ['locators', "await page.get_by_label('Name').fill('Bo'); await page.get_by_role('button', name='Send').click(); await page.keyboard.press('Tab'); [await page.locator('#out').inner_text(), await page.locator('.item').all_inner_texts()]", '["Sent Bo s false", ["One", "Two", "Three"]]'],
  ['expectations', "from playwright.async_api import expect\nawait page.click('#late')\nawait expect(page.locator('#later')).to_have_text('Here now')\nTrue", 'true'],
  ['handles', "title = await page.query_selector('h1'); view = await page.evaluate_handle('window'); [await title.inner_text(), await page.evaluate('e => e.tagName', title), await view.evaluate('w => w === window')]", '["Shop", "H1", true]'],
  ['the console', "lines = []\npage.on('console', lambda line: lines.append([line.type, line.text]))\nasync with page.expect_console_message():\n    await page.evaluate('console.error(\"bad\", 1)')\nlines", '[["error", "bad 1"]]'],
  ['routes', "await page.route('**/next', lambda route: route.fulfill(content_type='text/html', body='<title>Mine</title>'))\nawait page.goto('SITE/next')\nmine = await page.title()\nawait page.unroute('**/next')\nawait page.route('**/*', lambda route: route.continue_())\nawait page.goto('SITE/next')\nawait page.unroute_all()\n[mine, await page.title()]", '["Mine", "Next"]'],
  ['a navigation', "async with page.expect_navigation():\n    await page.click('text=Next page')\npage.url == 'SITE/next'", 'true'],
  ['a popup', "async with page.expect_popup() as opened:\n    await page.evaluate('void window.open(\"/next\")')\nother = await opened.value\nawait other.wait_for_load_state()\ntold = [await other.title(), len(context.pages)]\nawait other.close()\ntold", '["Next", 2]'],
  ['requests and responses', "async with page.expect_request('**/next') as asked, page.expect_response('**/next') as told:\n    await page.evaluate('void fetch(\"/next\")')\n[(await asked.value).method, (await told.value).status, 'Next' in await (await told.value).text()]", '["GET", 200, true]'],
  ['pictures and documents', "import os\npicture = await page.screenshot(path='/tmp/a.png')\n[picture[1:4].decode(), os.path.getsize('/tmp/a.png') == len(picture), (await page.pdf())[:5].decode()]", '["PNG", true, "%PDF-"]'],
  ['files', "open('/tmp/up.txt', 'w').write('hello')\nawait page.set_content('<input type=file>')\nread = 'document.querySelector(\"input\").files[0].text()'\nawait page.set_input_files('input', '/tmp/up.txt')\nfirst = await page.evaluate(read)\nasync with page.expect_file_chooser() as chooser:\n    await page.click('input')\nawait (await chooser.value).set_files({'name': 'b', 'mimeType': 'text/plain', 'buffer': b'two'})\n[first, await page.evaluate(read)]", '["hello", "two"]'],
  ['frames', "await page.set_content('<iframe name=inner srcdoc=\"<p>In</p>\"></iframe>')\n[await page.frame_locator('iframe').locator('p').inner_text(), await page.frame('inner').evaluate('document.title')]", '["In", ""]'],
  ['functions of the code in the page', "await page.expose_function('twice', lambda n: n * 2); await page.evaluate('twice(21)')", '42'],
  ['contexts and cookies', "own = await browser.new_context()\nother = await own.new_page()\nawait other.goto('SITE/next')\nawait own.add_cookies([{'name': 'a', 'value': 'b', 'url': 'SITE'}])\ntold = [await other.title(), (await own.cookies())[0]['name'], len(browser.contexts), len(await context.cookies())]\nawait own.close()\ntold", '["Next", "a", 2, 0]'],
  ['a line to the browser', "line = await context.new_cdp_session(page); (await line.send('Runtime.evaluate', {'expression': '6 * 7'}))['result']['value']", '42'],
  ['a task that goes on between runs', "async def later():\n    await page.wait_for_timeout(20)\n    return await page.title()\ntask = asyncio.create_task(later())\nawait task", 'Shop'],
  // Node in the package maps half a gigabyte that it does not use.
  ['what is long', "len(await page.evaluate('\"x\".repeat(16_000_000)'))", '16000000'],
]

describe.each(kinds.slice(1))('code with %s', (_which, { bin }) => {
  let python: Interpreter
  beforeAll(async () => void (python = await sandboxWith(await bin()).open('python', browser)))

  it.each(used)('can use %s', async (_what, code, result) => expect(await valueIn(python, code.replaceAll('SITE', browser.site))).toBe(result), 60_000)
})

it('a package whose driver does not start is skipped, and the reason is reported', async () => {
  const own = sandboxWith(await pythonWithPackage(null))
  expect((await own.levels()).python).toMatchObject({ level: 'os', reason: expect.stringMatching(/its playwright package 9\.8\.7 is not used, as it does not start \(FileNotFoundError.*driver\/node/) })
  const python = await own.open('python', browser)
  expect(await run(python, '[type(page).__module__, await page.title()]')).toEqual(ran({ result: '["trawl_page.page", "Shop"]' }))
}, 60_000)

it('sessions of the service use the package, behind its egress guard', async () => {
  const bin = await (real ?? standIn).bin()
  const trawl = await startTrawl({ settings: { PATH: `${bin}:${process.env['PATH']}`, TRAWL_ALLOW_PRIVATE_ADDRESSES: new URL(browser.site).host } })
  onTestFinished(async () => void (await trawl.stop()))
  const { id } = (await trawl.call('POST', '/v2/browser', {})).json
  const execute = async (code: string): Promise<Record<string, unknown>> => (await trawl.call('POST', `/v2/browser/${id}/execute`, { language: 'python', code })).json
  const stdoutOf = async (code: string): Promise<unknown> => (await execute(code))['stdout']
  expect(await stdoutOf(`await page.goto('${browser.site}/next'); print(type(page).__module__[:20], await page.title(), await page.evaluate('navigator.webdriver'))`)).toBe('playwright.async_api Next False\n')
  expect(await execute(`await page.goto('${trawl.base}/health')`)).toMatchObject({ exitCode: 1, error: expect.stringContaining('net::ERR_BLOCKED_BY_CLIENT') })
  // The browser's page for errors comes a moment later.
  await expect.poll(() => stdoutOf("print(await page.evaluate('document.body.innerText.length'))")).toBe('0\n')
  if (real !== null) expect(await stdoutOf("async def answer(dialog):\n    await dialog.accept(dialog.message + '!')\npage.once('dialog', answer)\nprint(await page.evaluate('prompt(\"Well\")'), await page.evaluate('confirm(\"Sure\")'))")).toBe('Well! False\n')
}, 120_000)
