import type { ConvertedDocument } from '../../domain/pages/document.ts'
import { type Converted, tidyMetadata } from './converted.ts'
import { readDocx } from './docx/docx.ts'
import { readEpub } from './epub.ts'
import { streamsOf } from './compound.ts'
import { type DocumentKind, kindOf } from './kind.ts'
import { readMail } from './mail.ts'
import { readFlatOdf, readOdf } from './odf/odf.ts'
import { readFlatOds, readOds } from './odf/spreadsheet.ts'
import { readPpt } from './ppt/ppt.ts'
import { readRtf } from './rtf/rtf.ts'
import { rowsRead } from './sheet-tables.ts'
import { isWorksheet, readSheets, withoutLongFormats } from './sheets.ts'
import { shortened, withBoundedRanges } from './sheet-xml.ts'
import { readSlides } from './slides.ts'
import { type DocumentProblem, UnreadableDocument } from './unreadable.ts'
import { readWord } from './word/word.ts'
import { isXml } from './xml.ts'
import { type Parts, stored, unzip } from './zip.ts'

/** R20: longer HTML is cut. */
const maxCharacters = 15_000_000

const isText = (path: string): boolean => /\.(?:xml|rels|opf|x?html?|ncx|css)$/i.test(path) || path === 'mimetype'
const isPicture = (path: string, size: number): boolean => size <= 512 * 1024 && /\.(?:png|jpe?g|gif|webp|svg)$/i.test(path)
const parts = (bytes: Uint8Array): Parts => unzip(bytes, (path, size) => isText(path) || isPicture(path, size))
const isMedia = (path: string): boolean => /\.(?:png|jpe?g|gif|emf|wmf|tiff?|bmp|svg|mp4|wav)$/i.test(path)

/** Unpacks an archive within bounds before the library sees it. */
function sheets(bytes: Uint8Array): Promise<Converted> {
  if (isXml(bytes)) return readSheets(withoutLongFormats(shortened(bytes, rowsRead)), new Map())
  if (bytes[0] !== 0x50) return readSheets(bytes, new Map())
  const files = new Map(unzip(bytes, (path) => !isMedia(path)))
  const styles = files.get('xl/styles.xml')
  if (styles !== undefined) files.set('xl/styles.xml', withoutLongFormats(styles))
  for (const [path, sheet] of files) if (isWorksheet(path)) files.set(path, withBoundedRanges(sheet))
  return readSheets(stored(files), files)
}

const readers: { readonly [K in DocumentKind]: (bytes: Uint8Array) => Converted | Promise<Converted> } = {
  docx: (bytes) => readDocx(parts(bytes)),
  word: async (bytes) => readWord(await streamsOf(bytes)),
  slides: (bytes) => readSlides(parts(bytes)),
  odf: (bytes) => readOdf(parts(bytes)),
  'flat-odf': readFlatOdf,
  ods: (bytes) => (isXml(bytes) ? readFlatOds(bytes) : readOds(parts(bytes))),
  epub: (bytes) => readEpub(parts(bytes)),
  sheets,
  rtf: readRtf,
  mail: readMail,
  ppt: readPpt,
}

/** The result of reading a document. */
export type DocumentReply = { readonly converted: ConvertedDocument } | { readonly problem: DocumentProblem }

/** Reads a document of any kind in this thread. */
export async function readDocument(bytes: Uint8Array): Promise<DocumentReply> {
  try {
    const { html, metadata, warnings, page, isCut = false } = await readers[await kindOf(bytes)](bytes)
    const cut = isCut || html.length > maxCharacters
    return { converted: { html: html.slice(0, maxCharacters), metadata: tidyMetadata(metadata, html), warnings: [...warnings, ...(cut ? ['The document holds more text than is returned; its end is missing.'] : [])], ...(page === undefined ? {} : { page }) } }
  } catch (error) {
    // Libraries report invalid files by all kinds of errors.
    return { problem: error instanceof UnreadableDocument ? error.problem : 'broken' }
  }
}
