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

  it('types what is on the keyboard, and what is not, as it is', async () => {
    const signs = `aZ 0.9%&'($#!"-_=+[]{}\\\\|;:,<>/?@*^~\`é漢`
    expect(await value(`await page.type('#name', ${JSON.stringify(signs.replaceAll('\\\\', '\\'))}); await page.input_value('#name')`)).toBe(signs.replaceAll('\\\\', '\\'))
    expect(await value("await page.fill('#name', ''); [await page.keyboard.press(key) for key in ('Shift+a', 'KeyB', 'Shift+Digit1', 'Space', '.')]; await page.input_value('#name')")).toBe('Ab! .')
  })

  it('honours the options of clicks', async () => {
    await run(python, `await page.set_content('<p>one two</p><button onclick="this.textContent = [event.shiftKey, event.button, event.detail]">Go</button><button style="opacity:0" disabled>Off</button>')`)
    expect(await value("await page.click('p', click_count=3); (await page.evaluate('getSelection().toString()')).strip()")).toBe('one two')
    expect(await value("await page.click('text=Go', modifiers=['Shift'], click_count=2); [await page.locator('button').first.inner_text(), await page.evaluate('new Promise((done) => { onkeydown = (e) => done(e.shiftKey) ; setTimeout(done, 50, null) })')]")).toBe('["true,0,2", null]')
    expect(await run(python, "await page.click('p', 500)")).toMatchObject({ exitCode: 1, error: expect.stringContaining('positional argument') })
    expect(await run(python, "await page.click('text=Off', timeout=300)")).toMatchObject({ exitCode: 1, error: expect.stringContaining('not enabled') })
    expect(await value("await page.click('text=Off', timeout=300, force=True)")).toBe(null)
  })

  it('finds what the driver finds by role, text and selectors, and nothing in boxes that are not shown', async () => {
    const html = '<h1>Top</h1><h2>Sub</h2><div style="display:none"><button>Send</button></div><div aria-hidden=true><button>Send</button></div><button>Send</button><button>Resend</button><table><thead><tr><th>A<th>B<tbody><tr><th scope=row>r<td>3<tr><td>x<td>4</table><label><input type=checkbox checked>Yes</label><label><input type=checkbox>No</label>'
    const shown = `document.body.innerHTML = ${JSON.stringify(html)}`
    await run(python, `await page.evaluate(${JSON.stringify(shown)})`)
    const page = await browser.page()
    const roles = [['button', {}], ['button', { name: 'Send', exact: true }], ['button', { name: /^s/i }], ['heading', { level: 2 }], ['rowgroup', {}], ['rowheader', {}], ['columnheader', {}], ['checkbox', { checked: true }], ['button', { includeHidden: true }]] as const // the roles are literals
    const counts = await Promise.all(roles.map(([role, options]) => page.getByRole(role, options).count()))
    expect(await value("import re; [await page.get_by_role(role, **options).count() for role, options in [('button', {}), ('button', {'name': 'Send', 'exact': True}), ('button', {'name': re.compile('^s', re.I)}), ('heading', {'level': 2}), ('rowgroup', {}), ('rowheader', {}), ('columnheader', {}), ('checkbox', {'checked': True}), ('button', {'include_hidden': True})]]")).toBe(`[${counts.join(', ')}]`)
    const selectors = ['button:has-text("Send"), h1:has-text("Top"), p', 'tr:has-text("3") > td', 'tr:has-text("r"):has-text("3") td', 'button:visible', 'text=/^res/i', 'button:text("send")', 'button:text-is("Send")', 'tr:has-text("x") :text("4")', 'button:has-text("Send"):not(:disabled)', 'h2[title="a, b:has-text("], h2']
    const found = await Promise.all(selectors.map((one) => page.locator(one).count()))
    expect(await value(`[await page.locator(one).count() for one in ${JSON.stringify(selectors)}]`)).toBe(`[${found.join(', ')}]`)
    expect(await run(python, 'page.locator(\'p:not(:has-text("a"))\')')).toMatchObject({ exitCode: 1, error: expect.stringContaining('":has-text" at this place') })
  })

  it('narrows and joins locators', async () => {
    expect(await value("items = page.locator('li'); [await items.filter(has_text=re.compile('^T')).count() if (re := __import__('re')) else 0, await items.filter(has_not_text='T').inner_text(), await page.locator('ul').filter(has=page.locator('li', has_text='Two')).count(), await page.locator('ul', has=page.locator('p')).count(), await page.locator('h1').or_(items.first).all_inner_texts(), await items.and_(page.locator('[data-x]')).inner_text(), await page.locator('ul').locator(items).count()]")).toBe('[2, "One", 1, 0, ["Shop", "One"], "Three", 3]')
  })

  it('transfers values between the code and the page as the driver does', async () => {
    expect(await value("await page.evaluate('window.own = 1'); [await page.evaluate('el => [el.tagName, window.own]', await page.query_selector('h1')), await page.locator('li').nth(1).evaluate('(el, x) => el.textContent + x', '!'), await page.locator('li').evaluate_all('all => all.length'), await page.eval_on_selector('h1', 'el => el.id'), await page.eval_on_selector_all('li', '(all, n) => all.length + n', 1)]")).toBe('[["H1", 1], "Two!", 3, "", 4]')
    expect(await value("[await page.evaluate(one) for one in ('// a comment\\n() => 5', 'function f() { return 6 }', 'async function () { return 7 }', '({ a: 8 })', 'const nine = 9; nine', 'document.body', 'window', 'fetch(`/none`).then((one) => one.text())')]")).toBe('[5, 6, 7, {"a": 8}, 9, "ref: <Node>", "ref: <Window>", "none"]')
    expect(await value('import datetime\nstr(await page.evaluate("() => { const me = { n: 1/0 }; me.me = me; return [me.me.me.n, new Date(0), new Set([1]), 2n ** 64n, document.body.getBoundingClientRect().x, undefined] }"))')).toBe('[inf, datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), [1], 18446744073709551616, 8, None]')
    expect(await value('import re\nawait page.evaluate("([not, day, sign, big, { el }]) => [Number.isNaN(not), day.getTime(), sign.test(`AB`), typeof big, el.tagName]", [float("nan"), datetime.datetime.fromtimestamp(1, datetime.timezone.utc), re.compile("b", re.I), 2 ** 60, {"el": await page.query_selector("h1")}])')).toBe('[true, 1000, true, "bigint", "H1"]')
    expect(await run(python, 'await page.evaluate("x => x", object())')).toMatchObject({ exitCode: 1, error: expect.stringContaining('type object cannot be given') })
    expect(await run(python, "await page.evaluate('() => { throw new TypeError(`boom`) }')")).toMatchObject({ exitCode: 1, error: expect.stringMatching(/^Error: TypeError: boom\n {4}at <anonymous>:1:15$/) })
    expect(await run(python, 'await page.mouse.move(float("nan"), 1)')).toMatchObject({ exitCode: 1, error: 'Error: x, y: expected numbers of the page' })
    expect(await value('await page.title()')).toBe('Shop')
  })

  it('says what an element is not, instead of inventing a value', async () => {
    for (const [method, what] of [['is_checked', 'Not a checkbox'], ['input_value', 'Node is not an <input>'], ['is_editable', 'Element is not an <input>']]) expect(await run(python, `await page.${method}('h1')`)).toMatchObject({ exitCode: 1, error: expect.stringContaining(what ?? '') })
    expect(await value("[await page.locator('#later').bounding_box(), await page.is_checked('label:has-text(\"Agree\")'), await page.input_value('label:has-text(\"Name\")')]")).toBe('[null, false, ""]')
    expect(await value("await page.check('label:has-text(\"Agree\")'); await page.get_by_label('Agree').is_checked()")).toBe('true')
    expect(await run(python, "await page.select_option('select', ['s', 'none'], timeout=300)")).toMatchObject({ exitCode: 0 })
    await run(python, "await page.evaluate('document.querySelector(`select`).multiple = true')")
    expect(await run(python, "await page.select_option('select', ['s', 'none'], timeout=300)")).toMatchObject({ exitCode: 1, error: expect.stringContaining('did not find some options') })
    expect(await run(python, "await page.locator('li').is_visible()")).toMatchObject({ exitCode: 1, error: expect.stringContaining('strict mode violation') })
  })

  it('goes where a page sends it on, waits for ever if told to, and leaves pages that ask', async () => {
    expect(await value(`answer = await page.goto('${browser.site}/hop', timeout=10_000); page.url.endswith('/next')`)).toBe('true')
    expect(await value(`await page.goto('${browser.site}/', timeout=0); await page.goto('${browser.site}/#a'); here = page.url; await page.go_back(timeout=0); [here, page.url]`)).toBe(`["${browser.site}/#a", "${browser.site}/"]`)
    await run(python, "await page.evaluate('onbeforeunload = (event) => event.preventDefault()'); await page.fill('#name', 'x'); await page.click('#name')")
    expect(await value(`await page.goto('${browser.site}/next'); await page.title()`)).toBe('Next')
  })

  it('tells the code of dialogs, windows, requests and answers', async () => {
    expect(await value(`page.once('dialog', lambda one: one.accept('Bo')); await page.goto('${browser.site}/odd'); await page.click('#name'); [await page.title(), await page.click('#ask'), await page.title()]`)).toBe('["Bo", null, "false"]')
    expect(await value("async with page.expect_popup() as info:\n    await page.click('#new')\npopup = await info.value\nawait popup.wait_for_load_state(); told = [await popup.title(), len(context.pages)]; await popup.close(); told")).toBe('["Next", 2]')
    expect(await value("async with page.expect_response('**/no*') as info:\n    await page.evaluate('fetch(`/none`).then((one) => one.text())')\nanswer = await info.value\n[answer.status, answer.ok, await answer.text(), answer.headers['content-type']]")).toBe('[404, false, "none", "text/plain"]')
    expect(await value(`async with page.expect_navigation() as info:\n    await page.evaluate('location.href = "/next"')\n[page.url.endswith('/next'), (await info.value).status]`)).toBe('[true, 200]')
    expect(await run(python, "async with page.expect_popup(timeout=200): pass")).toMatchObject({ exitCode: 1, error: expect.stringContaining('while waiting for event "popup"') })
    expect(await run(python, "page.on('console', print)")).toMatchObject({ exitCode: 1, error: expect.stringContaining('The event console of Page is not available here') })
  })

  it('keeps the time limit that the code has set for a page, and its own for new ones', async () => {
    await run(python, 'other = await context.new_page(); other.set_default_timeout(300)')
    expect(await run(python, "await other.click('#none')")).toMatchObject({ error: expect.stringContaining('Timeout 300ms exceeded') })
    await run(python, 'await other.close(); other = await context.new_page()')
    expect(await run(python, "await other.click('#none')", 3_000)).toMatchObject({ killed: false, error: expect.stringContaining('Timeout 2000ms exceeded') })
    await run(python, 'await other.close()')
  })

  it('gives files to pages, and takes pictures of elements', async () => {
    await run(python, "await page.evaluate('document.body.innerHTML = `<input type=file><h1>A</h1>`'); open('/tmp/a.csv', 'w').write('a,b')")
    const read = "await page.evaluate('async () => { const [file] = document.querySelector(`input`).files; return [file.name, file.type, await file.text()] }')"
    expect(await value(`await page.set_input_files('input', '/tmp/a.csv'); ${read}`)).toBe('["a.csv", "text/csv", "a,b"]')
    expect(await value(`await page.locator('input').set_input_files({'name': 'b.bin', 'mimeType': 'x/y', 'buffer': b'c'}); ${read}`)).toBe('["b.bin", "x/y", "c"]')
    expect(await value("[(await page.locator('h1').screenshot())[:4] == b'\\x89PNG', (await page.screenshot(path='/tmp/p.jpg'))[:3] == b'\\xff\\xd8\\xff']")).toBe('[true, true]')
    expect(await run(python, "await page.screenshot(type='gif')")).toMatchObject({ exitCode: 1, error: expect.stringContaining('expected one of (png|jpeg)') })
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
    ['an exit with a message', 'import sys\nsys.exit("no luck")', { exitCode: 1, stderr: 'no luck\n', killed: false }],
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
