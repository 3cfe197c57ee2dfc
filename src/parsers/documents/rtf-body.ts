import { type Cell, flow, type Paragraph, table } from './html.ts'

const numbered = /^\s*[([]?(\d{1,6}|[a-z]{1,2}|[ivxlc]{1,6})[.)\]]/i
/** A marker that is written as text before a tab, as converters do. */
const written = /^\s*(?:[•·◦▪●○*–-]|[([]?(?:\d{1,4}|[a-z]|[ivxlc]{1,5})[.)])\s*\t\s*/i
/** A paragraph in a font of equally wide letters alone. */
const isCode = /^(?:<code>[^<]*<\/code>|<br>|\s)*$/
/** Twentieths of a point by which the levels of such lists are set apart. */
const indent = 360
const maxNotes = 10_000

interface Settings {
  heading: number
  quote: boolean
  inTable: boolean
  list: boolean
  level: number
  left: number
  first: number
}

const plain = (): Settings => ({ heading: 0, quote: false, inTable: false, list: false, level: 0, left: 0, first: 0 })

/** One run of text: the body, or a footnote. */
class Flow {
  readonly #parts: string[] = []
  #paragraphs: Paragraph[] = []
  #rows: Cell[][] = []
  #heads = 0
  #cells: Cell[] = []
  #cell: string[] = []
  #text = ''
  marker = ''
  settings = plain()
  headRow = false

  add(html: string): void {
    this.#text += html
  }

  endParagraph(): void {
    const html = this.#text
    this.#text = ''
    const { inTable, heading, quote } = this.settings
    const marker = this.marker
    this.marker = ''
    if (html.trim() === '') return
    if (inTable) return void this.#cell.push(this.#plain(html))
    this.#endTable()
    if (heading > 0) this.#paragraphs.push({ tag: headingTags[Math.min(heading, 6) - 1] ?? 'p', html: this.#plain(html).replace(/<\/?(?:strong|em)>/g, '') })
    else if (isCode.test(html) && marker === '') this.#block(`<pre>${html.replace(/<\/?code>/g, '').replace(/(?:<br>)+/g, '\n')}\n</pre>`)
    else if (quote) this.#block(`<blockquote><p>${this.#plain(html)}</p></blockquote>`)
    else this.#paragraphs.push(this.#paragraph(html, marker))
  }

  #block(html: string): void {
    this.#endFlow()
    this.#parts.push(html)
  }

  #plain(html: string): string {
    return html.replaceAll('\t', ' ').trim()
  }

  #paragraph(html: string, marker: string): Paragraph {
    const { list, level, left, first } = this.settings
    if (list || marker !== '') return { tag: 'p', html: this.#plain(html), list: { level, ...orderOf(marker) } }
    const inText = first < 0 ? written.exec(html)?.[0] : undefined
    if (inText === undefined) return { tag: 'p', html: this.#plain(html) }
    return { tag: 'p', html: this.#plain(html.slice(inText.length)), list: { level: Math.max(0, Math.round(left / indent) - 1), ...orderOf(inText) } }
  }

  endCell(): void {
    this.settings.inTable = true
    this.endParagraph()
    this.#cells.push({ html: this.#cell.join('<br>') })
    this.#cell = []
  }

  endRow(): void {
    this.#endFlow()
    if (this.headRow && this.#rows.length === this.#heads) this.#heads++
    this.headRow = false
    this.#rows.push(this.#cells)
    this.#cells = []
  }

  #endFlow(): void {
    if (this.#paragraphs.length > 0) this.#parts.push(flow(this.#paragraphs))
    this.#paragraphs = []
  }

  #endTable(): void {
    if (this.#rows.length === 0) return
    this.#parts.push(table(this.#rows, this.#heads === 0 && this.#rows.length > 1 ? 1 : this.#heads))
    this.#rows = []
    this.#heads = 0
  }

  html(): string {
    this.settings.inTable = this.#cells.length > 0
    this.endParagraph()
    if (this.#cells.length > 0) this.endRow()
    this.#endTable()
    this.#endFlow()
    return this.#parts.join('').replaceAll('</pre><pre>', '').replaceAll('</blockquote><blockquote>', '')
  }
}

const headingTags = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const

function orderOf(marker: string): { ordered: boolean; start?: number } {
  const number = numbered.exec(marker)?.[1]
  if (number === undefined) return { ordered: false }
  return /^\d/.test(number) ? { ordered: true, start: Number(number) } : { ordered: true }
}

/** Builds the text of an RTF file from what its words say: paragraphs, lists, tables, footnotes. */
export class RtfBody {
  readonly #main = new Flow()
  readonly #notes: Flow[] = []
  /** Where text goes now: the body, or the footnote that is open. */
  #open: Flow[] = [this.#main]

  get #here(): Flow {
    return this.#open.at(-1) ?? this.#main
  }

  add(html: string): void {
    this.#here.add(html)
  }

  /** The number or bullet of the item that follows. */
  marker(text: string): void {
    this.#here.marker += text
  }

  style(name: string): void {
    const level = /^heading (\d)$/i.exec(name)?.[1]
    this.#here.settings.heading = name.toLowerCase() === 'title' ? 1 : Number(level ?? 0)
    this.#here.settings.quote = /^(?:quote|quotations|block text|intense quote)$/i.test(name)
  }

  set(word: string, value: number): void {
    const { settings } = this.#here
    if (word === 'pard') this.#here.settings = plain()
    else if (word === 'trhdr') this.#here.headRow = true
    else if (word === 'intbl') settings.inTable = true
    else if (word === 'outlinelevel') settings.heading = value < 6 ? value + 1 : 0
    else if (word === 'ls') settings.list = value > 0
    else if (word === 'ilvl') settings.level = Math.max(0, Math.min(8, value))
    else if (word === 'li') settings.left = value
    else if (word === 'fi') settings.first = value
  }

  endParagraph(): void {
    this.#here.endParagraph()
  }

  endCell(): void {
    this.#here.endCell()
  }

  endRow(): void {
    this.#here.endRow()
  }

  startNote(): void {
    const note = new Flow()
    if (this.#notes.length < maxNotes) {
      const number = this.#notes.push(note)
      this.add(`<sup><a href="#footnote-${number}" id="footnote-ref-${number}">${number}</a></sup>`)
    }
    this.#open.push(note)
  }

  endNote(): void {
    if (this.#open.length > 1) this.#open.pop()
  }

  html(): string {
    this.#open = [this.#main]
    const notes = this.#notes.map((note, i) => `<li id="footnote-${i + 1}">${note.html()}</li>`).join('')
    return this.#main.html() + (notes === '' ? '' : `<ol>${notes}</ol>\n`)
  }
}
