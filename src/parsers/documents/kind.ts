import { streamsOf } from './compound.ts'
import { UnreadableDocument } from './unreadable.ts'
import { all, attributeOf, isXml } from './xml.ts'
import { pathsOf, unzip, xmlPart } from './zip.ts'

/** Documents by the reader for them. */
export type DocumentKind = 'docx' | 'word' | 'slides' | 'ppt' | 'sheets' | 'odf' | 'flat-odf' | 'ods' | 'epub' | 'rtf' | 'mail'

const zipMark = [0x50, 0x4b]
const rtfMark = [0x7b, 0x5c]
const compoundMark = [0xd0, 0xcf, 0x11, 0xe0]
const starts = (bytes: Uint8Array, mark: readonly number[]): boolean => mark.every((byte, i) => bytes[i] === byte)

/**
 * The kind of a document, by its content. Throws `UnreadableDocument` when it is encrypted, broken or of an unsupported
 * kind.
 */
export async function kindOf(bytes: Uint8Array): Promise<DocumentKind> {
  if (starts(bytes, zipMark)) return archiveKind(bytes)
  if (starts(bytes, compoundMark)) return compoundKind(bytes)
  if (isXml(bytes)) return xmlKind(bytes)
  return starts(bytes, rtfMark) ? 'rtf' : 'mail'
}

/** How far the first element of a file may be from its start. */
const headBytes = 16_384
/** Matches the first element of an OpenDocument file that is XML; further on, an embedded object may begin as one does. */
const flatRoot = /<(?:\w+:)?document\s[^<>]*mimetype=["']application\/vnd\.oasis\.opendocument\.(spreadsheet)?/

/** Of documents, workbooks of Excel 2003 and OpenDocument files of that form are XML. */
function xmlKind(bytes: Uint8Array): DocumentKind {
  const root = flatRoot.exec(Buffer.from(bytes.subarray(0, headBytes)).toString('latin1'))
  return root === null ? 'sheets' : root[1] === undefined ? 'flat-odf' : 'ods'
}

function archiveKind(bytes: Uint8Array): DocumentKind {
  const paths = pathsOf(bytes)
  const has = (folder: string): boolean => [...paths].some((path) => path.startsWith(folder))
  if (paths.has('META-INF/container.xml')) return 'epub'
  if (paths.has('content.xml')) return openDocumentKind(bytes)
  if (has('word/')) return 'docx'
  if (has('ppt/')) return 'slides'
  if (has('xl/')) return 'sheets'
  throw new UnreadableDocument('unknown')
}

function openDocumentKind(bytes: Uint8Array): DocumentKind {
  const parts = unzip(bytes, (path) => path === 'mimetype' || path === 'META-INF/manifest.xml')
  const manifest = xmlPart(parts, 'META-INF/manifest.xml')
  if (all(manifest, 'encryption-data').length > 0) throw new UnreadableDocument('encrypted')
  const declared = parts.get('mimetype') === undefined ? attributeOf(all(manifest, 'file-entry').find((one) => attributeOf(one, 'full-path') === '/'), 'media-type') : Buffer.from(parts.get('mimetype') ?? []).toString()
  return declared?.includes('spreadsheet') === true ? 'ods' : 'odf'
}

/** Kinds of compound files; encrypted newer documents are compound files, too. */
async function compoundKind(bytes: Uint8Array): Promise<DocumentKind> {
  const streams = await streamsOf(bytes)
  if (streams.has('EncryptedPackage')) throw new UnreadableDocument('encrypted')
  if (streams.has('Workbook') || streams.has('Book')) return 'sheets'
  if (streams.has('WordDocument')) return 'word'
  if (streams.has('PowerPoint Document')) return 'ppt'
  throw new UnreadableDocument('unknown')
}
