import { target } from '../links.ts'
import { isNode, mcidOf, shifted, shiftOf, type TagLeaf, type TagNode, type TagText, type TaggedPage } from './tags.ts'

/** The style of letters. */
export interface TextLook {
  readonly bold: boolean
  readonly italic: boolean
  readonly struck: boolean
}

const plainLook: TextLook = { bold: false, italic: false, struck: false }

/** A part of a line, with its style and link. */
export interface Piece extends TextLook {
  readonly text: string
  readonly code: boolean
  readonly url: string | null
  /** Its position on the page; null for blank text. */
  readonly place: TagText | null
}

/** Collects the text below nodes, and remembers what it has read. */
export class TagInline {
  readonly page: TaggedPage
  readonly #looks: ReadonlyMap<number, TextLook>
  readonly #read = new Set<string>()
  /** Addresses of the links written so far. */
  readonly linked = new Set<string>()

  constructor(page: TaggedPage, looks: ReadonlyMap<number, TextLook>) {
    this.page = page
    this.#looks = looks
  }

  /** Text that no tag led to. */
  unread(): TagText[] {
    return [...this.page.loose, ...[...this.page.texts].filter(([id]) => !this.#read.has(id)).map(([, text]) => text)].filter(({ text }) => text.trim() !== '')
  }

  pieces(node: TagNode | TagLeaf, around: Omit<Piece, 'text' | 'place'> = { ...plainLook, code: false, url: null }): Piece[] {
    if (!isNode(node)) return this.#leaf(node, around)
    const url = node.role === 'Link' ? this.#urlOf(node) : null
    const inner = {
      bold: around.bold || node.role === 'Strong',
      italic: around.italic || node.role === 'Em',
      struck: around.struck,
      code: around.code || node.role === 'Code',
      url: url ?? around.url,
    }
    return node.children.flatMap((child) => this.pieces(child, inner))
  }

  #leaf({ id }: TagLeaf, around: Omit<Piece, 'text' | 'place'>): Piece[] {
    const place = this.page.texts.get(id)
    // Text that two tags lead to is written once.
    if (place === undefined || this.#read.has(id)) return []
    this.#read.add(id)
    if (around.url !== null) this.linked.add(around.url)
    const look = this.#looks.get(mcidOf(id)) ?? plainLook
    return [{ ...around, bold: around.bold || look.bold, italic: around.italic || look.italic, struck: look.struck, text: place.text, place: place.text.trim() === '' ? null : place }]
  }

  #urlOf(node: TagNode): string | null {
    for (const child of node.children) {
      const url = isNode(child) ? this.#urlOf(child) : this.page.urls.get(child.id)
      if (url !== undefined && url !== null) return url
    }
    return null
  }
}

const wide = '[\\u2e80-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff\\uff00-\\uffef]'
const wideBreak = new RegExp(`(?<=${wide})\\s*\\n\\s*(?=${wide})`, 'g')

/** Joins lines; without a space in scripts that do not use spaces. */
export const oneLine = (text: string): string => text.replace(wideBreak, '').replace(/\s+/g, ' ').trim()

/** Text with a delimiter around it; white space stays outside. */
function marked(text: string, mark: string): string {
  const [, before = '', inner = '', after = ''] = /^(\s*)([^]*?)(\s*)$/.exec(text) ?? []
  return inner === '' ? text : before + mark + inner + mark + after
}

function dressed(text: string, { bold, italic, struck, code, url }: Piece, looks: boolean): string {
  if (text.trim() === '') return text
  const look = code ? (text.includes('`') ? '' : '`') : looks ? `${bold ? '**' : ''}${italic ? '*' : ''}` : ''
  const shown = marked(marked(text, look), struck && !code ? '~~' : '')
  const [, before = '', inner = '', after = ''] = /^(\s*)([^]*?)(\s*)$/.exec(shown) ?? []
  return url === null ? shown : `${before}[${inner.replace(/[[\]]/g, '\\$&')}](${target(url)})${after}`
}

/** Marks superscript and subscript by size and position: 10<sup>3</sup> is not 103. */
function withShifts(pieces: readonly Piece[]): readonly Piece[] {
  let line: TagText | null = null
  return pieces.map((piece, i) => {
    const { place } = piece
    if (place === null) return piece
    const beside = line ?? pieces.slice(i + 1, i + 4).find((one) => one.place !== null)?.place ?? null
    const shift = beside === null ? null : shiftOf(beside, place)
    if (shift === null) line = place
    return shift === null ? piece : { ...piece, text: shifted(piece.text, shift) }
  })
}

const alike = (a: Piece, b: Piece): boolean => a.bold === b.bold && a.italic === b.italic && a.struck === b.struck && a.code === b.code && a.url === b.url

/** Pieces as one line of markdown; without `looks`, bold and italic are ignored. */
export function lineOf(pieces: readonly Piece[], looks = true): string {
  const groups: { of: Piece; text: string }[] = []
  for (const piece of withShifts(pieces)) {
    const last = groups.at(-1)
    const blank = piece.text.trim() === ''
    if (last !== undefined && (blank || alike(last.of, piece))) last.text += piece.text
    else groups.push({ of: piece, text: piece.text })
  }
  // Spaces have no style, and marks do not span lines.
  return oneLine(groups.map(({ of, text }) => dressed(text.includes('\n') ? text.replace(wideBreak, '').replace(/\s+/g, ' ') : text, of, looks)).join(''))
}
