import { ServiceError } from '../domain/errors.ts'
import type { PdfDocument, PdfParser } from '../domain/pdf.ts'
import { type ProcessOptions, processes, type Result } from './processes.ts'

export type PdfParserOptions = Partial<ProcessOptions>

const defaults: ProcessOptions = {
  entry: new URL('./child.js', import.meta.url),
  processes: 2,
  maxMs: 30_000,
  maxRssMb: 640,
  addressSpaceMb: 3_072,
  idleMs: 60_000,
}

const unreadable = (message: string): ServiceError => new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', message, { details: { contentType: 'application/pdf' } })

function documentOf(result: Result): PdfDocument {
  if ('document' in result) return result.document
  switch (result.problem) {
    case 'encrypted':
      throw unreadable('The PDF is encrypted and needs a password; it cannot be read.')
    case 'broken':
      throw unreadable('The PDF is broken or incomplete and cannot be read; parsers: [] returns it as it is.')
    case 'no-text':
      throw new ServiceError('SCRAPE_PDF_OCR_REQUIRED', 'The pages of the PDF hold no text, only pictures; reading them needs text recognition (OCR).')
    case 'memory':
      throw unreadable('The PDF could not be read: it needs too much memory; maxPages limits how much of it is read.')
    case 'crash':
      throw unreadable('The PDF could not be read: it broke its reader.')
    case 'fault':
      throw new Error(`reading a PDF failed: ${result.detail ?? ''}`)
  }
}

/** Reads PDF files in processes of their own, which may crash alone; they start on first use and end when idle. */
export function pdfParser(options: PdfParserOptions = {}): PdfParser {
  const pool = processes({ ...defaults, ...options })
  return {
    async parse(bytes, order, call) {
      if (order.mode === 'ocr') {
        throw new ServiceError('FEATURE_NOT_CONFIGURED', 'Not configured: text recognition (parsers mode ocr) is not in this release; mode auto reads the text that the PDF holds.', { details: { feature: 'ocr' } })
      }
      return documentOf(await pool.run({ bytes, order }, call))
    },
    close: () => pool.close(),
  }
}
