import { z } from 'zod'
import { limits } from './limits.ts'

const place = z.int().min(0).max(limits.milliseconds)
const pageNumber = z.int().min(1).max(limits.milliseconds)

/** A page of a PDF. */
export const PdfPage = z.strictObject({ pageNumber, markdown: z.string() }).meta({ id: 'PdfPage' })

const PdfBlock = z
  .strictObject({
    id: z.string(),
    type: z.enum(['heading', 'text', 'list', 'table', 'code']),
    label: z.null(),
    bbox: z.null().describe('Positions on the page are not known.'),
    content: z.string().describe('Markdown.'),
    markdownSpan: z.array(place).length(2).nullable().describe('Start and end in `markdown`, in UTF-16 code units; null for a block that was merged with another, and where selectors or cleaning change the markdown.'),
    readingOrder: place,
    source: z.enum(['native', 'ocr']),
    confidence: z.strictObject({ layout: z.null(), ocr: z.null() }),
  })
  .meta({ id: 'PdfBlock' })

/** The blocks of a page of a PDF, in the order in which they are read. */
export const PdfBlocks = z.strictObject({ pageNumber, width: z.null(), height: z.null(), status: z.literal('ok'), items: z.array(PdfBlock) }).meta({ id: 'PdfBlocks' })

/** What actions gave, each kind in the order of the actions. */
export const ActionResults = z
  .strictObject({
    screenshots: z.array(z.string()).describe('URLs, as for `screenshot`.'),
    scrapes: z.array(z.strictObject({ url: z.string(), html: z.string() })),
    javascriptReturns: z.array(z.strictObject({ type: z.string().describe('As `typeof` names it, or `array` or `null`.'), value: z.unknown().describe('null too for what JSON cannot tell, such as a function or an object within itself.') })),
    pdfs: z.array(z.string()).describe('URLs, as for `screenshot`.'),
  })
  .meta({ id: 'ActionResults' })

/** How a page was got and read (contract §15.20). */
export const Explanation = z
  .strictObject({
    engine: z.string(),
    reason: z.string(),
    cache: z.string(),
    tried: z.array(z.strictObject({ engine: z.string(), outcome: z.string(), ms: z.number().min(0), proxy: z.literal('enhanced').optional() })),
    removals: z.array(z.strictObject({ step: z.string(), count: place })),
  })
  .meta({ id: 'Explanation' })
