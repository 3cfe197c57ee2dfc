import type { Call } from '../../domain/call.ts'
import { type Capture, mediaType } from '../../domain/pages/capture.ts'
import type { Compute, Contribution, Derivation } from '../../domain/pages/derivation.ts'
import type { DocumentParser } from '../../domain/pages/document.ts'
import { ServiceError } from '../../domain/errors.ts'
import { findable, fromHtml, type HtmlOrder } from './pdf.ts'

export interface DocumentPorts {
  readonly compute: Compute
  readonly documents: DocumentParser
}

/** A fetched document or picture of one, and what to make of it. */
export interface DocumentOrder extends HtmlOrder {
  readonly picture?: boolean
}

/** Footnotes link within the document; outside of it those addresses lead nowhere. */
function outwardLinks({ links, ...fields }: Contribution, url: string): Contribution {
  return links === undefined ? fields : { ...fields, links: links.filter((link) => !link.startsWith(`${url}#`)) }
}

/** Makes the formats of an order from a copy of a web page: nothing that the page would do or lead to is done. */
async function deriveSaved({ capture, order }: HtmlOrder, html: string, compute: Compute, call: Call): Promise<Derivation> {
  const page: Capture = { ...capture, headers: [['content-type', 'text/html; charset=utf-8']], body: Buffer.from(html) }
  const made = await compute.derive(page, order, call)
  const { formatWarning: warning, leadsOn: _, embedded: __, busy: ___, ...facts } = made.facts
  return { ...facts, scriptDemand: null, fields: { ...made.fields(), ...(warning === undefined ? {} : { warning }) }, ...(made.index === undefined ? {} : { index: made.index }) }
}

/** Makes the formats of an order from a document. Throws what `DocumentParser` and `Compute` throw, and `SCRAPE_UNSUPPORTED_FILE_ERROR` if it is too large. */
export async function deriveDocument({ capture, order, picture = false }: DocumentOrder, { compute, documents }: DocumentPorts, call: Call): Promise<Derivation> {
  if (capture.truncated) throw new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', 'The document is larger than what is read.', { details: { contentType: mediaType(capture) } })
  const document = await (picture ? documents.recognise(capture.body, call) : documents.convert(capture.body, call))
  if (document.page !== undefined) return deriveSaved({ capture: { ...capture, url: document.page }, order }, document.html, compute, call)
  const formats = order.formats.filter((format) => format.type !== 'rawHtml')
  // The search index needs the markdown, whether or not it was asked for.
  const unasked = order.index === true && !formats.some((format) => format.type === 'markdown')
  const wanted = { ...order, formats: unasked ? [...formats, { type: 'markdown' as const }] : formats }
  const made = await fromHtml(document.html, { capture, order: wanted }, { compute }, call)
  const { markdown = '', ...others } = made.fields
  const fields = outwardLinks(unasked ? others : made.fields, capture.url)
  return {
    fields,
    metadata: document.metadata,
    verdict: 'ok',
    scriptDemand: null,
    confidence: null,
    removals: [],
    warnings: [...document.warnings, ...made.warnings, ...(formats.length < order.formats.length ? ['A document has no HTML of its own: rawHtml is left out.'] : [])],
    // With a program for it, a picture comes without a warning.
    ...(picture && document.warnings.length > 0 ? { passing: true } : {}),
    ...(made.material === undefined ? {} : { material: made.material }),
    ...(made.tracked === undefined ? {} : { tracked: made.tracked }),
    ...(made.without === undefined ? {} : { without: made.without }),
    ...findable({ metadata: document.metadata, markdown }, fields, order),
  }
}
