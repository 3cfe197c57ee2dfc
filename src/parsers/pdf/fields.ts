import type * as unpdf from 'unpdf'
import { quoted } from '../../lib/quoted.ts'
import type { Placed } from './page/placed.ts'
import type { RawDocument, RawPage } from './source.ts'

type Proxy = Awaited<ReturnType<(typeof unpdf)['getDocumentProxy']>>

/** Forms are short: in longer files, fields are not moved to their places. */
const [mostPages, mostFields, mostItems] = [100, 1_000, 5_000]
/** Milliseconds for reading fields; a file must not fail because of them. */
const maxMs = 4_000
/** Limit of items times characters on a page: each field is searched in the page's text. */
const mostWork = 20_000_000
/** Largest distance between a field and its label, in points: beside it, and above it. */
const [beside, above] = [200, 24]

/** The properties of a field that are read (PDF 1.7, 12.7). */
interface Widget {
  readonly subtype?: string
  readonly rect?: readonly number[]
  readonly fieldType?: string | null
  readonly fieldValue?: unknown
  readonly options?: readonly { readonly exportValue: string | null; readonly displayValue: string | null }[]
  readonly checkBox?: boolean
  readonly radioButton?: boolean
  readonly exportValue?: string
  readonly buttonValue?: string | null
  readonly hidden?: boolean
  readonly password?: boolean
}

/** A field with its value and its box. */
interface Field {
  readonly value: string
  readonly isBox: boolean
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

const text = (value: unknown): string => (typeof value === 'string' ? value : Array.isArray(value) ? value.map(text).filter((one) => one !== '').join(', ') : '')

/** The bytes of a text that are not zero. */
const bare = (value: string): string => Buffer.from(value.replace(/^\ufeff/, ''), 'utf16le').swap16().filter((byte) => byte !== 0).join(' ')

/** Whether a value is that option. LaTeX encodes values twice: they begin with a second byte order mark, and only what they were chosen from tells what they are. */
const isChosen = (value: unknown, option: string | null): boolean => option === value || (option !== null && typeof value === 'string' && value.startsWith('\ufeff') && bare(value) === bare(option))

function valueOf({ fieldType, fieldValue, options = [], checkBox, radioButton, exportValue, buttonValue }: Widget): string {
  if (fieldType === 'Btn') return checkBox !== true && radioButton !== true ? '' : fieldValue === (checkBox === true ? exportValue : buttonValue) && fieldValue !== 'Off' ? '[x]' : '[ ]'
  const values = Array.isArray(fieldValue) ? fieldValue : [fieldValue]
  const shown = fieldType === 'Ch' ? values.map((value) => options.find(({ exportValue: own }) => isChosen(value, own))?.displayValue ?? value) : values
  return text(shown).replace(/[\s\0]+/g, ' ').trim()
}

async function fieldsOf(proxy: Proxy, pageNumber: number, [left, bottom]: readonly [number, number]): Promise<Field[]> {
  const page = await proxy.getPage(pageNumber)
  const widgets = (await page.getAnnotations()) as readonly Widget[] // the properties that are read
  page.cleanup()
  return widgets.slice(0, mostFields).flatMap((widget) => {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = widget.rect ?? []
    const value = widget.subtype !== 'Widget' || widget.hidden === true || widget.password === true ? '' : valueOf(widget)
    return value === '' ? [] : [{ value, isBox: widget.fieldType === 'Btn', left: x1 - left, right: x2 - left, bottom: y1 - bottom, top: y2 - bottom }]
  }).sort((a, b) => (Math.abs(a.bottom - b.bottom) > 6 ? b.bottom - a.bottom : a.left - b.left))
}

const isLevel = ({ bottom, top }: Field, { y, height }: Placed): boolean => y + height / 3 >= bottom - 2 && y + height / 3 <= top + 2

/**
 * The label of a field, and whether it comes after the field: to the right of a check box; to the left of other fields, or
 * above.
 */
function labelOf(field: Field, texts: readonly Placed[]): { item: Placed; isAfter: boolean } | null {
  const level = texts.filter((item) => isLevel(field, item))
  const nearest = (items: readonly Placed[], far: (item: Placed) => number, most: number): Placed | undefined => items.filter((item) => far(item) >= -3 && far(item) <= most).sort((a, b) => far(a) - far(b))[0]
  const left = nearest(level, ({ x, width }) => field.left - x - width, beside)
  const right = field.isBox ? nearest(level, ({ x }) => x - field.right, beside) : undefined
  const isRight = right !== undefined && (left === undefined || right.x - field.right < field.left - left.x - left.width)
  if (isRight) return { item: right, isAfter: true }
  const item = left ?? nearest(texts.filter(({ x, width }) => x < field.right && x + width > field.left), ({ y }) => y - field.top, above)
  return item === undefined ? null : { item, isAfter: false }
}

/** Removes the fields that the library wrote, each with its name, in a place of their own. */
function withoutNamed(markdown: string, items: readonly Placed[]): string {
  let done = markdown
  for (const { text: named } of items.filter(({ itemType }) => itemType === 'FormField')) {
    const pattern = named.trim().split(/\s+/).map(quoted).join('\\s+')
    done = done.replace(new RegExp(`(?:(?<=\\n\\n)|(?<=^)|(?<=[^\\S\\n])|(?<=\\n))${pattern}(?=\\s|$)[^\\S\\n]?`), '')
  }
  return done.replace(/\n{3,}/g, '\n\n').trim()
}

/** Whether nothing else is on the same line, on one side of a field. */
function isAlone(field: Field, texts: readonly Placed[], fields: readonly Field[], side: 'before' | 'after'): boolean {
  const isThere = (left: number): boolean => (side === 'after' ? left >= field.right - 3 : left < field.left)
  return !texts.some((item) => isLevel(field, item) && isThere(item.x)) && !fields.some((other) => other !== field && Math.abs(other.bottom - field.bottom) < 6 && isThere(other.left))
}

/** Writes values beside their labels. A field with a line of its own on the page keeps it. */
function placed(page: RawPage, fields: readonly Field[], items: readonly Placed[]): string {
  const texts = items.filter(({ itemType, text: own }) => itemType === 'Text' && own.trim() !== '')
  let markdown = withoutNamed(page.markdown, items)
  let from = 0
  for (const field of fields) {
    const label = labelOf(field, texts)
    const pattern = label === null ? null : label.item.text.trim().split(/\s+/).map(quoted).join('[\\s*]+')
    const found = pattern === null ? null : (matchFrom(markdown, pattern, from) ?? matchFrom(markdown, pattern, 0))
    const value = field.isBox ? field.value : field.value.replace(/[\\*_`|]/g, '\\$&')
    if (found === null || label === null) {
      markdown = `${markdown}\n\n${value}`.trimStart()
      continue
    }
    const [before, own, after] = [markdown.slice(0, found.start), markdown.slice(found.start, found.end), markdown.slice(found.end)]
    const isText = !/^(?:\||#|\s*[-*+\d])/.test(before.slice(before.lastIndexOf('\n') + 1) + own)
    const others = label.isAfter ? texts.filter((item) => item !== label.item) : texts
    const head = isText && label.isAfter && /[^\S\n]$/.test(before) && isAlone(field, texts, fields, 'before') ? `${before.trimEnd()}\n\n` : before
    const tail = isText && /^[^\S\n]/.test(after) && isAlone(field, others, fields, 'after') ? `\n\n${after.trimStart()}` : after
    const line = label.isAfter ? `${value} ${own}` : `${own} ${value}`
    markdown = head + line + tail
    from = head.length + line.length
  }
  return markdown
}

function matchFrom(markdown: string, pattern: string, from: number): { start: number; end: number } | null {
  const found = new RegExp(pattern).exec(markdown.slice(from))
  if (found === null) return null
  const end = from + found.index + found[0].length
  return { start: from + found.index, end: end + (/^\*+/.exec(markdown.slice(end))?.[0].length ?? 0) }
}

/**
 * Writes the values of form fields where the fields are on the page. `items` are the texts and fields of all pages that may
 * have fields.
 */
export async function withFields(raw: RawDocument, items: ReadonlyMap<number, readonly Placed[]>, open: () => Promise<Proxy>): Promise<RawDocument> {
  if (items.size === 0 || items.size > mostPages) return raw
  const found = new Map<number, RawPage>()
  try {
    const proxy = await open()
    const end = performance.now() + maxMs
    for (const page of raw.pages) {
      const own = items.get(page.pageNumber)
      if (own === undefined || own.length > mostItems || own.length * page.markdown.length > mostWork || performance.now() > end) continue
      const [left = 0, bottom = 0] = (await proxy.getPage(page.pageNumber)).view
      const fields = await fieldsOf(proxy, page.pageNumber, [left, bottom])
      // Undecodable letters in a field do not mean that those of the page are undecodable.
      const isClear = own.some(({ itemType, text: value }) => itemType === 'FormField' && /[\0\ufffd]/.test(value)) && own.some(({ itemType, text: value }) => itemType === 'Text' && /\p{L}/u.test(value))
      if (fields.length > 0) found.set(page.pageNumber, { ...page, markdown: placed(page, fields, own), needsOcr: page.needsOcr && !isClear })
    }
  } catch {
    return raw
  }
  return found.size === 0 ? raw : { ...raw, pages: raw.pages.map((page) => found.get(page.pageNumber) ?? page) }
}
