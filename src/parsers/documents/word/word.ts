import { longAt, type Streams, summaryOf } from '../compound.ts'
import type { Converted } from '../converted.ts'
import { dressed, escapeHtml, link } from '../html.ts'
import { symbolText } from '../symbols.ts'
import { TextBody } from '../text-body.ts'
import { Fields } from './fields.ts'
import { plc, type Range, WordFile } from './file.ts'
import { Formats, type Stretch } from './formats.ts'
import { Lists } from './lists.ts'
import { type Letters, lettersOf, type ParagraphLook, paragraphOf } from './looks.ts'
import { fontsOf, type Font, Styles } from './styles.ts'

/** Special characters in the text ([MS-DOC] 2.4.1). */
const signs = { picture: '\u0001', note: '\u0002', cell: '\u0007', shape: '\u0008', line: '\u000b', page: '\u000c', paragraph: '\r', column: '\u000e', begin: '\u0013', middle: '\u0014', end: '\u0015', hyphen: '\u001e' }
/** Characters that end a paragraph. */
const ends: ReadonlySet<string> = new Set([signs.paragraph, signs.cell])
const isSign = /[\u0001-\u0008\u000b-\u001f]/
/** Characters of symbol fonts have private use codes in the text. */
const privateSigns = /[\uf020-\uf0ff]/g
const maxNotes = 10_000
const maxShapes = 10_000

/** Reads the text of a Word 97 to 2003 file into a body. */
class WordReader {
  readonly body = new TextBody()
  pictures = 0
  readonly #file: WordFile
  /** Number of letters that may still be written: a broken file may make all its notes refer to its whole text. */
  #left: number
  readonly #runs: Formats
  readonly #paragraphs: Formats
  readonly #styles: Styles
  readonly #fonts: readonly Font[]
  readonly #lists: Lists
  /** Foot- and endnotes by the position of the character that refers to them. */
  readonly #notes: ReadonlyMap<number, Range>
  /** Text boxes that were not written yet, by shape; and shapes by the position of their character. */
  readonly #boxes: Map<number, Range>
  readonly #shapes: ReadonlyMap<number, number>
  /** Text that the next text may continue if it has the same look: Word splits runs for reasons of its own. */
  #held: { readonly text: string; readonly letters: Letters; readonly href: string | undefined } | undefined
  #looked: { readonly stretch: Stretch; readonly look: ParagraphLook } | undefined
  /** Boxes that are written after the paragraph or table that they are anchored to. */
  #waiting: Range[] = []

  constructor(file: WordFile) {
    this.#file = file
    this.#left = file.text.length
    this.#runs = new Formats(file.main, file.table('runs'), 'runs')
    this.#paragraphs = new Formats(file.main, file.table('paragraphs'), 'paragraphs')
    this.#styles = new Styles(file.table('styles'))
    this.#fonts = fontsOf(file.table('fonts'))
    this.#lists = new Lists(file)
    this.#notes = new Map([...notesOf(file, 'noteReferences', 'noteTexts', 'notes'), ...notesOf(file, 'endnoteReferences', 'endnoteTexts', 'endnotes')])
    this.#boxes = boxesOf(file)
    const shapes = plc(file.table('shapes'), 26)
    this.#shapes = new Map(Array.from({ length: Math.min(shapes.count, maxShapes) }, (_, i) => [shapes.position(i), longAt(shapes.entry(i), 0)]))
  }

  read(): void {
    this.#range(this.#file.range('main'), true)
    this.#waiting = [...this.#boxes.values()]
    this.#writeWaiting()
  }

  /** Writes a range of the text; anchored boxes and notes only for the main text. */
  #range({ from, to }: Range, isMain: boolean): void {
    this.#left -= to - from
    if (this.#left < 0) return
    const fields = new Fields()
    let at = from
    while (at < to) {
      const place = this.#file.place(at)
      const run = this.#runs.at(place.offset)
      const letters = lettersOf(run.format, this.#look(at).style, this.#styles, this.#fonts)
      const same = Math.ceil((Math.min(run.to, this.#paragraphs.at(place.offset).to) - place.offset) / place.width)
      const end = Math.max(at + 1, Math.min(to, place.to, at + same))
      this.#run({ from: at, to: end }, letters, fields, isMain)
      at = end
    }
    if (!ends.has(this.#file.text[to - 1] ?? '')) this.#endParagraph(to - 1)
  }

  /** Writes letters with the same look. */
  #run({ from, to }: Range, letters: Letters, fields: Fields, isMain: boolean): void {
    const { text } = this.#file
    let start = from
    for (let at = from; at <= to; at++) {
      const sign = text[at] ?? ''
      const hasNote = isMain && this.#notes.has(at)
      if (at < to && !hasNote && !isSign.test(sign)) continue
      this.#write(text.slice(start, at), letters, fields)
      start = at + 1
      if (at === to) return
      if (sign === signs.begin) fields.begin()
      else if (sign === signs.middle) fields.show()
      else if (sign === signs.end) fields.end()
      else if (sign === signs.page || sign === signs.column) this.#break(at)
      else if (sign === signs.paragraph) this.#endParagraph(at)
      else if (sign === signs.cell) this.#endCell(at)
      else if (!letters.hidden && !fields.isHidden) this.#sign(sign, at, letters, isMain)
    }
  }

  #write(text: string, letters: Letters, fields: Fields): void {
    if (text === '' || letters.hidden) return
    if (fields.isHidden) return fields.tell(text)
    const shown = letters.symbol === undefined ? text.replace(privateSigns, (sign) => symbolText(sign.charCodeAt(0) & 0xff, letters.font)) : symbolText(letters.symbol, letters.font).repeat(text.length)
    const { href } = fields
    const goesOn = this.#held !== undefined && this.#held.href === href && looksSame(this.#held.letters, letters)
    if (!goesOn) this.#release()
    this.#held = { text: (this.#held?.text ?? '') + shown, letters, href }
  }

  #release(): void {
    if (this.#held !== undefined) this.body.add(link(dressed(escapeHtml(this.#held.text), this.#held.letters), this.#held.href))
    this.#held = undefined
  }

  #sign(sign: string, at: number, letters: Letters, isMain: boolean): void {
    const note = isMain ? this.#notes.get(at) : undefined
    const box = isMain ? this.#shapes.get(at) : undefined
    this.#release()
    if (note !== undefined) {
      this.body.startNote()
      this.#range(note, false)
      this.body.end()
    } else if (sign === signs.line) this.body.add('<br>')
    else if (sign === signs.hyphen) this.body.add('-')
    else if (sign === signs.picture && letters.special) this.pictures++
    else if (sign === signs.shape && box !== undefined) this.#waiting.push(...this.#taken(box))
  }

  #taken(shape: number): readonly Range[] {
    const box = this.#boxes.get(shape)
    this.#boxes.delete(shape)
    return box === undefined ? [] : [box]
  }

  /** The properties of the paragraph that a letter is in. */
  #look(at: number): ParagraphLook {
    const stretch = this.#paragraphs.at(this.#file.place(at).offset)
    if (this.#looked?.stretch !== stretch) this.#looked = { stretch, look: paragraphOf(stretch.format, this.#styles, this.#file.data) }
    return this.#looked.look
  }

  /**
   * Handles a page or column break, which ends the current paragraph even in its middle; the rest of a list item does not
   * become another item.
   */
  #break(at: number): void {
    const { offset, width } = this.#file.place(at)
    if (this.#look(at).list === 0 || this.#paragraphs.at(offset).to <= offset + width) return this.#endParagraph(at)
    this.#release()
    this.body.break()
  }

  #endParagraph(at: number): void {
    const { style, heading, inTable, list, level, left, first } = this.#look(at)
    this.#release()
    const marker = list === 0 ? undefined : this.#lists.marker(list, level)
    this.body.set({ heading, quote: style.quote, inTable, list: marker !== undefined, level, left, first })
    if (marker !== undefined) this.body.marker(marker)
    this.body.endParagraph()
    if (!inTable) this.#writeWaiting()
  }

  #endCell(at: number): void {
    const { endsRow, places, headRow } = this.#look(at)
    this.#release()
    this.body.set({ heading: 0, quote: false, list: false })
    if (!endsRow) return this.body.endCell()
    if (headRow) this.body.headRow()
    this.body.endRow(places)
  }

  #writeWaiting(): void {
    const boxes = this.#waiting
    this.#waiting = []
    for (const box of boxes) this.#range(box, false)
  }
}

const looksSame = (a: Letters, b: Letters): boolean => a.bold === b.bold && a.italic === b.italic && a.strike === b.strike && a.raised === b.raised && a.lowered === b.lowered && a.code === b.code

function notesOf(file: WordFile, references: 'noteReferences' | 'endnoteReferences', texts: 'noteTexts' | 'endnoteTexts', name: 'notes' | 'endnotes'): readonly (readonly [number, Range])[] {
  const from = plc(file.table(references), 2)
  const to = plc(file.table(texts), 0)
  const all = file.range(name)
  return Array.from({ length: Math.min(from.count, to.count, maxNotes) }, (_, i) => [from.position(i), file.within({ from: all.from + to.position(i), to: all.from + to.position(i + 1) })])
}

function boxesOf(file: WordFile): Map<number, Range> {
  const boxes = plc(file.table('boxTexts'), 22)
  const all = file.range('boxes')
  const ranges = Array.from({ length: Math.min(boxes.count, maxShapes) }, (_, i) => [longAt(boxes.entry(i), 14) || -i, file.within({ from: all.from + boxes.position(i), to: Math.min(all.to, all.from + boxes.position(i + 1)) })] as const) // pairs of a shape and its text
  return new Map(ranges.filter(([, { from, to }]) => to > from))
}

/** Reads a Word 97 to 2003 file ([MS-DOC]). Throws `UnreadableDocument`. */
export function readWord(streams: Streams): Converted {
  const file = new WordFile(streams)
  const reader = new WordReader(file)
  reader.read()
  const { pictures } = reader
  return { html: reader.body.html(), metadata: summaryOf(streams), warnings: pictures === 0 ? [] : [`Pictures of a file in the form of Word 97 to 2003 are left out (${pictures}).`], isCut: file.isCut }
}
