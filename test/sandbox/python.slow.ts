import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Interpreter } from '../../src/domain/sessions/sandbox.ts'
import { sandbox } from '../../src/sandbox/index.ts'
import { escapes } from './escapes.ts'
import { ran, run, type TestBrowser, testBrowser } from './session.ts'

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
async function value(code: string): Promise<string | null> {
  const { result, stderr } = await run(python, code)
  expect(stderr).toBe('')
  return result
}

describe('python', () => {
  it('is confined by the kernel', async () => expect((await own.levels()).python).toMatchObject({ level: 'os', missing: false }))

  it('provides page, context and browser, keeps variables, and prints', async () => {
    expect(await run(python, 'title = await page.title()\nprint(title)')).toEqual(ran({ stdout: 'Shop\n' }))
    expect(await run(python, 'def twice(n):\n    return n * 2\n[title, twice(2), page.url.count("/"), len(context.pages), browser.is_connected()]')).toEqual(ran({ result: '["Shop", 4, 3, 1, true]' }))
    expect(await run(python, 'page.title()')).toEqual(ran({ result: 'Shop' }))
  })

  it('stops a forked process together with the code', async () => {
    const forked = (child: string): string => `import os\npid = os.fork()\nif pid == 0:\n    ${child}\nelse:\n    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))`
    expect(await run(python, forked('print("child")'))).toEqual(ran({ stdout: 'child\n0\n' }))
    expect(await run(python, forked('raise KeyError(1)'))).toMatchObject({ stdout: '1\n', exitCode: 0 })
    expect(await run(python, '[pid > 0, await page.title()]')).toEqual(ran({ result: '[true, "Shop"]' }))
  })

  it('fills, types, presses, selects, checks and clicks with real input', async () => {
    expect(await value("await page.fill('#name', 'Ann'); await page.type('#name', ' L'); await page.select_option('select', 'l'); await page.check('#ok'); await page.click('text=Send'); await page.inner_text('#out')")).toBe('Sent Ann L l true')
    expect(await value("await page.locator('#name').press('Control+a'); await page.keyboard.press('Backspace'); await page.keyboard.type('Bo'); await page.press('#name', 'Enter'); await page.locator('#out').inner_text()")).toBe('Sent Bo l true')
    expect(await value("await page.evaluate('addEventListener(`click`, (e) => { window.trusted = e.isTrusted })'); await page.mouse.click(5, 5); await page.evaluate('trusted')")).toBe('true')
  })

  it('finds in open shadow trees, as the driver does', async () => {
    const made = `() => {
      const host = document.body.appendChild(document.createElement('x-card')).attachShadow({ mode: 'open' })
      host.innerHTML = '<div class=in><p>Deep</p><button onclick="this.textContent = 1">Press</button></div><x-leaf></x-leaf>'
      host.querySelector('x-leaf').attachShadow({ mode: 'open' }).innerHTML = '<i>Leaf</i>'
    }`
    const found = "[await page.inner_text('body x-card .in p'), await page.inner_text('x-card x-leaf i'), await page.locator('x-card').locator('p').inner_text(), await page.get_by_text('Leaf').count(), await page.get_by_role('button', name='1').count(), await page.locator('li p').count(), await page.locator('p').count()]"
    expect(await value(`await page.evaluate(${JSON.stringify(made)}); await page.click('x-card button'); ${found}`)).toBe('["Deep", "Leaf", "Deep", 1, 1, 0, 3]')
    const page = await browser.page()
    const selectors = ['body x-card .in p', 'x-card x-leaf i', 'li p', 'p', 'x-card > p', 'x-card i']
    const counts = await Promise.all(selectors.map((one) => page.locator(one).count()))
    expect(await value(`[await page.locator(one).count() for one in ${JSON.stringify(selectors)}]`)).toBe(`[${counts.join(', ')}]`)
  })

  it('finds by selector, text, role and label', async () => {
    expect(await value("items = page.locator('.item'); [await items.count(), await items.all_inner_texts(), await items.nth(1).inner_text(), await items.first.inner_text(), len(await items.all()), await items.last.get_attribute('data-x')]")).toBe('[3, ["One", "Two", "Three"], "Two", "One", 3, "3"]')
    expect(await value("[await page.get_by_role('heading').inner_text(), await page.get_by_role('link', name='next').get_attribute('href'), await page.get_by_text('Three').is_visible(), await page.get_by_label('Name').get_attribute('id'), await page.locator('xpath=//li[2]').inner_text(), await page.locator('ul >> text=One').count(), await page.locator('li:has-text(\"Tw\")').count()]")).toBe('["Shop", "/next", true, "name", "Two", 1, 1]')
    expect(await value("one = await page.query_selector('ul'); [await (await one.query_selector('li')).inner_text(), len(await page.query_selector_all('li')), await page.query_selector('#none')]")).toBe('["One", 3, null]')
  })

  it('finds what is in a form whose fields are named like what an element has', async () => {
    const form = '<form><select name=title><option>Ms</option></select><input name=children><input name=labels><p>Two rooms</p><button>Book</button></form>'
    expect(await value(`await page.evaluate(${JSON.stringify(`document.body.innerHTML = '${form}'`)}); [await page.get_by_text('Two rooms').count(), await page.get_by_role('button', name='Book').count(), await page.get_by_role('form').count()]`)).toBe('[1, 1, 0]')
  })

  it('waits for elements and conditions', async () => {
    expect(await value("await page.click('#late'); later = await page.wait_for_selector('#later'); await later.inner_text()")).toBe('Here now')
    expect(await value("await page.click('#late'); await page.locator('#later').wait_for(state='visible'); await page.wait_for_timeout(1); await page.wait_for_load_state('networkidle'); True")).toBe('true')
  })

  it('navigates', async () => {
    expect(await value(`answer = await page.goto('${browser.site}/next'); [answer.status, await page.title(), page.url]`)).toBe(`[200, "Next", "${browser.site}/next"]`)
    expect(await value("await page.go_back(); await page.reload(); await page.click('text=Next page'); await page.wait_for_url('**/next'); [await page.title(), '<h1>' in await page.content()]")).toBe('["Next", true]')
    expect(await value("picture = await page.screenshot(path='/tmp/p.png', full_page=True); [picture[:4] == b'\\x89PNG', len(open('/tmp/p.png', 'rb').read()) == len(picture)]")).toBe('[true, true]')
    expect(await value(`other = await context.new_page(); await other.goto('${browser.site}/'); await other.evaluate("(n) => { document.cookie = 'a=' + n; return n + 1 }", 4)`)).toBe('5')
    expect(await value("await other.close(); [len(context.pages), [c['value'] for c in await context.cookies() if c['name'] == 'a']]")).toBe('[1, ["4"]]')
  })

  it('reports unsupported methods by name', async () => {
    expect(await run(python, "await page.route('**', None)")).toMatchObject({ exitCode: 1, error: expect.stringContaining('Page.route is not available here') })
    expect(await run(python, "page.locator('role=button')")).toMatchObject({ exitCode: 1, error: expect.stringContaining('"role" is not available here') })
    expect(await run(python, "await page.locator('h1').click(position={'x': 1, 'y': 1})")).toMatchObject({ exitCode: 1, error: expect.stringContaining('option position of click') })
  })

  it('returns errors of the code as data, and continues', async () => {
    expect(await run(python, 'before = 1\n1 / 0')).toMatchObject({ exitCode: 1, killed: false, error: 'ZeroDivisionError: division by zero', stderr: expect.stringContaining('File "<code>", line 2') })
    expect(await run(python, 'if')).toMatchObject({ exitCode: 1, error: expect.stringContaining('SyntaxError: invalid syntax') })
    // For code that does not compile, only the line is shown.
    for (const [code, line] of [['a = 1\nx = (1,', 2], ['\n\nreturn 5', 3]] as const) {
      const { stderr } = await run(python, code)
      expect(stderr).toMatch(new RegExp(`^(?:Traceback.*\\n)?  File "<code>", line ${line}\\n    ${line === 2 ? 'x = \\(1,' : 'return 5'}\\n[ ~^]*\\n?SyntaxError: `))
    }
    expect(await run(python, "await page.locator('li').click(timeout=500)")).toMatchObject({ exitCode: 1, error: expect.stringContaining('strict mode violation') })
    expect(await run(python, "await page.click('#none')", 2_500)).toMatchObject({ exitCode: 1, killed: false, error: expect.stringMatching(/^TimeoutError: Locator.click: Timeout 1500ms exceeded/) })
    expect(await run(python, 'before')).toEqual(ran({ result: '1' }))
  })

  it('switches to an open page if its own was closed, and opens one if there is none', async () => {
    expect(await value('other = await context.new_page(); await page.close(); len(context.pages)')).toBe('1')
    expect(await value('keep = page is other; await page.close(); [keep, len(context.pages)]')).toBe('[true, 0]')
    expect(await value('[page.is_closed(), page.url, len(context.pages)]')).toBe('[false, "about:blank", 1]')
  })
})

describe('limits of python', () => {
  it.each([
    ['what takes too long', 'while True: pass', { killed: true, exitCode: 137 }],
    ['an exit', 'print(1)\nexit(3)', { exitCode: 3, stdout: '1\n', killed: false }],
    ['an exit that says that all is well', 'print(1)\nexit()', { exitCode: 0, stdout: '1\n', killed: false, error: null, stderr: 'The interpreter ended with exit code 0; its variables are gone.\n' }],
    ['sockets that fill up, in many processes', "import socket, subprocess, sys, time\nhold = 'import socket, time; pairs = [socket.socketpair() for _ in range(120)]; time.sleep(60)'\nall = [subprocess.Popen([sys.executable, '-S', '-c', hold]) for _ in range(4)]\ntime.sleep(20)", { error: expect.stringContaining('more than 512 sockets'), exitCode: 137 }],
    ['names of files that fill up', "import os\nfor i in range(10_000_000): os.close(os.open(f'/tmp/{i}', os.O_CREAT))", { error: expect.stringContaining('more than 65536 files'), exitCode: 137 }],
    ['memory that fills up', 'def fill():\n    all = []\n    while True: all.append(bytearray(10_000_000))\nfill()', { error: expect.stringMatching(/memory|Memory/), killed: false }],
    ['memory that many processes fill up', "import os, time\nfor i in range(8):\n    if os.fork() == 0:\n        all = b'x' * 150_000_000\n        time.sleep(60)\n        os._exit(0)\ntime.sleep(20)", { error: expect.stringContaining('more than 768 MB of memory'), exitCode: 137 }],
    ['memory that many processes share', "import os, time\nall = b'x' * 150_000_000\nfor i in range(8):\n    if os.fork() == 0:\n        time.sleep(60)\n        os._exit(0)\ntime.sleep(3)\nlen(all)", { error: null, result: '150000000' }],
    ['a flood', "while True: print('x' * 1_000_000)", { exitCode: 137, truncated: true, error: expect.stringContaining('more than 64 MB') }],
    ['a crash', 'import ctypes\nctypes.string_at(0)', { error: expect.stringContaining('The interpreter ended with') }],
    ['a bomb of processes', 'import os\nfailed = 0\nfor i in range(200):\n    try:\n        if os.fork() == 0:\n            import time; time.sleep(60)\n    except OSError:\n        failed += 1\nfailed > 100', { error: null, result: 'true' }],
  ])('returns %s as data', async (what, code, outcome) => expect(await run(python, code, what === 'what takes too long' ? 1_500 : 60_000)).toMatchObject(outcome), 60_000)
})

describe('walls around python', () => {
  let outside: string
  let secret: string
  let port: number
  let asked = 0
  const server = createServer((_request, response) => {
    asked++
    response.end('inside')
  })

  beforeAll(async () => {
    outside = await mkdtemp(join(tmpdir(), 'trawl-secret-'))
    secret = join(outside, 'secret')
    await writeFile(secret, 'top secret', { mode: 0o644 })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port // a listening TCP server
    // The child processes of the fork bomb count against the process limit of the interpreter as long as it lives.
    await run(python, 'exit(0)')
  })

  afterAll(async () => {
    server.close()
    await rm(outside, { recursive: true })
  })

  const call = (number: string): string => `import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nlibc.syscall(${number}), ctypes.get_errno()`

  it.each([
    ['a file of ours', () => `open('${secret}').read()`, /FileNotFoundError/],
    ['the accounts of the machine', () => "open('/etc/shadow').read()", /FileNotFoundError/],
    ['the environment of its parents', () => "import os, glob\n[open(p, 'rb').read() for p in glob.glob('/proc/[0-9]*/environ') if os.access(p, os.R_OK) and b'npm' in open(p, 'rb').read()]", /^\[\]$/],
    ['its own environment', () => "import os\n[n for n in os.environ if 'TRAWL' in n or 'npm' in n or 'VITEST' in n]", /^\[\]$/],
    ['our site on loopback', () => `import urllib.request\nurllib.request.urlopen('http://127.0.0.1:${port}/', timeout=5).read()`, /URLError/],
    ['a raw socket', () => 'import socket\nsocket.socket(socket.AF_PACKET, socket.SOCK_RAW)', /(PermissionError|OSError)/],
    ['the host of a virtual machine', () => 'import socket\nsocket.socket(40, socket.SOCK_STREAM)', /OSError/],
    ['commands of a shell that reach out', () => "import subprocess\nsubprocess.run('cat /etc/hostname /etc/passwd', shell=True, capture_output=True).stdout.decode()", /^$/],
    ['ending our process', () => `import os\nos.kill(${process.pid}, 9)`, /ProcessLookupError/],
    ['a user of its choice', () => 'import os\nos.setuid(0)', /PermissionError/],
    ['a namespace of its own', () => "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n[libc.unshare(0x10000000), ctypes.get_errno()]", /^\[-1, 1\]$/],
    ['tracing', () => "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n[libc.ptrace(16, 1, 0, 0), ctypes.get_errno()]", /^\[-1, 1\]$/],
    ['mounting', () => "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n[libc.mount(b'x', b'/tmp', b'tmpfs', 0, None), ctypes.get_errno()]", /^\[-1, 1\]$/],
    ['calls of another machine', () => `${call('0x40000000 + 39')}`.replace('libc.syscall', '[libc.syscall').replace('get_errno()', 'get_errno()]'), /^\[-1, 1\]$/],
    ['memory without an owner', () => "import os\nos.memfd_create('x')", /PermissionError/],
    ['files at the root', () => "open('/evil', 'w')", /(OSError|PermissionError)/],
    ['devices', () => "import os\nsorted(os.listdir('/dev'))", /^(?!.*(sda|vda|mem|kvm|fuse)).*null.*$/],
    ['a link out of its folder', () => "import os\nos.symlink('/proc/1/root/etc', '/tmp/out')\nos.listdir('/tmp/out')", /(FileNotFoundError|PermissionError)/],
  ])('keep it from %s', async (_what, code, expected) => {
    const { result, error } = await run(python, code())
    expect(String(error ?? result)).toMatch(expected)
    expect(asked).toBe(0)
  })

  it.each(escapes)('keep it from %s', async (_what, code, expected) => {
    const { result, error } = await run(python, code)
    expect(String(error ?? result)).toMatch(expected)
  })
})
