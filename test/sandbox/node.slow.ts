import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Interpreter } from '../../src/domain/sessions/sandbox.ts'
import { cell } from '../../src/sandbox/cell.ts'
import { sandbox } from '../../src/sandbox/index.ts'
import { processInterpreter } from '../../src/sandbox/interpreter.ts'
import { unconfined } from '../../src/sandbox/plans.ts'
import { commandsWith } from '../processes.ts'
import { escapes } from './escapes.ts'
import { ran, run, type TestBrowser, testBrowser } from './session.ts'

const own = sandbox({ unsafe: false, hidden: [], searchPath: ['/usr/bin'] })
let browser: TestBrowser
let node: Interpreter

beforeAll(async () => {
  browser = await testBrowser()
  node = await own.open('node', browser)
})

afterAll(async () => {
  await own.close()
  await browser.stop()
})

beforeEach(() => browser.reset())

describe('node', () => {
  it('is confined by the kernel', async () => expect((await own.levels()).node).toMatchObject({ level: 'os', missing: false }))

  it('provides page, context and browser, and the value of the last expression', async () => {
    expect(await run(node, 'await page.title()')).toEqual(ran({ result: 'Shop' }))
    expect(await run(node, '[context.pages().length, browser.isConnected()]')).toEqual(ran({ result: '[1,true]' }))
    expect(await run(node, 'page.title()')).toEqual(ran({ result: 'Shop' }))
    expect(await run(node, "await page.fill('#name', 'Ann'); await page.click('text=Send'); await page.innerText('#out')")).toEqual(ran({ result: 'Sent Ann s false' }))
  })

  it.each([
    ["'text'", 'text'],
    ['({ a: [1, null] })', '{"a":[1,null]}'],
    ['1n', '1n'],
    ['undefined', null],
    ['const loop = {}; loop.loop = loop; loop', '<ref *1> { loop: [Circular *1] }'],
    ['({ toJSON() { throw new Error("no") } })', expect.stringContaining('toJSON')],
    ['if (true) { await 1; 5 }', '5'],
    ['// nothing but a comment', null],
  ])('returns the value of %s', async (code, result) => expect(await run(node, code)).toEqual(ran({ result })))

  it("returns the driver's objects as what they stand for", async () => {
    expect(await run(node, `await page.goto('${browser.site}/next')`)).toEqual(ran({ result: `Response 200 ${browser.site}/next` }))
    expect(await run(node, "page.locator('#a')")).toEqual(ran({ result: "Locator locator('#a')" }))
    const code = "const [request] = await Promise.all([page.waitForEvent('request'), page.reload()]); ({ page, request, list: [page.mainFrame(), page.getByText('x')] })"
    expect(await run(node, code)).toEqual(ran({ result: JSON.stringify({ page: `Page ${browser.site}/next`, request: `Request GET ${browser.site}/next`, list: [`Frame ${browser.site}/next`, "Locator getByText('x')"] }) }))
  })

  it('keeps variables between calls, and lets them be declared again', async () => {
    expect(await run(node, 'const kept = await page.title(); let count = 1; function twice(n) { return n * 2 }')).toEqual(ran())
    expect(await run(node, 'count++; [kept, twice(count)]')).toEqual(ran({ result: '["Shop",4]' }))
    expect(await run(node, 'const kept = 3; kept')).toEqual(ran({ result: '3' }))
  })

  it('accepts code that is written as the body of a function', async () => {
    expect(await run(node, 'const title = await page.title()\nif (title === "Shop") return { title }\nreturn null')).toEqual(ran({ result: '{"title":"Shop"}' }))
    expect(await run(node, 'return\n\nno.such()')).toEqual(ran())
    expect(await run(node, 'if (true) {\n  nowhere()\n}\nreturn 1')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('<anonymous>:2:') })
  })

  it('writes as JSON only what JSON can tell', async () => {
    const texts = { 'NaN': 'NaN', 'new Map([["a", 1]])': "Map(1) { 'a' => 1 }", '/x/g': '/x/g', '[new Date(0)]': '["1970-01-01T00:00:00.000Z"]', 'null': 'null' }
    for (const [code, result] of Object.entries(texts)) expect(await run(node, code)).toEqual(ran({ result }))
    expect(await run(node, 'await page.click("#none", { timeout: 50 }).catch((error) => error)')).toEqual(ran({ result: expect.stringMatching(/^page.click: Timeout 50ms exceeded/) }))
  })

  it('separates stdout from stderr', async () => expect(await run(node, 'console.log("a", { b: 1 }); console.error("c"); process.stdout.write("d")')).toEqual(ran({ stdout: "a { b: 1 }\nd", stderr: 'c\n', result: 'true' })))

  it('returns errors of the code as data, and continues', async () => {
    expect(await run(node, 'const before = 1; throw new TypeError("no")')).toMatchObject({ exitCode: 1, killed: false, error: 'TypeError: no', stderr: 'TypeError: no\n    at <anonymous>:1:25\n' })
    expect(await run(node, 'one two')).toMatchObject({ exitCode: 1, error: "SyntaxError: Unexpected identifier 'two'" })
    expect(await run(node, "await page.click('#none', { timeout: 50 })")).toMatchObject({ exitCode: 1, error: expect.stringContaining('page.click: Timeout 50ms exceeded') })
    expect(await run(node, 'Promise.reject(new Error("nobody waits")); 1')).toMatchObject({ exitCode: 1, error: 'Error: nobody waits', result: '1' })
    expect(await run(node, 'before')).toEqual(ran({ result: '1' }))
  })

  it('reports what it waited for before the timeout of the run', async () => expect(await run(node, "await page.click('#none')", 2_500)).toMatchObject({ killed: false, error: expect.stringContaining('Timeout 1500ms exceeded') }))

  it('runs calls in turn', async () => {
    const both = await Promise.all([run(node, 'let order = []; await page.waitForTimeout(100); order.push(1)'), run(node, 'order.push(2); order')])
    expect(both.map(({ result }) => result)).toEqual(['1', '[1,2]'])
  })

  it('switches to an open page if its own was closed, and opens one if there is none', async () => {
    expect(await run(node, 'const other = await context.newPage(); page = other; await page.close(); context.pages().length')).toEqual(ran({ result: '1' }))
    expect(await run(node, 'page.url()')).toEqual(ran({ result: `${browser.site}/` }))
    expect(await run(node, 'await page.close(); context.pages().length')).toEqual(ran({ result: '0' }))
    expect(await run(node, '[page.isClosed(), page.url(), context.pages().length]')).toEqual(ran({ result: '[false,"about:blank",1]' }))
  })

  it('uploads its own files to pages, by path and by content', async () => {
    await run(node, "require('fs').writeFileSync('/tmp/own.txt', 'mine'); await page.setContent('<input type=file id=f multiple>')")
    const read = "await page.evaluate(() => Promise.all([...document.querySelector('#f').files].map(async (one) => one.name + ' ' + one.type + ' ' + await one.text())))"
    expect(await run(node, `await page.setInputFiles('#f', '/tmp/own.txt'); ${read}`)).toEqual(ran({ result: '["own.txt text/plain mine"]' }))
    expect(await run(node, `await page.locator('#f').setInputFiles(['/tmp/own.txt', { name: 'b.bin', mimeType: 'x/y', buffer: Buffer.from('b') }]); ${read}`)).toEqual(ran({ result: '["own.txt text/plain mine","b.bin x/y b"]' }))
    expect((await run(node, "await page.setInputFiles('#f', '/etc/shadow')")).error).toContain('ENOENT')
  })

  it('keeps sessions apart', async () => {
    const other = await own.open('node', browser)
    await run(node, "globalThis.secret = 'mine'; require('fs').writeFileSync('/tmp/mine', 'x')")
    expect(await run(other, "[typeof secret, require('fs').existsSync('/tmp/mine')]")).toEqual(ran({ result: '["undefined",false]' }))
    await other.close()
  })
})

describe('node without walls', () => {
  it('runs anyway if the operator allows that, without our environment', async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'trawl-scratch-'))
    const bare = processInterpreter(() => cell(unconfined(null, scratch), () => () => undefined), browser)
    const mark = `sandbox-bare-${process.pid}`
    expect(await run(bare, "[await page.title(), Object.keys(process.env).filter((name) => /npm|VITEST/.test(name)).length]")).toEqual(ran({ result: '["Shop",0]' }))
    const ended = run(bare, `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '${mark}'], { stdio: 'ignore' }); for (;;) {}`, 1_000)
    expect(await ended).toMatchObject({ killed: true, exitCode: 137 })
    expect(commandsWith(mark)).toEqual([])
    await bare.close()
    await rm(scratch, { recursive: true })
  }, 30_000)
})

describe('limits of node', () => {
  it('stops what takes too long with all its processes, and starts again', async () => {
    const mark = `sandbox-test-${process.pid}-${Date.now()}`
    const started = run(node, `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '${mark}'], { detached: true, stdio: 'ignore' }).unref(); var gone = 1; console.log('on'); for (;;) {}`, 3_000)
    await expect.poll(() => commandsWith(mark).length, { timeout: 10_000 }).toBeGreaterThan(0)
    expect(await started).toEqual({ stdout: 'on\n', stderr: '', result: null, exitCode: 137, killed: true, error: 'The code was ended after 3 s; its variables are gone.', truncated: false })
    expect(commandsWith(mark)).toEqual([])
    expect(await run(node, 'typeof gone')).toEqual(ran({ result: 'undefined' }))
  }, 40_000)

  it('stops code that keeps working between runs, and reports that in the next one', async () => {
    const strict = sandbox({ unsafe: false, hidden: [], searchPath: [], idleCpuMs: 300 })
    const one = await strict.open('node', browser)
    const mark = `sandbox-idle-${process.pid}`
    expect(await run(one, `require('child_process').spawn(process.execPath, ['-e', 'for (;;) {}', '${mark}'], { stdio: 'ignore' }); 1`)).toEqual(ran({ result: '1' }))
    await expect.poll(() => commandsWith(mark).length, { timeout: 20_000 }).toBe(0)
    expect(await run(one, '2')).toEqual(ran({ result: '2', stderr: 'It worked on for too long after its runs. The interpreter was ended before this run; its variables are gone.\n' }))
    await strict.close()
  }, 40_000)

  it('ends on abort', async () => {
    const stop = new AbortController()
    const waiting = node.run('await new Promise(() => {})', { timeoutMs: 60_000, signal: stop.signal })
    stop.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
  })

  it('truncates the output at 1 MB and says so', async () => {
    const { stdout, truncated, exitCode } = await run(node, "console.log('a'.repeat(3e6)); 'b'.repeat(2e6)")
    expect([stdout === `${'a'.repeat(1_048_576)}\n[output cut at 1024 KB]`, truncated, exitCode]).toEqual([true, true, 0])
    expect(await run(node, '1')).toEqual(ran({ result: '1' }))
  })

  it.each([
    ['a flood', "for (;;) await new Promise((r) => process.stdout.write('x'.repeat(1e6), r))", { exitCode: 137, error: 'It wrote more than 64 MB. The interpreter was ended; its variables are gone.' }],
    ['a heap that fills up', 'const all = []; for (;;) all.push(new Array(1e5).fill({}))', { exitCode: 134 }],
    ['buffers that fill up', 'const bytes = []; for (;;) { bytes.push(Buffer.alloc(1e7, 1)); await 1 }', { error: expect.any(String) }],
    ['an exit', 'console.log(1); process.exit(3)', { exitCode: 3, stdout: '1\n', error: 'The interpreter ended with exit code 3; its variables are gone.' }],
    ['an exit that says that all is well', 'console.error(1); process.exit(0)', { exitCode: 0, error: null, stderr: '1\nThe interpreter ended with exit code 0; its variables are gone.\n' }],
    ['a signal to itself', "process.kill(process.pid, 'SIGKILL')", { error: expect.stringContaining('The interpreter ended with') }],
    ['a crash of another process', "process.abort()", { error: expect.stringContaining('The interpreter ended with') }],
    ['a bomb of processes', "const { spawn } = require('child_process'); let failed = 0; for (let i = 0; i < 200; i++) spawn('/usr/bin/sleep', ['60']).on('error', () => failed++); await new Promise((r) => setTimeout(r, 500)); failed > 100", { exitCode: 0, result: 'true' }],
    ['a forged answer', "require('fs').writeSync(3, JSON.stringify({ done: 'x', result: { toString: 1 } }) + '\\0{{{\\0'); 2", { exitCode: 0, result: '2' }],
    ['answers without end', "for (const all = '{}\\0'.repeat(2e4); ; ) { try { require('fs').writeSync(3, all) } catch {} }", { exitCode: 137, error: 'It sent too many answers. The interpreter was ended; its variables are gone.' }],
    ['a message without end', "for (;;) { try { require('fs').writeSync(3, 'x'.repeat(1e5)) } catch {} }", { exitCode: 137, error: expect.stringContaining('too long') }],
    ['nonsense to the browser', "require('fs').writeSync(4, '{{{\\0'); 1", { killed: false }],
  ])('returns %s as data', async (_what, code, outcome) => {
    expect(await run(node, code)).toMatchObject({ killed: false, ...outcome })
  }, 60_000)
})

describe('walls around node', () => {
  let secret: string
  let outside: string
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
    process.env['TRAWL_TEST_SECRET'] = 'in the environment'
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port // a listening TCP server
  })

  afterAll(async () => {
    delete process.env['TRAWL_TEST_SECRET']
    server.close()
    await rm(outside, { recursive: true })
  })

  /** The result of the code, or its error. */
  async function attempt(code: string): Promise<string> {
    const { result, error } = await run(node, code)
    return String(error ?? result)
  }
  const reading = (path: string): string => `require('fs').readFileSync('${path}', 'utf8')`

  it.each([
    ['a file of ours', () => reading(secret), 'ENOENT'],
    ['the accounts of the machine', () => reading('/etc/passwd'), 'ENOENT'],
    ['the home of the service', () => `require('fs').readdirSync('${process.env['HOME']}')`, 'ENOENT'],
    ['the folder of the project', () => reading(join(process.cwd(), 'package.json')), 'ENOENT'],
    ['the environment of its parents', () => `require('fs').readdirSync('/proc').filter((p) => +p).map((p) => { try { return require('fs').readFileSync('/proc/' + p + '/environ', 'utf8') } catch { return '' } }).join().includes('TRAWL_TEST')`, 'false'],
    ['its own environment', () => "Object.keys(process.env).filter((name) => /TRAWL|NODE|npm|VITEST/.test(name))", '[]'],
    ['a root by another name', () => reading('/proc/1/root/etc/passwd'), /ENOENT|EACCES/],
    ['the files of the browser', () => "require('fs').readdirSync('/tmp').filter((n) => n.startsWith('trawl'))", '[]'],
    ['other processes', () => "require('fs').readdirSync('/proc').filter((p) => +p > 0).length < 10", 'true'],
    ['ending our process', () => `process.kill(${process.pid}, 'SIGKILL')`, 'ESRCH'],
    ['our site on loopback', () => `await fetch('http://127.0.0.1:${port}/').then((r) => r.text(), (e) => 'refused: ' + (e.cause?.code ?? e.message))`, /refused: (EAFNOSUPPORT|EPERM|ENETUNREACH|ECONNREFUSED)/],
    ['a socket to the addresses of clouds', () => "await new Promise((r) => require('net').connect(80, '169.254.169.254').on('error', (e) => r(e.code)).on('connect', () => r('connected')))", /EAFNOSUPPORT|ENETUNREACH/],
    ['a datagram', () => "await new Promise((r) => { try { require('dgram').createSocket('udp4').on('error', (e) => r(e.code)).send('x', 53, '1.1.1.1', (e) => r(e?.code ?? 'sent')) } catch (e) { r(e.code) } })", /EAFNOSUPPORT|EPERM|ENETUNREACH/],
    ['a name of the network', () => "await new Promise((r) => require('dns').lookup('example.com', (e) => r(e?.code ?? 'found')))", /ENOTFOUND|EAI_AGAIN|EBADF|EAFNOSUPPORT/],
    ['listening', () => "await new Promise((r) => require('net').createServer().on('error', (e) => r(e.code)).listen(0, '127.0.0.1', () => r('listening')))", /EAFNOSUPPORT|EPERM/],
    ['rights', () => "require('child_process').spawnSync('/usr/bin/setpriv', ['--reuid=0', '/usr/bin/id']).status", /^(1|127|126)$/],
    ['a namespace of its own', () => "require('child_process').spawnSync('/usr/bin/unshare', ['-Ur', '/usr/bin/id']).status", '1'],
    ['mounting', () => "require('child_process').spawnSync('/usr/bin/mount', ['-t', 'tmpfs', 'x', '/tmp'], { encoding: 'utf8' }).status", /^(1|32)$/],
    ['looking into another process', () => "require('child_process').spawnSync('/usr/bin/python3', ['-c', 'import ctypes; print(ctypes.CDLL(None).ptrace(16, 1, 0, 0))'], { encoding: 'utf8' }).stdout.trim()", '-1'],
    ['writing to programs', () => "require('fs').writeFileSync('/usr/bin/evil', 'x')", /EROFS|EACCES/],
    ['writing over its own interpreter', () => "require('fs').writeFileSync('/trawl/node.mjs', 'x')", /EROFS|EACCES/],
    ['writing to devices', () => "require('fs').writeFileSync('/dev/evil', 'x')", /EROFS|EACCES/],
    ['filling memory by files', () => "let n = 0; try { for (; n < 10; n++) require('fs').writeFileSync('/tmp/f' + n, Buffer.alloc(3e7)) } catch (e) { n = e.code } finally { for (let i = 0; i < 10; i++) require('fs').rmSync('/tmp/f' + i, { force: true }) } n", 'ENOSPC'],
    ['settings of the kernel', () => "require('fs').writeFileSync('/proc/sys/kernel/hostname', 'x')", /EACCES|EROFS|EPERM/],
    ['the containers of the machine', () => "require('fs').existsSync('/var/run/docker.sock') || require('fs').existsSync('/run')", 'false'],
    ['a debugger of its own', () => "try { require('inspector').open(0, '127.0.0.1'); require('inspector').url() ?? 'none' } catch (e) { 'refused' }", /none|refused/],
  ])('keep it from %s', async (_what, code, expected) => {
    const answer = await attempt(code())
    if (typeof expected === 'string' && !expected.startsWith('E')) expect(answer).toBe(expected)
    else expect(answer).toMatch(expected)
    expect(asked).toBe(0)
  }, 30_000)

  it.each(escapes)('keep programs that it starts from %s', async (_what, code, expected) => {
    const program = `try:\n  print(eval(${JSON.stringify(code)}))\nexcept BaseException as error:\n  print(type(error).__name__, error)`
    expect((await attempt(`require('child_process').spawnSync('/usr/bin/python3', ['-c', ${JSON.stringify(program)}], { encoding: 'utf8' }).stdout.trim()`))).toMatch(expected)
  }, 30_000)
})
