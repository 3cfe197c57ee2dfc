import type { Link, List, Nodes, PhrasingContent, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, it } from 'vitest'
import { parse } from '../html/parse.ts'
import { toMarkdown } from './index.ts'

/** Random pages are converted to markdown; a parser of GitHub-flavoured markdown must read the same page from it. */

type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'b' | 'i' | 'del'; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'a'; readonly url: string; readonly children: readonly Inline[] }
  | { readonly kind: 'br' }
type Block =
  | { readonly kind: 'p'; readonly children: readonly Inline[] }
  | { readonly kind: 'h2' | 'h3'; readonly children: readonly Inline[] }
  | { readonly kind: 'list'; readonly name: 'ul' | 'ol'; readonly start: number; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: 'blockquote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'pre'; readonly text: string; readonly language: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly kind: 'hr' }

const plainWords = ['alpha', 'beta', 'gamma', 'snake_case', 'x2', 'déjà', '漢字', 'Ünï', 'Z', '42']
const punctuatedWords = [...plainWords, '.', ',', '"q"', '(x)', '「引用」', '…', '“q”', '!', '🙂', ':', 'e.g.', "'", '€5', '—']
const hostileWords = [
  ...plainWords, '2*3', '*', '**', '_x_', '__init__', '*a*', '#', '##', '-', '+', '1.', '12)', '>', '`', '``', 'a`b', '[', ']', '](', '[a](b)', '[a]: b', '<b>', '<', '</p>', '<!--',
  '&amp;', '&copy', '&copy;', '&#35;', '\\', '\\*', 'C:\\dir', '\\\\', '|', 'a|b', '~~', '~', '~x~', '=', '===', '---', '***', '___', '!', '![', '!x', '「引用」', '…', '“q”', 'e.g.', '(x)', '[^1]',
  '[ ]', '[x]', 'é', '🙂', "'", ':', ':-', '|-', '~~~', '```', '*x', 'x*', '_x', 'x_', '**x', 'x**', '.', ',', '"', '<a@b.example>', '<http://x.example>', '{', '^',
]

/** A break between words: two consecutive breaks are a new paragraph. */
const broken: readonly Inline[] = [{ kind: 'text', text: 'before' }, { kind: 'br' }, { kind: 'text', text: 'after ' }]

class Random {
  #state: number
  constructor(seed: number) {
    this.#state = seed * 2654435761 + 1
  }
  below(n: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * n)
  }
  of<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)]
    if (value === undefined) throw new Error('empty choice')
    return value
  }
}

interface Style {
  readonly words: readonly string[]
  /** Inline elements are separated by spaces, as in prose. */
  readonly spaced: boolean
  /** The nesting depth of inline elements. */
  readonly depth: number
}

function inlines(random: Random, style: Style, depth: number, inLink = false, breaks = true): Inline[] {
  const made: Inline[] = []
  const count = 1 + random.below(4)
  for (let i = 0; i < count; i++) {
    const pick = random.below(10)
    if (i > 0 && style.spaced) made.push({ kind: 'text', text: ' ' })
    if (pick < 5 || depth <= 0) made.push({ kind: 'text', text: Array.from({ length: 1 + random.below(4) }, () => random.of(style.words)).join(' ') })
    else if (pick < 8) made.push({ kind: random.of(['b', 'i', 'del'] as const), children: inlines(random, style, depth - 1, inLink, breaks) })
    else if (pick === 8) made.push(...(random.below(3) === 0 && breaks ? broken : []), { kind: 'code', text: random.of(['x', 'a|b', '`', 'a``b', '<i>', '\\', '*a*', '&lt;']) })
    else if (!inLink) made.push({ kind: 'a', url: random.of(['https://x.example/', 'https://x.example/a(b)', 'https://x.example/a)b', 'https://x.example/?q=a&copy=1', 'https://x.example/%20_x_*']), children: inlines(random, style, depth - 1, true, false) })
  }
  return made
}

function blocks(random: Random, style: Style, depth: number): Block[] {
  return Array.from({ length: 1 + random.below(3) }, () => block(random, style, depth))
}

function block(random: Random, style: Style, depth: number): Block {
  const pick = random.below(depth > 0 ? 12 : 6)
  if (pick < 4) return { kind: 'p', children: inlines(random, style, style.depth) }
  if (pick === 4) return { kind: random.of(['h2', 'h3'] as const), children: inlines(random, style, 1, false, false) }
  if (pick === 5) return { kind: 'pre', text: random.of(['a', 'a\n\n  b', '```\nx\n```', '- x\n# y', '~~~']), language: random.of(['', 'js', 'c++']) }
  if (pick < 9) return { kind: 'list', name: random.of(['ul', 'ol'] as const), start: random.of([1, 1, 7, 99]), items: Array.from({ length: 1 + random.below(3) }, () => blocks(random, style, depth - 1)) }
  if (pick === 9) return { kind: 'blockquote', blocks: blocks(random, style, depth - 1) }
  if (pick === 10) return { kind: 'hr' }
  const width = 2 + random.below(2)
  return { kind: 'table', rows: Array.from({ length: 2 + random.below(2) }, () => Array.from({ length: width }, () => inlines(random, style, 1, false, false))) }
}

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function inlineHtml(nodes: readonly Inline[]): string {
  return nodes
    .map((n) => {
      if (n.kind === 'text') return escapeHtml(n.text)
      if (n.kind === 'br') return '<br>'
      if (n.kind === 'code') return `<code>${escapeHtml(n.text)}</code>`
      if (n.kind === 'a') return `<a href="${escapeHtml(n.url)}">${inlineHtml(n.children)}</a>`
      return `<${n.kind}>${inlineHtml(n.children)}</${n.kind}>`
    })
    .join('')
}

function html(nodes: readonly Block[]): string {
  return nodes
    .map((n) => {
      if (n.kind === 'hr') return '<hr>'
      if (n.kind === 'pre') return `<pre><code${n.language === '' ? '' : ` class="language-${n.language}"`}>${escapeHtml(n.text)}</code></pre>`
      if (n.kind === 'blockquote') return `<blockquote>${html(n.blocks)}</blockquote>`
      if (n.kind === 'list') return `<${n.name}${n.name === 'ol' ? ` start="${n.start}"` : ''}>${n.items.map((i) => `<li>${html(i)}</li>`).join('')}</${n.name}>`
      if (n.kind === 'table') {
        const [head = [], ...rows] = n.rows
        const row = (cells: readonly (readonly Inline[])[], tag: string): string => `<tr>${cells.map((c) => `<${tag}>${inlineHtml(c)}</${tag}>`).join('')}</tr>`
        return `<table><thead>${row(head, 'th')}</thead><tbody>${rows.map((r) => row(r, 'td')).join('')}</tbody></table>`
      }
      return `<${n.kind}>${inlineHtml(n.children)}</${n.kind}>`
    })
    .join('\n')
}

/** A visible piece: its text, its marks, and the target of its link. */
type Run = readonly [text: string, marks: string, url: string]

function joinRuns(runs: readonly Run[], marked: boolean): string {
  let all = ''
  let state = ''
  for (const [text, marks, url] of runs) {
    for (const word of text.split(/(\s+)/)) {
      if (word === '') continue
      const next = word.trim() === '' ? state : `{${marked ? marks : marks.replace(/[bid]/g, '')}${url}}`
      if (next !== state) all += next
      state = next
      all += word.trim() === '' ? ' ' : word
    }
  }
  return all.replace(/\{\}$/, '').replace(/ *(\{[^{}]*\}) */g, ' $1').replace(/ +/g, ' ').trim()
}

function modelRuns(nodes: readonly Inline[], marks: string, url: string): Run[] {
  return nodes.flatMap((n): Run[] => {
    if (n.kind === 'text') return [[n.text, marks, url]]
    if (n.kind === 'br') return [['\n', marks, url]]
    if (n.kind === 'code') return [[n.text, `${marks}c`, url]]
    if (n.kind === 'a') return modelRuns(n.children, marks, n.url)
    const mark = n.kind === 'del' ? 'd' : n.kind
    return modelRuns(n.children, marks.includes(mark) ? marks : [...marks, mark].sort().join(''), url)
  })
}

function readRuns(nodes: readonly PhrasingContent[], marks: string, url: string): Run[] {
  return nodes.flatMap((n): Run[] => {
    if (n.type === 'text') return [[n.value, marks, url]]
    if (n.type === 'break') return [['\n', marks, url]]
    if (n.type === 'inlineCode') return [[n.value, `${marks}c`, url]]
    if (n.type === 'html') return n.value === '<br>' ? [['\n', marks, url]] : [[`HTML:${n.value}`, marks, url]]
    if (n.type === 'link') return readRuns(n.children, marks, isAutomatic(n) ? url : n.url)
    const mark = n.type === 'strong' ? 'b' : n.type === 'emphasis' ? 'i' : n.type === 'delete' ? 'd' : null
    if (mark === null || !('children' in n)) return [[`?${n.type}`, marks, url]]
    return readRuns(n.children, marks.includes(mark) ? marks : [...marks, mark].sort().join(''), url)
  })
}

/** The parser turns bare addresses into links; only their text counts. */
function isAutomatic(link: Link): boolean {
  const [only] = link.children
  return only?.type === 'text' && (link.url === only.value || link.url === `mailto:${only.value}` || link.url === `http://${only.value}`)
}

function modelBlocks(nodes: readonly Block[], marked: boolean): string[] {
  return nodes.flatMap((n): string[] => {
    if (n.kind === 'hr') return ['hr']
    if (n.kind === 'pre') return [`code ${n.language} ${JSON.stringify(n.text)}`]
    if (n.kind === 'blockquote') return indent('quote', modelBlocks(n.blocks, marked))
    if (n.kind === 'list') {
      const items = n.items.map((i) => modelBlocks(i, marked)).filter((i) => i.length > 0)
      return items.length === 0 ? [] : indent(n.name, items.flatMap((i) => indent('item', i)))
    }
    if (n.kind === 'table') return indent('table', n.rows.flatMap((r, i) => indent(i === 0 ? 'head' : 'row', r.map((c) => `cell ${joinRuns(modelRuns(c, '', ''), marked && i > 0)}`))))
    const heading = n.kind !== 'p'
    const text = joinRuns(modelRuns(n.children, '', ''), marked && !heading)
    return text === '' ? [] : [`${n.kind} ${text}`]
  })
}

function readBlocks(nodes: readonly RootContent[], marked: boolean): string[] {
  return nodes.flatMap((n): string[] => {
    if (n.type === 'thematicBreak') return ['hr']
    if (n.type === 'code') return [`code ${n.lang ?? ''} ${JSON.stringify(n.value)}`]
    if (n.type === 'blockquote') return indent('quote', readBlocks(n.children, marked))
    if (n.type === 'list') return indent(n.ordered ? 'ol' : 'ul', (n as List).children.flatMap((i) => indent('item', readBlocks(i.children, marked))))
    if (n.type === 'table') return indent('table', n.children.flatMap((r, i) => indent(i === 0 ? 'head' : 'row', r.children.map((c) => `cell ${joinRuns(readRuns(c.children, '', ''), marked && i > 0)}`))))
    if (n.type === 'heading') return [`h${n.depth} ${joinRuns(readRuns(n.children, '', ''), false)}`]
    if (n.type === 'paragraph') return [`p ${joinRuns(readRuns(n.children, '', ''), marked)}`]
    return [`?${(n as Nodes).type}`]
  })
}

function indent(name: string, lines: readonly string[]): string[] {
  return [name, ...lines.map((line) => `  ${line}`)]
}

function roundTrip(seed: number, style: Style, marked: boolean): { wanted: string; read: string; markdown: string } {
  const random = new Random(seed)
  const model = blocks(random, style, 3)
  const markdown = toMarkdown(parse(html(model)).document, { baseUrl: 'https://page.example/', removeBase64Images: true })
  const tree = fromMarkdown(markdown, { extensions: [gfm({ singleTilde: true })], mdastExtensions: [gfmFromMarkdown()] })
  return { wanted: modelBlocks(model, marked).join('\n'), read: readBlocks(tree.children, marked).join('\n'), markdown }
}

describe('markdown read back', { timeout: 60_000 }, () => {
  it('has the blocks, emphasis, links and text of prose', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const { wanted, read, markdown } = roundTrip(seed, { words: plainWords, spaced: true, depth: 2 }, true)
      expect(read, `seed ${seed}\n${markdown}`).toBe(wanted)
    }
  })

  it('has the text, links and blocks of pages full of characters that mean something in markdown', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const { wanted, read, markdown } = roundTrip(seed, { words: hostileWords, spaced: true, depth: 2 }, false)
      expect(read, `seed ${seed}\n${markdown}`).toBe(wanted)
    }
  })

  it('has the text where unnested inline elements touch without a space', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const { wanted, read, markdown } = roundTrip(seed, { words: punctuatedWords, spaced: false, depth: 1 }, false)
      expect(read.replace(/\s/g, ''), `seed ${seed}\n${markdown}`).toBe(wanted.replace(/\s/g, ''))
    }
  })
})
