import iconv from 'iconv-lite'
import { longAt } from '../compound.ts'
import { dressed, escapeHtml, link, type Paragraph } from '../html.ts'
import { type PptRecord, types, type Walk } from './records.ts'
import { type LookRun, type Numbering, type ParagraphRun, textStyles } from './styles.ts'

/** Text types by which masters style texts (`TextTypeEnum`). */
export const textTypes = { title: 0, body: 1, notes: 2, other: 4, centredBody: 5, centredTitle: 6, halfBody: 7, quarterBody: 8 } as const

/** A text of a slide, as stored in the file. */
export interface PptText {
  readonly type: number
  readonly text: string
  readonly style: Buffer | undefined
  readonly links: readonly TextLink[]
}

interface TextLink {
  readonly from: number
  readonly to: number
  readonly target: number
}

/** What the texts of a slide need to know about it and its file. */
export interface TextSetting {
  readonly walk: Walk
  readonly targets: ReadonlyMap<number, string>
  readonly slideNumber: number
  bullet(textType: number, level: number): boolean
}

/** Stands for the slide number in a text; no text has this character. */
export const numberMark = '\uffff'
const fields: ReadonlyMap<number, string> = new Map([[types.slideNumberField, numberMark], [types.dateField, '\0'], [types.otherDateField, '\0'], [types.headerField, '\0'], [types.footerField, '\0'], [types.formattedDateField, '\0']])

/** Cost of a text in memory, counted in records. */
const draftSteps = 10

/** A text while its records are read. */
class Draft implements PptText {
  type: number = textTypes.other
  text = ''
  style: Buffer | undefined
  links: TextLink[] = []
  #target: number | undefined
  readonly #marks = new Map<number, string>()

  take({ type, instance, body }: PptRecord, walk: Walk): void {
    const mark = fields.get(type)
    if (type === types.wideText || type === types.text) this.#write(body, type === types.wideText, walk)
    else if (type === types.textStyle) this.style = body
    // Links of instance 1 react to the pointer hovering: readers do not see them as links.
    else if (type === types.link && instance === 0) this.#target = linkTarget(body, walk)
    else if (type === types.linkPlace && instance === 0) this.#place(longAt(body, 0), longAt(body, 4))
    else if (mark !== undefined) this.#marks.set(longAt(body, 0), mark)
  }

  #write(body: Buffer, wide: boolean, walk: Walk): void {
    walk.spend(0, body.length)
    // Bytes are the low bytes of UTF-16 (`TextBytesAtom`); other programs write Windows-1252, whose letters would be
    // control characters there.
    this.text = (wide ? body.subarray(0, body.length & ~1).toString('utf16le') : iconv.decode(body, 'windows-1252')).replaceAll(numberMark, ' ')
  }

  /** Adds a link; links inside others are ignored. */
  #place(from: number, to: number): void {
    if (this.#target !== undefined && to > from && from >= (this.links.at(-1)?.to ?? 0)) this.links.push({ from, to, target: this.#target })
    this.#target = undefined
  }

  /** Puts marks where the text has asterisks for fields. */
  finish(): this {
    let from = 0
    let marked = ''
    for (const [at, mark] of [...this.#marks].sort(([a], [b]) => a - b)) {
      if (this.text[at] !== '*') continue
      marked += this.text.slice(from, at) + mark
      from = at + 1
    }
    this.text = marked + this.text.slice(from)
    return this
  }
}

/** The id of the address that a click leads to. */
function linkTarget(body: Buffer, walk: Walk): number | undefined {
  const atom = walk.first(body, types.linkAtom)
  return atom === undefined ? undefined : longAt(atom, 4)
}

/** The texts in records, in order; `start` is a text that began before them. */
export function textsIn(records: Iterable<PptRecord>, walk: Walk, start?: PptText): PptText[] {
  const drafts: Draft[] = start === undefined ? [] : [Object.assign(new Draft(), start, { links: [...start.links] })]
  for (const record of records) {
    if (record.type === types.textHeader) {
      walk.spend(draftSteps)
      const draft = new Draft()
      draft.type = longAt(record.body, 0)
      drafts.push(draft)
    } else drafts.at(-1)?.take(record, walk)
  }
  return drafts.map((draft) => draft.finish())
}

/** Looks up consecutive ranges by positions that only increase. */
function follower<R extends { readonly length: number }>(runs: readonly R[]): (place: number) => { readonly run: R | undefined; readonly end: number } {
  let i = 0
  let end = runs[0]?.length ?? Infinity
  return (place) => {
    while (end <= place) end = ++i < runs.length ? end + (runs[i]?.length ?? 0) : Infinity
    return { run: runs[i], end }
  }
}

/** The paragraphs of a text; those with bullets, by themselves or by the slide's design, are list items. */
export function paragraphsOf(text: PptText, setting: TextSetting, numberings: readonly (Numbering | undefined)[]): Paragraph[] {
  const { paragraphs, looks } = textStyles(text.style, text.text.length)
  const settingAt = follower<ParagraphRun>(paragraphs)
  const lookAt = follower<LookRun>(looks)
  const pieces = piecesOf(text, setting, lookAt)
  let start = 0
  return text.text.split('\r').map((line) => {
    setting.walk.spend(1)
    const { run } = settingAt(start)
    const { html, numbering } = pieces(start, start + line.length)
    start += line.length + 1
    const level = run?.level ?? 0
    if (!(run?.bullet ?? setting.bullet(text.type, level))) return { tag: 'p', html }
    const numbered = numberings[numbering]
    return { tag: 'p', html, list: { level, ordered: numbered !== undefined, ...(numbered === undefined ? {} : { start: numbered.start }) } }
  })
}

type Pieces = (from: number, to: number) => { readonly html: string; readonly numbering: number }

/** Writes consecutive ranges of a text, split where the style changes, or a link begins or ends. */
function piecesOf({ text, links }: PptText, { targets, slideNumber, walk }: TextSetting, lookAt: (place: number) => { readonly run: LookRun | undefined; readonly end: number }): Pieces {
  let i = 0
  return (from, to) => {
    let html = ''
    const numbering = lookAt(from).run?.numbering ?? 0
    for (let at = from; at < to; ) {
      while ((links[i]?.to ?? Infinity) <= at) i++
      const next = links[i]
      const isLink = next !== undefined && next.from <= at
      const { run, end } = lookAt(at)
      const stop = Math.min(to, end, isLink ? next.to : (next?.from ?? Infinity))
      const href = isLink ? targets.get(next.target) : undefined
      walk.spend(1, href?.length)
      const inner = escapeHtml(text.slice(at, stop).replaceAll(numberMark, String(slideNumber)).replaceAll('\v', '\n')).replaceAll('\n', '<br>')
      html += link(dressed(inner, run?.look ?? {}), href)
      at = stop
    }
    return { html, numbering }
  }
}
