
/** The kinds of blocks, which decide the space between a block and the next. */
export type BlockKind = 'paragraph' | 'heading' | 'code' | 'table' | 'rule' | 'list' | 'item' | 'quote' | 'note' | 'term'

/** An open block that contains other blocks. */
interface Frame {
  readonly kind: BlockKind | 'root'
  /** The prefix of its first line, and of all later lines. */
  first: string
  readonly rest: string
  /** Whether anything has been written into it. */
  opened: boolean
  /** The block that was written into it last. */
  last: BlockKind | null
  /** Of an item: it contains a blank line, so blank lines also separate it from its siblings. */
  loose: boolean
  /** The markers of a list; in other blocks, those of the last list inside. */
  marks: ListMarks
  /** Of a list: the indentation of its last item. */
  indent: string
  /** Whether it counts towards `maxPrefixes`. */
  readonly counts: boolean
}

/** How the items of a list are marked. Two lists in a row use different signs; otherwise they would be one list. */
interface ListMarks {
  readonly ordered: boolean
  readonly other: boolean
  /**
   * Whether the list may directly follow a line of text: only bullets and lists that start with 1 may (CommonMark 0.31,
   * 5.3).
   */
  readonly follows: boolean
}

/** Deeper prefixes are omitted, which keeps the output linear in the input. */
const maxPrefixes = 12
const noMarks: ListMarks = { ordered: false, other: false, follows: true }

/** Writes blocks line by line, with the prefixes of the quotations and list items around them. */
export class Lines {
  readonly #out: string[] = []
  readonly #frames: Frame[] = [{ ...frame('root', '', ''), opened: true }]
  /** Index of the innermost frame that has been written to. */
  #opened = 0
  #prefixes = 0

  /** The kind of the innermost open block. */
  get inside(): BlockKind | 'root' {
    return this.#top().kind
  }

  /** True when nothing has been written into the innermost block yet. */
  get fresh(): boolean {
    return !this.#top().opened || this.#top().last === null
  }

  /** True when the next block starts directly after the marker of an item. */
  get atMarker(): boolean {
    return this.inside === 'item' && this.fresh
  }

  /** Opens a block. Its prefix is written with its first content. */
  open(kind: BlockKind, first = '', rest = first): void {
    const shown = first !== '' && this.#prefixes < maxPrefixes
    if (shown) this.#prefixes++
    this.#frames.push(shown ? frame(kind, first, rest) : frame(kind, '', ''))
  }

  /** Opens a list; `start` is the number of the first item, null for bullets. */
  openList(start: number | null): void {
    const parent = this.#top()
    const ordered = start !== null
    const other = parent.last === 'list' && parent.marks.ordered === ordered && !parent.marks.other
    this.open('list')
    this.#top().marks = { ordered, other, follows: start === null || start === 1 }
  }

  /** Opens an item of the innermost list; `number` is null for a bullet. */
  openItem(number: number | null): void {
    const { other } = this.#top().kind === 'list' ? this.#top().marks : noMarks
    const marker = number === null ? (other ? '* ' : '- ') : `${number}${other ? ')' : '.'} `
    this.open('item', marker, ' '.repeat(marker.length))
  }

  /** Opens a block that continues the previous item although it stands outside of it. */
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

  /** Everything written so far. */
  toString(): string {
    return this.#out.join('')
  }

  #top(): Frame {
    return this.#frames.at(-1) ?? this.#root()
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

/** Whether there is no blank line between the last block and the next. */
function isTight(frame: Frame, next: Frame['kind'], follows: boolean): boolean {
  if (next === 'item') return frame.last === 'item' && !frame.loose
  if (next === 'list') return frame.kind === 'item' && frame.last === 'paragraph' && follows
  return next === 'note' && frame.last === 'note' && !frame.loose
}
