import { type Converted, propertiesOf } from '../converted.ts'
import { dressed, escapeHtml, link, type Look, Pictures } from '../html.ts'
import { odfTable } from './table.ts'
import { type Styles, stylesOf } from './styles.ts'
import { all, at, attributeOf, childrenOf, countOf, decodeXml, textIn, type XmlElement, type XmlNode } from '../xml.ts'
import { type Parts, xmlPart } from '../zip.ts'

const maxSpaces = 100
/** Marks an item that continues the one before it, until the list is written; no text contains it. */
const continued = '\0'
/** Elements that are not part of the visible text. */
const unseen = new Set(['tracked-changes', 'forms', 'annotation', 'annotation-end', 'sequence-decls', 'variable-decls', 'user-field-decls', 'presentation-notes', 'soft-page-break', 'bookmark', 'bookmark-start', 'bookmark-end', 'reference-mark-start', 'reference-mark-end', 'toc-mark', 'alphabetical-index-mark', 'table-of-content-source', 'alphabetical-index-source', 'bibliography-source', 'ruby-text', 'title', 'desc', 'settings', 'shapes'])

const isList = (node: XmlNode | undefined): node is XmlElement => typeof node === 'object' && node.name === 'list'
/** Whether an item only holds the deeper levels of the item before. */
const isDeeper = (item: XmlElement): boolean => item.children.length > 0 && item.children.every(isList)

/** Joins adjacent lists: presentations write each item as its own list. A deeper level keeps its list's style. */
function joinedLists(nodes: readonly XmlNode[]): XmlNode[] {
  const made: XmlNode[] = []
  for (const node of nodes) {
    const last = made.at(-1)
    if (typeof node === 'string') continue
    if (!isList(node) || !isList(last)) made.push(node)
    else {
      const style = attributeOf(node, 'style-name') ?? ''
      const items = childrenOf(node).map((item) => (isDeeper(item) ? { ...item, children: childrenOf(item).map((list) => ({ ...list, attributes: { 'style-name': style, ...list.attributes } })) } : item))
      const goesOn = attributeOf(last, 'style-name') === style || childrenOf(node).slice(0, 1).some(isDeeper)
      if (goesOn) made[made.length - 1] = { ...last, children: [...last.children, ...items] }
      else made.push(node)
    }
  }
  return made
}

/** Reads one OpenDocument text or presentation. */
class Reader {
  readonly pictures = new Pictures()
  readonly #parts: Parts
  readonly #styles: Styles
  readonly #notes: string[] = []
  /** The next number of each list, for lists that continue. */
  readonly #counted = new Map<string, number>()
  /** Blocks inside of a paragraph: they are written after it. */
  #floating: string[] = []

  constructor(parts: Parts, styles: Styles) {
    this.#parts = parts
    this.#styles = styles
  }

  blocks(nodes: readonly XmlNode[]): string {
    return nodes.map((node) => (typeof node === 'string' ? '' : this.#block(node))).join('')
  }

  notes(): string {
    return this.#notes.length === 0 ? '' : `<ol>${this.#notes.map((html, i) => `<li id="footnote-${i + 1}">${html}</li>`).join('')}</ol>\n`
  }

  #block(element: XmlElement): string {
    if (unseen.has(element.name)) return ''
    if (element.name === 'h') return this.#with(`<h${Math.max(1, countOf(element, 'outline-level', { most: 6 }))}>`, element)
    if (element.name === 'p') return this.#paragraph(element)
    if (element.name === 'list') return this.#list(element, undefined, 0)
    if (element.name === 'table') return odfTable(element, (cell) => this.#cell(cell))
    if (element.name === 'frame') return this.#frame(element, (html) => `<p>${html}</p>\n`)
    if (element.name === 'page') return this.#page(element)
    return this.blocks(element.children)
  }

  /** A block with an element's inline content, followed by the blocks that float in it. */
  #with(open: string, element: XmlElement): string {
    const outer = this.#floating
    this.#floating = []
    const html = this.inline(element.children)
    const after = this.#floating.join('')
    this.#floating = outer
    return (html.trim() === '' ? '' : `${open}${html}</${/^<(\w+)/.exec(open)?.[1] ?? 'p'}>\n`) + after
  }

  #paragraph(element: XmlElement): string {
    const style = attributeOf(element, 'style-name')
    const role = this.#styles.role(style)
    const level = this.#styles.heading(style)
    if (role === 'title' || level > 0) return this.#with(`<h${Math.max(1, Math.min(6, level))}>`, element)
    if (role === 'code') return `<pre>${this.inline(element.children)}\n</pre>`
    const html = this.#with('<p>', element)
    return role === 'quote' && html !== '' ? `<blockquote>${html}</blockquote>` : html
  }

  #list(element: XmlElement, inherited: string | undefined, level: number): string {
    const style = attributeOf(element, 'style-name') ?? inherited
    const items = childrenOf(element).filter((one) => one.name === 'list-item' || one.name === 'list-header')
    // Numbered headings are written as lists with one heading.
    if (items.some((item) => all(item, 'h').length > 0)) return items.map((item) => this.blocks(item.children)).join('')
    const { ordered, start } = this.#styles.list(style, level)
    const before = attributeOf(element, 'continue-list') ?? (attributeOf(element, 'continue-numbering') === 'true' ? `style ${style}` : undefined)
    const from = countOf(items[0], 'start-value', { most: 100_000, otherwise: before === undefined ? start : (this.#counted.get(before) ?? start) })
    for (const key of [attributeOf(element, 'xml:id'), `style ${style}`]) if (key !== undefined && level === 0) this.#counted.set(key, from + items.length)
    const html = items.map((item) => this.#item(item, style, level)).join('').replaceAll(`</li>${continued}`, '').replaceAll(continued, '<li>').replaceAll('<li></li>', '')
    if (html === '') return ''
    return ordered ? `<ol${from === 1 ? '' : ` start="${from}"`}>${html}</ol>\n` : `<ul>${html}</ul>\n`
  }

  /** A list item; one that only holds a list continues the item before it. */
  #item(item: XmlElement, style: string | undefined, level: number): string {
    const children = childrenOf(item)
    const html = children.map((one) => (one.name === 'list' ? this.#list(one, style, level + 1) : this.#block(one))).join('')
    return isDeeper(item) ? `${continued}${html}</li>` : `<li>${html}</li>`
  }

  #cell(cell: XmlElement): string {
    // A single paragraph becomes the cell's content; several stay separate.
    const blocks = childrenOf(cell).filter((one) => !unseen.has(one.name))
    return blocks.length === 1 && blocks[0]?.name === 'p' ? this.inline(blocks[0].children) : this.blocks(blocks)
  }

  /** A slide; its title becomes a heading. */
  #page(element: XmlElement): string {
    const isTitle = (frame: XmlElement): boolean => attributeOf(frame, 'presentation:class') === 'title'
    const isFurniture = (frame: XmlElement): boolean => /^(?:date-time|footer|page-number|header)$/.test(attributeOf(frame, 'presentation:class') ?? '')
    const shapes = childrenOf(element).filter((one) => one.name !== 'notes' && !isFurniture(one))
    const heading = shapes.filter(isTitle).map((frame) => `<h2>${all(frame, 'p').map((one) => this.inline(one.children)).join(' ')}</h2>\n`).join('')
    const spoken = childrenOf(at(element, 'notes')).filter((frame) => attributeOf(frame, 'presentation:class') === 'notes')
    const notes = this.blocks(all({ name: '', attributes: {}, children: spoken }, 'text-box').flatMap((box) => box.children))
    return `${heading}${this.blocks(shapes.filter((one) => !isTitle(one)))}${notes === '' ? '' : `<blockquote>${notes}</blockquote>\n`}<hr>\n`
  }

  /** A frame holds a text box, a picture, or an object such as a formula; the first one counts. */
  #frame(frame: XmlElement, picture: (html: string) => string): string {
    const box = at(frame, 'text-box')
    if (box !== undefined) return this.blocks(joinedLists(box.children))
    const tables = childrenOf(frame, 'table')
    if (tables.length > 0) return this.blocks(tables)
    const formula = this.#formula(attributeOf(at(frame, 'object'), 'href'))
    if (formula !== '') return picture(formula)
    const path = attributeOf(at(frame, 'image'), 'href')
    if (path === undefined) return ''
    const alt = textIn(at(frame, 'desc')) || textIn(at(frame, 'title'))
    const html = this.pictures.html(path, this.#parts.get(path.replace(/^\.\//, '')), alt)
    return html === '' ? '' : picture(html)
  }

  #formula(href: string | undefined): string {
    const bytes = href === undefined ? undefined : this.#parts.get(`${href.replace(/^\.\/|\/$/g, '')}/content.xml`)
    return bytes === undefined ? '' : (/<math[\s>][^]*<\/math>/.exec(decodeXml(bytes))?.[0].replace('display="block"', '') ?? '')
  }

  inline(nodes: readonly XmlNode[]): string {
    // Line breaks in the file are white space.
    return nodes.map((node) => (typeof node === 'string' ? escapeHtml(node.replace(/\s+/g, ' ')) : this.#inlineElement(node))).join('')
  }

  #inlineElement(element: XmlElement): string {
    if (unseen.has(element.name)) return ''
    switch (element.name) {
      case 'span':
        return dressed(this.inline(element.children), this.#look(element))
      case 'a':
        return link(this.inline(element.children), attributeOf(element, 'href'))
      case 'line-break':
        return '<br>'
      case 'tab':
        return ' '
      case 's':
        return ' '.repeat(countOf(element, 'c', { most: maxSpaces }))
      case 'note':
        return this.#note(element)
      case 'frame':
        return this.#inlineFrame(element)
      case 'list': case 'table': case 'p': case 'h':
        this.#floating.push(this.#block(element))
        return ''
      default:
        return this.inline(element.children)
    }
  }

  #look(element: XmlElement): Look {
    return this.#styles.look(attributeOf(element, 'style-name'))
  }

  #note(element: XmlElement): string {
    const at0 = this.#notes.push('')
    this.#notes[at0 - 1] = this.blocks(at(element, 'note-body')?.children ?? [])
    return `<sup><a href="#footnote-${at0}" id="footnote-ref-${at0}">${at0}</a></sup>`
  }

  #inlineFrame(frame: XmlElement): string {
    let inline = ''
    const block = this.#frame(frame, (html) => {
      inline = html
      return ''
    })
    if (block !== '') this.#floating.push(block)
    return inline
  }
}

/** Reads an OpenDocument text, presentation or drawing. */
export function readOdf(parts: Parts): Converted {
  const content = xmlPart(parts, 'content.xml')
  const reader = new Reader(parts, stylesOf([xmlPart(parts, 'styles.xml'), content]))
  const body = at(content, 'document-content', 'body')
  const html = reader.blocks(childrenOf(body).flatMap((one) => one.children)) + reader.notes()
  return { html: html.replaceAll('</pre><pre>', '').replaceAll('</blockquote><blockquote>', '').replace(/<hr>\n$/, ''), metadata: propertiesOf(xmlPart(parts, 'meta.xml')), warnings: reader.pictures.warnings() }
}
