import type * as unpdf from 'unpdf'
import { CMapFactory } from './cmaps.ts'
import { escapeTags } from './inline.ts'
import { saidBeside, saidFirst } from './packet.ts'
import { type RawDocument, type RawPage, UnreadablePdf } from './source.ts'

type Library = typeof unpdf
type Proxy = Awaited<ReturnType<Library['getDocumentProxy']>>

/** Opens a file with the library that reads letters in JavaScript. */
export function openPlain(library: Library, bytes: Uint8Array, base: string | null = null): Promise<Proxy> {
  // Its types do not name what it takes since its last version.
  const options = { verbosity: 0, cMapUrl: 'here/', cMapPacked: false, useWorkerFetch: false, BinaryDataFactory: CMapFactory, ...(base === null ? {} : { docBaseUrl: base }) }
  return library.getDocumentProxy(new Uint8Array(bytes), options)
}

/** Reads the text alone, in JavaScript: for platforms without the native library, and for files that it gives up. Throws `UnreadablePdf`. */
export async function readPlain(library: Library, bytes: Uint8Array, maxPages: number): Promise<RawDocument> {
  try {
    const proxy = await openPlain(library, bytes)
    const pages: RawPage[] = []
    for (let number = 1; number <= Math.min(proxy.numPages, maxPages); number++) pages.push(await pageOf(proxy, number))
    if (pages.length === 0) throw new Error('no pages')
    const { info } = await library.getMeta(proxy)
    const text = (name: string): string | undefined => (typeof info[name] === 'string' ? info[name] : undefined)
    return {
      totalPages: proxy.numPages,
      pages,
      info: saidFirst({ title: text('Title'), author: text('Author'), subject: text('Subject'), keywords: text('Keywords'), created: text('CreationDate'), modified: text('ModDate'), language: text('Language') }, saidBeside(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))),
      warnings: ['Only the plain text of this PDF could be read; headings and tables are not marked.'],
    }
  } catch (error) {
    throw new UnreadablePdf(error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'broken', error)
  }
}

async function pageOf(proxy: Proxy, pageNumber: number): Promise<RawPage> {
  const markdown = await textOfPage(proxy, pageNumber)
  return { pageNumber, markdown, needsOcr: markdown === '', bullets: [], anchors: [] }
}

/** The text of a page in paragraphs, what is behind its pictures included. */
export async function textOfPage(proxy: Proxy, pageNumber: number): Promise<string> {
  const page = await proxy.getPage(pageNumber)
  const { items } = await page.getTextContent()
  page.cleanup()
  return paragraphs(linesOf(items))
}

/** Baselines further apart than this, by the usual distance of the page, part paragraphs. */
const widerStep = 1.4

/** The baseline of a text, counted downwards where it stands on its head. */
const baseline = (transform: readonly unknown[]): number => Number(transform[5]) * (Number(transform[3]) < 0 ? -1 : 1)

/** The lines of a page; an empty one where more than a line lies between two, or the next stands higher, as a column's first does. */
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
  const steps = lines.slice(1).map(({ y }, i) => (lines[i]?.y ?? 0) - y)
  const usual = steps.filter((step) => step > 1).sort((a, b) => a - b)
  const most = (usual[Math.floor(usual.length / 2)] ?? Infinity) * widerStep
  return lines.map(({ text }, i) => (i > 0 && ((steps[i - 1] ?? 0) > most || (steps[i - 1] ?? 0) < -1) ? `\n${text}` : text)).join('\n')
}

const oneLine = (text: string): string => text.split('\n').map((line) => line.trim()).filter((line) => line !== '').join(' ')

/** Plain text as markdown: lines that were broken by the page's width become one paragraph; empty lines part paragraphs. */
export function paragraphs(text: string): string {
  return text
    .split(/\n\s*\n/)
    .map((part) => escapeTags(oneLine(part)).replace(/^([#>]|[-+*](?=\s))/, '\\$1'))
    .filter((part) => part !== '')
    .join('\n\n')
}
