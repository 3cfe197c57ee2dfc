/**
 * A process that holds the browser of a session, and a spare one, until it is killed: `node session-parent.mjs folder
 * compiled-source cache-folder`.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [, , parent, compiled, cache] = process.argv
const from = (name) => import(pathToFileURL(join(compiled, name, 'index.js')).href)
const { sessionBrowsers, source } = await from('browser')
const { allowList, egress, nameResolver, ownEndpoints, tunnel } = await from('net')

const own = ownEndpoints()
const way = egress({ resolver: nameResolver({ clock: Date }), own, allow: allowList([]) })
const proxy = await tunnel(way, own)
const find = { path: null, cdpUrl: null, cacheDir: join(parent, '..', cache), searchPath: ['/usr/local/bin', '/usr/bin', '/bin'], home: '/nonexistent' }
const say = () => {}
const sessions = sessionBrowsers({ source: source({ find, tunnel: proxy, say, parent }), visiting: { clock: Date, maxBytes: 1_000_000 }, say, egress: way })
const call = { id: 'call', team: 'team', signal: new AbortController().signal, deadline: Date.now() + 60_000, retention: 'normal', log: () => {} }
const session = await sessions.open({ languages: ['en-US'] }, call)
await (await session.page()).setContent('<script>setTimeout(() => { for (;;); }, 200)</script>')
const ready = async () => {
  const [base = ''] = await readdir(parent)
  return (await readdir(join(parent, base))).length === 2
}
while (!(await ready())) await new Promise((resolve) => setTimeout(resolve, 50))
await new Promise((resolve) => setTimeout(resolve, 1_000))
process.stdout.write('ready\n')
