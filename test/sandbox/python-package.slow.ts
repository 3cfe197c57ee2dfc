import { execFile } from 'node:child_process'
import { chmod, copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Interpreter } from '../../src/domain/sandbox.ts'
import { sandbox } from '../../src/sandbox/index.ts'
import { startTrawl } from '../service.ts'
import { ran, run, type TestBrowser, testBrowser } from './session.ts'

/** A Python of its own, as one makes them to install packages in, with a `playwright` package laid out as the real one is. */
async function pythonWithPackage(driver: string | null): Promise<{ readonly bin: string; readonly folder: string }> {
  // Behind the walls /tmp is another one.
  const folder = await mkdtemp('/var/tmp/trawl-venv-')
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
  return { bin, folder }
}

async function versionOf(python: string): Promise<string> {
  return new Promise((done, fail) => execFile(python, ['-c', 'import sys; print("python%d.%d" % sys.version_info[:2])'], (error, text) => (error === null ? done(text.trim()) : fail(error))))
}

const folders: string[] = []
const sandboxes: ReturnType<typeof sandbox>[] = []
async function sandboxWith(driver: string | null): Promise<ReturnType<typeof sandbox>> {
  const { bin, folder } = await pythonWithPackage(driver)
  folders.push(folder)
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

describe('python with a playwright package', () => {
  let python: Interpreter
  let own: ReturnType<typeof sandbox>
  beforeAll(async () => {
    own = await sandboxWith(process.execPath)
    python = await own.open('python', browser)
  }, 60_000)
  const value = async (code: string): Promise<string | null> => {
    const { result, stderr } = await run(python, code)
    expect(stderr).toBe('')
    return result
  }

  it('uses it, and says so', async () => expect((await own.levels()).python).toMatchObject({ level: 'os', reason: expect.stringMatching(/; Python [\d.]+, its playwright package 9\.8\.7$/) }))

  it('gives its page, context and browser, whose driver works in the browser of the session', async () => {
    expect(await run(python, 'print(await page.title(), type(page).__module__)')).toEqual(ran({ stdout: 'Shop playwright.async_api\n' }))
    expect(await value("await page.fill('#name', 'Ann'); await page.click('text=Send'); [await page.inner_text('#out'), len(context.pages), browser.is_connected(), page.url.count('/')]")).toBe('["Sent Ann s false", 1, true, 3]')
    expect(await value(`await page.goto('${browser.site}/next'); await page.title()`)).toBe('Next')
  })

  it('carries messages of every length whole, both ways', async () => {
    const lengths = [1, 125, 126, 65_500, 65_536, 300_000]
    for (const length of lengths) expect(await value(`text = 'ä' * ${length}; [len(await page.evaluate('"ä".repeat(${length})')), await page.evaluate('"' + text + '".length')]`)).toBe(`[${length}, ${length}]`)
  })

  it('tells its errors as data, waits no longer than the run, and goes on', async () => {
    expect(await run(python, "await page.click('#none', timeout=300)")).toMatchObject({ exitCode: 1, killed: false, error: expect.stringContaining('Timeout 300ms exceeded') })
    expect(await run(python, "try:\n    await page.click('#none')\nexcept PlaywrightTimeoutError as error:\n    print('late')", 2_500)).toEqual(ran({ stdout: 'late\n' }))
  })

  it('takes up a page that is open where its own was closed', async () => {
    expect(await value('other = await context.new_page(); await page.close(); len(context.pages)')).toBe('1')
    expect(await value('[page is other, page.url]')).toBe('[true, "about:blank"]')
  })

  it('has no network, and its driver neither', async () => {
    expect(await run(python, "from playwright.async_api import async_playwright\nsecond = await async_playwright().start()\nawait second.chromium.connect_over_cdp('ws://127.0.0.1:9/')")).toMatchObject({ exitCode: 1, error: expect.stringMatching(/EAFNOSUPPORT|ECONNREFUSED|ENETUNREACH/) })
    await run(python, 'await second.stop()')
  })

  it('starts anew for code that closed its browser or killed its driver', async () => {
    expect(await run(python, 'await browser.close(); 1')).toEqual(ran({ result: '1' }))
    expect(await value('await page.title() in ("Shop", "")')).toBe('true')
    expect(await run(python, 'context.set_default_timeout(2000)\nbrowser.connection.process.kill()\nawait page.title()')).toMatchObject({ exitCode: 1, error: expect.stringContaining('Connection closed') })
  })

  it('ends a time-out with its driver', async () => {
    expect(await run(python, 'while True: pass', 1_500)).toMatchObject({ killed: true, exitCode: 137 })
    expect(await run(python, 'await page.evaluate("1 + 1")')).toEqual(ran({ result: '2' }))
  })
})

it('does without a package whose driver does not start, and says why', async () => {
  const own = await sandboxWith(null)
  expect((await own.levels()).python).toMatchObject({ level: 'os', reason: expect.stringMatching(/its playwright package 9\.8\.7 is not used, as it does not start \(FileNotFoundError.*driver\/node/) })
  const python = await own.open('python', browser)
  expect(await run(python, '[type(page).__module__, await page.title()]')).toEqual(ran({ result: '["trawl_page", "Shop"]' }))
}, 60_000)

it('is what sessions of the service get', async () => {
  const { bin, folder } = await pythonWithPackage(process.execPath)
  folders.push(folder)
  const trawl = await startTrawl({ settings: { PATH: `${bin}:${process.env['PATH']}`, TRAWL_ALLOW_PRIVATE_ADDRESSES: new URL(browser.site).host } })
  onTestFinished(async () => void (await trawl.stop()))
  const { id } = (await trawl.call('POST', '/v2/browser', {})).json
  const code = `await page.goto('${browser.site}/next'); print(type(page).__module__, await page.title(), await page.evaluate('navigator.webdriver'))`
  expect((await trawl.call('POST', `/v2/browser/${id}/execute`, { language: 'python', code })).json).toMatchObject({ success: true, exitCode: 0, stdout: 'playwright.async_api Next False\n' })
}, 120_000)
