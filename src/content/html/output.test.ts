import { describe, expect, it } from 'vitest'
import { toHtml } from './output.ts'
import { parse } from './parse.ts'

const base = 'https://shop.example/a/b'
const write = (html: string) => toHtml(parse(html).document.children, new Set(), base)

describe('toHtml', () => {
  it('writes text and attributes so that they parse back', () => {
    expect(write('<p title="a &quot;b&quot; &amp;lt;">1 &lt; 2 &amp;amp; 3&nbsp;x</p>')).toBe('<p title="a &quot;b&quot; &amp;lt;">1 &lt; 2 &amp;amp; 3&nbsp;x</p>')
  })

  it('leaves out scripts, styles, metadata and event handlers', () => {
    expect(write('<head><title>t</title><meta charset=utf-8></head><body onload=x><script>a</script><style>b</style><p onclick="y" id=k>z</p><template><p>t</p></template>')).toBe(
      '<body><p id="k">z</p></body>',
    )
  })

  it.each([
    ['a document in an attribute', '<iframe srcdoc="&lt;script&gt;a&lt;/script&gt;" src="/e">x</iframe>', '<iframe src="https://shop.example/e"></iframe>'],
    ['attributes for other elements', '<svg><a><set attributeName="onclick" to="b"></set><animate attributeName="href" values="javascript:c" /><text>z</text></a></svg>', '<svg><a><set></set><animate></animate><text>z</text></a></svg>'],
    ['what is text here and an element where a list takes none in', '<select><noembed></select><img src=x onerror=d></noembed></select>', '<select><noembed></noembed></select>'],
    ['the same of text that is shown', '<select><xmp></select><img src=x onerror=d></xmp></select>', '<select><pre>&lt;/select&gt;&lt;img src=x onerror=d&gt;</pre></select>'],
  ])('omits scripts that come as %s', (_, html, written) => {
    expect(write(html)).toBe(written)
  })

  it.each([`${'\u0001'.repeat(90)}javascript:a`, `java${'\t'.repeat(90)}script:a`, ' vbscript:a', 'JavaScript:a'])('omits the address of a script, however it is written: %j', (address) => {
    expect(write(`<a href="${address}">x</a>`)).toBe('<a href="">x</a>')
  })

  it('makes addresses absolute and drops script addresses', () => {
    expect(write('<a href="../c?d=1&e=2">x</a><img src=i.png srcset="s.png 1x, /l,r.png 2x"><a href=" java\nscript:alert(1)">y</a><a href="#top">z</a>')).toBe(
      '<a href="https://shop.example/c?d=1&amp;e=2">x</a><img src="https://shop.example/a/i.png" srcset="https://shop.example/a/s.png 1x, https://shop.example/l,r.png 2x"><a href="">y</a><a href="https://shop.example/a/b#top">z</a>',
    )
  })

  it('omits the nodes to skip', () => {
    const { document } = parse('<p>a</p><p>b</p>')
    const [first] = document.children
    expect(toHtml(document.children, new Set(first ? [first] : []), base)).toBe('<p>b</p>')
  })

  it('keeps newlines at the start of preformatted text', () => {
    expect(write('<pre>\n\nx</pre>')).toBe('<pre>\n\nx</pre>')
  })

  it('handles deep nesting', () => {
    const deep = parse('<i>'.repeat(100_000) + 'x').document.children
    expect(toHtml(deep, new Set(), base).length).toBeGreaterThan(512 * 7)
  })
})
