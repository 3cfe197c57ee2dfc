import { lastOf } from '../../lib/last-of.ts'

/** What kind of block was written: it decides the space between it and the next. */
export type BlockKind = 'paragraph' | 'heading' | 'code' | 'table' | 'rule' | 'list' | 'item' | 'quote' | 'note' | 'term'

/** A block that holds blocks. */
interface Frame {
  readonly kind: BlockKind | 'root'
  /** Prefix of its first line and of its other lines. */
  first: string
  readonly rest: string
  /** Whether something has been written into it. */
  opened: boolean
  /** What was written into it last. */
  last: BlockKind | null
  /** An item with a blank line inside: its neighbours are set apart, too. */
  loose: boolean
  /** The markers of a list; those of the last list inside any other block. */
  marks: ListMarks
  /** Of a list: how far the text of its last item is indented. */
  indent: string
  /** Whether it counts towards the bound of prefixes. */
  readonly counts: boolean
}

/** How items of a list are marked: two lists in a row use different signs, or they would be one. */
interface ListMarks {
  readonly ordered: boolean
  readonly other: boolean
  /** Only a list that starts with 1 may follow a line of text directly (CommonMark 0.31, 5.3). */
  readonly follows: boolean
}

/** Prefixes deeper than this are not written: output stays linear in the input. */
const maxPrefixes = 12
const noMarks: ListMarks = { ordered: false, other: false, follows: true }

/** Writes blocks line by line under the prefixes of the quotes and list items that hold them. */
export class Lines {
  readonly #out: string[] = []
  readonly #frames: Frame[] = [{ ...frame('root', '', ''), opened: true }]
  /** Index of the innermost frame that has been opened. */
  #opened = 0
  #prefixes = 0

  /** The innermost block that is open. */
  get inside(): BlockKind | 'root' {
    return this.#top().kind
  }

  /** True when nothing has been written into the innermost block yet. */
  get fresh(): boolean {
    return !this.#top().opened || this.#top().last === null
  }

  /** True when the next block starts right behind an item's marker. */
  get atMarker(): boolean {
    return this.inside === 'item' && this.fresh
  }

  /** Opens a block; nothing is written until something is written into it. */
  open(kind: BlockKind, first = '', rest = first): void {
    const shown = first !== '' && this.#prefixes < maxPrefixes
    if (shown) this.#prefixes++
    this.#frames.push(shown ? frame(kind, first, rest) : frame(kind, '', ''))
  }

  /** Opens a list; `start` is the number of its first item, null for bullets. */
  openList(start: number | null): void {
    const parent = this.#top()
    const ordered = start !== null
    const other = parent.last === 'list' && parent.marks.ordered === ordered && !parent.marks.other
    this.open('list')
    this.#top().marks = { ordered, other, follows: start === null || start === 1 }
  }

  /** Opens an item of the innermost list. A number is given for an ordered one. */
  openItem(number: number | null): void {
    const { other } = this.#top().kind === 'list' ? this.#top().marks : noMarks
    const marker = number === null ? (other ? '* ' : '- ') : `${number}${other ? ')' : '.'} `
    this.open('item', marker, ' '.repeat(marker.length))
  }

  /** Opens what belongs to the item before it, though it stands outside. */
  openContinuation(): void {
    this.open('item', this.#top().indent)
  }

  /** Closes the innermost block. */
  close(): void {
    const frame = this.#top()
    if (frame.kind === 'root') return
    this.#frames.pop()
    if (frame.counts) this.#prefixes--
    if (!frame.opened) return
    this.#opened = this.#frames.length - 1
    const parent = this.#top()
    parent.last = frame.kind
    if (frame.kind === 'item') {
      parent.loose = frame.loose
      parent.indent = frame.rest
    } else if (frame.kind === 'list' && parent.kind !== 'list') {
      parent.marks = frame.marks
    }
  }

  /** Writes a block of one or more lines. */
  write(kind: BlockKind, text: string): void {
    this.#separate(kind)
    for (let i = this.#opened + 1; i < this.#frames.length; i++) this.#open(i)
    this.#top().last = kind
    this.#opened = this.#frames.length - 1
    if (this.#prefixes === 0) this.#out.push(text, '\n')
    else this.#writePrefixed(text)
  }

  /** All that was written. */
  toString(): string {
    return this.#out.join('')
  }

  #top(): Frame {
    return lastOf(this.#frames) ?? this.#root()
  }

  #root(): Frame {
    throw new RangeError('the root block is never closed')
  }

  #open(index: number): void {
    const frame = this.#frames[index]
    const parent = index > 0 ? this.#frames[index - 1] : undefined
    if (!frame || !parent || frame.kind === 'root') return
    frame.opened = true
    parent.last = frame.kind
  }

  #separate(written: BlockKind): void {
    const frame = this.#frames[this.#opened]
    if (!frame || frame.last === null) return
    const next = this.#frames[this.#opened + 1]
    const follows = this.#frames.every((f, i) => i <= this.#opened || f.kind !== 'list' || f.marks.follows)
    if (isTight(frame, next?.kind ?? written, follows)) return
    if (frame.kind === 'item') frame.loose = true
    this.#out.push(this.#prefix(this.#opened).trimEnd(), '\n')
  }

  #writePrefixed(text: string): void {
    const first = this.#prefix(this.#frames.length - 1)
    for (const frame of this.#frames) frame.first = frame.rest
    const rest = this.#prefix(this.#frames.length - 1)
    const blank = `${rest.trimEnd()}\n`
    let from = 0
    let prefix = first
    for (let end = text.indexOf('\n'); from <= text.length; end = text.indexOf('\n', from)) {
      const line = text.slice(from, end < 0 ? text.length : end)
      this.#out.push(line === '' && from > 0 ? blank : `${prefix}${line}\n`)
      prefix = rest
      if (end < 0) break
      from = end + 1
    }
  }

  #prefix(until: number): string {
    let prefix = ''
    for (let i = 1; i <= until; i++) prefix += this.#frames[i]?.first ?? ''
    return prefix
  }
}

function frame(kind: Frame['kind'], first: string, rest: string): Frame {
  return { kind, first, rest, opened: false, last: null, loose: false, marks: noMarks, indent: '', counts: first !== '' }
}

/** Whether no blank line goes between what was written last and what comes next. */
function isTight(frame: Frame, next: Frame['kind'], follows: boolean): boolean {
  if (next === 'item') return frame.last === 'item' && !frame.loose
  if (next === 'list') return frame.kind === 'item' && frame.last === 'paragraph' && follows
  return next === 'note' && frame.last === 'note' && !frame.loose
}
