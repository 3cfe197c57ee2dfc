import { Tokenizer } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { parse } from './parse.ts'
import { TreeBuilder } from './tree-builder.ts'
import { type ChildNode, type Document, elements, isElement, isText } from './tree.ts'

function shape(node: ChildNode | Document): string {
  if (isText(node)) return JSON.stringify(node.data)
  const children = 'children' in node ? node.children.map(shape).join(' ') : ''
  return isElement(node) ? `${node.name}[${children}]` : children
}

function shapeOf(html: string, xml = false): string {
  return shape(parse(html, xml).document)
}

describe('a page is repaired as browsers do it', () => {
  it.each([
    ['a section of plain text that never ends is only a comment', '<p>a</p><![CDATA[<p>b</p>', 'p["a"] p["b"]'],
    ['so is one that holds the page', `<![CDATA[<div>${'a'.repeat(2000)}</div>]]>`, `div["${'a'.repeat(2000)}"] "]]>"`],
    ['one in a drawing is text', '<svg><text><![CDATA[a<b]]></text></svg>', 'svg[text["a<b"]]'],
    ['an open paragraph ends at the next block', '<p>a<p>b<div>c</div>d', 'p["a"] p["b"] div["c"] "d"'],
    ['a paragraph ends even with inline elements open', '<p><b>a<div>c</div>', 'p[b["a"]] div["c"]'],
    ['but not at a block in a button', '<p>a<button><div>b</div></button> c</p>d', 'p["a" button[div["b"]] " c"] "d"'],
    ['the parts of an annotation end each other', '<ruby>a<rp>(<rt>b<rp>)</ruby><ruby>c<rt>d<rt>e</ruby>', 'ruby["a" rp["("] rt["b"] rp[")"]] ruby["c" rt["d"] rt["e"]]'],
    ['list items end at the next one, not at those of inner lists', '<ul><li>a<li>b<ul><li>c</ul><li>d</ul>', 'ul[li["a"] li["b" ul[li["c"]]] li["d"]]'],
    ['terms and descriptions end each other', '<dl><dt>a<dd>b<dt>c</dl>', 'dl[dt["a"] dd["b"] dt["c"]]'],
    ['cells without a row get one', '<table><td>a<td>b<tr><td>c</table>x', 'table[tr[td["a"] td["b"]] tr[td["c"]]] "x"'],
    ['an end tag does not reach out of its cell', '<div><table><tr><td>a</div></td><td>b</table></div>', 'div[table[tr[td["a"] td["b"]]]]'],
    ['headings end each other', '<h1>a<h2>b</h2>', 'h1["a"] h2["b"]'],
    ['a link ends at the next link', '<a href=1>a<a href=2>b</a>', 'a["a"] a["b"]'],
    ['an inline element closed inside a block ends with the block', '<div><a><div>t</a> more</div> out</div>', 'div[a[div["t more"]] " out"]'],
    ['a heading in a link ends with the link', '<a><h2>t</a></h2>rest', 'a[h2["t"]] "rest"'],
    ['stray end tags of paragraphs and breaks become elements, others nothing', '</p>x</br>y</div>', 'p[] "x" br[] "y"'],
    ['options end each other', '<select><option>a<option>b</select>', 'select[option["a"] option["b"]]'],
    ['a second list of options only ends the first, a field ends it and stays', '<select><option>a<select>b</select>c<select><option>d<input>', 'select[option["a"]] "bc" select[option["d"]] input[]'],
    ['content ends an open head', '<head><title>t</title><div>x</div>', 'head[title["t"]] div["x"]'],
    ['an HTML element ends an unclosed drawing', '<svg><path/><circle><div>x</div>', 'svg[path[] circle[]] div["x"]'],
    ['a page inside a drawing stays there', '<svg><foreignObject><p>y</p></foreignObject></svg>z', 'svg[foreignobject[p["y"]]] "z"'],
    ['content after the end of the body belongs to it', '<body><p>a</p></body></html><p>b</p>', 'body[p["a"] p["b"]]'],
    ['a form in a form is left out', '<form>a<form>b</form>c', 'form["ab"] "c"'],
    ['what looks like tags in scripts and text areas is text', '<script>"<b>"</script><textarea><i></textarea>', 'script["\\"<b>\\""] textarea["<i>"]'],
    ['comments are left out', 'a<!-- <b> -->c', '"ac"'],
    ['entities are text', 'a &amp; b &lt;i&gt; &#x41;', '"a & b <i> A"'],
    ['an unclosed tag at the end is left out', '<p>a</p><div class="x', 'p["a"]'],
  ])('%s', (_, html, expected) => {
    expect(shapeOf(html)).toBe(expected)
  })

  it('honours self-closing tags in XHTML only', () => {
    expect(shapeOf('<div/>x', true)).toBe('div[] "x"')
    expect(shapeOf('<div/>x')).toBe('div["x"]')
  })

  it('adds the attributes of a second body to the first', () => {
    const { document } = parse('<body class=a>x<body class=b id=c>y')
    expect(elements(document).map((e) => [e.name, { ...e.attribs }])).toEqual([['body', { class: 'a', id: 'c' }]])
    const bare = parse('<html><body>x<body id=c>y<p>z<html lang=en>').document
    expect(elements(bare).map((e) => [e.name, { ...e.attribs }])).toEqual([['html', { lang: 'en' }], ['body', { id: 'c' }], ['p', {}]])
  })

  it('takes no longer for another body if the first has many attributes', () => {
    const first = Array.from({ length: 20 }, (_, at) => `<body${Array.from({ length: 256 }, (_, i) => ` x${at}-${i}`).join('')}>`).join('')
    expect(cpuMs(() => void parse(first + '<body>'.repeat(20_000) + '<body y>'.repeat(20_000)))).toBeLessThan(2_000)
  })

  it('keeps the first of repeated attributes, and no names of object internals', () => {
    const element = elements(parse('<p a=1 A=2 __proto__=3 constructor=4>').document)[0]
    expect(Object.entries(element?.attribs ?? {})).toEqual([['a', '1'], ['constructor', '4']])
  })

  it('moves late parts of a streamed page to their places', () => {
    expect(shapeOf('<main><template id="B:0"></template></main><div hidden id="S:0"><p>late</p></div>')).toBe('main[div[p["late"]]]')
  })

  it.each([
    ['before<!--$?--><template id="B:0"></template>Loading<!--/$--><!-- -->after', 'main["before" div["late"] "after"]'],
    ['<!--$?--><template id="B:0"></template><p>Loading</p><!--$--><b>!</b><!--/$--><!--/$--><i>x</i>', 'main[div["late"] i["x"]]'],
    ['<!--$--><b>y</b><!--/$--><template id="B:0"></template><i>x</i>', 'main[b["y"] div["late"] i["x"]]'],
    ['<!--$?--><template id="B:1"></template>Loading<!--/$--><template id="B:0"></template>', 'main[template[] "Loading" div["late"]]'],
  ])('drops what stands in for late parts that came: %s', (html, shape) => {
    expect(shapeOf(`<main>${html}</main><div hidden id="S:0">late</div>`)).toBe(shape)
  })

  it('moves late parts of Solid to their places, and leaves other templates', () => {
    const html = '<main><template id="pl-0-1"></template><p>Loading</p><!--pl-0-1-->after<template id="x">no</template></main><template id="0-1"><b>late</b></template>'
    expect(shapeOf(html)).toBe('main[div[b["late"]] "after" template["no"]]')
  })

  it('shows late parts that have no place in the page', () => {
    const { document } = parse('<div hidden id="S:0">late</div>')
    expect(elements(document)[0]?.attribs).toEqual({ id: 'S:0' })
  })
})

describe('a page is bounded', () => {
  it('flattens deep nesting and keeps the text', () => {
    const { document, warnings } = parse(`${'<div>'.repeat(2000)}deep${'</div>'.repeat(2000)}<p>after</p>`)
    const depths = elements(document).map((element) => {
      let depth = 0
      for (let at = element.parent; at; at = isElement(at) ? at.parent : null) depth++
      return depth
    })
    expect(Math.max(...depths)).toBe(512)
    expect(shape(document)).toContain('"deep"')
    expect(shape(document).endsWith(' p["after"]')).toBe(true)
    expect(warnings).toEqual(['Elements nested deeper than 512 levels were flattened.'])
  })

  it('keeps scripts below the depth limit out of the text', () => {
    expect(shapeOf(`${'<div>'.repeat(600)}<script>x</script>y`)).toContain('script["x"] "y"')
  })

  it('truncates pages with too many nodes and says so', () => {
    const html = '<p>a<br>b</p>'.repeat(100)
    const builder = new TreeBuilder(html, { maxDepth: 512, maxNodes: 11, selfClosing: false, places: new Set() })
    const tokenizer = new Tokenizer({}, builder)
    tokenizer.write(html)
    tokenizer.end()
    expect([builder.full, shape(builder.document)]).toEqual([true, 'p["a" br[] "b"] p["a" br[] "b"] p["a" br[]]'])
  })

  it('records the elements of start tags by their positions, and no others', () => {
    const html = '<table><td id=a>x<p id=b>y<p id=c>z<!-- <p id=d> --></table><img id=e><br></p>'
    const { noted } = parse(html, false, [html.indexOf('<td'), html.indexOf('<p id=c'), html.indexOf('<p id=d'), html.indexOf('<img'), 3, 10_000, -1])
    expect([...noted].map((element) => element.attribs['id'])).toEqual(['a', 'c', 'e'])
  })

  it('truncates pages with too many characters and says so', () => {
    const { warnings } = parse('x'.repeat(20_000_001))
    expect(warnings).toEqual(['The page is longer than 20000000 characters and was cut.'])
  })
})
