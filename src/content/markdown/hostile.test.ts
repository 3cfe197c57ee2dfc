import { cpuMs } from '../../../test/cpu.ts'
import { Document, Element, Text } from 'domhandler'
import { describe, expect, it } from 'vitest'
import { parse } from '../html/parse.ts'
import { toMarkdown } from './index.ts'

const options = { baseUrl: 'https://site.example/', removeBase64Images: true }
const times = (part: string, n: number): string => part.repeat(n)

/** Pages made to be slow or to grow, each of about a megabyte at most. */
const pages: Readonly<Record<string, string>> = {
  'nested inline tags': times('<b><i>', 10_000) + 'x',
  'unclosed links': times('<a href=/x>y', 40_000),
  'links around blocks': times('<a href=/x><div>', 10_000) + 'y',
  'alternating emphasis': times('<b>a</b><i>b</i>', 40_000),
  'one emphasis in many pieces': times('<b>x</b>', 200_000),
  'a word in each of many elements': `<p>${times('<span>some words </span>', 50_000)}</p>`,
  'emphasis signs': `<p>${times('*a_b**', 100_000)}</p>`,
  'tildes': `<p>${times('~', 500_000)}</p>`,
  'backticks': `<p>${times('`', 300_000)}</p><pre>${times('`', 300_000)}</pre><code>${times('` `` ', 60_000)}</code>`,
  'brackets': `<p>${times('[', 300_000)}${times('](', 100_000)}</p>`,
  'a long attribute': `<img alt="${times('[x', 500_000)}" src="${times('a', 100)}">`,
  'a long address': `<a href="${times('(', 500_000)}">x</a>`,
  'a long image set': `<img srcset="${times('a 1x, ', 150_000)}">`,
  'a long class': `<pre class="${times('lang ', 200_000)}">x</pre>`,
  'cells that span a thousand columns': `<table>${times(`<tr>${times('<td colspan=1000 rowspan=1000>x', 100)}`, 300)}</table>`,
  'a hundred thousand cells': `<table>${times(`<tr>${times('<td>x', 100)}`, 1000)}</table>`,
  'hanging rows': `<table><tr>${times('<td rowspan=1000>long text in the cell', 900)}</tr>${times('<tr><td>x</td></tr>', 20_000)}</table>`,
  'nested tables': times('<table><tr><td>', 10_000) + 'x',
  'nested lists': times('<ul><li>a', 10_000),
  'many items in deep lists': `${times('<ul><li>', 200)}${times('<li>x', 50_000)}`,
  'nested quotes with lines': `${times('<blockquote>', 400)}${times('<p>x</p>', 20_000)}`,
  'headings in headings': times('<h1><h2>x', 20_000),
  'line breaks': times('<br>', 200_000),
  'code lines': `<pre>${times('<div>x</div>', 80_000)}</pre>`,
  'nested code': times('<pre><code>', 20_000) + 'x',
  'footnotes': times('<sup><a href="#n">1</a></sup>', 20_000) + times('<p id=n>x</p>', 1000),
  'footnotes to one huge block': `${Array.from({ length: 5000 }, (_, i) => `<sup><a href="#n${i}">${i}</a></sup>`).join('')}<div>${Array.from({ length: 5000 }, (_, i) => `<i id=n${i}>x</i> text`).join('')}</div>`,
  'formulas': times('<math><mfrac>', 10_000),
  'formula signs': times('$\\(\\[ $$ ', 100_000),
  'spaces': `<p>a${times(' \n', 500_000)}b</p><pre>${times(' \n', 300_000)}x</pre>`,
  'definition terms': times('<dt>a<dd>b', 50_000),
  'line starts': times('<p>1234567890. # - + &gt; ---</p>', 20_000),
  'lists of tabs in lists of tabs': times('<div role=tablist><b role=tab>a</b><b role=tab>b</b>', 12_000),
  'tabs without panels': times(`<ul role=tablist>${times('<li role=tab><a href="#x">a</a>', 20)}</ul>${times('<p><i>', 100)}`, 600),
  'panels without a word': times(`<ul role=tablist>${times('<li role=tab>a', 20)}</ul><div>${times('<div role=tabpanel><i></i><i></i></div>', 20)}</div>`, 600),
  'icons in one cell': `<table><tr><th>a<td>${times('<b></b>', 25_000)}${times('<svg aria-label=x></svg>', 25_000)}</table>`,
  'code in boxes with long classes': `${times(`<div class="${times('lang ', 400)}">`, 5)}${times('<pre>x</pre>', 20_000)}`,
  'check boxes': times('<li><label><p><span>', 20_000),
}

describe('toMarkdown on hostile pages', () => {
  it.each(Object.entries(pages))('stays fast and small: %s', (_, html) => {
    const { document } = parse(html)
    let markdown = ''
    expect(cpuMs(() => void (markdown = toMarkdown(document, options)))).toBeLessThan(5000)
    expect(markdown.length).toBeLessThan(html.length * 4 + 1_000_000)
  })

  it('takes millions of blank lines before a line of code', () => {
    expect(toMarkdown(parse(`<pre>${times(' \n', 9_000_000)}  x</pre>`).document, options)).toBe('```\n  x\n```\n')
  })

  it('does not overflow the stack on trees deeper than the parser makes', () => {
    const root = new Document([])
    let parent: Document | Element = root
    const names = ['div', 'b', 'ul', 'li', 'blockquote', 'table', 'tr', 'td', 'a', 'pre', 'math', 'h2', 'section']
    for (let i = 0; i < 100_000; i++) {
      const child: Element = new Element(names[(i * 7) % 5] ?? 'div', { href: '/x' })
      child.parent = parent
      parent.children.push(child)
      parent = child
    }
    parent.children.push(new Text('deep'))
    expect(toMarkdown(root, options)).toContain('deep')
  })

  it('writes no script URL, in any spelling', () => {
    for (const href of ['javascript:alert(1)', ' JaVaScRiPt:x', 'java\nscript:x', '\u0001javascript:x', 'vbscript:x', 'data:text/html,x', 'blob:x', 'file:///etc/passwd']) {
      const page = new Document([new Element('a', { href }, [new Text('text')])])
      expect(toMarkdown(page, options)).toBe('text\n')
    }
  })

  it('keeps the cells of a wide table in their columns, however many cells span several', () => {
    const rows = Array.from({ length: 400 }, (_, i) => `<tr><th>${i}${`<td colspan=24>show ${i}`.repeat(2)}<td>end ${i}</tr>`).join('')
    const lines = toMarkdown(parse(`<table><tr>${times('<th>h', 50)}</tr>${rows}</table>`).document, options).trim().split('\n')
    expect(new Set(lines.slice(2).map((line) => line.split('|').findIndex((cell) => cell.startsWith(' end'))))).toEqual(new Set([50]))
  })

  it('leaves out the nodes that it is told to skip', () => {
    const { document } = parse('<p>a</p><div><p>b</p></div><table><tr><th>x<th>y<tr><td>1<td>2</table>')
    const gone = document.children.filter((_, i) => i === 1)
    expect(toMarkdown(document, { ...options, skip: new Set(gone) })).toBe('a\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n')
  })

  it('ends in one newline and has neither trailing spaces nor two blank lines in a row', () => {
    for (const html of Object.values(pages).filter((page) => page.length < 400_000)) {
      const markdown = toMarkdown(parse(html).document, options)
      expect(markdown === '' || /[^\n]\n$/.test(markdown)).toBe(true)
      if (!markdown.includes('```')) expect(/[ \t]\n|\n\n\n/.test(markdown)).toBe(false)
    }
  })
})
