import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../test/cpu.ts'
import { looksGzipped, protocolLimits, type SitemapEnd, type SitemapEntry, sitemapReader, type SitemapLimits } from './index.ts'

const base = 'https://site.example/sitemap.xml'

/** The result of reading these bytes in pieces of this size. */
function readBytes(bytes: Uint8Array, size = bytes.length || 1, limits: SitemapLimits = protocolLimits): SitemapEnd {
  const reader = sitemapReader(base, limits)
  const entries: SitemapEntry[] = []
  for (let at = 0; at < bytes.length && !reader.full(); at += size) entries.push(...reader.write(bytes.subarray(at, at + size)))
  const end = reader.end()
  return { ...end, entries: [...entries, ...end.entries] }
}
const read = (text: string, size?: number, limits?: SitemapLimits): SitemapEnd => readBytes(Buffer.from(text), size, limits)
const urls = (text: string): string[] => read(text).entries.filter((entry) => entry.nowhere !== true).map((entry) => entry.url)
const page = (url: string, more: Partial<SitemapEntry> = {}): SitemapEntry => ({ url, sitemap: false, ...more })
const urlset = (...locs: string[]): string => `<urlset>${locs.map((loc) => `<url><loc>${loc}</loc></url>`).join('')}</urlset>`

const full = `\ufeff<?xml version="1.0" encoding="UTF-8"?><?xml-stylesheet type="text/xsl" href="/x.xsl"?><!-- <url><loc>https://no.example/</loc></url> -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i" xmlns:news="n" xmlns:xhtml="x" xmlns:video="v">
  <url><loc>
    https://site.example/a?x=1&amp;y=2 </loc><lastmod>2024-05-01</lastmod><changefreq>daily</changefreq><priority>0.5</priority></url>
  <url><image:image><image:loc>https://site.example/i.png</image:loc><image:title>No</image:title></image:image><loc><![CDATA[https://site.example/b&c]]></loc></url>
  <url><loc>https://site.example/news</loc><news:news><news:publication><news:name>N</news:name></news:publication><news:publication_date>2024-05-02T10:00:00+02:00</news:publication_date><news:title>A &lt;b&gt; &#233;&#x1F600;</news:title></news:news></url>
  <url><xhtml:link rel="alternate" hreflang="de" href="https://site.example/de"/><loc>/relative</loc><video:video><video:title>No</video:title></video:video></url>
</urlset>`
const fullEntries = [
  page('https://site.example/a?x=1&y=2', { lastModified: '2024-05-01T00:00:00.000Z' }),
  page('https://site.example/b&c'),
  page('https://site.example/news', { lastModified: '2024-05-02T08:00:00.000Z', title: 'A <b> é😀' }),
  page('https://site.example/relative'),
]

describe('sitemaps', () => {
  it.each([undefined, 1, 2, 7, 100])('are read from XML with extensions, in pieces of %s bytes', (size) => {
    expect(read(full, size)).toEqual({ kind: 'urlset', entries: fullEntries, truncated: false, broken: false })
  })

  it('are read from an index that names further sitemaps', () => {
    expect(read('<sitemapindex><sitemap><loc>https://site.example/1.xml.gz</loc><lastmod>2024-05</lastmod></sitemap><sitemap><loc>2.xml</loc></sitemap></sitemapindex>')).toEqual({
      kind: 'index',
      entries: [
        { url: 'https://site.example/1.xml.gz', sitemap: true, lastModified: '2024-05-01T00:00:00.000Z' },
        { url: 'https://site.example/2.xml', sitemap: true },
      ],
      truncated: false,
      broken: false,
    })
  })

  it('report URLs of other schemes and invalid ones, truncated if they are long', () => {
    const long = `https://site.example/${'x'.repeat(9_000)}`
    const names = read(urlset('', 'ftp://site.example/a b', `data:,${'x'.repeat(300)}`, 'http://[', long, '/a')).entries
    expect(names).toEqual([...['ftp://site.example/a%20b', `data:,${'x'.repeat(194)}`, 'http://[', long.slice(0, 8_193)].map((url) => ({ ...page(url), nowhere: true })), page('https://site.example/a')])
    expect(read('<sitemapindex><sitemap><loc>ftp://site.example/1.xml</loc></sitemap></sitemapindex>').entries).toEqual([])
    expect(read('<rss><channel><item><guid>urn:uuid:1</guid></item></channel></rss>').entries).toEqual([])
  })

  it('may declare their namespace with a prefix, unless it is another namespace', () => {
    const text = '<sm:urlset xmlns:sm="s"><sm:url><i:loc>https://no.example/</i:loc><loc>https://no.example/2</loc><sm:loc>https://site.example/a</sm:loc></sm:url></sm:urlset>'
    expect(urls(text)).toEqual(['https://site.example/a'])
  })

  it.each([undefined, 1, 3])('are read from text, in pieces of %s bytes', (size) => {
    expect(read('\ufeffhttps://site.example/a\r\n\r\n  https://site.example/b \nnot an address\n/c\nftp://x/\nhttp://site.example/ü', size)).toEqual({
      kind: 'text',
      entries: [page('https://site.example/a'), page('https://site.example/b'), { ...page('ftp://x/'), nowhere: true }, page('http://site.example/%C3%BC')],
      truncated: false,
      broken: false,
    })
  })

  it.each(['utf-16le', 'utf-16be', 'utf-16le without a mark'])('are read in %s', (encoding) => {
    const bytes = Buffer.from(encoding.endsWith('mark') ? full.slice(1) : full, 'utf16le')
    expect(readBytes(encoding === 'utf-16be' ? bytes.swap16() : bytes, 5).entries).toEqual(fullEntries)
  })

  it('are decoded as declared unless that is impossible', () => {
    const declared = (name: string, title: string): Buffer => Buffer.from(`<?xml version="1.0" encoding="${name}"?><urlset><url><loc>/a</loc><news:title>${title}</news:title></url></urlset>`, 'latin1')
    expect(['ISO-8859-1', 'windows-1252', 'utf-16', 'nonsense'].map((name) => readBytes(declared(name, name.length > 9 ? 'é' : 'e')).entries)).toEqual(
      ['é', 'é', 'e', 'e'].map((title) => [page('https://site.example/a', { title })]),
    )
  })
})

describe('feeds in place of sitemaps', () => {
  it('are read in RSS 2.0', () => {
    const text = `<rss version="2.0" xmlns:atom="a" xmlns:media="m"><channel><title>Feed</title><link>https://site.example/</link><atom:link href="/feed" rel="self"/><image><url>/logo.png</url><title>No</title></image>
      <item><title><![CDATA[One <b>bold</b>]]></title><link>https://site.example/1</link><guid isPermaLink="false">x1</guid><pubDate>Wed, 01 May 2024 10:00:00 +0200</pubDate><media:title>No</media:title><media:description>No</media:description><description><![CDATA[<p>First&nbsp;&amp;</p><p>last <b>words</b></p><script>no()</script>]]></description></item>
      <item><guid>https://site.example/2</guid><description>&lt;a href="/no"&gt;</description></item><item><guid isPermaLink="false">https://no.example/</guid></item></channel></rss>`
    expect(read(text)).toEqual({
      kind: 'feed',
      entries: [page('https://site.example/1', { title: 'One <b>bold</b>', lastModified: '2024-05-01T08:00:00.000Z', description: 'First & last words' }), page('https://site.example/2')],
      truncated: false,
      broken: false,
    })
  })

  it('are read in RSS 1.0', () => {
    expect(read('<rdf:RDF><channel rdf:about="/"><link>/</link></channel><item rdf:about="/1"><title>One</title><link>/1</link><dc:date>2024-05-01T10:00Z</dc:date></item><item rdf:about="/2"/></rdf:RDF>').entries).toEqual([
      page('https://site.example/1', { title: 'One', lastModified: '2024-05-01T10:00:00.000Z' }),
      page('https://site.example/2'),
    ])
  })

  it('are read in Atom', () => {
    const text = `<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><link href="/"/><entry><source><title>No</title><link href="/no"/></source><link rel="edit" href="/edit"/><link rel="alternate" href="/1"/><link href="/no"/>
      <title type="xhtml"><div>One <b>bold</b></div></title><updated>2024-05-01T10:00:00.123456Z</updated><published>2020-01-01</published><summary type="xhtml"><div>In <i>short</i>:
 done</div></summary><content type="xhtml"><div><url><loc>/no</loc></url></div></content></entry></feed>`
    expect(read(text)).toEqual({ kind: 'feed', entries: [page('https://site.example/1', { title: 'One bold', lastModified: '2024-05-01T10:00:00.123Z', description: 'In short: done' })], truncated: false, broken: false })
  })

  it.each([undefined, 1, 300])('are read in JSON, in pieces of %s bytes', (size) => {
    const items = [
      { id: 'https://no.example/', url: '/1', title: ' One\n<b> ', summary: ' In  short ', content_text: 'No', date_published: '2020-01-01', date_modified: '2024-05-01T10:00:00Z' },
      { id: 'https://site.example/2', content_text: 'a < b, <p> is a tag', date_published: '2024-05-02' },
      { id: '3', content_html: '<p>No</p>' },
      { url: 4, title: {}, summary: [] },
      null,
      'https://no.example/',
    ]
    expect(read(JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'Feed', home_page_url: 'https://site.example/', items }), size)).toEqual({
      kind: 'feed',
      entries: [
        page('https://site.example/1', { title: 'One <b>', lastModified: '2024-05-01T10:00:00.000Z', description: 'In short' }),
        page('https://site.example/2', { lastModified: '2024-05-02T00:00:00.000Z', description: 'a < b, <p> is a tag' }),
      ],
      truncated: false,
      broken: false,
    })
  })

  it.each([
    ['cut', `{"items": [${'{"url": "https://site.example/1"},'.repeat(20)}`, [], true],
    ['too large', `{"items": [${'{"url": "https://site.example/1"},'.repeat(200_000)}{}]}`, [], true],
    ['without items', '{"version": "https://jsonfeed.org/version/1", "items": {"url": "/1"}}', [], false],
    ['of no object', '{"items": null}', [], false],
  ])('are read as far as possible in JSON that is %s', (_, text, entries, broken) => expect(read(text)).toMatchObject({ entries, broken }))

  it('are read in JSON up to the limit of addresses', () => {
    const feed = (count: number): string => JSON.stringify({ items: Array.from({ length: count }, (_, i) => ({ url: `/${i}` })) })
    expect([3, 4].map((count) => read(feed(count), undefined, { bytes: 1e9, urls: 3 })).map(({ entries, truncated, broken }) => [entries.length, truncated, broken])).toEqual([[3, false, false], [3, true, false]])
  })

  it.each([
    ['a'.repeat(300), 'a'.repeat(300)],
    ['a'.repeat(301), `${'a'.repeat(299)}…`],
    [`${'word '.repeat(100)}`, `${'word '.repeat(59)}word…`],
    ['😀'.repeat(200), `${'😀'.repeat(149)}…`],
    ['<p> </p>', undefined],
    ['a &lt;b', 'a <b'],
    ['cut <a href="x', 'cut'],
    ['one<br>two<td>three</td><td>four', 'one two three four'],
  ])('have descriptions in plain text of at most 300 characters (%#)', (html, description) => {
    const text = `<rss><channel><item><link>/1</link><description>${html.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</description></item></channel></rss>`
    expect(read(text).entries[0]?.description).toBe(description)
  })

  it('have descriptions, but sitemaps do not', () => expect(read('<urlset><url><loc>/1</loc><description>No</description></url></urlset>').entries).toEqual([page('https://site.example/1')]))
})

describe('dates in sitemaps', () => {
  it.each([
    ['2024', '2024-01-01T00:00:00.000Z'],
    ['2024-05-01T10:00:00', '2024-05-01T10:00:00.000Z'],
    ['2024-05-01 10:00:00 +0200', '2024-05-01T08:00:00.000Z'],
    ['2024-05-01T10:00:00.123456789-05:00', '2024-05-01T15:00:00.123Z'],
    ['Wed, 01 May 2024 10:00:00 GMT', '2024-05-01T10:00:00.000Z'],
    ['2024-13-01', undefined],
    ['2024-02-31', undefined],
    ['Sat, 31 Feb 2024 10:00:00 GMT', undefined],
    ['Page 3', undefined],
    ['now', undefined],
    ['', undefined],
  ])('are parsed: %j is %j', (text, lastModified) => {
    expect(read(`<urlset><url><loc>/a</loc><lastmod>${text}</lastmod></url></urlset>`).entries[0]?.lastModified).toBe(lastModified)
  })
})

describe('broken files', () => {
  it.each([
    ['cut in an address', '<urlset><url><loc>https://site.example/a</loc></url><url><loc>https://site.example/b', ['a']],
    ['cut after an address', '<urlset><url><loc>https://site.example/a</loc></url><url><loc>https://site.example/b</loc><last', ['a', 'b']],
    ['an address that is not closed', '<urlset><url><loc>https://site.example/a</url><url><loc>https://site.example/b</loc></url></urlset>', ['a', 'b']],
    ['entries that are not closed', '<urlset><url><loc>https://site.example/a</loc><url><loc>https://site.example/b</loc></urlset>', ['a', 'b']],
    ['bare ampersands', '<urlset><url><loc>https://site.example/a?b=1&c=2&copy=3</loc></url></urlset>', ['a?b=1&c=2&copy=3']],
    ['text before it', 'Warning: x<br/>\n<?xml version="1.0"?>\n<urlset><url><loc>https://site.example/a</loc></url></urlset>', ['a']],
    ['white space before it', `${' \n'.repeat(600)}${urlset('https://site.example/a')}`, ['a']],
    ['addresses that are none', urlset('', 'javascript:1', 'mailto:a@b.example', 'http://[', `https://site.example/${'x'.repeat(9_000)}`, 'https://site.example/a'), ['a']],
    ['several addresses in one entry', '<urlset><url><loc>https://site.example/a</loc><loc>https://no.example/</loc></url></urlset>', ['a']],
    ['names of object machinery', '<urlset><constructor><__proto__/></constructor><url><toString>x</toString><loc>https://site.example/a</loc></url></urlset>', ['a']],
  ])('are read as far as possible: %s', (_, text, paths) => expect(urls(text)).toEqual(paths.map((path) => `https://site.example/${path}`)))

  it.each([
    ['a page', '<!DOCTYPE html><html><body><url><loc>https://no.example/</loc></url><a href="/x">x</a>'],
    ['JSON', '{"url": "https://no.example/"}'],
    ['nothing', ''],
    ['white space', ' \n '],
    ['bytes', '\0\u0001\u0002'],
  ])('are no sitemaps: %s', (_, text) => expect(read(text)).toEqual({ kind: 'none', entries: [], truncated: false, broken: false }))

  it.each([
    ['cut in an address', '<urlset><url><loc>https://site.example/a</loc></url><url><loc>https://site.example/b'],
    ['cut between two entries', '<urlset><url><loc>https://site.example/a</loc></url>'],
    ['cut in the tag that ends it', '<urlset><url><loc>https://site.example/a</loc></url></urls'],
    ['cut before it begins', '<?xml version="1.0"?>\n<urls'],
    ['an index', '<sitemapindex><sitemap><loc>https://site.example/1.xml</loc></sitemap>'],
    ['a feed', '<rss><channel><item><link>https://site.example/a</link></item></channel>'],
    ['nested like none', `<urlset>${'<a>'.repeat(200)}`],
  ])('are reported as broken: %s', (_, text) => {
    for (const size of [undefined, 1]) expect(read(text, size)).toMatchObject({ truncated: false, broken: true })
  })

  it.each([
    ['closed by itself', '<urlset/>'],
    ['with white space and comments behind it', `${urlset('https://site.example/a')}\n<!-- made -->\n`],
    ['with entries that are not closed', '<urlset><url><loc>https://site.example/a</loc><url></urlset>'],
    ['as text', 'https://site.example/a\nhttps://site.example/b'],
  ])('do not include a file %s', (_, text) => expect(read(text)).toMatchObject({ truncated: false, broken: false }))

  it('cannot expand entities of a DOCTYPE', () => {
    const text = '<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]><urlset><url><loc>https://site.example/x&b;&c;</loc></url></urlset>'
    expect(urls(text)).toEqual(['https://site.example/x&b;&c;'])
  })
})

describe('limits of sitemaps', () => {
  const locs = (count: number): string[] => Array.from({ length: count }, (_, i) => `https://site.example/${i}`)

  it('count addresses: the exact maximum is not truncated, one more is', () => {
    const counts = [10, 11].map((count) => {
      const { entries, truncated } = read(urlset(...locs(count)), 64, { bytes: 1e9, urls: 10 })
      return [entries.length, truncated]
    })
    expect(counts).toEqual([[10, false], [10, true]])
  })

  it('count bytes: what is complete before the limit counts', () => {
    const text = urlset(...locs(100))
    const cut = text.indexOf('/50</loc>') + 2
    expect([read(text, 64, { bytes: cut, urls: 1e9 }), read(locs(100).join('\n'), 64, { bytes: 23 * 10 + 21, urls: 1e9 })].map(({ entries, truncated }) => [entries.length, truncated])).toEqual([
      [50, true],
      [10, true],
    ])
    expect(read(text, 64, { bytes: text.length, urls: 1e9 }).truncated).toBe(false)
  })

  it('stop a download that cannot be a sitemap', () => {
    const reader = sitemapReader(base)
    reader.write(Buffer.from(`<html>${'x'.repeat(1_000)}`))
    expect([reader.full(), reader.end()]).toEqual([true, { kind: 'none', entries: [], truncated: false, broken: false }])
  })

  it.each([
    ['50,000 entries', urlset(...locs(50_000))],
    ['deep nesting', `<urlset>${'<a>'.repeat(1_000_000)}`],
    ['one long text', `<urlset><url><loc>${'a'.repeat(5_000_000)}`],
    ['one long comment', `<urlset><!--${'-'.repeat(5_000_000)}`],
    ['one long tag', `<urlset><url ${'a="b" '.repeat(500_000)}`],
    ['many entities', `<urlset><url><loc>${'&amp;'.repeat(1_000_000)}`],
    ['a large JSON feed', `{"items": [${'{"url": "https://site.example/1", "summary": "x"},'.repeat(80_000)}{}]}`],
    ['long descriptions', `<rss><channel>${`<item><link>/1</link><description>${'&lt;b&gt;&amp;'.repeat(500)}</description></item>`.repeat(1_000)}</channel></rss>`],
    ['one long line', 'https://site.example/'.repeat(200_000)],
    ['an unfinished declaration', `<!DOCTYPE urlset [${'<!ENTITY a "b"'.repeat(300_000)}`],
  ])('hold in linear time: %s', (_, text) => {
    const bytes = Buffer.from(text)
    expect(cpuMs(() => void readBytes(bytes, 65_536))).toBeLessThan(4_000)
  })

  it('end a file with a tag of endless attributes, which would all be kept', () => {
    const reader = sitemapReader(base)
    reader.write(Buffer.from(`<urlset><url><loc>https://site.example/1</loc></url><url ${'a="b" '.repeat(900)}/><url `))
    const before = reader.full()
    reader.write(Buffer.from(Array.from({ length: 200 }, (_, at) => `a${at}="b" `).join('').repeat(6)))
    expect([before, reader.full(), reader.end().broken]).toEqual([false, true, true])
  })

  it('apply to compressed files', () => {
    expect([looksGzipped(Buffer.from([0x1f, 0x8b, 8, 0])), looksGzipped(Buffer.from('<urlset')), looksGzipped(new Uint8Array(0))]).toEqual([true, false, false])
  })
})
