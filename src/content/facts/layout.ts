import { attribute, type ChildNode, type Document, type Element, isElement, isText, oneLine, textOf, walk } from '../html/tree.ts'
import { percentDecoded } from '../../lib/percent-decoded.ts'
import type { LabelValue } from './meta.ts'

/** A table with a row of headings. */
export interface HeadedTable {
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** What the visible part of a page shows, in order. */
export interface Layout {
  readonly labels: readonly LabelValue[]
  readonly tables: readonly HeadedTable[]
  readonly headings: readonly string[]
  /** Headings of levels 2 and 3. */
  readonly subheadings: readonly string[]
  /** All visible text, with a line break after each block. */
  readonly text: string
  readonly mails: readonly string[]
  readonly phones: readonly string[]
  readonly authors: readonly string[]
}

const maxLabel = 60
const maxValue = 400
const maxHeading = 300
const maxPairs = 2_000
const maxRows = 2_000
const blocks: ReadonlySet<string> = new Set(['p', 'div', 'li', 'tr', 'td', 'th', 'dt', 'dd', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'br', 'section', 'article', 'ul', 'ol', 'table', 'header', 'footer', 'nav', 'main', 'figure', 'blockquote', 'pre', 'form', 'option'])
const labelled = /^([\p{L}][^:：]{0,58}?)\s*[:：]\s*(\S.*)$/u

/** Matches a text that is written twice, once for screen readers. */
const doubled = /^(\p{Lu}.{3,200}?)\s*\1$/u

const children = (element: Element): Element[] => element.children.filter(isElement)
const short = (element: Element, limit: number): string => oneLine(textOf(element, limit * 4 + 400, 400).replace(/\u00ad/g, ''))

/** The text of a heading, with a space at line breaks and box edges. */
function spaced(element: Element): string {
  const parts: string[] = []
  walk(element, (node) => {
    if (isText(node)) parts.push(node.data)
    else if (isElement(node) && (node.name === 'script' || node.name === 'style' || node.name === 'svg' || node.name === 'button')) return false
    else if (isElement(node) && blocks.has(node.name)) parts.push(' ')
    return undefined
  })
  return oneLine(parts.join('').slice(0, maxHeading * 4).replace(/\u00ad/g, ''))
}

/**
 * The first part of a heading that touches the next part without a space (`Black Edition<span>Complete meal`), although
 * they look separate; null when there is none.
 */
function leading(element: Element): string | null {
  const [first, second] = element.children
  if (first === undefined || second === undefined || !isElement(second) || blocks.has(second.name)) return null
  const [own, next] = [isText(first) ? first.data : isElement(first) ? textOf(first, 400, 400) : '', textOf(second, 400, 400)]
  return /[\p{Ll}\d)]$/u.test(own) && /^\p{Lu}/u.test(next) ? oneLine(own) : null
}

const controls: ReadonlySet<string> = new Set(['input', 'select', 'option', 'button', 'textarea'])
const maxLooked = 200

/** Whether an element offers a choice, such as colours and sizes. */
function isChoice(element: Element): boolean {
  let seen = 0
  let found = false
  walk(element, (node) => {
    if (found || ++seen > maxLooked) return false
    if (isElement(node) && controls.has(node.name)) found = true
    return undefined
  })
  return found
}

const hasText = (element: Element): boolean => element.children.some((node) => isText(node) && node.data.trim() !== '')

/** Whether an element, or the only box inside, shows several things side by side: then none of them is the value. */
function isSeveral(element: Element): boolean {
  let at = element
  let inner = children(at)
  for (let depth = 0; inner.length === 1 && inner[0] !== undefined && !hasText(at) && depth < 20; depth++) {
    at = inner[0]
    inner = children(at)
  }
  if (inner.filter((one) => blocks.has(one.name) && one.name !== 'br').length > 1) return true
  return !hasText(at) && new Set(inner.slice(0, 20).map((one) => short(one, 100)).filter((text) => text !== '')).size > 1
}

const struck: ReadonlySet<string> = new Set(['s', 'del', 'strike'])
const struckStyle = /line-through/i

/** Whether part of an element is struck out, such as a former price: its text is then no value. */
function isStruck(element: Element): boolean {
  let seen = 0
  let found = false
  walk(element, (node) => {
    if (found || ++seen > maxLooked) return false
    if (isElement(node) && (struck.has(node.name) || struckStyle.test((attribute(node, 'style') ?? '').slice(0, 500)))) found = true
    return undefined
  })
  return found
}

/** Reads the visible part of a page in one walk. */
class Reader {
  readonly labels: LabelValue[] = []
  readonly tables: HeadedTable[] = []
  readonly headings: string[] = []
  readonly subheadings: string[] = []
  readonly mails = new Set<string>()
  readonly phones = new Set<string>()
  readonly authors = new Set<string>()
  readonly text: string[] = []

  pair(label: string, value: string): void {
    const bare = label.replace(/[:：\s]+$/u, '').trim()
    const once = doubled.exec(value)?.[1] ?? value
    if (bare !== '' && bare.length <= maxLabel && value !== '' && value.length <= maxValue && bare !== value && this.labels.length < maxPairs) this.labels.push({ label: bare, value: once })
  }

  /** Adds a label and the text of the element with its value, if that is a single value. */
  valued(label: string, element: Element): void {
    if (!isSeveral(element) && !isChoice(element) && !isStruck(element)) this.pair(label, short(element, maxValue))
  }

  element(element: Element): void {
    const { name } = element
    if (name === 'dl') this.list(children(element))
    else if (name === 'table') this.table(element)
    else if (name === 'h1') this.headings.push(...[spaced(element), leading(element)].filter((heading) => heading !== null))
    else if ((name === 'h2' || name === 'h3') && this.subheadings.length < 200) this.subheadings.push(spaced(element))
    else if (name === 'a') this.link(element)
    else if (name === 'li' || name === 'p' || name === 'div' || name === 'span' || name === 'tr') this.line(element)
  }

  /** Reads `dt` and `dd` elements, which may be wrapped in pairs. */
  list(items: readonly Element[]): void {
    let label: string | null = null
    for (const item of items) {
      if (item.name === 'div') this.list(children(item))
      else if (item.name === 'dt') label = short(item, maxLabel)
      else if (item.name === 'dd' && label !== null) {
        this.valued(label, item)
        label = null
      }
    }
  }

  /** Reads a line `Label: value`, or a container of a label and a value. */
  line(element: Element): void {
    const inner = children(element)
    if (inner.length > 6) return
    const [first, second] = inner
    const bareText = element.children.some((node) => isText(node) && node.data.trim() !== '')
    if (element.name !== 'tr' && first && second && inner.length === 2 && !bareText) {
      const label = short(first, maxLabel)
      if (/[:：]$/.test(label) || /label|title|name|key|term/i.test(attribute(first, 'class') ?? '')) return this.valued(label, second)
    }
    if (element.name === 'div' && inner.some((one) => blocks.has(one.name) && one.name !== 'br')) return
    const whole = oneLine(textOf(element, maxValue + maxLabel + 10, 60))
    if (whole.length > maxValue + maxLabel) return
    const match = labelled.exec(whole)
    const strong = first !== undefined && /^(?:strong|b|span|em|label|h\d)$/.test(first.name) && element.name !== 'span'
    if (match?.[1] !== undefined && match[2] !== undefined && (strong || match[1].split(' ').length <= 3) && !match[2].startsWith('//') && !isChoice(element) && !isStruck(element)) this.pair(match[1], match[2])
  }

  table(table: Element): void {
    const rows = rowsOf(table)
    const [head] = rows
    if (head === undefined) return
    if (rows.every((row) => row.length === 2) && !(head.every((cell) => cell.name === 'th') && rows.length > 1)) {
      for (const [label, value] of rows) if (label && value) this.valued(short(label, maxLabel), value)
      return
    }
    if (head.length < 2 || rows.length < 2 || !head.every((cell) => cell.name === 'th' || table.children.some((part) => isElement(part) && part.name === 'thead'))) return
    this.tables.push({ headings: head.map((cell) => short(cell, maxLabel)), rows: rows.slice(1).filter((row) => row.length === head.length).map((row) => row.map((cell) => (isStruck(cell) ? '' : short(cell, maxValue)))) })
  }

  link(link: Element): void {
    const href = (attribute(link, 'href') ?? '').trim()
    const target = /^(mailto|tel):([^?]+)/i.exec(href)
    if (target?.[1]?.toLowerCase() === 'mailto') this.mails.add(percentDecoded(target[2] ?? '').trim())
    else if (target) this.phones.add(percentDecoded(target[2] ?? '').trim())
    if (/\bauthor\b/.test(attribute(link, 'rel') ?? '')) this.authors.add(short(link, 100))
  }
}

/** The cells of each row of a table, without those of nested tables. */
function rowsOf(table: Element): Element[][] {
  const rows: Element[][] = []
  for (const part of children(table)) {
    const trs = part.name === 'tr' ? [part] : /^t(?:head|body|foot)$/.test(part.name) ? children(part).filter((row) => row.name === 'tr') : []
    for (const tr of trs) if (rows.length < maxRows) rows.push(children(tr).filter((cell) => cell.name === 'td' || cell.name === 'th'))
  }
  return rows.filter((row) => row.length > 0)
}

/** Reads labels, tables, headings and text outside of `unseen`. */
export function layoutOf(document: Document, unseen: ReadonlySet<ChildNode>, isContent: (element: Element) => boolean): Layout {
  const reader = new Reader()
  const waiting: (ChildNode | '\n')[] = [...document.children].reverse()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node === '\n') reader.text.push('\n')
    else if (isText(node)) reader.text.push(node.data)
    if (node === '\n' || !isElement(node) || unseen.has(node) || !isContent(node)) continue
    reader.element(node)
    const block = blocks.has(node.name)
    if (block) {
      reader.text.push('\n')
      waiting.push('\n')
    }
    for (let i = node.children.length - 1; i >= 0; i--) {
      const child = node.children[i]
      if (child) waiting.push(child)
    }
  }
  const { labels, tables, headings, subheadings } = reader
  return { labels, tables, headings: headings.filter((heading) => heading !== ''), subheadings: subheadings.filter((heading) => heading !== ''), text: reader.text.join(''), mails: [...reader.mails], phones: [...reader.phones], authors: [...reader.authors] }
}
