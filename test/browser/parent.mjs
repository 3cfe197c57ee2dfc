/**
 * A process that holds a browser with an endlessly busy page, until it is killed: `node parent.mjs folder
 * compiled-source`.
 */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [, , parent, compiled] = process.argv
const from = (name) => import(pathToFileURL(join(compiled, name, 'index.js')).href)
const { browserPool } = await from('browser')
const { allowList, egress, nameResolver, ownEndpoints, tunnel } = await from('net')

const site = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<script>setTimeout(() => { for (;;); }, 200)</script>'))
await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve))
const { port } = site.address()
const own = ownEndpoints()
const proxy = await tunnel(egress({ resolver: nameResolver({ clock: Date }), own, allow: allowList([`127.0.0.1:${port}`]) }), own)
const find = { path: null, cdpUrl: null, cacheDir: join(parent, '..', process.argv[4]), searchPath: ['/usr/local/bin', '/usr/bin', '/bin'], home: '/nonexistent' }
const pool = browserPool({ find, tunnel: proxy, clock: Date, say: () => {}, parent })
const call = { id: 'call', team: 'team', signal: new AbortController().signal, deadline: Date.now() + 60_000, retention: 'normal', log: () => {} }
await pool.use({ context: {} }, async (page) => {
  await page.goto(`http://127.0.0.1:${port}/`)
  // By then, the endless script is running.
  await new Promise((resolve) => setTimeout(resolve, 400))
  process.stdout.write('ready\n')
  await new Promise(() => {})
}, call)
