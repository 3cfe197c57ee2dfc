import type { Call } from '../../domain/call.ts'
import type { Capture } from '../../domain/pages/capture.ts'
import type { Compute, Contribution, Derivation, DeriveOrder } from '../../domain/pages/derivation.ts'
import { cleaned } from '../../content/passages/boilerplate.ts'
import { indexOf, shownText } from '../../content/indexing/index.ts'
import { ServiceError } from '../../domain/errors.ts'
import { groundingOf } from '../../formats/grounding.ts'
import { noModel } from '../../formats/warnings.ts'
import type { PdfDocument, PdfParser } from '../../domain/pages/pdf.ts'
import type { FormatType } from '../../spec/formats.ts'

/** A fetched PDF, and what to make of it. */
export interface PdfCapture {
  readonly capture: Capture
  readonly order: DeriveOrder
  readonly parser: Extract<DeriveOrder['parsers'][number], { type: 'pdf' }>
}

export interface PdfPorts {
  readonly compute: Compute
  readonly pdf: PdfParser
}

/** HTML that a parser made of a file, and what to make of it. */
export type HtmlOrder = Pick<PdfCapture, 'capture' | 'order'>

/** Formats that the parser gives itself; without selectors, also the second list. All others are read from its HTML. */
const always: readonly FormatType[] = ['rawHtml', 'links']
const unselected: readonly FormatType[] = ['markdown', 'html']

const selectorsOf = ({ read: { includeTags, excludeTags } }: DeriveOrder): readonly string[] => [...(includeTags.length > 0 ? ['includeTags'] : []), ...(excludeTags.length > 0 ? ['excludeTags'] : [])]

/** The options by which the markdown of the answer is not that of the file, in which blocks have their places. */
const changersOf = (order: DeriveOrder): readonly string[] => [...selectorsOf(order), ...(order.read.onlyCleanContent === true || order.clean === true ? ['onlyCleanContent'] : [])]

function ownFields(document: PdfDocument, own: ReadonlySet<FormatType>, order: DeriveOrder): Contribution {
  const changed = changersOf(order).length > 0
  return {
    ...(own.has('markdown') ? { markdown: document.markdown } : {}),
    ...(own.has('html') && document.html !== null ? { html: document.html } : {}),
    ...(own.has('links') ? { links: [...document.links] } : {}),
    ...(document.blocks.length > 0 ? { blocks: document.blocks.map(({ pageNumber, items }) => ({ pageNumber, width: null, height: null, status: 'ok' as const, items: items.map(({ markdownSpan, ...item }) => ({ ...item, label: null, bbox: null, markdownSpan: markdownSpan === null || changed ? null : [...markdownSpan], confidence: { layout: null, ocr: null } })) })) } : {}),
    ...(document.pages.length > 0 ? { pages: document.pages.map((page) => ({ ...page })) } : {}),
  }
}

/** Warns of formats and options that were asked for and cannot be given. */
function shortfalls({ order, parser }: PdfCapture): string[] {
  const asked = (type: FormatType): boolean => order.formats.some((format) => format.type === type)
  const selectors = selectorsOf(order)
  const changers = changersOf(order)
  const whole = [...(parser.pages === true || parser.pageMarkdown === true ? ['pages'] : []), ...(parser.blocks ? ['blocks'] : [])]
  return [
    ...(changers.length > 0 && whole.length > 0 ? [`${changers.join(', ')}: not applied to ${whole.join(' and ')} of a PDF${parser.blocks ? '; blocks have no position in the markdown then' : ''}.`] : []),
    ...(selectors.length > 0 && parser.pageMarkers ? [`pageMarkers: left out with ${selectors.join(' and ')}.`] : []),
    ...(asked('rawHtml') ? ['A PDF has no HTML of its own: rawHtml is left out.'] : []),
    ...(asked('images') ? ['The images of a PDF are not extracted.'] : []),
  ]
}

/** A parser's HTML as a page that is all content. */
export async function fromHtml(html: string, { capture, order }: HtmlOrder, { compute }: Pick<PdfPorts, 'compute'>, call: Call): Promise<Pick<Derivation, 'fields' | 'warnings' | 'material' | 'tracked' | 'without'>> {
  if (order.formats.length === 0 && order.model === undefined) return { fields: {}, warnings: [] }
  const { index: _, ...rest } = order
  const page: Capture = { ...capture, headers: [['content-type', 'text/html; charset=utf-8']], body: Buffer.from(`<!doctype html><body>${html}</body>`) }
  const made = await compute.derive(page, { ...rest, read: { ...order.read, onlyMainContent: false, blockAds: false } }, call)
  const { formatWarning: warning, warnings, material, tracked, without } = made.facts
  return { fields: { ...made.fields(), ...(warning === undefined ? {} : { warning }) }, warnings, ...(material === undefined ? {} : { material }), ...(tracked === undefined ? {} : { tracked }), ...(without === undefined ? {} : { without }) }
}

/** Makes the formats of an order from a PDF. Throws what `PdfParser` and `Compute` throw, and `SCRAPE_UNSUPPORTED_FILE_ERROR` if it is too large. */
export async function derivePdf(wanted: PdfCapture, ports: PdfPorts, call: Call): Promise<Derivation> {
  const { capture, order, parser } = wanted
  if (capture.truncated) throw new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', 'The PDF is larger than what is read.', { details: { contentType: 'application/pdf' } })
  const selects = selectorsOf(order).length > 0
  const givenTypes = new Set([...always, ...(selects ? [] : unselected)])
  const own = new Set(order.formats.map((format) => format.type).filter((type) => givenTypes.has(type)))
  const others = order.formats.filter((format) => !givenTypes.has(format.type))
  const { mode, maxPages, pageMarkers } = parser
  const pages = parser.pages === true || parser.pageMarkdown === true
  const document = await ports.pdf.parse(capture.body, { mode, maxPages, pages, pageMarkers, base: capture.url, blocks: parser.blocks, html: own.has('html') || others.length > 0 || order.model !== undefined }, call)
  const rest = await fromHtml(document.html ?? '', { ...wanted, order: { ...order, formats: others } }, ports, call)
  const tidy = order.read.onlyCleanContent === true && own.has('markdown')
  const given = { ...rest.fields, ...ownFields(document, own, order), ...(tidy ? { markdown: cleaned(document.markdown) } : {}) }
  const warning = [rest.fields.warning, tidy ? noModel.clean : undefined].filter((one) => one !== undefined).join(' ')
  return {
    fields: { ...given, ...(given.grounding === undefined ? {} : { grounding: groundingOf(given.json, given.markdown ?? '') }), ...(warning === '' ? {} : { warning }) },
    metadata: document.metadata,
    verdict: 'ok',
    scriptDemand: null,
    confidence: null,
    removals: [],
    warnings: [...document.warnings, ...rest.warnings, ...shortfalls(wanted)],
    document: { numPages: document.numPages, totalPages: document.totalPages },
    ...(document.late === true ? { passing: true, late: true } : {}),
    ...(rest.material === undefined ? {} : { material: rest.material }),
    ...(rest.tracked === undefined ? {} : { tracked: rest.tracked }),
    ...(rest.without === undefined ? {} : { without: rest.without }),
    ...findable(document, given, order),
  }
}

/** The search index entry of a file. */
export function findable({ metadata, markdown }: Pick<PdfDocument, 'metadata' | 'markdown'>, given: Contribution, order: DeriveOrder): Pick<Derivation, 'index' | 'shown'> {
  if (order.index !== true) return {}
  return { index: indexOf({ metadata, markdown, pictures: [], source: '' }), shown: { pictures: [], ...(given.markdown === undefined ? { text: shownText(markdown) } : {}) } }
}
