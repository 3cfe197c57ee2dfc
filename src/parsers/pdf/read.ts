import { once } from '../../lib/once.ts'
import type { PdfOrder } from '../../domain/pages/pdf.ts'
import type { Reply } from '../messages.ts'
import { withoutBlankPages } from './blank-pages.ts'
import { withCutStreams } from './cut-streams.ts'
import { byTags } from './tags/by-tags.ts'
import { withFields } from './fields.ts'
import { finish } from './finish/finish.ts'
import { readNative } from './native/native.ts'
import { falsifiedPages } from './letters/compared.ts'
import { withDecoded } from './letters/decoded.ts'
import { baseOf } from './xmp.ts'
import { openPlain, paragraphs, readPlain } from './letters/plain.ts'
import { type RawDocument, UnreadablePdf } from './source.ts'
import { withTextLayer } from './text-layer.ts'

/** The native library: it recognises headings, lists and tables. Null when there is no binary for this platform. */
const native = once(() => import('@firecrawl/pdf-inspector').then((module) => module, () => null))
/** pdf.js: it decodes more letters, reads tags and form fields, and repairs broken files, but knows no layout. */
const plain = once(() => import('unpdf'))

/** A PDF, and how to read it. */
export interface PdfWork {
  readonly bytes: Uint8Array
  readonly order: PdfOrder
  /** Reads the plain text only, for a few seconds. */
  readonly hurried?: boolean
}

/**
 * Reads a file in this thread: `rawOf` reads its pages, `finish` makes the result from them.
 * [Which file decides what](../../../docs/pdf.md). `withNative: false` does not use the native library.
 */
export async function readPdf(work: PdfWork, withNative = true): Promise<Reply> {
  const { order } = work
  try {
    const raw = await rawOf(work, withNative)
    const document = finish(withRecognised(raw, order), order)
    const noText = document.pagesNeedingOcr.length === document.numPages && !raw.pages.some((page) => /[\p{L}\p{N}]/u.test(page.markdown))
    const isLate = work.hurried === true || raw.isLate === true
    return order.mode === 'fast' && noText ? { problem: 'no-text' } : { document: isLate ? { ...document, late: true } : document }
  } catch (error) {
    if (error instanceof UnreadablePdf) return { problem: error.problem }
    return { problem: 'fault', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** Replaces the text of pages that text recognition has read. */
function withRecognised(raw: RawDocument, { recognised }: PdfOrder): RawDocument {
  if (recognised === undefined) return raw
  const pages = raw.pages.map((page) => {
    const text = recognised.get(page.pageNumber)
    return text === undefined ? page : { ...page, markdown: paragraphs(text), needsOcr: false, bullets: [], anchors: [] }
  })
  return { ...raw, pages }
}

/** Milliseconds after which no page is read a second time: each step has a limit of its own, but together they take longer. */
const maxMs = 16_000
/** Milliseconds that are left for the plain text in any case, and all that there are for it in a hurry. */
const plainMs = 5_000

const wasCut = 'The PDF has pages with more drawing operations than are read; text at their end may be missing.'

/**
 * Reads the pages: first all of them with the native library, then what it cannot do, page by page, with pdf.js. Without
 * the native library, or when it rejects the file, pdf.js reads the plain text of all pages.
 */
async function rawOf({ bytes, order, hurried = false }: PdfWork, withNative: boolean): Promise<RawDocument> {
  const end = performance.now() + (hurried ? plainMs : maxMs)
  const { file, isCut } = withCutStreams(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const raw = await pagesOf(file, order, { withNative: withNative && !hurried, leftMs: () => end - performance.now() })
  return isCut ? { ...raw, warnings: [...raw.warnings, wasCut] } : raw
}

async function pagesOf(file: Buffer, order: PdfOrder, { withNative, leftMs }: { readonly withNative: boolean; readonly leftMs: () => number }): Promise<RawDocument> {
  const maxPages = order.maxPages ?? Number.MAX_SAFE_INTEGER
  const library = withNative ? await native() : null
  const inPlain = async (): Promise<RawDocument> => readPlain(await plain(), file, { maxPages, maxMs: Math.max(plainMs, leftMs()) })
  if (library === null) return inPlain()
  try {
    const base = baseOf(file, order.base)
    const { raw, bare, mend, marked, doubtful, scanned, undecoded: unread, unsure, fielded } = readNative(library, file, { maxPages, base })
    const opened = once(async () => openPlain(await plain(), file, base))
    let isLate = false
    // Each step keeps what was read before when the file cannot be opened.
    const open: typeof opened = () => {
      isLate ||= leftMs() < 0
      return isLate ? Promise.reject(new Error('no time is left')) : opened()
    }
    const undecoded = unsure.size === 0 ? unread : new Map([...unread, ...(await falsifiedPages(unsure, open))])
    const decoded = await withDecoded(raw, undecoded, { open, read: (anew) => readNative(library, anew, { maxPages: undecoded.size }).raw })
    const tagged = mend(await byTags(decoded, marked, open))
    const layered = await withTextLayer(tagged, { doubtful, scanned }, open)
    const filled = await withFields(layered, fielded, open)
    const whole = await withoutBlankPages(filled, bare, open)
    return isLate ? { ...whole, isLate, warnings: [...whole.warnings, 'The PDF took long to read: its tags, form fields or scanned pages may not be part of the text.'] } : whole
  } catch (error) {
    if (error instanceof UnreadablePdf && error.problem === 'encrypted') throw error
    return inPlain()
  }
}
