import type { Objects } from '../file/objects.ts'
import { entriesOf, numbersIn, referencesIn } from '../file/dictionary.ts'

/** Most pages and nodes of the tree of pages. */
const mostNodes = 5_000
/** Nodes of the tree above a page. */
const mostDepth = 30

/** What draws a page or a form (PDF 1.7, 8.10): its content, and the forms that it may draw. */
export interface Drawing {
  readonly content: Buffer
  readonly form: (name: string) => Form | null
}

/** A drawing within another, as large as its box. */
export interface Form extends Drawing {
  readonly box: readonly number[]
  readonly matrix: readonly number[]
}

/** A page of a file: what draws it, and the corner of its visible box that positions count from. */
export interface PageStream {
  readonly origin: readonly [x: number, y: number]
  /** The size of that box, in points; null when it has none. */
  readonly size: readonly [width: number, height: number] | null
  readonly drawing: () => Drawing | null
}

type Entries = ReadonlyMap<string, string>

/** The values that pages inherit from the tree. */
const inherited = ['/Resources', '/MediaBox', '/CropBox']

/** The pages of a file in order; null when its tree of pages cannot be read, or not until `end`. */
export function pageStreams(bytes: Buffer, objects: Objects, end: number): PageStream[] | null {
  const at = bytes.lastIndexOf('/Root')
  const root = at < 0 ? undefined : referencesIn(bytes.toString('latin1', at, at + 40))[0]
  const top = root === undefined ? undefined : referencesIn(entriesOf(objects.dictionary(root)).get('/Pages') ?? '')[0]
  if (top === undefined) return null
  const pages: PageStream[] = []
  let left = mostNodes
  const walk = (number: number, above: Entries, depth: number): boolean => {
    if (--left < 0 || depth > mostDepth || performance.now() > end) return false
    const own = entriesOf(objects.dictionary(number))
    const entries = new Map([...inherited.flatMap((key) => (above.has(key) ? [[key, above.get(key) ?? ''] as const] : [])), ...own])
    const kids = own.get('/Kids')
    if (kids === undefined) return own.get('/Type') === '/Page' && pages.push(pageOf(objects, entries)) > 0
    return referencesIn(objects.resolved(kids)).every((kid) => walk(kid, entries, depth + 1))
  }
  return walk(top, new Map(), 0) ? pages : null
}

function pageOf(objects: Objects, entries: Entries): PageStream {
  const [media, crop] = ['/MediaBox', '/CropBox'].map((key) => boxOf(objects, entries.get(key)))
  const box = crop ?? media
  return {
    origin: [Math.max(media?.[0] ?? 0, crop?.[0] ?? -Infinity), Math.max(media?.[1] ?? 0, crop?.[1] ?? -Infinity)],
    size: box === undefined || box === null ? null : [box[2] - box[0], box[3] - box[1]],
    drawing: () => {
      const content = contentOf(objects, entries.get('/Contents') ?? '')
      return content === null ? null : { content, form: formsOf(objects, entries.get('/Resources') ?? '') }
    },
  }
}

/** A box by its lower left and upper right corner. */
function boxOf(objects: Objects, value = ''): readonly [number, number, number, number] | null {
  const [a, b, c, d] = numbersIn(objects.resolved(value))
  return a === undefined || b === undefined || c === undefined || d === undefined ? null : [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
}

function contentOf(objects: Objects, value: string): Buffer | null {
  const list = objects.resolved(value).trimStart()
  const parts = referencesIn(list.startsWith('[') ? list : value).map((number) => objects.stream(number))
  const known = parts.filter((part) => part !== null)
  return known.length < parts.length ? null : Buffer.concat(known.flatMap((part) => [part, Buffer.from('\n')]))
}

function formsOf(objects: Objects, resources: string): (name: string) => Form | null {
  let named: Entries | null = null
  const found = new Map<string, Form | null>()
  return (name) => {
    named ??= entriesOf(objects.resolved(entriesOf(objects.resolved(resources)).get('/XObject') ?? ''))
    const known = found.get(name)
    if (known !== undefined) return known
    const form = formOf(objects, referencesIn(named.get(name) ?? '')[0], resources)
    found.set(name, form)
    return form
  }
}

function formOf(objects: Objects, number: number | undefined, above: string): Form | null {
  const entries: Entries = number === undefined ? new Map() : entriesOf(objects.dictionary(number))
  const content = number === undefined || entries.get('/Subtype') !== '/Form' ? null : objects.stream(number)
  if (content === null) return null
  return { content, box: numbersIn(entries.get('/BBox') ?? ''), matrix: numbersIn(entries.get('/Matrix') ?? '[1 0 0 1 0 0]'), form: formsOf(objects, entries.get('/Resources') ?? above) }
}
