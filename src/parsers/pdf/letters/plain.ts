import type * as unpdf from 'unpdf'
import { CMapFactory } from './cmaps.ts'
import { escapeTags } from '../finish/inline.ts'
import { pageRanges } from '../finish/page-ranges.ts'
import { haveLigatures, withLigatures } from './numbered-letters.ts'
import { saidBeside, saidFirst } from '../xmp.ts'
import { type RawDocument, type RawPage, UnreadablePdf } from '../source.ts'

type Library = typeof unpdf
type Proxy = Awaited<ReturnType<Library['getDocumentProxy']>>

/**
 * pdf.js shortens buffers by a function that Node.js has from version 21 on: without it, it silently leaves out all operators
 * of a page from its first font on.
 */
function withFixedLength(): void {
  if ('transferToFixedLength' in ArrayBuffer.prototype) return
  // oxlint-disable-next-line no-extend-native -- the function is the standard's, and a library calls it
  Object.defineProperty(ArrayBuffer.prototype, 'transferToFixedLength', { configurable: true, writable: true, value(this: ArrayBuffer, length: number) { return this.slice(0, length) } })
}

/** Opens a file with pdf.js, which decodes letters in JavaScript. */
export function openPlain(library: Library, bytes: Uint8Array, base: string | null = null): Promise<Proxy> {
  withFixedLength()
  // Its types lack options of its latest version.
  const options = { verbosity: 0, cMapUrl: 'here/', cMapPacked: false, useWorkerFetch: false, BinaryDataFactory: CMapFactory, ...(base === null ? {} : { docBaseUrl: base }) }
  return library.getDocumentProxy(new Uint8Array(bytes), options)
}

/**
 * Reads only the text, with pdf.js: for platforms without the native library, and for files that it rejects. Begins no page
 * after `maxMs` milliseconds. Throws `UnreadablePdf`.
 */
export async function readPlain(library: Library, bytes: Uint8Array, { maxPages, maxMs }: { readonly maxPages: number; readonly maxMs: number }): Promise<RawDocument> {
  try {
    const proxy = await openPlain(library, bytes)
    const pages: RawPage[] = []
    const end = performance.now() + maxMs
    const wanted = Math.min(proxy.numPages, maxPages)
    for (let number = 1; number <= wanted && (number === 1 || performance.now() < end); number++) pages.push(await pageOf(proxy, number))
    if (pages.length === 0) throw new Error('no pages')
    const { info } = await library.getMeta(proxy)
    const text = (name: string): string | undefined => (typeof info[name] === 'string' ? info[name] : undefined)
    return {
      totalPages: proxy.numPages,
      pages,
      ...(pages.length < wanted ? { isLate: true } : {}),
      info: saidFirst({ title: text('Title'), author: text('Author'), subject: text('Subject'), keywords: text('Keywords'), created: text('CreationDate'), modified: text('ModDate'), language: text('Language') }, saidBeside(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))),
      warnings: ['Only the plain text of this PDF could be read; headings and tables are not marked.', ...(pages.length < wanted ? [`The PDF takes too long to read: pages ${pageRanges(Array.from({ length: wanted - pages.length }, (_, i) => pages.length + 1 + i))} are missing.`] : [])],
    }
  } catch (error) {
    throw new UnreadablePdf(error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'broken', error)
  }
}

async function pageOf(proxy: Proxy, pageNumber: number): Promise<RawPage> {
  const markdown = await textOfPage(proxy, pageNumber)
  return { pageNumber, markdown, needsOcr: markdown === '', bullets: [], anchors: [] }
}

/** The text of a page in paragraphs, including a text layer behind pictures. */
export async function textOfPage(proxy: Proxy, pageNumber: number): Promise<string> {
  const page = await proxy.getPage(pageNumber)
  const { items } = await page.getTextContent()
  page.cleanup()
  return paragraphs(linesOf(items))
}

/** A larger step between baselines than this multiple of the usual one starts a paragraph. */
const widerStep = 1.4

/** The baseline of a text; counted downwards when the text is upside down. */
const baseline = (transform: readonly unknown[]): number => Number(transform[5]) * (Number(transform[3]) < 0 ? -1 : 1)

/**
 * The lines of a page; an empty line where the step is larger than usual, or where the next line is higher, as at the top
 * of a column.
 */
function linesOf(items: Awaited<ReturnType<Awaited<ReturnType<Proxy['getPage']>>['getTextContent']>>['items']): string {
  const lines: { text: string; y: number }[] = []
  let ended = true
  for (const item of items) {
    if (!('str' in item)) continue
    if (ended && item.str.trim() !== '') lines.push({ text: '', y: baseline(item.transform) })
    const last = lines.at(-1)
    if (last !== undefined) last.text += item.str
    ended = item.str.trim() === '' ? ended || item.hasEOL : item.hasEOL
  }
  if (haveLigatures(lines.map(({ text }) => text))) for (const line of lines) line.text = withLigatures(line.text)
  const steps = lines.slice(1).map(({ y }, i) => (lines[i]?.y ?? 0) - y)
  const usual = steps.filter((step) => step > 1).sort((a, b) => a - b)
  const most = (usual[Math.floor(usual.length / 2)] ?? Infinity) * widerStep
  return lines.map(({ text }, i) => (i > 0 && ((steps[i - 1] ?? 0) > most || (steps[i - 1] ?? 0) < -1) ? `\n${text}` : text)).join('\n')
}

const oneLine = (text: string): string => text.split('\n').map((line) => line.trim()).filter((line) => line !== '').join(' ')

/** Converts plain text to markdown: wrapped lines are joined to a paragraph; empty lines separate paragraphs. */
export function paragraphs(text: string): string {
  return text
    .split(/\n\s*\n/)
    .map((part) => escapeTags(oneLine(part)).replace(/^([#>]|[-+*](?=\s))/, '\\$1'))
    .filter((part) => part !== '')
    .join('\n\n')
}
