import { type Capture, header, mediaType } from './capture.ts'
import { urlOf } from '../../lib/url-of.ts'

/** The kind of a capture's body, which decides who reads it. */
export type FileKind = 'page' | 'pdf' | 'document' | 'image' | 'binary'

const textual = /^(text\/|application\/(json|xml|xhtml\+xml|javascript|ecmascript|x-javascript|x-ndjson|ld\+json|yaml|x-yaml|toml|sql)|.*\+(json|xml)$|message\/|multipart\/)/

/** Whether a media type denotes text. */
export const isTextual = (type: string): boolean => textual.test(type)

/** So many bytes at the start of a file show its kind. */
export const sampleBytes = 1024
/** With fewer bytes, the share of untypical bytes says nothing. */
const fewBytes = 64

/** Bytes that occur in no text (WHATWG MIME Sniffing §7.1, binary data bytes), and what UTF-16 begins with. */
const binaryByte = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/
const utf16 = /^(?:\xfe\xff|\xff\xfe)/

const looksBinary = (start: string): boolean => binaryByte.test(start) && !utf16.test(start)

/**
 * The first bytes of archives, compressed files, fonts, programs, audio and video; text may begin with some of them, too.
 */
const fileStart = /^(?:PK\x03\x04|\x1f\x8b\x08|7z\xbc\xaf|Rar!\x1a|\xfd7zXZ|\x28\xb5\x2f\xfd|BZh\d1AY|wOF[F2]|OTTO\0|\0\x01\0\0\0|\x7fELF|MZ.\0|BM.{4}\0{4}|\0asm|OggS|ID3[\x02-\x04]|fLaC|RIFF|\x1aE\xdf\xa3|\0\0..ftyp)/s
/**
 * The largest share of untypical bytes in text; in files without a signature, such as compressed data, a tenth is
 * untypical.
 */
const maxUntypical = 0.04

/**
 * Whether a body declared as text is binary. Pages may contain stray control characters, old manuals overstrike with
 * backspaces, and in UTF-16 every other byte may be one.
 */
function isNoText(start: string, { headers }: Pick<Capture, 'headers'>): boolean {
  if (!looksBinary(start)) return false
  if (fileStart.test(start) || imageStarts.some((sign) => sign.length > 2 && start.startsWith(sign))) return true
  if (/^[\s\0]*<\0?[a-z!?/]/i.test(start) || /utf-?16/i.test(header({ headers }, 'content-type') ?? '')) return false
  return (start.match(/[\x01-\x07\x0b\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0) > start.length * maxUntypical && start.length >= fewBytes
}

/** The first bytes, one character each. */
const startOf = ({ buffer, byteOffset, length }: Uint8Array): string => Buffer.from(buffer, byteOffset, Math.min(length, sampleBytes)).toString('latin1')

/** The first file in the archive of a document; other archives are not documents. */
const firstFile = /^(?:mimetype|\[Content_Types\]\.xml|META-INF\/|_rels\/|docProps\/|customXml\/|word\/|xl\/|ppt\/|content\.xml|styles\.xml|meta\.xml)/
const officeType = /^application\/(?:vnd\.openxmlformats-officedocument\.|vnd\.oasis\.opendocument\.|vnd\.ms-(?:word|excel|powerpoint)\b|epub\+zip)/
const officeEnding = /^(?:docx|docm|dotx|xlsx|xlsm|xlsb|pptx|pptm|ppsx|odt|ott|ods|ots|odp|otp|odg|epub)$/

/** The offset of the first file's name in an archive, and of its length (APPNOTE 4.3.7). */
const nameAt = 30
const nameLengthAt = 26

/** Types of documents that must be archives; not the older types, under which sites send tables as text. */
const archiveType = /^application\/(?:vnd\.openxmlformats-officedocument\.|vnd\.oasis\.opendocument\.|epub\+zip)/

/**
 * Whether the media type, or the file name if the type is generic, is that of such a document: a broken one is not text.
 */
function isCalledArchive(capture: Pick<Capture, 'headers' | 'url'>): boolean {
  const type = mediaType(capture)
  return archiveType.test(type) || (general.test(type) && officeEnding.test(endingOf(capture)))
}

/** How a workbook of Excel 2003 in XML begins. */
const xmlWorkbook = /^(?:\xef\xbb\xbf)?\s*<\?xml\s[^]*?<(?:\w+:)?Workbook\s[^<>]*"urn:schemas-microsoft-com:office:spreadsheet"/

/** How an OpenDocument file begins that is a single file of XML. */
const flatDocument = /^(?:\xef\xbb\xbf)?\s*<\?xml\s[^]*?<(?:\w+:)?document\s[^<>]*["']urn:oasis:names:tc:opendocument:xmlns:/

/** A field of a mail's head, which is all that a mail begins with (RFC 5322, 2.2); programs that keep mails write a line before. */
const mailField = /^(?:\xef\xbb\xbf)?(?:>?From .{1,200}\r?\n)?[a-z][a-z0-9-]{0,76}:[ \t\r\n]/i
const mailType = /^(?:message\/rfc822|multipart\/(?:related|mixed|alternative)|application\/x-mimearchive)$/
const mailEnding = /^(?:eml|mht|mhtml)$/

/** Whether a text that begins with such a field is a mail or a page saved as one, by its type or name. */
function isMail(capture: Pick<Capture, 'headers' | 'url'>): boolean {
  const type = mediaType(capture)
  return mailType.test(type) || ((general.test(type) || type === 'text/plain') && mailEnding.test(endingOf(capture)))
}

function isDocument(start: string, capture: Pick<Capture, 'headers' | 'url'>): boolean {
  if (mailField.test(start)) return isMail(capture)
  if (start.startsWith('{\\rtf') || start.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') || xmlWorkbook.test(start) || flatDocument.test(start)) return true
  if (!start.startsWith('PK')) return false
  if (isCalledArchive(capture)) return true
  if (!start.startsWith('PK\x03\x04')) return false
  const name = start.slice(nameAt, nameAt + Math.min(start.charCodeAt(nameLengthAt) || 0, 64))
  return firstFile.test(name) || officeType.test(mediaType(capture)) || officeEnding.test(endingOf(capture))
}

/** The file name in a `content-disposition`, which may declare its encoding (RFC 6266, 4.3). */
const fileName = /filename(?:\*=[\w-]{1,40}'[\w-]{0,40}'|\s?=\s?)"?([^";]{1,300})/i

/** The ending of a file name or path in lower case; '' where it has none. */
export const endingIn = (name: string): string => /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? ''

/** The ending of the file name that the site gives, otherwise of the URL. */
function endingOf(capture: Pick<Capture, 'headers' | 'url'>): string {
  const given = fileName.exec(header(capture, 'content-disposition') ?? '')?.[1]
  return endingIn(given ?? urlOf(capture.url)?.pathname ?? '')
}

const general = /^(?:|(?:application|binary)\/octet-stream|unknown\/unknown|application\/(?:x-|force-)?download)$/
const textEndings: Readonly<Record<string, string>> = {
  csv: 'text/csv', tsv: 'text/tab-separated-values', json: 'application/json', ipynb: 'application/x-ipynb+json', ndjson: 'application/x-ndjson', jsonl: 'application/x-ndjson', xml: 'application/xml', rss: 'application/rss+xml', atom: 'application/atom+xml',
  txt: 'text/plain', md: 'text/markdown', html: 'text/html', htm: 'text/html', xhtml: 'application/xhtml+xml', yaml: 'application/yaml', yml: 'application/yaml', css: 'text/css', js: 'text/javascript', xls: 'application/vnd.ms-excel',
}
/** Endings that say more than those types. */
const telling: ReadonlySet<string> = new Set(['csv', 'tsv', 'xls', 'ipynb'])
/** Types under which sites send tables and notebooks as text: plain text, or the program that opens tables. */
const tableType = /^(?:text\/plain|application\/(?:vnd\.ms-)?excel)$/

/**
 * The media type by which to read a text: from the file name when the site declares none, or too little.
 */
export function textType(capture: Pick<Capture, 'headers' | 'url'>): string {
  const type = mediaType(capture)
  const ending = endingOf(capture)
  const says = general.test(type) || (tableType.test(type) && telling.has(ending))
  return says ? (textEndings[ending] ?? type) : type
}

/** The media type of an uploaded file: its name was given by its owner, while the type is often a program's guess. */
export function typeOfFile({ name, type }: { readonly name: string; readonly type: string }): string {
  const named = textEndings[endingIn(name)]
  const charset = /charset=[^;]+/i.exec(type)?.[0]
  return named === undefined ? type : charset === undefined ? named : `${named}; ${charset}`
}

const imageStarts = ['\x89PNG\r\n', '\xff\xd8\xff', 'GIF8', 'II*\0', 'MM\0*', 'BM']
const isWebp = (start: string): boolean => start.startsWith('RIFF') && start.startsWith('WEBP', 8)

/**
 * Whether a PDF's first line comes a little late (PDF 1.7, annex H.3.4.1): programs write blanks or mail headers before it.
 */
function isLatePdf(start: string, type: string): boolean {
  const at = start.indexOf('%PDF-')
  return at >= 0 && (!textual.test(type) || /^(?:\xef\xbb\xbf|[\s\0])*$/.test(start.slice(0, at)))
}

/** A page sent under the name of a PDF: a login page, an error. */
const pageStart = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|body)[\s>]/i

/** Decides by the bytes first, then by the media type: servers often mislabel files. */
export function fileKind(capture: Pick<Capture, 'headers' | 'body' | 'url'>): FileKind {
  const start = startOf(capture.body)
  if (start.startsWith('%PDF-')) return 'pdf'
  if (isDocument(start, capture)) return 'document'
  const type = mediaType(capture)
  if (isLatePdf(start, type)) return 'pdf'
  if (type === 'application/pdf') return capture.body.length === 0 || pageStart.test(start) ? 'page' : 'pdf'
  const isText = isTextual(type)
  if (isText && !isNoText(start, capture)) return 'page'
  const binary = isText || looksBinary(start) || /^(image|audio|video|font)\//.test(type)
  if (!binary) return 'page'
  return imageStarts.some((sign) => start.startsWith(sign)) || isWebp(start) ? 'image' : 'binary'
}
