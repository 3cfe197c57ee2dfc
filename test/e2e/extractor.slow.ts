import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandsWith } from '../processes.ts'
import { startTrawl, type TestService } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'
import { document, file, page } from '../site/page.ts'

/** The start of each fake extractor: makes requests through the proxy in its environment. */
const helpers = `#!/trawl/bin/node
const { connect } = require('node:net'); const { get } = require('node:http'); const { readdirSync, readFileSync } = require('node:fs')
const proxy = new URL(process.env.HTTP_PROXY ?? 'http://nowhere')
const asked = (url) => new Promise((resolve) => get({ host: proxy.hostname, port: proxy.port, path: url, headers: { host: new URL(url).host, 'proxy-authorization': 'Basic ' + Buffer.from(proxy.username + ':' + proxy.password).toString('base64') } }, (answer) => { let text = ''; answer.on('data', (part) => text += part); answer.on('end', () => resolve([answer.statusCode, text])) }).on('error', (error) => resolve([error.code, ''])))
const direct = (port, host) => new Promise((resolve) => { const socket = connect(port, host, () => resolve('connected')); socket.on('error', (error) => resolve(error.code)); setTimeout(() => resolve('waited'), 2000).unref() })
const url = process.argv.at(-1)
const say = (json) => console.log(JSON.stringify(json));
`
const folder = mkdtempSync(join(tmpdir(), 'trawl-extractor-'))
/** The temporary folder of the service. */
const temporary = mkdtempSync(join(tmpdir(), 'trawl-extractor-'))
const program = join(folder, 'stand-in')
const does = (script: string): void => writeFileSync(program, `${helpers}(async () => { ${script} })()\n`)

let site: Site
let trawl: TestService

beforeAll(async () => {
  for (const one of [folder, temporary]) chmodSync(one, 0o755)
  site = await startSite({
    '/secret-film.mp4': file('video/mp4', Buffer.from('a film that the page does not name')),
    '/keeps': page(document('Keeps', '<h1>Film</h1><p>A film that this page keeps to its player.</p>')),
    '/tells': (visit, answer) => file('text/plain', Buffer.from(`${visit.origin}/secret-film.mp4`))(visit, answer),
  })
  does('say({})')
  chmodSync(program, 0o755)
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_CHROMIUM_PATH: '/nowhere/chromium', TRAWL_MEDIA_EXTRACTOR: program, TMPDIR: temporary } })
})
afterAll(async () => {
  await trawl.stop()
  await site.close()
  for (const one of [folder, temporary]) rmSync(one, { recursive: true })
})

// eslint-disable-next-line @typescript-eslint/no-explicit-any
const ask = async (path: string, more: object = {}): Promise<any> => (await trawl.scrape({ url: site.url(path), formats: ['video'], maxAge: 0, ...more })).json.data
const bytesAt = async (address: string): Promise<string> => (await fetch(address)).text()

describe('an external media extractor', { timeout: 60_000 }, () => {
  it('finds media that a page loads only in its player, and the service fetches it', async () => {
    does(`const [, film] = await asked('${site.url('/tells')}'); say({ id: url, formats: [{ url: film, protocol: 'http', vcodec: 'avc1', acodec: 'mp4a' }] })`)
    site.reset()
    const data = await ask('/keeps')
    expect([data.metadata.creditsUsed, await bytesAt(String(data.video))]).toEqual([5, 'a film that the page does not name'])
    expect(site.requests().map(({ path }) => path)).toEqual(['/keeps', '/tells', '/secret-film.mp4'])
    does(`say({ formats: url === 'https://www.youtube.com/embed/abc' ? [{ url: '${site.url('/secret-film.mp4')}', vcodec: 'avc1', acodec: 'mp4a' }] : [] })`)
    expect(await bytesAt(String((await ask('/media/hosted')).video))).toBe('a film that the page does not name')
  })

  it('reaches nothing except through the egress guard, and sees nothing of the machine', async () => {
    does(`const seen = [(await asked('http://169.254.169.254/'))[0], (await asked('http://127.0.0.1:${new URL(trawl.base).port}/health'))[0], await direct(${site.port}, '127.0.0.1'), await direct(53, '10.0.0.1')]
      let files = 'none'; try { files = readFileSync('/etc/passwd', 'utf8') } catch {}
      say({ formats: [{ url: '${site.url('/secret-film.mp4')}?' + encodeURIComponent(JSON.stringify([seen, files, readdirSync('/').sort(), process.getuid() === 0, Object.keys(process.env).some((name) => name.startsWith('TRAWL'))])), vcodec: 'x', acodec: 'y' }] })`)
    site.reset()
    await ask('/keeps')
    const told = site.requests().map(({ url }) => url).find((url) => url.startsWith('/secret-film.mp4')) ?? ''
    const [seen, files, root, isRoot, ours] = JSON.parse(decodeURIComponent(told.split('?')[1] ?? 'null'))
    expect([seen, files, isRoot, ours]).toEqual([[403, 403, 'ECONNREFUSED', 'ENETUNREACH'], 'none', false, false])
    expect(root).not.toContain('root')
    expect(root).not.toContain('home')
  })

  it.each([
    ['fails', 'process.exit(1)', 'does not know how to get it'],
    ['writes no JSON', 'console.log("ERROR")', 'found no video'],
    ['writes without end', 'const part = "x".repeat(1e6); for (;;) if (!process.stdout.write(part)) await new Promise((done) => process.stdout.once("drain", done))', 'does not know how to get it'],
    ['lies', 'say({ formats: [{ url: "http://10.0.0.1/film.mp4", vcodec: "a", acodec: "b" }] })', 'FORBIDDEN'],
    ['names a page', `say({ formats: [{ url: url, vcodec: "a", acodec: "b" }] })`, 'it is no video'],
  ])('that %s costs a warning and nothing else', async (_, script, why) => {
    does(script)
    const data = await ask('/keeps')
    expect([data.video, data.metadata.creditsUsed]).toEqual([undefined, 1])
    expect(data.warning).toContain(why)
  })

  it('is killed with all of its children when the time is up, and leaves nothing behind', async () => {
    does(`require('node:child_process').spawn('/bin/sleep', ['6001'], { detached: true, stdio: 'ignore' }); setInterval(() => 0, 1000)`)
    const running = (): number => commandsWith('sleep 6001').length + commandsWith('stand-in').length
    const data = ask('/keeps', { timeout: 8_000 })
    await expect.poll(running, { interval: 50 }).toBeGreaterThan(1)
    const ways = (): number => readdirSync(temporary).filter((name) => name.startsWith('trawl-way-')).length
    expect(ways()).toBe(1)
    expect((await data).warning).toMatch(/did not find it in time|not enough time/)
    await expect.poll(running).toBe(0)
    await expect.poll(ways).toBe(0)
  })
})
