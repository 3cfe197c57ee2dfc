import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberCredentials } from '../../src/browser/protocol/proxy-auth.ts'
import { ServiceError } from '../../src/domain/errors.ts'
import type { Interpreter } from '../../src/domain/sessions/sandbox.ts'
import { sandbox } from '../../src/sandbox/index.ts'
import { ran, run, type TestBrowser, testBrowser } from './session.ts'

const own = sandbox({ unsafe: false, hidden: [], searchPath: [] })
let browser: TestBrowser
let bash: Interpreter

beforeAll(async () => {
  browser = await testBrowser()
  const context = (await browser.page()).context()
  // As where the proxy of a session may not go.
  rememberCredentials(context, { username: '', password: '', failureOf: () => new ServiceError('FORBIDDEN') })
  await context.route('**/refused', (route) => route.abort('blockedbyclient'))
  bash = await own.open('bash', browser)
})

afterAll(async () => {
  await own.close()
  await browser.stop()
})

beforeEach(() => browser.reset())

const printed = (text: string): ReturnType<typeof ran> => ran({ stdout: text, result: text.trimEnd() })

describe('bash', () => {
  it('opens pages and reports about them', async () => {
    expect(await run(bash, `agent-browser open ${browser.site}/next && agent-browser get title\nget url`)).toEqual(printed(`✓ Next\n  ${browser.site}/next\nNext\n${browser.site}/next\n`))
    expect(await run(bash, 'get title', 1.1 * 30_000 + 0.1)).toEqual(printed('Next\n'))
    expect(await run(bash, 'back; reload')).toEqual(printed(`✓ Shop\n  ${browser.site}/\n✓ Shop\n  ${browser.site}/\n`))
  })

  it('fails to open what cannot be reached, instead of reporting an empty page', async () => {
    for (const command of ['open', 'tab new']) {
      const { stdout, exitCode, error } = await run(bash, `${command} ${browser.site}/refused`)
      expect([stdout, exitCode, error]).toEqual(['', 1, `${command.split(' ')[0]}: This service may not reach that address.`])
    }
    await run(bash, 'tab close')
  })

  it('says that an address is a file, and how to read it', async () => {
    expect(await run(bash, `open ${browser.site}/file`)).toMatchObject({ stdout: '', exitCode: 1, error: expect.stringContaining('leads to a file, and downloads are refused here') })
    expect(await run(bash, `eval 'fetch("/file").then((answer) => answer.text())'`)).toEqual(printed('"a,b"\n'))
  })

  it('acts on references of a snapshot', async () => {
    const { stdout } = await run(bash, 'agent-browser snapshot -i')
    expect(stdout.split('\n').map((line) => line.replace(/ \[(?:ref|cursor)=\w+\]/g, ''))).toEqual(['- textbox "Name"', '- combobox "Size"', '- checkbox "Agree"', '- button "Send"', '- link "Next page"', '- button "Later"', ''])
    const ref = (name: string): string => `@${new RegExp(`${name}.*\\[ref=(\\w+)\\]`).exec(stdout)?.[1]}`
    expect(await run(bash, `fill ${ref('"Name"')} "Ann Lee"\nselect ${ref('"Size"')} l\ncheck ${ref('"Agree"')}\nclick ${ref('"Send"')}\nget text '#out'`)).toEqual(printed('✓ Done\n✓ Done\n✓ Done\n✓ Done\nSent Ann Lee l true\n'))
  })

  it('finds, waits, types, presses, queries and scrolls', async () => {
    expect(await run(bash, 'find role button click --name Later && wait "#later" && get text "#later"')).toEqual(printed('✓ Done\n✓ Done\nHere now\n'))
    expect(await run(bash, "find label Name fill 'Bo'; type '#name' b; press Enter; wait --text 'Sent Bob'; get value '#name'")).toEqual(printed('✓ Done\n✓ Done\n✓ Done\n✓ Done\nBob\n'))
    expect(await run(bash, "click 'text=Next page' && wait --url '**/next' && get title && back")).toEqual(printed(`✓ Done\n✓ Done\nNext\n✓ Shop\n  ${browser.site}/\n`))
    expect(await run(bash, "is visible h1; is checked '#ok'; get count .item; get attr .item:nth-child(3) data-x; find nth 1 .item text".replace('.item:nth-child(3)', "'.item:nth-child(3)'"))).toEqual(printed('true\nfalse\n3\n3\nTwo\n'))
    expect(await run(bash, "scroll down 50; eval '[scrollY >= 0, document.title]'")).toEqual(printed('✓ Done\n[\n  true,\n  "Shop"\n]\n'))
  })

  it('supports here-documents, comments, escapes and both kinds of quotes', async () => {
    expect(await run(bash, "# first\nagent-browser eval --stdin <<'EOF'\nconst all = [...document.querySelectorAll('.item')]\nall.length\nEOF\necho it\\'s \"a \\\"b\\\"\" 'c $d' \\\n  end")).toEqual(printed("3\nit's a \"b\" c $d end\n"))
  })

  it('answers in JSON on request', async () => expect(await run(bash, 'agent-browser get title --json')).toEqual(printed('{"success":true,"data":"Shop"}\n')))

  it('returns screenshots as data URLs', async () => {
    const { stdout, exitCode } = await run(bash, 'screenshot')
    expect([stdout.slice(0, 26), exitCode]).toEqual(['data:image/png;base64,iVBO', 0])
  })

  it('works in tabs', async () => {
    expect(await run(bash, `tab new ${browser.site}/next; get title; tab 0; get title; tab close 1; tab`)).toEqual(printed(`✓ Next\n  ${browser.site}/next\nNext\n✓ Shop\n  ${browser.site}/\nShop\n✓ Done\n→ [0] Shop - ${browser.site}/\n`))
  })

  it('continues in the tab that was opened or used last, whoever opened it', async () => {
    const opens = `eval 'void open("/next")' && wait --fn 'true' && wait 300 && get title`
    expect((await run(bash, opens)).result?.split('\n').at(-1)).toBe('Next')
    expect((await run(bash, `tab 0; ${opens}`)).result?.split('\n').at(-1)).toBe('Next')
    expect((await run(bash, 'tab 1; get title')).result?.split('\n').at(-1)).toBe('Next')
    expect((await run(bash, 'tab 0; get title')).result?.split('\n').at(-1)).toBe('Shop')
  })

  it('lists its commands, and shows how one is used', async () => {
    for (const script of ['agent-browser --help', 'agent-browser help', 'help', '-h']) {
      const { stdout, exitCode } = await run(bash, script)
      expect([exitCode, ['open <url>', 'get attr <element> <name>', 'fill <element> <text>', 'tab <n>', 'storage local|session clear', 'sleep <seconds>'].filter((use) => !stdout.includes(`\n  ${use}`))]).toEqual([0, []])
    }
    for (const script of ['agent-browser select --help', 'help select', 'select -h']) expect(await run(bash, script)).toEqual(printed('select <element> <value> …\n'))
    expect(await run(bash, 'help nothing')).toMatchObject({ exitCode: 1, error: 'help: there is no such command; help lists those that there are (help [command])' })
    expect(await run(bash, "fill '#name' --help; get value '#name'")).toEqual(printed('✓ Done\n--help\n'))
  })

  it.each([
    ["click '#late' --new-tab", 'click: the option --new-tab is not known here (click <element>)'],
    ['click text=Next page', 'click: "page" is one word too many; one that has spaces must be quoted (click <element>)'],
    ["scroll down 5 --selector '#out'", 'scroll: the option --selector is not known here (scroll up|down|left|right [pixels])'],
    ['get title --session other', 'get: the option --session is not known here'],
    ['get text #out', "#out begins a comment, as in a shell: quote it if it is a selector ('#out'), or put a space after the #."],
    ["wait '#out' --text Sent", 'wait: it waits for one thing at a time'],
    ['cookies clear --domain a.test', 'cookies: only cookies set takes more'],
    ['cookies set a 1 --sameSite no', 'cookies: --sameSite takes Strict, Lax or None'],
    ['set headers nothing', 'set: headers are an object of texts, as JSON in single quotes'],
    [`set headers '{"Host": "a.test"}'`, 'set: "Host" cannot be set'],
    ['set offline on off', 'set: "off" is one word too many'],
    ['set geo 91 0', 'set: the latitude is -90 to 90'],
    ['set device "iPhone 14"', 'set: the device belongs to the session'],
    ['network requests --filter', 'network: --filter needs a value'],
    ['network route "**"', 'network: requests are not changed by commands'],
    ['upload "#file" a.txt', 'upload: there is no such command here: files are neither kept nor read here; in node, page.setInputFiles'],
    ['close', 'close: there is no such command here: the session is ended by its DELETE request'],
    ['help pdf', 'help: there is no pdf here: files are neither kept nor read here'],
  ])('refuses what it would have to ignore: %s', async (script, error) => {
    expect(await run(bash, script)).toMatchObject({ stdout: '', exitCode: expect.toSatisfy((code: number) => code > 0), error: expect.stringContaining(error) })
  })

  it('says what stood in the way of what it waited for', async () => {
    const cover = `eval 'document.body.insertAdjacentHTML("beforeend", "<div id=cover style=position:fixed;inset:0></div>")'`
    expect(await run(bash, `${cover}; click '#late'`, 2_500)).toMatchObject({ error: expect.stringMatching(/^click: Timeout \d+ms exceeded: <div id="cover"><\/div> intercepts pointer events$/) })
    expect(await run(bash, "wait '#none' --timeout 200")).toMatchObject({ error: "wait: Timeout 200ms exceeded: waiting for locator('#none').first() to be visible" })
    expect(await run(bash, "wait --url '**/none' --timeout 200")).toMatchObject({ error: expect.stringMatching(/^wait: Timeout 200ms exceeded: waiting for navigation/) })
    expect(await run(bash, "eval 'nothing.here'")).toMatchObject({ error: 'eval: ReferenceError: nothing is not defined' })
  })

  it('takes references as snapshots write them', async () => {
    const { stdout } = await run(bash, 'snapshot -i')
    const ref = /"Name".*\[ref=(\w+)\]/.exec(stdout)?.[1] ?? ''
    expect(await run(bash, `fill ${ref} Ann; get value ref=${ref}; get value @${ref}`)).toEqual(printed('✓ Done\nAnn\nAnn\n'))
  })

  it('reads and changes what the page keeps, and its size', async () => {
    expect(await run(bash, 'cookies clear; cookies set a 1 --httpOnly; cookies; cookies --json; cookies clear; cookies')).toEqual(printed(`✓ Done\n✓ Done\na=1\n{"success":true,"data":[{"name":"a","value":"1","domain":"127.0.0.1","path":"/","expires":-1,"httpOnly":true,"secure":false,"sameSite":"Lax"}]}\n✓ Done\n`))
    for (const area of ['local', 'session']) expect(await run(bash, `storage ${area} set k "a b"; storage ${area} k; storage ${area} get k; storage ${area}; storage ${area} --json; storage ${area} clear; storage ${area}`)).toEqual(printed('✓ Done\na b\na b\nk: a b\n{"success":true,"data":{"k":"a b"}}\n✓ Done\n'))
    expect(await run(bash, 'storage local set length 5; storage local set key 6; storage local --json; storage local clear')).toMatchObject({ stdout: expect.stringMatching(/"data":(?:\{"length":"5","key":"6"\}|\{"key":"6","length":"5"\})\}\n/) })
    expect(await run(bash, "set viewport 500 400; eval '[innerWidth, innerHeight].join()'")).toEqual(printed('✓ Done\n"500,400"\n'))
    expect(await run(bash, "focus '#name'; keydown Shift; press KeyA; keyup Shift; get value '#name'")).toEqual(printed('✓ Done\n✓ Done\n✓ Done\n✓ Done\nA\n'))
  })

  it('says that a click led to a file, which is refused', async () => {
    for (const [link, name] of [['text=File', 'a.csv'], ['#kept', 'a.csv'], ['#shown', 'x.txt']]) {
      expect(await run(bash, `open ${browser.site}/odd; click '${link}'`)).toMatchObject({ stdout: `✓ Odd\n  ${browser.site}/odd\n`, exitCode: 1, error: expect.stringContaining(`click: A file came ("${name}"), and downloads are refused here`) })
    }
    expect(await run(bash, `open ${browser.site}/odd; eval 'document.querySelector("#shown").click()'; wait 200`)).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('A file came ("x.txt")') })
  })

  it('tells of dialogs, and answers one as it was told before', async () => {
    await run(bash, `open ${browser.site}/odd`)
    expect(await run(bash, 'click "#ask"; get title')).toEqual(ran({ stdout: '✓ Done\nfalse\n', result: '✓ Done\nfalse', stderr: '! click: The page showed a dialog (confirm): "Sure?"; it was dismissed. "dialog accept" before the command accepts it.\n' }))
    await run(bash, 'dialog accept')
    expect((await run(bash, 'dialog status; click "#ask"; get title; dialog status')).stdout).toBe('The next dialog of this tab will be accepted.\n✓ Done\ntrue\nDialogs are not answered by commands.\n')
    expect((await run(bash, 'dialog accept Bo; click "#name"; get title; dialog accept; click "#name"; get title')).stdout.match(/^(?:Bo|Ann)$/gm)).toEqual(['Bo', 'Ann'])
    expect((await run(bash, 'dialog accept; dialog dismiss; click "#ask"; get title')).result?.split('\n').at(-1)).toBe('false')
    // Only while commands run.
    await run(bash, 'dialog accept')
    await (await browser.page()).click('#ask')
    expect((await run(bash, 'get title')).stdout).toBe('false\n')
    await run(bash, 'click "#ask"')
  })

  it('shows what a tab logged, which errors its scripts threw, and what it requested', async () => {
    await run(bash, `network requests --clear; console --clear; errors --clear; open ${browser.site}/odd; wait --load networkidle; click "#fail"; wait 100`)
    expect((await run(bash, 'console')).stdout).toMatch(/^\[log\] hello \{a: 1\}\n\[error\] Failed to load resource: .*404/)
    expect(await run(bash, 'errors; errors --clear; errors')).toEqual(printed('Error: boom\n✓ Done\n(no errors)\n'))
    expect((await run(bash, 'network requests')).stdout).toMatch(new RegExp(`^GET ${browser.site}/odd \\(document\\) 200\nGET ${browser.site}/none \\(fetch\\) 404\n`))
    expect(await run(bash, 'network requests --filter /none --json')).toEqual(printed(`{"success":true,"data":[{"method":"GET","url":"${browser.site}/none","type":"fetch","status":404,"failure":null}]}\n`))
    expect(await run(bash, 'network requests --clear; network requests; console --clear; console')).toEqual(printed('✓ Done\n(no requests)\n✓ Done\n(no messages)\n'))
    expect((await run(bash, `open ${browser.site}/refused; network requests`)).stdout).toContain('/refused (document) refused by this service\n')
  })

  it('reports an error of many lines without being held up', async () => {
    const { exitCode, error } = await run(bash, `eval 'throw new Error("a" + "\\n".repeat(3e5) + "b")'`)
    expect([exitCode, error]).toEqual([1, 'eval: Error: a'])
  })

  it('ends after a flood, and says so', async () => {
    // Chromium takes seconds to send texts of this length, and they are not what this is about.
    const evaluate = vi.spyOn((await browser.page()).mainFrame(), 'evaluate').mockResolvedValue('x'.repeat(8e6))
    const { exitCode, killed, error, truncated, stdout } = await run(bash, `${`eval '"x".repeat(8e6)'\n`.repeat(9)}echo last`)
    expect([exitCode, killed, truncated, stdout.length < 2_000_000]).toEqual([137, false, true, true])
    expect(error).toBe('The commands were ended after they had written more than 64 MB.')
    expect(evaluate).toHaveBeenCalledTimes(9)
  })

  it('prints a value in lines, but one of many parts in one line where it nests deep', async () => {
    const { stdout } = await run(bash, `eval 'let a = Array(20000).fill(0); for (let i = 0; i < 90; i++) a = [a]; a'`)
    expect(stdout.trim()).toBe(`${'['.repeat(91)}${Array(20_000).fill('0').join(',')}${']'.repeat(91)}`)
    expect(await run(bash, `eval '[1, [2]]'`)).toMatchObject({ stdout: '[\n  1,\n  [\n    2\n  ]\n]\n' })
  })

  it('waits for as long as it may when told to wait for longer than a timer can', async () => {
    for (const command of ['sleep 2147484', 'wait 3000000000']) expect(await run(bash, `${command} && echo over`, 1_000)).toMatchObject({ stdout: '', exitCode: 137, killed: true })
  })

  it('works within a frame until told otherwise', async () => {
    await run(bash, `open ${browser.site}/odd`)
    const { stdout } = await run(bash, "frame '#inside'; get title; snapshot")
    expect(stdout).toMatch(/^✓ Done\nInside\n- button "Inner" \[ref=f\d+e\d+\]/)
    const [, ref] = /ref=(\w+)/.exec(stdout) ?? []
    expect(await run(bash, `click @${ref}; get text; get count button; frame main; get title; get text @${ref}`)).toEqual(printed('✓ Done\n1\n1\n✓ Done\nOdd\n1\n'))
    expect(await run(bash, "frame '#inside'; reload; get title")).toMatchObject({ result: `✓ Done\n✓ Odd\n  ${browser.site}/odd\nOdd` })
    expect(await run(bash, `frame '#inside' && eval 'void setTimeout(() => parent.document.querySelector("#inside").remove())'; sleep 0.2; get title || get title`)).toMatchObject({ result: '✓ Done\nundefined\nOdd', stderr: expect.stringContaining('the frame that was entered is gone') })
    expect(await run(bash, "frame '#ask'")).toMatchObject({ error: "frame: #ask is no frame (frame <element> | frame main)" })
  })

  it('sets headers, media, the position and whether there is a network', async () => {
    expect(await run(bash, `set headers '{"X-A": "b"}'; open ${browser.site}/headers; get text; set headers '{}'; reload; get text`)).toEqual(printed(`✓ Done\n✓ \n  ${browser.site}/headers\nx-a: b\n✓ Done\n✓ \n  ${browser.site}/headers\nx-a: none\n`))
    const dark = `eval '[matchMedia("(prefers-color-scheme: dark)").matches, matchMedia("(prefers-reduced-motion)").matches].join()'`
    expect(await run(bash, `set media dark reduced-motion; ${dark}; set media light; ${dark}`)).toEqual(printed('✓ Done\n"true,true"\n✓ Done\n"false,false"\n'))
    expect(await run(bash, "set offline; eval navigator.onLine; set offline off; eval navigator.onLine")).toEqual(printed('✓ Done\nfalse\n✓ Done\ntrue\n'))
    expect(await run(bash, "set geo 12.5 -20; eval 'new Promise((done) => navigator.geolocation.getCurrentPosition(({ coords }) => done([coords.latitude, coords.longitude].join()), (error) => done(error.message)))'")).toEqual(printed('✓ Done\n"12.5,-20"\n'))
    expect((await run(bash, `open ${browser.site}/; get styles h1`)).stdout).toContain('"font-weight":"700"')
  })

  it('continues after a failure like a shell, and reports the last status', async () => {
    expect(await run(bash, 'click @e999 && echo never; echo on || echo never')).toEqual(ran({ stdout: 'on\n', result: 'on', stderr: '✗ click: there is no element @e999 on the page now; take a new snapshot (click <element>)\n' }))
    expect(await run(bash, 'echo on; clik "#a"')).toEqual(ran({ stdout: 'on\n', result: 'on', stderr: '✗ clik: there is no such command; did you mean click?\n', exitCode: 1, error: 'clik: there is no such command; did you mean click?' }))
  })

  it('aborts what takes too long, and frees the page', async () => {
    expect(await run(bash, "echo before; eval 'for (;;) {}'", 1_500)).toEqual(ran({ stdout: 'before\n', result: 'before', exitCode: 137, killed: true, error: 'The commands were ended after 1.5 s.' }))
    expect(await run(bash, 'get title')).toEqual(printed('Shop\n'))
  })

  it('reports what it waited for before the timeout of the run', async () => expect(await run(bash, "click '#none'", 1_500)).toMatchObject({ exitCode: 1, killed: false, error: expect.stringContaining('Timeout') }))

  it('ends on abort', async () => {
    const stop = new AbortController()
    const waiting = bash.run('sleep 60', { timeoutMs: 60_000, signal: stop.signal })
    stop.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
  })
})

describe('walls around bash', () => {
  it.each([
    ['cat /etc/passwd', '✗ cat: there is no such command'],
    ['agent-browser open file:///etc/passwd', 'is no address of a web page'],
    ['open view-source:http://127.0.0.1/', 'is no address of a web page'],
    ['open chrome://settings', 'is no address of a web page'],
    ['open "javascript:alert(1)"', 'is no address of a web page'],
    ['get title; $(cat /etc/passwd)', 'Putting in values ($) is not available'],
    ['echo `id`', 'is not available'],
    ['echo "$HOME"', 'is not available'],
    ['echo $TRAWL_API_KEYS', 'is not available'],
    ['get title | sh', 'A pipe (|) is not available'],
    ['get title > /tmp/x', 'Writing to a file (>) is not available'],
    ['eval --stdin < /etc/passwd', 'Reading from a file (<) is not available'],
    ['get title & get url', 'Running in the background (&) is not available'],
    ['(get title)', 'A group in brackets is not available'],
    ['screenshot /tmp/x.png', 'files are not kept'],
    ['agent-browser --cdp 9222 get title', 'there is no such command'],
    ['upload "#file" /etc/passwd', 'there is no such command'],
    ['state save /tmp/x', 'there is no such command'],
    ['pdf /tmp/x.pdf', 'there is no such command'],
    ['constructor', 'there is no such command'],
    ['find __proto__ x click', 'nothing is found by'],
    ['ls /', 'there is no such command'],
    ['sh -c id', 'there is no such command'],
    ['/bin/sh', 'there is no such command'],
    ['env', 'there is no such command'],
    ['curl http://127.0.0.1/', 'there is no such command'],
    ['python3 -c 1', 'there is no such command'],
    ['kill -9 1', 'there is no such command'],
    ['exec sh', 'there is no such command'],
    ['get nothing || cat /etc/passwd', '✗ cat: there is no such command'],
    ['get title && source /etc/profile', '✗ source: there is no such command'],
    ['agent-browser --executable-path /bin/sh open http://a.test/', 'there is no such command'],
    ['agent-browser --session other get title', 'there is no such command'],
    ['agent-browser --proxy http://a.test get title', 'there is no such command'],
    ['agent-browser connect 9222', 'there is no such command'],
    ['cat <(id)', 'Reading from a file (<) is not available'],
    ['get title 2>> /tmp/x', 'Writing to a file (>) is not available'],
    ['echo $(</etc/passwd)', 'Putting in values ($) is not available'],
    ['f() { id; }; f', 'A group in brackets is not available'],
    ['open blob:file:///etc/passwd', 'is no address of a web page'],
    ['open "  FILE:/etc/passwd"', 'is no address of a web page'],
    ['tab new file:///etc/passwd', 'is no address of a web page'],
    ['open devtools://devtools/bundled/inspector.html', 'is no address of a web page'],
    ["echo 'open", "A ' is not closed."],
    ['click @e1;;&&', 'A command is missing'],
    ['eval --stdin <<EOF\n1', 'has no line "EOF"'],
  ])('refuse %s', async (script, complaint) => {
    const { stdout, stderr, exitCode, error } = await run(bash, script)
    expect({ stderr, failed: exitCode !== 0 && error !== null }).toEqual({ stderr: expect.stringContaining(complaint), failed: true })
    expect(stdout).not.toContain('root:')
  })
})
