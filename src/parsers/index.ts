import type { ConvertedDocument, DocumentParser } from '../domain/pages/document.ts'
import { ServiceError } from '../domain/errors.ts'
import type { PdfDocument, PdfOrder, PdfParser } from '../domain/pages/pdf.ts'
import { escapeHtml } from './documents/html.ts'
import { findOcrPrograms, missingLanguages, type OcrPrograms, recogniser, type Recogniser } from './ocr.ts'
import { type ProcessOptions, processes, type Result } from './processes.ts'
import { recognisePages } from './recognise.ts'

export { findOcrPrograms, missingLanguages, type OcrPrograms }

export interface FileParserOptions extends Partial<ProcessOptions> {
  /** The programs for text recognition; none by default. */
  readonly ocr?: OcrPrograms | null
  /** The clock of the deadlines of calls; by default the system's. */
  readonly now?: () => number
}

/** Reads PDF files and other documents. */
export interface FileParsers extends PdfParser, DocumentParser {
  /** Names the text recognition at work, since files are read differently by others; null without any. */
  readonly ocr: string | null
}

const defaults: ProcessOptions = {
  entry: new URL('./child.js', import.meta.url),
  processes: 2,
  maxMs: 30_000,
  maxRssMb: 640,
  roomMb: 1_280,
  idleMs: 60_000,
}

type Failure = Extract<Result, { problem: string }>

/** How a kind of file is named in errors, and what the reader of the error may do. */
interface Words {
  readonly name: 'PDF' | 'document'
  readonly broken: string
  readonly memory: string
  readonly details: { readonly contentType?: string }
}

const words: Readonly<Record<Words['name'], Words>> = {
  PDF: { name: 'PDF', broken: ' parsers: [] returns it as it is.', memory: ' maxPages limits how much of it is read.', details: { contentType: 'application/pdf' } },
  document: { name: 'document', broken: '', memory: '', details: {} },
}

const sentence = (text: string, more: string): string => (more === '' ? `${text}.` : `${text};${more}`)

function failure(result: Failure, { name, broken, memory, details }: Words): Error {
  const unreadable = (message: string): ServiceError => new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', message, { details })
  switch (result.problem) {
    case 'encrypted':
      return unreadable(`The ${name} is encrypted and needs a password; it cannot be read.`)
    case 'broken':
      return unreadable(sentence(`The ${name} is broken or incomplete and cannot be read`, broken))
    case 'no-text':
      return new ServiceError('SCRAPE_PDF_OCR_REQUIRED', 'The pages of the PDF hold no text, only pictures; reading them needs text recognition (OCR).')
    case 'memory':
    case 'too-large':
      return unreadable(sentence(`The ${name} could not be read: it needs too much memory`, memory))
    case 'crash':
      return unreadable(`The ${name} could not be read: it broke its reader.`)
    case 'unknown':
      return unreadable('The file is of a kind that cannot be read.')
    case 'fault':
      return new Error(`reading a file failed: ${result.detail ?? ''}`)
  }
}

function pdfOf(result: Result): PdfDocument {
  if ('document' in result) return result.document
  throw 'problem' in result ? failure(result, words.PDF) : new Error('another document was read')
}

function documentOf(result: Result): ConvertedDocument {
  if ('converted' in result) return result.converted
  throw 'problem' in result ? failure(result, words.document) : new Error('a PDF was read')
}

const needsPrograms = 'text recognition (TRAWL_OCR) needs the programs tesseract and pdftoppm on this machine'

/** Reads files in separate processes, so that only these can crash; they start on first use and end when idle. */
export function fileParsers({ ocr = null, now = Date.now, ...options }: FileParserOptions = {}): FileParsers {
  const pool = processes({ ...defaults, ...options })
  const eye: Recogniser | null = ocr === null ? null : recogniser(ocr)
  return {
    ocr: ocr === null ? null : `${ocr.languages}${ocr.pdftoppm === null ? '' : ' pdf'}`,
    async parse(bytes, order, call) {
      if (order.mode === 'ocr' && eye?.pages !== true) throw new ServiceError('FEATURE_NOT_CONFIGURED', `Not configured: ${needsPrograms}; mode auto reads the text that the PDF holds.`, { details: { feature: 'ocr' } })
      const read = async (how: PdfOrder): Promise<PdfDocument> => pdfOf(await pool.run({ bytes, order: how }, call))
      const document = await read(order)
      if (order.mode === 'fast') return document
      if (eye?.pages !== true) return document
      const wanted = order.mode === 'ocr' ? Array.from({ length: document.numPages }, (_, i) => i + 1) : document.pagesNeedingOcr
      if (wanted.length === 0) return document
      const { texts, isLate } = await recognisePages({ bytes, wanted, eye, now }, call)
      const whole = await read({ ...order, recognised: texts })
      return isLate ? { ...whole, late: true } : whole
    },
    async recognise(bytes, call) {
      if (eye === null) return { html: '', metadata: {}, warnings: [`The picture was not read: ${needsPrograms}.`] }
      const text = await eye.picture(bytes, call)
      if (text === null) throw new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', 'The picture could not be read.')
      return { html: text.split(/\n\s*\n/).filter((part) => part.trim() !== '').map((part) => `<p>${escapeHtml(part.trim())}</p>`).join('\n'), metadata: {}, warnings: [] }
    },
    convert: async (bytes, call) => documentOf(await pool.run({ bytes, order: null }, call)),
    close: () => pool.close(),
  }
}
