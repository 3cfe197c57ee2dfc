import { gzipSync } from 'node:zlib'
import { document, htmlType, type Page, type Pages } from '../page.ts'

const xml = 'application/xml'
const head = '<?xml version="1.0" encoding="UTF-8"?>'
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const paragraph = '<p>The ferry leaves the inner harbour at seven and calls at both islands before noon.</p>'.repeat(6)

/** A `urlset` of these locations. */
export const urlset = (locations: readonly string[]): string => `${head}<urlset ${namespace}>${locations.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`

/** A sitemap with these paths of the site. */
export const sitemap = (...paths: readonly string[]): Page => (visit, answer) => answer.send(200, { 'content-type': xml }, urlset(paths.map((path) => new URL(path, visit.origin).href)))

/** A sitemap index with these paths of the site. */
export const index = (...paths: readonly string[]): Page => (visit, answer) =>
  answer.send(200, { 'content-type': xml }, `${head}<sitemapindex ${namespace}>${paths.map((path) => `<sitemap><loc>${new URL(path, visit.origin).href}</loc></sitemap>`).join('')}</sitemapindex>`)

/** The same sitemap as a gzip file, without a content coding. */
export const gzipped = (...paths: readonly string[]): Page => (visit, answer) => answer.send(200, { 'content-type': 'application/gzip' }, gzipSync(urlset(paths.map((path) => new URL(path, visit.origin).href))))

/** A page with some text and this HTML. */
export const linking = (title: string, body: string, inHead = ''): Page => (_visit, answer) => answer.send(200, { 'content-type': htmlType }, document(title, `<main><h1>${title}</h1>${paragraph}${body}</main>`, inHead))

/** A robots.txt with these lines; `ORIGIN` stands for the site's origin. */
export const robots = (...lines: readonly string[]): Page => (visit, answer) => answer.send(200, { 'content-type': 'text/plain' }, lines.join('\n').replaceAll('ORIGIN', visit.origin))

/** A sitemap with `count` locations, written no faster than the client reads. */
export const manyUrls = (count: number, first = 0): Page => async (visit, answer) => {
  answer.head(200, { 'content-type': xml })
  await answer.write(`${head}<urlset ${namespace}>`)
  for (let at = 0; at < count; at += 500) {
    const some = Array.from({ length: Math.min(500, count - at) }, (_, i) => `<url><loc>${visit.origin}/catalogue/${first + at + i}.html</loc><lastmod>2025-01-01</lastmod></url>`)
    if (!(await answer.write(some.join('')))) return
  }
  await answer.write('</urlset>')
  answer.end()
}

/** A site with everything that a map uses. */
export const harbour: Pages = {
  '/robots.txt': robots('User-agent: *', 'Disallow: /private/', 'Disallow: /list/3', 'Sitemap: ORIGIN/maps/index.xml'),
  '/maps/index.xml': index('/maps/first.xml', '/maps/second.xml.gz', '/maps/index.xml'),
  '/maps/first.xml': sitemap('/a', '/b/?page=1', '/b/', 'http://elsewhere.example/x'),
  '/maps/second.xml.gz': gzipped('/c', '/private/plan', '/a/'),
  '/': linking(
    'Tide tables',
    '<a href="/a#top">All about tides</a> <a href="/d">Moon phases</a> <a href="/private/secret">Secret</a> <a href="/q?id=5">Query</a> <a href="/logo.png">Logo</a> <a href="mailto:a@b.example">Mail</a> <a href="/list/2" rel="next">2</a>',
    '<meta name="description" content="When the water comes">\n<link rel="alternate" type="application/rss+xml" href="/feed.xml">\n',
  ),
  '/list/2': linking('Second page', '<a href="/e">From page two</a> <a href="/list/3" rel="next">next</a>'),
  '/list/3': linking('Third page', '<a href="/never">Not to be fetched</a>'),
  '/feed.xml': (visit, answer) => answer.send(200, { 'content-type': 'application/rss+xml' }, `${head}<rss version="2.0"><channel><title>Tides</title><link>${visit.origin}/</link><item><title>Spring tide report</title><link>${visit.origin}/news/spring</link></item></channel></rss>`),
}

/** A site whose links are created by scripts. */
export const shell: Pages = {
  '/robots.txt': robots('User-agent: *', 'Allow: /'),
  '/': (_visit, answer) => answer.send(200, { 'content-type': htmlType }, document('Shell', `<div id="root"></div><script>document.getElementById('root').innerHTML = '<h1>Harbour</h1>' + ${JSON.stringify(paragraph)} + '<a href="/made/by/script">Made by a script</a>'</script>`)),
}

/** An endless list of pages, each of which links to the next. */
export const endless = (delay?: number): Pages => ({
  '/robots.txt': robots('User-agent: *', ...(delay === undefined ? ['Allow: /'] : [`Crawl-delay: ${delay}`])),
  '/': linking('List', '<a href="/list/1" rel="next">next</a>'),
  ...Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`/list/${i + 1}`, linking(`Part ${i + 1}`, `<a href="/item/${i + 1}">Item</a> <a href="/list/${i + 2}" rel="next">next</a> <a href="/list/${i}" rel="prev">back</a>`)])),
})

/** A site that has moved completely, or just these paths. */
export const moved = (origin: string, paths: readonly string[] = ['/', '/robots.txt', '/sitemap.xml']): Pages =>
  Object.fromEntries(paths.map((path): [string, Page] => [path, (_visit, answer) => answer.send(301, { location: origin + path }, '')]))
