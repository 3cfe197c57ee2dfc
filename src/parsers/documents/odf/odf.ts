import { type Converted, propertiesOf } from '../converted.ts'
import { dressed, escapeHtml, kindOfPicture, link, Pictures } from '../html.ts'
import { isDeeper, joinedLists } from './lists.ts'
import { objectIn } from './objects.ts'
import { odfTable } from './table.ts'
import { Counters, isBare, type Marker, maxLevel, mostItems } from '../numbering.ts'
import { type Styles, stylesOf } from './styles.ts'
import { shownIn } from '../symbols.ts'
import { all, at, attributeOf, childrenOf, countOf, decodeXml, parseXml, textIn, type XmlElement, type XmlNode } from '../xml.ts'
import { type Parts, xmlPart } from '../zip.ts'

const maxSpaces = 100
/** Marks an item that continues the one before it, until the list is written; no text contains it. */
const continued = '\0'
/** Elements that are not part of the visible text. */
const unseen = new Set(['tracked-changes', 'forms', 'annotation', 'annotation-end', 'sequence-decls', 'variable-decls', 'user-field-decls', 'presentation-notes', 'soft-page-break', 'bookmark', 'bookmark-start', 'bookmark-end', 'reference-mark-start', 'reference-mark-end', 'toc-mark', 'alphabetical-index-mark', 'table-of-content-source', 'alphabetical-index-source', 'bibliography-source', 'ruby-text', 'desc', 'settings', 'shapes'])
/** Whether an element is not part of the visible text; the title of a drawing is none, while a field may show the title of the text. */
const isUnseen = ({ name, prefix }: XmlElement): boolean => unseen.has(name) || (name === 'title' && prefix !== 'text')

/** A list, or a part of it that is nested. */
interface List {
  readonly style: string | undefined
  readonly counter: string
  readonly level: number
}

const labelOf = (marker: Marker | null | undefined): string => (marker === null || marker === undefined || marker.text === '' ? '' : `${escapeHtml(marker.text)} `)

/** The number that an item or a heading starts anew with. */
function startOf(element: XmlElement): number | undefined {
  const start = countOf(element, 'start-value', { most: mostItems, otherwise: -1 })
  return start < 0 ? undefined : start
}

/** Reads one OpenDocument text or presentation. */
class Reader {
  readonly pictures = new Pictures()
  readonly #parts: Parts
  readonly #styles: Styles
  readonly #notes: string[] = []
  readonly #counters = new Counters()
  /** The counters of lists that others may continue, by what these call them. */
  readonly #counted = new Map<string, string>()
  #lists = 0
  /** How many slides are not displayed. */
  hidden = 0
  /** How many tables are not written whole. */
  cut = 0
  /** How many objects are of a kind that is not read, and have no picture. */
  objects = 0
  /** The font of the letters that are read. */
  #font: string | undefined
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
    if (isUnseen(element) || this.#isHidden(element)) return ''
    if (element.name === 'h') return this.#heading(element)
    if (element.name === 'p') return this.#paragraph(element)
    if (element.name === 'list') return this.#list(element)
    if (element.name === 'table') return this.#table(element)
    if (element.name === 'frame') return this.#frame(element, (html) => `<p>${html}</p>\n`)
    if (element.name === 'page') return this.#page(element)
    return this.blocks(element.children)
  }

  /** Whether a paragraph, a section or a slide is not displayed. */
  #isHidden(element: XmlElement): boolean {
    const isHidden = this.#styles.hides(attributeOf(element, 'style-name')) || (element.name === 'section' && attributeOf(element, 'display') === 'none')
    if (isHidden && element.name === 'page') this.hidden++
    return isHidden
  }

  #heading(element: XmlElement, label = this.#outlined(element)): string {
    return this.#with(`<h${Math.max(1, countOf(element, 'outline-level', { most: 6 }))}>${label}`, element)
  }

  /** The number of a heading outside of lists. */
  #outlined(element: XmlElement): string {
    const name = attributeOf(element, 'is-list-header') === 'true' ? undefined : this.#styles.outline(attributeOf(element, 'style-name'))
    const level = Math.max(1, countOf(element, 'outline-level', { most: maxLevel + 1 }))
    return name === undefined ? '' : labelOf(this.#counters.next(name, this.#styles.levels(name), level - 1, startOf(element)))
  }

  /** A block with an element's inline content, followed by the blocks that float in it. */
  #with(open: string, element: XmlElement): string {
    const outer = this.#floating
    this.#floating = []
    const html = this.#content(element)
    const after = this.#floating.join('')
    this.#floating = outer
    return (html.trim() === '' ? '' : `${open}${html}</${/^<(\w+)/.exec(open)?.[1] ?? 'p'}>\n`) + after
  }

  #paragraph(element: XmlElement, label = ''): string {
    const style = attributeOf(element, 'style-name')
    const role = this.#styles.role(style)
    const level = this.#styles.heading(style)
    if (role === 'title' || level > 0) return this.#with(`<h${Math.max(1, Math.min(6, level))}>${label}`, element)
    if (role === 'code') return `<pre>${label}${this.#content(element)}\n</pre>`
    const html = this.#with(`<p>${label}`, element)
    return role === 'quote' && html !== '' ? `<blockquote>${html}</blockquote>` : html
  }

  #list(element: XmlElement, around?: List): string {
    const style = attributeOf(element, 'style-name') ?? around?.style
    const list: List = { style, counter: around?.counter ?? this.#counterOf(element, style), level: around === undefined ? 0 : around.level + 1 }
    const items = childrenOf(element).filter((one) => one.name === 'list-item' || one.name === 'list-header')
    // Numbered headings are written as lists with one heading.
    const bare = items.some((item) => all(item, 'h').length > 0) || isBare(this.#styles.levels(style), list.level)
    let open = ''
    let expected = 1
    const written = items.map((item) => {
      const goesOn = isDeeper(item) || item.name === 'list-header'
      const marker = goesOn ? undefined : this.#counters.next(list.counter, this.#styles.levels(attributeOf(item, 'style-override') ?? style), list.level, startOf(item))
      const html = this.#item(item, list, bare || marker?.item === undefined ? labelOf(marker) : '')
      if (bare) return html
      if (goesOn) return `${continued}${html}</li>`
      if (marker?.item === undefined) return `<li>${html}</li>`
      const { type, value } = marker.item
      if (open === '') {
        open = `<ol${type === '1' ? '' : ` type="${type}"`}${value === 1 ? '' : ` start="${value}"`}>`
        expected = value
      }
      const said = value === expected ? '' : ` value="${value}"`
      expected = value + 1
      return `<li${said}>${html}</li>`
    }).join('')
    if (bare) return written
    const html = written.replaceAll(`</li>${continued}`, '').replaceAll(continued, '<li>').replace(/<li(?: value="\d+")?><\/li>/g, '')
    if (html === '') return ''
    return open === '' ? `<ul>${html}</ul>\n` : `${open}${html}</ol>\n`
  }

  /** The counter of a list outside of others: its own, or that of the list which it continues. */
  #counterOf(element: XmlElement, style: string | undefined): string {
    const before = attributeOf(element, 'continue-list') ?? (attributeOf(element, 'continue-numbering') === 'true' ? `style ${style}` : undefined)
    const counter = (before === undefined ? undefined : this.#counted.get(before)) ?? `list ${++this.#lists}`
    for (const key of [attributeOf(element, 'xml:id'), `style ${style}`]) if (key !== undefined) this.#counted.set(key, counter)
    return counter
  }

  /** What a list item holds, with its label before its first paragraph or heading. */
  #item(item: XmlElement, list: List, label: string): string {
    const children = childrenOf(item).filter((one) => !this.#isHidden(one))
    const labelled = children.find((one) => one.name === 'p' || one.name === 'h')
    return children.map((one) => {
      if (one.name === 'list') return this.#list(one, list)
      const own = one === labelled ? label : ''
      return one.name === 'h' ? this.#heading(one, own) : one.name === 'p' ? this.#paragraph(one, own) : this.#block(one)
    }).join('')
  }

  #table(element: XmlElement): string {
    const { html, isCut } = odfTable(element, (cell) => this.#cell(cell))
    if (isCut) this.cut++
    return html
  }

  #cell(cell: XmlElement): string {
    // A single paragraph becomes the cell's content; several stay separate.
    const blocks = childrenOf(cell).filter((one) => !isUnseen(one) && !this.#isHidden(one))
    return blocks.length === 1 && blocks[0]?.name === 'p' ? this.#content(blocks[0]) : this.blocks(blocks)
  }

  /** A slide; its title becomes a heading. */
  #page(element: XmlElement): string {
    const isTitle = (frame: XmlElement): boolean => attributeOf(frame, 'class') === 'title'
    const isFurniture = (frame: XmlElement): boolean => /^(?:date-time|footer|page-number|header)$/.test(attributeOf(frame, 'class') ?? '')
    const shapes = childrenOf(element).filter((one) => one.name !== 'notes' && !isFurniture(one))
    const heading = shapes.filter(isTitle).map((frame) => `<h2>${all(frame, 'p').map((one) => this.#content(one)).join(' ')}</h2>\n`).join('')
    const spoken = childrenOf(at(element, 'notes')).filter((frame) => attributeOf(frame, 'class') === 'notes')
    const notes = this.blocks(all({ name: '', attributes: {}, children: spoken }, 'text-box').flatMap((box) => box.children))
    return `${heading}${this.blocks(shapes.filter((one) => !isTitle(one)))}${notes === '' ? '' : `<blockquote>${notes}</blockquote>\n`}<hr>\n`
  }

  /** A frame holds a text box, a picture, or an object such as a formula; the first one counts. */
  #frame(frame: XmlElement, picture: (html: string) => string): string {
    const box = at(frame, 'text-box')
    if (box !== undefined) return this.blocks(joinedLists(box.children))
    const tables = childrenOf(frame, 'table')
    if (tables.length > 0) return this.blocks(tables)
    const object = at(frame, 'object') ?? at(frame, 'object-ole')
    const shown = objectIn(this.#parts, object)
    if (shown !== undefined) return 'chart' in shown ? shown.chart : picture(shown.formula)
    const image = at(frame, 'image')
    const path = attributeOf(image, 'href')
    const own = at(image, 'binary-data')
    if (path === undefined && own === undefined) {
      if (object !== undefined) this.objects++
      return ''
    }
    const alt = textIn(at(frame, 'desc')) || textIn(at(frame, 'title'))
    const bytes = own === undefined ? this.#parts.get((path ?? '').replace(/^\.\//, '')) : Buffer.from(textIn(own), 'base64')
    const html = this.pictures.html(path ?? kindOfPicture(bytes), bytes, alt)
    return html === '' ? '' : picture(html)
  }

  /** What an element holds, in its own font. */
  #content(element: XmlElement, font = this.#look(element).font): string {
    const outer = this.#font
    this.#font = font
    const html = this.inline(element.children)
    this.#font = outer
    return html
  }

  inline(nodes: readonly XmlNode[]): string {
    // Line breaks in the file are white space.
    return nodes.map((node) => (typeof node === 'string' ? escapeHtml(shownIn(node.replace(/\s+/g, ' '), this.#font)) : this.#inlineElement(node))).join('')
  }

  #inlineElement(element: XmlElement): string {
    if (isUnseen(element)) return ''
    switch (element.name) {
      case 'span':
        return this.#styles.hides(attributeOf(element, 'style-name')) ? '' : dressed(this.#content(element, this.#look(element).font ?? this.#font), this.#look(element))
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

  #look(element: XmlElement): ReturnType<Styles['look']> {
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

/** The trees of a document, and the files that they name. */
interface Source {
  readonly content: XmlElement | undefined
  readonly styles: XmlElement | undefined
  readonly meta: XmlElement | undefined
  readonly parts: Parts
}

/** Reads an OpenDocument text, presentation or drawing. */
export const readOdf = (parts: Parts): Converted => converted({ content: at(xmlPart(parts, 'content.xml'), 'document-content'), styles: xmlPart(parts, 'styles.xml'), meta: xmlPart(parts, 'meta.xml'), parts })

/** Reads one that is a single file of XML, pictures included. */
export function readFlatOdf(bytes: Uint8Array): Converted {
  const content = at(parseXml(decodeXml(bytes)), 'document')
  return converted({ content, styles: undefined, meta: at(content, 'meta'), parts: new Map() })
}

function converted({ content, styles, meta, parts }: Source): Converted {
  const reader = new Reader(parts, stylesOf([styles, content]))
  const html = reader.blocks(childrenOf(at(content, 'body')).flatMap((one) => one.children)) + reader.notes()
  const counted: readonly (readonly [string, number])[] = [
    ['Hidden slides are left out', reader.hidden],
    ['Tables that are longer or wider than is returned are cut', reader.cut],
    ['Embedded objects of other kinds than formulas and charts are left out', reader.objects],
  ]
  const warnings = [...counted.filter(([, count]) => count > 0).map(([what, count]) => `${what} (${count}).`), ...reader.pictures.warnings()]
  return { html: html.replaceAll('</pre><pre>', '').replaceAll('</blockquote><blockquote>', '').replace(/<hr>\n$/, ''), metadata: propertiesOf(meta), warnings }
}
