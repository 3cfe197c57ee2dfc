import type * as unpdf from 'unpdf'
import { escapeTags } from './inline.ts'
import { type RawDocument, type RawPage, UnreadablePdf } from './source.ts'

type Library = typeof unpdf
type Proxy = Awaited<ReturnType<Library['getDocumentProxy']>>

/** Reads the text alone, in JavaScript: for platforms without the native library, and for files that it gives up. Throws `UnreadablePdf`. */
export async function readPlain(library: Library, bytes: Uint8Array, maxPages: number): Promise<RawDocument> {
  try {
    const proxy = await library.getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
    const pages: RawPage[] = []
    for (let number = 1; number <= Math.min(proxy.numPages, maxPages); number++) pages.push(await pageOf(proxy, number))
    if (pages.length === 0) throw new Error('no pages')
    const { info } = await library.getMeta(proxy)
    const text = (name: string): string | undefined => (typeof info[name] === 'string' ? info[name] : undefined)
    return {
      totalPages: proxy.numPages,
      pages,
      info: { title: text('Title'), author: text('Author'), subject: text('Subject'), keywords: text('Keywords'), created: text('CreationDate'), modified: text('ModDate') },
      warnings: ['Only the plain text of this PDF could be read; headings and tables are not marked.'],
    }
  } catch (error) {
    throw new UnreadablePdf(error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'broken', error)
  }
}

async function pageOf(proxy: Proxy, pageNumber: number): Promise<RawPage> {
  const page = await proxy.getPage(pageNumber)
  const { items } = await page.getTextContent()
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
  page.cleanup()
  return { pageNumber, markdown: paragraphs(text), needsOcr: text.trim() === '', bullets: [], anchors: [] }
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
