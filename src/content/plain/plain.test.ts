import { cpuMs } from '../../../test/cpu.ts'
import { describe, expect, it } from 'vitest'
import { feedLinks, feedMetadata, feedOf } from './feed.ts'
import { dataOf, markdownOfType } from './by-media-type.ts'
import { toPlainMarkdown } from './index.ts'

describe('text that is not HTML', () => {
  it('is put in a fence with its language if it is data or code', () => {
    expect(markdownOfType('\ufeff{"a":1,\r\n "b":"```"}', 'application/json; charset=utf-8')).toBe('````json\n{"a":1,\n "b":"```"}\n````\n')
    expect(markdownOfType('{}', 'application/problem+json')).toBe('```json\n{}\n```\n')
    expect(markdownOfType('a{b:c}', 'text/css')).toBe('```css\na{b:c}\n```\n')
    expect(markdownOfType('let a', 'text/javascript')).toBe('```javascript\nlet a\n```\n')
    expect(markdownOfType('<a><b/></a>', 'application/xml')).toBe('```xml\n<a><b/></a>\n```\n')
  })

  it('is unchanged if it is markdown or plain text', () => {
    expect(markdownOfType('# Hi\r\n\r\n*x*\n\n', 'text/markdown')).toBe('# Hi\n\n*x*\n')
    expect(markdownOfType('  two\n\n\nlines', 'text/plain')).toBe('  two\n\n\nlines\n')
    expect(markdownOfType(' \n', 'text/plain')).toBe('')
  })

  it('gives no markdown if it is binary', () => {
    expect(markdownOfType('GIF89a', 'image/gif')).toBe(null)
    expect(markdownOfType('x', 'application/octet-stream')).toBe(null)
  })

  it('is handled by a known kind rather than by its media type', () => {
    expect(toPlainMarkdown('[1]', 'json', 'text/plain')).toBe('```json\n[1]\n```\n')
    expect(toPlainMarkdown('hello', 'text')).toBe('hello\n')
    expect(toPlainMarkdown('a,b\n1,2\n', 'text', 'text/csv')).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |\n')
  })

  it('with comma-separated values becomes a table: quotes, line breaks, pipes, short and long records', () => {
    expect(markdownOfType('name;note\n"Ann ""A""";"one\ntwo"\nBob\nCy;a|b;c\n', 'text/csv')).toBe('| name | note |\n| --- | --- |\n| Ann "A" | one<br>two |\n| Bob | |\n| Cy | a\\|b;c |\n')
    expect(markdownOfType('a\tb\n1\t2', 'text/tab-separated-values')).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |\n')
    // Programs send text under the name of Excel, which opens it as a table.
    expect(markdownOfType('a\tb\n1\t2\n', 'application/vnd.ms-excel')).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |\n')
    expect(markdownOfType('just one column\nof words', 'text/csv')).toBe('```\njust one column\nof words\n```\n')
  })

  it('may name its separator in its first line, which is not a record', () => {
    const table = '| a,b | c |\n| --- | --- |\n| 1 | 2 |\n'
    expect(['sep=;\na,b;c\n1;2\n', 'SEP=;\r\na,b;c\r\n1;2\r\n'].map((text) => markdownOfType(text, 'text/csv'))).toEqual([table, table])
    expect(markdownOfType('sep=x;b\n1;2\n', 'text/csv')).toBe('| sep=x | b |\n| --- | --- |\n| 1 | 2 |\n')
  })

  it('with lines that end in a carriage return alone, blanks before quotation marks, or text behind them is a whole table', () => {
    expect(markdownOfType('a,b\r1,2\r', 'text/csv')).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |\n')
    expect(markdownOfType('a, b\nAnn, "likes ""x, y"""\n"North" pier,2\n', 'text/csv')).toBe('| a | b |\n| --- | --- |\n| Ann | likes "x, y" |\n| North pier | 2 |\n')
  })

  it('keeps titles above the header of a table, as text above it', () => {
    const table = '| a | b |\n| --- | --- |\n| 1 | 2 |\n'
    expect(['Prices, January 2026\n\na;b\n1;2\n', '"Report, of 2026"\na,b\n1,2\n', '# Source: x\n\ufeffof y\na\tb\n1\t2\n'].map((text) => markdownOfType(text, 'text/csv'))).toEqual([`Prices, January 2026\n\n${table}`, `Report, of 2026\n\n${table}`, `\\# Source: x\n\nof y\n\n${table}`])
    expect(dataOf('Prices\na,b\n1,2\n', false, 'text/csv')).toEqual([{ a: '1', b: '2' }])
    expect(dataOf('a,a,,a_2,a,\n1,2,3,4,5,6\n', false, 'text/csv')).toEqual([{ a: '1', a_3: '2', '': '3', a_2: '4', a_4: '5', _2: '6' }])
    expect(markdownOfType('Comment\nHello, world\nFine, thanks\n', 'text/csv')).toBe('```\nComment\nHello, world\nFine, thanks\n```\n')
    expect(markdownOfType('Name,Note\nAda,"a\nb"\nBob,c\n', 'text/csv')).toBe('| Name | Note |\n| --- | --- |\n| Ada | a<br>b |\n| Bob | c |\n')
  })

  it('of a long table reports the number of omitted rows', () => {
    const table = markdownOfType(`a,b\n${'1,2\n'.repeat(6000)}`, 'text/csv') ?? ''
    expect(table.endsWith('| 1 | 2 |\n\n… and 1001 more rows\n')).toBe(true)
  })

  it('of an RSS feed becomes headings with date and summary', () => {
    const feed = `<?xml version="1.0"?><rss version="2.0"><channel><title>News &amp; Views</title><link>https://news.example/</link><description>All of it</description>
      <item><title><![CDATA[First [one]]]></title><link>https://news.example/1</link><pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;Some &lt;b&gt;bold&lt;/b&gt; words &lt;a href="/x"&gt;here&lt;/a&gt;&lt;/p&gt;</description></item>
      <item><title>Second</title><link>javascript:alert(1)</link></item></channel></rss>`
    expect(markdownOfType(feed, 'application/rss+xml')).toBe(
      '# News & Views\n\nAll of it\n\n## [First \\[one\\]](https://news.example/1)\n\nMon, 02 Nov 2026 10:00:00 GMT\n\nSome **bold** words [here](https://news.example/x)\n\n## Second\n',
    )
  })

  it('of a feed may contain titles and texts as markup, in text or as elements', () => {
    const entry = (title: string, content: string): string => `<entry><title type="html">${title}</title><link href="/e"/>${content}</entry>`
    const feed = `<feed xml:lang="de"><title>Log &amp;amp; Book</title><link href="https://log.example/"/>${entry('<![CDATA[Don&#8217;t <i>stop</i> a_b]]>', '<content type="xhtml"><div><p>One <a href="two">two</a></p><p>Three</p></div></content>')}${entry('2 &lt; 3', '<content type="html">&lt;a href="/four">four&lt;/a></content>')}</feed>`
    expect(markdownOfType(feed, 'application/atom+xml')).toBe('# Log & Book\n\n## [Don’t stop a\\_b](https://log.example/e)\n\nOne [two](https://log.example/two)\n\nThree\n\n## [2 < 3](https://log.example/e)\n\n[four](https://log.example/four)\n')
    const read = feedOf(feed)
    expect(feedLinks(read)).toEqual(['https://log.example/', 'https://log.example/e', 'https://log.example/two', 'https://log.example/four'])
    expect(feedMetadata(read)).toEqual({ title: 'Log & Book', language: 'de' })
    expect([feedLinks(feedOf('<rss')), feedMetadata(feedOf('<map><title>No</title></map>'))]).toEqual([[], {}])
  })

  it('of an Atom feed becomes headings', () => {
    const feed =
      '<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title><link rel="self" href="https://log.example/feed"/><link href="https://log.example/"/><entry><title>Entry</title><link href="/e"/><updated>2026-11-02</updated><summary>Short.</summary></entry></feed>'
    expect(markdownOfType(feed, 'application/atom+xml')).toBe('# Log\n\n## [Entry](https://log.example/e)\n\n2026-11-02\n\nShort.\n')
  })

  it('of a feed with relative references has the addresses that they stand for', () => {
    const atom = '<feed xml:base="/base/"><title>Log</title><link href="."/><entry><title>One</title><link href="e1"/><content type="xhtml"><div><p>To <a href="in">in</a></p></div></content></entry><entry xml:base="deep/"><title>Two</title><link href="e2"/><link rel="enclosure" href="a.mp3" type="audio/mpeg"/><summary type="html" xml:base="text/">&lt;a href="x">x&lt;/a></summary></entry></feed>'
    const read = feedOf(atom, 'https://log.example/feeds/all.xml')
    expect(markdownOfType(atom, 'application/atom+xml', { feed: () => read })).toBe(
      '# Log\n\n## [One](https://log.example/base/e1)\n\nTo [in](https://log.example/base/in)\n\n## [Two](https://log.example/base/deep/e2)\n\n[x](https://log.example/base/deep/text/x)\n\n[Audio](https://log.example/base/deep/a.mp3)\n',
    )
    expect(feedLinks(read)).toEqual(['/base/', '/base/e1', '/base/in', '/base/deep/e2', '/base/deep/text/x', '/base/deep/a.mp3'].map((path) => `https://log.example${path}`))
    const rss = '<rss><channel><title>T</title><link>/home</link><item><title>i</title><link>/i</link><enclosure url="p.png" type="image/png"/></item></channel></rss>'
    expect(feedLinks(feedOf(rss, 'http://shop.example/feed'))).toEqual(['http://shop.example/home', 'http://shop.example/i', 'http://shop.example/p.png'])
    expect(feedLinks(feedOf(rss, 'upload:feed.rss'))).toEqual([])
  })

  it('of a feed takes an identifier for an address only if it is one', () => {
    const items = ['<guid isPermaLink="false">https://x.example/no</guid>', '<guid>tag-123</guid>', '<guid>https://x.example/yes</guid>'].map((guid) => `<item><title>t</title>${guid}</item>`)
    expect(feedLinks(feedOf(`<rss><channel><link>https://x.example/</link>${items.join('')}</channel></rss>`))).toEqual(['https://x.example/', 'https://x.example/yes'])
  })

  it('of a feed keeps the tags that its titles are about', () => {
    const titles = ['The &lt;video&gt; element', 'Don&amp;#8217;t &lt;i&gt;stop&lt;/i&gt;', 'a &lt;/b', '&lt;!--c--&gt;d'].map((title) => `<item><title>${title}</title></item>`)
    expect(markdownOfType(`<rss><channel><title>T</title>${titles.join('')}</channel></rss>`, 'text/xml')).toBe('# T\n\n## The \\<video> element\n\n## Don’t stop\n\n## a \\</b\n\n## d\n')
  })

  it('of a feed keeps data addresses of pictures where they are wanted', () => {
    const feed = '<rss><channel><item><title>t</title><description>&lt;img src="data:image/png;base64,AAAA" alt="a"&gt;</description></item></channel></rss>'
    expect(markdownOfType(feed, 'text/xml')).toContain('![a](<Base64-Image-Removed>)')
    expect(markdownOfType(feed, 'text/xml', { removeBase64Images: false })).toContain('![a](data:image/png;base64,AAAA)')
  })

  it('is handled in linear time', () => {
    const all = (): void => {
      markdownOfType('"'.repeat(3_000_000), 'text/csv')
      markdownOfType('a,"\n'.repeat(500_000), 'text/csv')
      markdownOfType(`<rss>${'<item>'.repeat(200_000)}`, 'text/xml')
      markdownOfType(' \n'.repeat(1_000_000), 'application/json')
    }
    expect(cpuMs(all)).toBeLessThan(10_000)
  })
})
