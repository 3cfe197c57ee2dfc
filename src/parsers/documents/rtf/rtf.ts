import iconv from 'iconv-lite'
import type { Converted } from '../converted.ts'
import { dressed, escapeHtml, link, type Look } from '../html.ts'
import { RtfFormula } from './formula.ts'
import { RtfPictures } from './pictures.ts'
import { type Token, tokens } from './tokens.ts'
import { isSymbolFont, shownIn } from '../symbols.ts'
import { type Place as CellPlace, TextBody } from '../text-body.ts'
import { UnreadableDocument } from '../unreadable.ts'

/** Where the text of a group goes. */
type Place = 'body' | 'nowhere' | 'fonts' | 'styles' | 'marker' | 'instruction' | 'info' | 'title' | 'author' | 'subject' | 'keywords' | 'doccomm' | 'creatim' | 'revtim' | 'formula' | 'picture' | 'properties' | 'property' | 'name' | 'value'

interface Group extends Look {
  readonly place: Place
  /** Number of characters that replace a Unicode character in old programs. */
  readonly spare: number
  readonly font: number
  readonly hidden: boolean
}

const maxDepth = 2_000
const codePages: Readonly<Record<number, string>> = { 2: '1252', 77: 'macintosh', 128: 'shift_jis', 129: 'cp949', 130: 'cp949', 134: 'gbk', 136: 'big5', 161: '1253', 162: '1254', 163: '1258', 177: '1255', 178: '1256', 186: '1257', 204: '1251', 222: '874', 238: '1250' }
const places: Readonly<Record<string, Place>> = {
  fonttbl: 'fonts', stylesheet: 'styles', listtext: 'marker', pntext: 'marker', fldinst: 'instruction', moMath: 'formula', pict: 'picture', picprop: 'properties', sp: 'property', sn: 'name', sv: 'value',
  info: 'info', title: 'title', author: 'author', subject: 'subject', keywords: 'keywords', doccomm: 'doccomm', creatim: 'creatim', revtim: 'revtim',
  ...Object.fromEntries(['colortbl', 'objdata', 'header', 'headerl', 'headerr', 'headerf', 'footer', 'footerl', 'footerr', 'footerf', 'listtable', 'listoverridetable', 'generator', 'themedata', 'nonshppict', 'pn', 'ftnsep', 'ftnsepc', 'annotation', 'xe', 'tc', 'rxe', 'filetbl', 'revtbl', 'shprslt', 'mmathPict', 'operator', 'manager', 'company'].map((name) => [name, 'nowhere' as const])), // a literal of the union
}
/** What a file says about itself: read nowhere but in its `info`. */
const ofInfo: ReadonlySet<Place | undefined> = new Set(['title', 'author', 'subject', 'keywords', 'doccomm', 'creatim', 'revtim'] as const)
/** Destinations that are read although older programs skip them. */
const starred = new Set(['fldinst', 'listtext', 'pntext', 'footnote', 'moMath', 'shpinst', 'do', 'shppict', 'picprop'])
const characters: Readonly<Record<string, string>> = { emdash: '—', endash: '–', lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”', bullet: '•', emspace: ' ', enspace: ' ', tab: '\t' }

class RtfReader {
  readonly body = new TextBody()
  readonly info = new Map<string, string>()
  readonly #fonts = new Map<number, string>()
  readonly #names = new Map<number, string>()
  /** Monospaced fonts. */
  readonly #even = new Set<number>()
  readonly #formula = new RtfFormula()
  readonly pictures = new RtfPictures()
  readonly #styles = new Map<number, string>()
  readonly #stack: Group[] = []
  readonly #links: { readonly depth: number; readonly href: string | undefined }[] = []
  /** Depths of the groups with the text of a footnote or of a text box. */
  readonly #inner: number[] = []
  #group: Group = { place: 'body', spare: 1, font: -1, hidden: false }
  #codePage = '1252'
  #defaultFont = 0
  /** Bytes, or letters that are written by their codes, until something else follows: a letter may have several codes. */
  #pending = ''
  #letters = ''
  #skip = 0
  #star = false
  #style = -1
  #instruction = ''
  /** The places of the cells of a row, which hold until others are given. Rows share them: a file may have many of both. */
  #cells: CellPlace[] = []
  #continues = false

  read(source: string): void {
    for (const token of tokens(source)) this.#take(token)
    this.#flush()
    this.body.endParagraph()
  }

  #take(token: Token): void {
    // The replacement of a Unicode character is skipped, character, byte or word.
    if (this.#skip > 0 && token.kind !== 'open' && token.kind !== 'close') {
      if (token.kind !== 'text') return void this.#skip--
      const rest = token.bytes.slice(this.#skip)
      this.#skip = Math.max(0, this.#skip - token.bytes.length)
      if (rest !== '') this.#add(rest)
      return
    }
    if (this.#group.place === 'picture' && (token.kind === 'text' || token.kind === 'binary')) this.pictures[token.kind === 'text' ? 'add' : 'addBytes'](token.bytes)
    else if (token.kind === 'text' || token.kind === 'byte') this.#add(token.bytes)
    else if (token.kind !== 'binary') {
      if (this.#letters === '' || token.kind !== 'word' || token.word !== 'u') this.#flush()
      if (token.kind === 'open') this.#open()
      else if (token.kind === 'close') this.#close()
      else if (token.kind === 'star') this.#star = true
      else if (token.kind === 'sign') this.#text(token.text)
      else this.#word(token.word, token.value)
    }
  }

  #open(): void {
    if (this.#stack.length >= maxDepth) throw new UnreadableDocument('broken')
    this.#stack.push(this.#group)
    this.#star = false
    this.#skip = 0
  }

  #close(): void {
    const before = this.#stack.pop()
    if (before === undefined) return
    if (this.#links.at(-1)?.depth === this.#stack.length) this.#links.pop()
    if (this.#inner.at(-1) === this.#stack.length) {
      this.#inner.pop()
      this.body.end()
    }
    const { place } = this.#group
    if (place !== before.place && (place === 'picture' || place === 'property')) this.#endPicture(place, before)
    this.#show(this.pictures.endShape(this.#stack.length), before)
    if (this.#group.place === 'formula') this.#formula.close(this.#stack.length)
    if (this.#group.place === 'formula' && before.place === 'body') this.body.add(this.#formula.take())
    this.#group = before
    this.#skip = 0
  }

  /** Ends a picture, or a property of one or of a shape, for the group around it. */
  #endPicture(place: 'picture' | 'property', around: Group): void {
    if (place === 'property') this.pictures.endProperty(around.place === 'properties')
    else if (around.place === 'value') this.pictures.keep()
    else this.#show(this.pictures.take(), around)
  }

  #show(html: string, { place, hidden }: Group): void {
    if (html !== '' && place === 'body' && !hidden) this.body.add(link(html, this.#links.at(-1)?.href))
  }

  #add(bytes: string): void {
    if (this.#letters !== '') this.#flush()
    this.#pending += bytes
  }

  get #font(): number {
    return this.#group.font < 0 ? this.#defaultFont : this.#group.font
  }

  #flush(): void {
    if (this.#letters !== '') this.#text(this.#letters)
    this.#letters = ''
    if (this.#pending === '') return
    const page = isSymbolFont(this.#names.get(this.#font)) ? 'latin1' : (this.#fonts.get(this.#font) ?? this.#codePage)
    const bytes = Buffer.from(this.#pending, 'latin1')
    this.#pending = ''
    this.#text(iconv.decode(bytes, iconv.encodingExists(page) ? page : '1252'))
  }

  #text(text: string): void {
    const { place, hidden } = this.#group
    if (place === 'body' && !hidden) {
      const html = dressed(escapeHtml(shownIn(text, this.#names.get(this.#font))), this.#even.has(this.#font) ? { ...this.#group, code: true } : this.#group)
      this.body.add(link(html, this.#links.at(-1)?.href))
    } else if (place === 'formula') this.#formula.text(text)
    else if (place === 'marker') this.body.marker(text)
    else if (place === 'name') this.pictures.addName(text)
    else if (place === 'value') this.pictures.addValue(text)
    else if (place === 'instruction') this.#instruction += text
    else if (place === 'styles') this.#styles.set(this.#style, `${this.#styles.get(this.#style) ?? ''}${text}`)
    else if (place === 'fonts') this.#names.set(this.#group.font, `${this.#names.get(this.#group.font) ?? ''}${text}`.replace(/;.*$/s, ''))
    else if (ofInfo.has(place)) this.info.set(place, `${this.info.get(place) ?? ''}${text}`)
  }

  #word(word: string, value: number | undefined): void {
    const place = this.#placeOf(word)
    this.#star = false
    if (place !== undefined) {
      if (place === 'instruction') this.#instruction = ''
      if (place === 'picture') this.pictures.start()
      if (word === 'sp') this.pictures.startProperty()
      // Given twice, first without letters that old programs lack: the last one counts.
      this.info.delete(place)
      this.#group = { ...this.#group, place }
      return
    }
    if (this.#group.place === 'creatim' || this.#group.place === 'revtim') return void this.info.set(`${this.#group.place} ${word}`, String(value ?? 0))
    if (this.#group.place === 'picture') return this.pictures.word(word)
    if (this.#group.place === 'formula' && word !== 'u') return this.#formula.open(word, this.#stack.length - 1)
    if (word === 'u' && value !== undefined) {
      this.#letters += String.fromCharCode(value & 0xffff)
      this.#skip = this.#group.spare
      return
    }
    const sign = characters[word]
    if (sign !== undefined) this.#text(sign)
    else if (!this.#setUp(word, value ?? 0) && !this.#format(word, value)) this.#structure(word, value ?? 0)
  }

  #placeOf(word: string): Place | undefined {
    if (this.#group.place === 'nowhere') return undefined
    if (this.#star && !starred.has(word)) return word === 'ud' && this.#group.place === 'info' ? undefined : 'nowhere'
    // Of a shape's properties only the picture that it shows counts; a picture has no other.
    if (word === 'pict' && this.#group.place !== 'body' && !(this.#group.place === 'value' && this.pictures.isShown)) return 'nowhere'
    const place = places[word]
    return ofInfo.has(place) && this.#group.place !== 'info' ? undefined : place
  }

  /** Handles words about the file's encoding and fonts. */
  #setUp(word: string, value: number): boolean {
    const { place } = this.#group
    if (word === 'ansicpg') this.#codePage = value === 65001 ? 'utf8' : String(value)
    else if (word === 'mac') this.#codePage = 'macintosh'
    else if (word === 'deff') this.#defaultFont = value
    else if (word === 'uc') this.#group = { ...this.#group, spare: Math.min(100, Math.max(0, value)) }
    else if (word === 'f') this.#group = { ...this.#group, font: value }
    else if (word === 'fcharset' && place === 'fonts') {
      const page = codePages[value]
      if (page !== undefined) this.#fonts.set(this.#group.font, page)
    } else if (word === 'fmodern' && place === 'fonts') this.#even.add(this.#group.font)
    else if (place === 'styles' && (word === 's' || word === 'cs' || word === 'ts')) this.#style = word === 's' ? value : -1
    else return false
    return true
  }

  #format(word: string, value: number | undefined): boolean {
    const on = value !== 0
    if (word === 'b') this.#group = { ...this.#group, bold: on }
    else if (word === 'i') this.#group = { ...this.#group, italic: on }
    else if (word === 'strike' || word === 'striked') this.#group = { ...this.#group, strike: on }
    else if (word === 'super') this.#group = { ...this.#group, raised: on, lowered: false }
    else if (word === 'sub') this.#group = { ...this.#group, lowered: on, raised: false }
    else if (word === 'nosupersub') this.#group = { ...this.#group, raised: false, lowered: false }
    else if (word === 'v' || word === 'deleted' || word === 'mvf') this.#group = { ...this.#group, hidden: on }
    else if (word === 'plain') {
      const { place, spare } = this.#group
      this.#group = { place, spare, font: -1, hidden: false }
    } else return false
    return true
  }

  #structure(word: string, value: number): void {
    if (this.#group.place !== 'body') return
    if (word === 'par' || word === 'sect' || word === 'page') this.body.endParagraph()
    else if (word === 'line') this.body.add('<br>')
    else if (word === 'cell') this.body.endCell()
    else if (word === 'row') this.body.endRow(this.#cells)
    else if (word === 'nestcell') this.#endNestedCell()
    else if (word === 's') this.body.style(this.#styles.get(value)?.replace(/;.*$/s, '').trim() ?? '')
    else if (word === 'fldrslt') this.#links.push({ depth: this.#stack.length - 1, href: /HYPERLINK\s+"([^"]+)"/i.exec(this.#instruction)?.[1] })
    else if (word === 'shpinst') this.pictures.startShape(this.#stack.length - 1)
    else if (word === 'footnote' || word === 'shptxt' || word === 'dptxbxtext') {
      this.#inner.push(this.#stack.length - 1)
      if (word === 'footnote') this.body.startNote()
      else this.body.startBox()
    } else if (!this.#row(word, value)) this.#paragraph(word, value)
  }

  /** Handles words about the cells of a row. */
  #row(word: string, value: number): boolean {
    if (word === 'trowd') this.#cells = []
    else if (word === 'cellx') this.#cells.push({ edge: value, continues: this.#continues })
    if (word === 'trowd' || word === 'cellx') this.#continues = false
    else if (word === 'clvmrg') this.#continues = true
    else return false
    return true
  }

  /** A table within a cell is the paragraphs of that cell. */
  #endNestedCell(): void {
    this.body.set({ inTable: true })
    this.body.endParagraph()
  }

  /** Handles words about paragraphs. */
  #paragraph(word: string, value: number): void {
    if (word === 'pard') this.body.reset()
    else if (word === 'trhdr') this.body.headRow()
    else if (word === 'intbl') this.body.set({ inTable: true })
    else if (word === 'outlinelevel') this.body.set({ heading: value < 6 ? value + 1 : 0 })
    else if (word === 'ls') this.body.set({ list: value > 0 })
    else if (word === 'ilvl') this.body.set({ level: Math.max(0, Math.min(8, value)) })
    else if (word === 'li') this.body.set({ left: value })
    else if (word === 'fi') this.body.set({ first: value })
  }
}

/** A time of the file, which names no time zone; undefined if it is not known. */
function timeIn(info: ReadonlyMap<string, string>, place: 'creatim' | 'revtim'): string | undefined {
  const part = (word: string): string => (info.get(`${place} ${word}`) ?? '0').padStart(2, '0')
  return info.has(`${place} yr`) ? `${part('yr')}-${part('mo')}-${part('dy')}T${part('hr')}:${part('min')}:${part('sec')}` : undefined
}

/** Reads a Rich Text Format file. Throws `UnreadableDocument`. */
export function readRtf(bytes: Uint8Array): Converted {
  const reader = new RtfReader()
  reader.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'))
  const { info } = reader
  return {
    html: reader.body.html(),
    metadata: {
      title: info.get('title'), author: info.get('author'), description: info.get('doccomm') ?? info.get('subject'), keywords: info.get('keywords'),
      publishedTime: timeIn(info, 'creatim'), modifiedTime: timeIn(info, 'revtim'),
    },
    warnings: reader.pictures.warnings(),
  }
}
