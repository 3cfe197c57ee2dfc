/** The site that the benchmark scrapes, in its own process. */
import { createServer } from 'node:http'
import { page } from './html.mjs'

const pages = 400
const bodies = Array.from({ length: pages }, (_, id) => Buffer.from(page(id, { pages, folder: '/page/', section: (i) => `/section/${i}` })))
let served = 0

const server = createServer((request, response) => {
  if (request.url === '/served') return void response.end(String(served))
  const body = bodies[Number(/^\/page\/(\d+)$/.exec(request.url ?? '')?.[1] ?? -1)]
  if (body === undefined) return void response.writeHead(404).end()
  served += 1
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length }).end(body)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port, pages, meanBytes: Math.round(bodies.reduce((sum, body) => sum + body.length, 0) / pages) }))
process.on('disconnect', () => process.exit(0))
