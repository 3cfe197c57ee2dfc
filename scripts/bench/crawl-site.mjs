/**
 * A site to crawl, in its own process: `crawl-site.mjs PAGES LATENCY_MS`. It counts its requests, to prove that a crawl
 * is exact.
 */
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { page } from './html.mjs'

const [pages, latencyMs] = process.argv.slice(2).map(Number)
/** The number of distinct articles; further pages repeat their text with their own heading and links. */
const articles = Math.min(pages, 400)
/** Each page links to this many others as a tree that reaches all pages, and to some more. */
const branches = 8
const perSitemap = 10_000

const section = (i) => `/article/${Math.floor((i * pages) / 40)}`
const halves = Array.from({ length: articles }, (_, id) => {
  const html = page(id, { pages, folder: '/article/', section })
  const middle = html.indexOf('</article>')
  return [Buffer.from(html.slice(0, middle)), Buffer.from(html.slice(middle))]
})

function linksOf(id) {
  const tree = Array.from({ length: branches }, (_, i) => id * branches + 1 + i).filter((child) => child < pages)
  const others = Array.from({ length: 12 }, (_, i) => (id * 7919 + i * 104_729) % pages)
  const traps = [`/private/${id}`, `/article/${id}#top`, ...(id % 50 === 7 ? [`/old/${(id * 31) % pages}`] : [])]
  return [...[...tree, ...others].map((to) => `/article/${to}`), ...traps].map((href, i) => `<li><a href="${href}">further ${i}</a></li>`).join('')
}

function bodyOf(id) {
  const [before, after] = halves[id % articles]
  return Buffer.concat([before, Buffer.from(`<h2>MARK-${id}</h2><ul>${linksOf(id)}</ul>`), after])
}

const hits = new Map()
const sitemaps = Math.ceil(pages / perSitemap)
const xml = (name, entries) => `<?xml version="1.0" encoding="UTF-8"?><${name} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</${name}>`

/**
 * The request counts: for pages in total, distinct pages, the most requested page, and paths that robots.txt blocks.
 */
function counted() {
  const asked = [...hits].filter(([path]) => path.startsWith('/article/')).map(([, count]) => count)
  return { requests: asked.reduce((sum, count) => sum + count, 0), distinct: asked.length, most: asked.reduce((most, count) => Math.max(most, count), 0), barred: [...hits.keys()].filter((path) => path.startsWith('/private/')).length }
}

/** The answer for a path: a body with its type, or a redirect. */
function answerTo(path, origin) {
  if (path === '/robots.txt') return { type: 'text/plain', body: `User-agent: *\nDisallow: /private/\nSitemap: ${origin}/sitemap.xml\n` }
  if (path === '/sitemap.xml') return { type: 'application/xml', body: xml('sitemapindex', Array.from({ length: sitemaps }, (_, i) => `<sitemap><loc>${origin}/sitemap-${i}.xml</loc></sitemap>`)) }
  const part = /^\/sitemap-(\d+)\.xml$/.exec(path)
  if (part) return { type: 'application/xml', body: xml('urlset', Array.from({ length: Math.min(perSitemap, pages - part[1] * perSitemap) }, (_, i) => `<url><loc>${origin}/article/${part[1] * perSitemap + i}</loc><lastmod>2026-01-01</lastmod></url>`)) }
  const moved = /^\/old\/(\d+)$/.exec(path)
  if (moved) return { location: `/article/${moved[1]}` }
  const id = path === '/' ? ['/', '0'] : /^\/article\/(\d+)$/.exec(path)
  return id && Number(id[1]) < pages ? { type: 'text/html; charset=utf-8', body: bodyOf(Number(id[1])) } : null
}

const server = createServer(async (request, response) => {
  const path = request.url ?? ''
  if (path === '/counts') return void response.end(JSON.stringify(counted()))
  if (path === '/forget') return void (hits.clear(), response.end())
  hits.set(path, (hits.get(path) ?? 0) + 1)
  if (latencyMs > 0) await sleep(latencyMs)
  const answer = answerTo(path, `http://${request.headers.host}`)
  if (answer === null) return void response.writeHead(404).end()
  if ('location' in answer) return void response.writeHead(301, { location: answer.location }).end()
  const body = Buffer.from(answer.body)
  response.writeHead(200, { 'content-type': answer.type, 'content-length': body.length }).end(body)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port, pages }))
process.on('disconnect', () => process.exit(0))
