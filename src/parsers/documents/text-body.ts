import { type Cell, codeBlock, escapeHtml, flow, type Paragraph, table } from './html.ts'

/** Matches a number as lists of HTML have it. */
const numbered = /^\s*[([]?(?:(\d{1,6})[.)\]:]*|(?:[a-z]{1,2}|[ivxlc]{1,6})[.)\]:]+)\s*$/i
/** Matches a list marker written as text before a tab, as converters do. */
const written = /^\s*(?:[•·◦▪●○*–-]|[([]?(?:\d{1,4}|[a-z]|[ivxlc]{1,5})[.)])\s*\t\s*/i
/** Indentation of one level of such lists, in twips (twentieths of a point). */
const indent = 360
const maxNotes = 10_000

/** The properties of a paragraph. */
export interface Settings {
  /** Heading level from 1; 0 for none. */
  heading: number
  quote: boolean
  inTable: boolean
  list: boolean
  /** Level of a list item, from 0. */
  level: number
  /** Indentation in twips, and the additional indentation of the first line. */
  left: number
  first: number
}

/** The position of a cell in the grid of its table. */
export interface Place {
  /** Its right edge, in twips. */
  readonly edge: number
  /** Whether it continues the cell above. */
  readonly continues: boolean
}

const plain = (): Settings => ({ heading: 0, quote: false, inTable: false, list: false, level: 0, left: 0, first: 0 })

/** A flow of text: the body, or a footnote. */
class Flow {
  readonly #parts: string[] = []
  #paragraphs: Paragraph[] = []
  #rows: Cell[][] = []
  /** The positions of each row's cells, if known. */
  #grid: (readonly Place[])[] = []
  #heads = 0
  #cells: Cell[] = []
  #cell: string[] = []
  #text = ''
  #broken = false
  readonly #boxes: string[] = []
  /** Text boxes of the open table. */
  readonly #held: string[] = []
  marker = ''
  settings = plain()
  headRow = false

  add(html: string): void {
    this.#text += this.#broken && this.#text !== '' ? `<br>${html}` : html
    this.#broken = false
  }

  break(): void {
    this.#broken = true
  }

  endParagraph(): void {
    this.#writeParagraph()
    if (this.settings.inTable) this.#held.push(...this.#boxes.splice(0))
    else this.#writeBoxes()
  }

  /** Adds a text box, which is written after the paragraph or table. */
  box(html: string): void {
    this.#boxes.push(html)
  }

  #writeBoxes(): void {
    if (this.#boxes.length > 0) this.#endTable()
    for (const html of this.#boxes.splice(0)) this.#block(html)
  }

  #writeParagraph(): void {
    const html = this.#text
    this.#text = ''
    this.#broken = false
    const { inTable, heading, quote } = this.settings
    const marker = this.marker
    this.marker = ''
    if (html.trim() === '') {
      // It parts tables, if it does not stand in an open row.
      if (!inTable && this.#cells.length === 0 && this.#cell.length === 0) this.#endTable()
      return
    }
    if (inTable) return void this.#cell.push(`${labelOf(marker)}${this.#plain(html)}`)
    this.#endTable()
    const code = marker === '' ? codeBlock(html) : undefined
    if (heading > 0) this.#paragraphs.push({ tag: headingTags[Math.min(heading, 6) - 1] ?? 'p', html: labelOf(marker) + this.#plain(html).replace(/<\/?(?:strong|em)>/g, '') })
    else if (code !== undefined) this.#block(code)
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
    if (!numbered.test(marker) && labelOf(marker) !== '') return { tag: 'p', html: labelOf(marker) + this.#plain(html) }
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

  endRow(places: readonly Place[]): void {
    this.#endFlow()
    if (this.headRow && this.#rows.length === this.#heads) this.#heads++
    this.headRow = false
    this.#rows.push(this.#cells)
    this.#grid.push(places)
    this.#cells = []
  }

  #endFlow(): void {
    if (this.#paragraphs.length > 0) this.#parts.push(flow(this.#paragraphs))
    this.#paragraphs = []
  }

  #endTable(): void {
    if (this.#rows.length === 0) return void this.#parts.push(...this.#held.splice(0))
    const rows = this.#rows.every((row, i) => row.length === this.#grid[i]?.length) ? spanned(this.#rows, this.#grid) : this.#rows
    this.#parts.push(table(rows, this.#heads === 0 && rows.length > 1 ? 1 : this.#heads), ...this.#held.splice(0))
    this.#rows = []
    this.#grid = []
    this.#heads = 0
  }

  html(): string {
    this.settings.inTable = this.#cells.length > 0
    this.endParagraph()
    if (this.#cells.length > 0) this.endRow([])
    this.#writeBoxes()
    this.#endTable()
    this.#endFlow()
    return this.#parts.join('').replaceAll('</pre><pre>', '').replaceAll('</blockquote><blockquote>', '')
  }
}

const headingTags = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const

function orderOf(marker: string): { ordered: boolean; value?: number } {
  const found = numbered.exec(marker)
  return found === null ? { ordered: false } : found[1] === undefined ? { ordered: true } : { ordered: true, value: Number(found[1]) }
}

/** A marker that says something, such as `2.1` or `§ 1`, before what it marks; '' for a bullet, which may be a single letter. */
function labelOf(marker: string): string {
  const text = escapeHtml(marker.replace(/\s+/g, ' ').trim())
  return numbered.test(marker) || (text.length > 1 && /\d|\p{L}[^]*[.)\]:]|\p{L}{2}/u.test(text)) ? `${text} ` : ''
}

/** By how many twips edges of the same column may differ. */
const tolerance = 30
const maxColumns = 200

/** The cells of rows with known edges, with their column and row spans. */
function spanned(rows: readonly (readonly Cell[])[], grid: readonly (readonly Place[])[]): Cell[][] {
  const all = [...new Set(grid.flatMap((places) => places.map(({ edge }) => edge)))].sort((a, b) => a - b)
  const columns = all.filter((edge, i) => i === 0 || edge - (all[i - 1] ?? 0) > tolerance)
  if (columns.length > maxColumns) return rows.map((row) => [...row])
  const columnOf = (edge: number): number => columns.findLastIndex((column) => column <= edge)
  /** By column, the cell that begins there and may continue below. */
  const above = new Map<number, { html: string; columns: number; rows: number }>()
  return rows.map((row, i) => {
    let from = -1
    return row.flatMap((cell, k) => {
      const { edge = 0, continues = false } = grid[i]?.[k] ?? {}
      const begins = from
      from = Math.max(from, columnOf(edge))
      const upper = above.get(begins)
      if (continues && upper !== undefined) {
        upper.rows++
        if (cell.html !== '') upper.html += `${upper.html === '' ? '' : '<br>'}${cell.html}`
        return []
      }
      const own = { html: cell.html, columns: Math.max(1, from - begins), rows: 1 }
      above.set(begins, own)
      return [own]
    })
  })
}

/** Builds the text of a word processor file from a sequence of its parts: paragraphs, lists, tables, footnotes. */
export class TextBody {
  readonly #main = new Flow()
  readonly #notes: Flow[] = []
  /** Where text goes: the body, or the open footnote or text box. */
  readonly #open: Flow[] = [this.#main]
  readonly #boxes = new Set<Flow>()

  get #here(): Flow {
    return this.#open.at(-1) ?? this.#main
  }

  add(html: string): void {
    this.#here.add(html)
  }

  /** Adds a line break, unless it is at the start or end of the paragraph. */
  break(): void {
    this.#here.break()
  }

  /** Adds the number or bullet of the next item. */
  marker(text: string): void {
    this.#here.marker += text
  }

  /** Applies the paragraph style with that name. */
  style(name: string): void {
    this.set(styled(name))
  }

  /** Sets properties of this paragraph and those that follow. */
  set(settings: Partial<Settings>): void {
    Object.assign(this.#here.settings, settings)
  }

  /** Resets the properties of paragraphs. */
  reset(): void {
    this.#here.settings = plain()
  }

  /** Marks the current row as part of the table's head. */
  headRow(): void {
    this.#here.headRow = true
  }

  endParagraph(): void {
    this.#here.endParagraph()
  }

  endCell(): void {
    this.#here.endCell()
  }

  /** Ends a row; `places` are the positions of its cells, if the file gives them. */
  endRow(places: readonly Place[] = []): void {
    this.#here.endRow(places)
  }

  startNote(): void {
    const note = new Flow()
    if (this.#notes.length < maxNotes) {
      const number = this.#notes.push(note)
      this.add(`<sup><a href="#footnote-${number}" id="footnote-ref-${number}">${number}</a></sup>`)
    }
    this.#open.push(note)
  }

  /** Starts a text box; one within another is a part of that. */
  startBox(): void {
    const box = this.#boxes.has(this.#here) ? this.#here : new Flow()
    this.#boxes.add(box)
    this.#open.push(box)
  }

  /** Ends the innermost footnote or text box. */
  end(): void {
    const inner = this.#open.length > 1 ? this.#open.pop() : undefined
    if (inner !== undefined && inner !== this.#here && this.#boxes.has(inner)) this.#here.box(inner.html())
  }

  html(): string {
    while (this.#open.length > 1) this.end()
    const notes = this.#notes.map((note, i) => `<li id="footnote-${i + 1}">${note.html()}</li>`).join('')
    return this.#main.html() + (notes === '' ? '' : `<ol>${notes}</ol>\n`)
  }
}

/** The properties that the name of a style implies. */
export function styled(name: string): Pick<Settings, 'heading' | 'quote'> {
  const level = /^heading (\d)$/i.exec(name)?.[1]
  return { heading: name.toLowerCase() === 'title' ? 1 : Number(level ?? 0), quote: /^(?:quote|quotations|block text|intense quote)$/i.test(name) }
}
