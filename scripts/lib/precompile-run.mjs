/**
 * Starts the service of a folder, lets it scrape one page, and writes V8's code cache: `node precompile-run.mjs
 * FOLDER`, in its own environment.
 */
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import v8 from 'node:v8'

const { loaderOf, writeCompiled } = createRequire(import.meta.url)('../../bin/load.js')
const folder = process.argv[2]
const key = 'fc-precompile-0123456789'

/** A bit of everything that most pages contain. */
const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title><meta name="description" content="Of everything a little"></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/about?x=1#y">About</a></li></ul></nav><main><article><h1>A page</h1>
${'<p>Some <b>words</b> with <a href="/else">a link</a>, <em>stress</em> &amp; <code>code</code>, and enough of them to be what the page is about.</p>'.repeat(8)}
<h2>More</h2><ul><li>One</li><li>Two<ol><li>Within</li></ol></li></ul><table><tr><th>Name</th><th>Price</th></tr><tr><td>Thing</td><td>12</td></tr></table>
<blockquote><p>Said.</p></blockquote><pre><code class="language-js">const x = 1\n</code></pre><img src="/x.png" alt="A picture"></article></main><footer><p>The end of it</p></footer></body></html>`

const listening = (server) => new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', () => resolve(server.address().port)))

const site = createServer((request, response) => {
  const found = request.url === '/page'
  response.writeHead(found ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(found ? page : '')
})
const probe = createServer()
const port = await listening(probe)
await new Promise((resolve) => probe.close(resolve))
const url = `http://127.0.0.1:${await listening(site)}/page`
Object.assign(process.env, { TRAWL_HOST: '127.0.0.1', TRAWL_PORT: String(port), TRAWL_ALLOW_PRIVATE_ADDRESSES: new URL(url).host, TRAWL_API_KEYS: `default:${key}` })

// The parent gives up before this; if it is gone, the process still ends.
setTimeout(() => process.exit(1), 30_000).unref()
// The service sets V8 flags after its start; a code cache made with them would match no start.
v8.setFlagsFromString = () => undefined
const scripts = []
const load = loaderOf(folder, { codes: new Map(), since: 0 }, (name, script) => scripts.push([name, script]))
await load('main/cli.js').main([process.execPath, 'trawl', 'serve'])
const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
const answer = await fetch(`http://127.0.0.1:${port}/v2/scrape`, { method: 'POST', headers, body: JSON.stringify({ url }) })
if (answer.status !== 200) throw new Error(`The scrape was answered with ${answer.status}: ${await answer.text()}`)
writeCompiled(folder, scripts)
process.exit(0)
