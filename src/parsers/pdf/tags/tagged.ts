import { leavesOf, rangeOf, withBetween } from './loose-lines.ts'
import { lineOf, oneLine, type Piece, TagInline, type TextLook } from './tagged-inline.ts'
import { type TaggedCell, tableMarkdown } from './tagged-table.ts'
import { isNode, shiftOf, type TagLeaf, type TagNode, type TagText, type TaggedPage } from './tags.ts'

/** A page according to its tags. */
export interface TaggedMarkdown {
  readonly markdown: string
  /** Whether tags mark more than paragraphs. */
  readonly structured: boolean
  /**
   * Share of the text from the first to the last tagged line that tags lead to, 0 to 1; at most twice the share that this
   * range has of the page's text.
   */
  readonly share: number
  readonly letters: number
  /** Addresses of its links. */
  readonly urls: ReadonlySet<string>
}

const heading = /^H([1-6])?$/
const blockRoles = /^(?:P|H[1-6]?|Title|L|LI|LBody|Table|T[RDH]|T(?:Head|Body|Foot)|BlockQuote|TOCI?|Caption|Figure|Note|FENote|Index|Sect|Part|Art|Div|Aside|Document)$/
/** Tags that only hold lines of one paragraph. */
const wrapped = /^(?:P|Caption|Note|FENote|Span|Link)$/
const maxDepth = 64

/** Longest paragraph that may be a title, and how much larger than the page's text it must be. */
const longestTitle = 120
const titleSize = 1.5
/** How far a deeper list level is to the right, in points. */
const indentation = 4
/** The width of a letter of code, relative to its height. */
const letterWidth = 0.6
const mostBlanks = 200

class Writer {
  readonly inline: TagInline
  readonly #bodySize: number
  /** Right edge of the longest line. */
  readonly #margin: number
  structured = false

  constructor(inline: TagInline) {
    this.inline = inline
    this.#bodySize = bodySizeOf(inline.page)
    this.#margin = [...inline.page.texts.values()].reduce((most, { right, text }) => (text.trim() === '' ? most : Math.max(most, right)), 0)
  }

  #isBlock(node: TagNode): boolean {
    return blockRoles.test(node.role) || (node.role === 'Code' && this.#stands(node)) || node.children.some((child) => isNode(child) && this.#isBlock(child))
  }

  blocks(node: TagNode, depth = 0): string[] {
    if (depth > maxDepth) return [lineOf(this.inline.pieces(node))]
    const level = heading.exec(node.role)
    if (level !== null || node.role === 'Title') return this.#heading(node, level === null ? 1 : Number(level[1] ?? 2))
    switch (node.role) {
      case 'L': case 'TOC':
        return this.#lists([node], depth)
      case 'Table':
        return this.#table(node, depth)
      case 'BlockQuote':
        return this.#flow(node.children, depth).map((block) => block.split('\n').map((line) => `> ${line}`).join('\n'))
      case 'Code':
        return this.#code(node)
      default:
        return this.#flow(node.children, depth, wrapped.test(node.role))
    }
  }

  #heading(node: TagNode, level: number): string[] {
    const text = lineOf(this.inline.pieces(node), false)
    if (text === '') return []
    this.structured = true
    return [`${'#'.repeat(level)} ${text}`]
  }

  /** Writes children in order; running text between blocks becomes a paragraph. */
  #flow(children: TagNode['children'], depth: number, isWrapped = false): string[] {
    const blocks: string[] = []
    let run: Piece[] = []
    const lists: TagNode[] = []
    const end = (): void => {
      const text = lineOf(run)
      if (text !== '') blocks.push(...this.#lists(lists.splice(0), depth), this.#paragraph(text, run))
      run = []
    }
    for (const child of children) {
      if (isNode(child) && this.#isBlock(child)) {
        end()
        if (child.role === 'L') lists.push(child)
        else blocks.push(...this.#lists(lists.splice(0), depth), ...this.blocks(child, depth + 1).filter((block) => block !== ''))
        continue
      }
      for (const piece of this.inline.pieces(child)) {
        const before = lastOf(run)
        if (isApart(before, piece.place) || (!isWrapped && isBelow(before, piece, this.#margin))) end()
        run.push(piece)
      }
    }
    end()
    return [...blocks, ...this.#lists(lists, depth)]
  }

  /** Writes a paragraph; one in much larger letters than the page's text becomes a heading. */
  #paragraph(text: string, run: readonly Piece[]): string {
    const sizes = run.flatMap(({ place }) => (place === null ? [] : [place.size]))
    if (text.length <= longestTitle && Math.min(...sizes) >= this.#bodySize * titleSize && /\p{L}{2}/u.test(text)) return `# ${lineOf(run, false)}`
    return text.replace(/^(?=[#>|]|[-+*]\s)/, '\\')
  }

  /** Writes adjacent lists. Some programs tag each level as a list of its own: only the position tells the level. */
  #lists(lists: readonly TagNode[], depth: number): string[] {
    if (lists.length > 0) this.structured = true
    const lefts = lists.map((list) => this.#placesOf(list).reduce((least, { left }) => Math.min(least, left), Infinity))
    if (Math.max(...lefts) <= Math.min(...lefts) + indentation) return lists.map((list) => this.#list(list, '', depth + 1).join('\n')).filter((block) => block !== '')
    const open: { left: number; indent: string }[] = []
    const lines: string[] = []
    for (const [i, list] of lists.entries()) {
      const left = lefts[i] ?? 0
      while (open.length > 1 && left < (open.at(-1)?.left ?? 0) - indentation) open.pop()
      const mark = /^\s*(?:-|\d+\.)\s/.exec(lines.at(-1) ?? '')?.[0].length ?? 0
      if (open.length === 0 || left > (open.at(-1)?.left ?? 0) + indentation) open.push({ left, indent: ' '.repeat(mark) })
      lines.push(...this.#list(list, open.at(-1)?.indent ?? '', depth + 1))
    }
    return lines.length === 0 ? [] : [lines.join('\n')]
  }

  #placesOf(node: TagNode): TagText[] {
    return leavesOf(node).map(({ id }) => this.inline.page.texts.get(id)).filter((place): place is TagText => place !== undefined && place.text.trim() !== '')
  }

  /** Whether code takes up lines of its own. */
  #stands(node: TagNode): boolean {
    const places = this.#placesOf(node)
    return places.length > 0 && Math.max(...places.map(({ top }) => top)) - Math.min(...places.map(({ bottom }) => bottom)) > (places[0]?.size ?? 0) / 2
  }

  #code(node: TagNode): string[] {
    const pieces = this.inline.pieces(node)
    const margin = pieces.flatMap(({ place }) => place?.lefts ?? []).reduce((least, left) => Math.min(least, left), Infinity)
    const text = pieces.map((piece, i) => indented(piece, margin, i === 0)).join('').replace(/^\n+|\s+$/g, '')
    return text === '' ? [] : [`\`\`\`\n${text.replaceAll('```', '` ` `')}\n\`\`\``]
  }

  #list(node: TagNode, indent: string, depth: number): string[] {
    const lines: string[] = []
    for (const child of node.children) {
      if (isNode(child) && (child.role === 'L' || child.role === 'TOC') && depth < maxDepth) lines.push(...this.#list(child, `${indent}  `, depth + 1))
      else if (isNode(child) && depth < maxDepth && child.role !== 'LI' && child.role !== 'TOCI' && child.children.some((one) => isNode(one) && one.role === 'LI')) lines.push(...this.#list(child, indent, depth + 1))
      else lines.push(...this.#item(isNode(child) ? child : { role: 'LI', children: [child] }, indent, depth))
    }
    return lines
  }

  #item(item: TagNode, indent: string, depth: number): string[] {
    const labels = item.children.filter((child) => isNode(child) && child.role === 'Lbl')
    const label = lineOf(labels.flatMap((child) => this.inline.pieces(child)), false)
    const { inner, nested } = partsOf(item)
    const number = /^\(?(\d{1,9})[.)]?$/.exec(label)?.[1]
    const letter = number === undefined && /^\(?[\p{L}\d][\p{L}\d.]{0,8}[.)]?$/u.test(label) ? `${label} ` : ''
    const body = this.#flow(inner, depth + 1).map((block) => oneLine(block)).join(' ')
    const [, own = '', written, rest = ''] = /^(?:(\\?[•◦▪‣·●○■□\uf0b7\uf0a7]|\\?[-–—*]\s)|(\d{1,9})[.)]\s)\s*(.*)$/.exec(label === '' ? body : '') ?? []
    const text = item.role === 'TOCI' ? body.replace(/(?:\s?[.…]){3,}\s*/g, ' ') : own === '' && written === undefined ? body : rest
    const mark = (number ?? written) === undefined ? '-' : `${number ?? written}.`
    const deeper = nested.flatMap((list) => this.#list(list, `${indent}${' '.repeat(mark.length + 1)}`, depth + 1))
    return text === '' && letter === '' ? deeper : [`${indent}${mark} ${letter}${text}`, ...deeper]
  }

  #table(node: TagNode, depth: number): string[] {
    const rows = rowsOf(node)
    const others = node.children.filter((child) => isNode(child) && !/^(?:TR|THead|TBody|TFoot)$/.test(child.role) && this.#isBlock(child))
    const captions = others.flatMap((child) => (isNode(child) ? this.blocks(child, depth + 1) : []))
    const cells = rows.map((row) => row.children.filter((child): child is TagNode => isNode(child)))
    // A layout table is written as blocks.
    if (cells.every((row) => row.length < 2) || cells.some((row) => row.some((cell) => holds(cell, cells.length > 2 ? nestedTable : structure)))) return [...captions, ...cells.flat().flatMap((cell) => this.blocks(cell, depth + 1))]
    const table = tableMarkdown(cells.map((row) => row.map((cell) => this.#cell(cell, depth))))
    if (table !== '') this.structured = true
    return [...captions, table]
  }

  #cell(cell: TagNode, depth: number): TaggedCell {
    const places = this.#placesOf(cell)
    const text = this.#flow(cell.children, depth + 1).map((block) => block.replaceAll('\n', '<br>')).join('<br>').replace(/(?<!\\)\|/g, '\\|')
    const head = cell.role === 'TH'
    return { text: head ? text.replaceAll('**', '') : text, head, left: places.length === 0 ? null : Math.min(...places.map(({ left }) => left)), right: places.length === 0 ? null : Math.max(...places.map(({ right }) => right)) }
  }
}

/** Code with its indentation, which a file only expresses as positions. */
function indented({ text, place }: Piece, margin: number, starts: boolean): string {
  if (place === null) return text
  const lefts = place.lefts[Symbol.iterator]()
  const blanks = (): string => ' '.repeat(Math.min(mostBlanks, Math.max(0, Math.round((Number(lefts.next().value ?? margin) - margin) / (place.size * letterWidth)))))
  return text.split('\n').map((line, i) => (line.trim() === '' ? '' : i > 0 || starts ? blanks() + line.trimStart() : (lefts.next(), line))).join('\n')
}

const nestedTable = /^Table$/
const structure = /^(?:Table|H[1-6]?)$/
const holds = (node: TagNode, roles: RegExp): boolean => node.children.some((child) => isNode(child) && (roles.test(child.role) || holds(child, roles)))

/** The size of most letters on a page. */
function bodySizeOf({ texts }: TaggedPage): number {
  const counts = new Map<number, number>()
  for (const { size, text } of texts.values()) counts.set(size, (counts.get(size) ?? 0) + letters(text))
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? Infinity
}

function rowsOf(node: TagNode): TagNode[] {
  return node.children.flatMap((child) => (!isNode(child) ? [] : child.role === 'TR' ? [child] : /^(?:THead|TBody|TFoot|NonStruct|Div|Sect)$/.test(child.role) ? rowsOf(child) : []))
}

/** The content of a list item without its label: its text, and the lists inside. */
function partsOf(item: TagNode): { inner: TagNode['children']; nested: TagNode[] } {
  const inner: (TagNode | TagLeaf)[] = []
  const nested: TagNode[] = []
  for (const child of item.children) {
    if (!isNode(child)) inner.push(child)
    else if (child.role === 'L' || child.role === 'TOC') nested.push(child)
    else if (child.role !== 'Lbl') {
      const parts = partsOf(child)
      if (parts.nested.length === 0) inner.push(child)
      else {
        inner.push({ role: child.role, children: parts.inner })
        nested.push(...parts.nested)
      }
    }
  }
  return { inner, nested }
}

/** The last text of a run: the line that it stands in where it is raised above it, or lowered. */
function lastOf(run: readonly Piece[]): TagText | null {
  const at = run.findLastIndex(({ place }) => place !== null)
  const last = run[at]?.place ?? null
  const before = run.slice(Math.max(0, at - 3), Math.max(0, at)).findLast(({ place }) => place !== null)?.place ?? null
  return last !== null && before !== null && shiftOf(before, last) !== null ? { ...before, end: last.end } : last
}

/** Whether text stands so far from the text before it that it is another paragraph: browsers tag all their boxes alike. */
function isApart(before: TagText | null, next: TagText | null): boolean {
  if (before === null || next === null) return false
  const size = Math.max(before.size, next.size)
  const down = before.bottom - next.top
  return down > size * 2 || down < -size / 2
}

/** Whether text starts a new box rather than the next line of a paragraph: the line before had room for its first word. */
function isBelow(before: TagText | null, { place: next, text }: Piece, margin: number): boolean {
  if (before === null || next === null || before.bottom - next.top < Math.max(before.size, next.size) / 2 || next.left > before.left + 2) return false
  const word = /\S+/.exec(text)?.[0].length ?? 0
  return before.end + (word + 1) * next.size * letterWidth < margin
}

const letters = (text: string): number => text.replace(/\s+/g, '').length
const lettersIn = (texts: readonly TagText[]): number => texts.reduce((sum, { text }) => sum + letters(text), 0)

/** Limit of untagged lines that are inserted one by one. */
const mostBetween = 50

/** Writes a page by its tags. Text without a tag goes before or after, depending on its position: nothing is lost. */
export function taggedMarkdown(page: TaggedPage, looks: ReadonlyMap<number, TextLook>): TaggedMarkdown {
  const { top, bottom } = rangeOf(page)
  const between = page.loose.filter((line) => line.bottom <= top && line.top >= bottom)
  const writer = new Writer(new TagInline(withBetween(page, between.slice(0, mostBetween)), looks))
  const blocks = writer.blocks(writer.inline.page.root)
  const left = writer.inline.unread()
  const lines = (above: boolean): string[] => left.filter((text) => text.bottom > top === above).map(({ text }) => oneLine(text))
  const all = lettersIn([...page.texts.values(), ...page.loose])
  const beside = lettersIn(left.filter((text) => text.bottom > top || text.top < bottom))
  const astray = lettersIn(between) + lettersIn(left) - beside
  return {
    markdown: [...lines(true), ...blocks, ...lines(false)].filter((block) => block !== '').join('\n\n'),
    structured: writer.structured,
    share: all === beside ? 0 : Math.min(1 - astray / (all - beside), (2 * (all - beside)) / all),
    letters: all,
    urls: writer.inline.linked,
  }
}
