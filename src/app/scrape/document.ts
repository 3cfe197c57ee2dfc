import type { Call } from '../../domain/call.ts'
import { mediaType } from '../../domain/capture.ts'
import type { Compute, Derivation } from '../../domain/derivation.ts'
import type { DocumentParser } from '../../domain/document.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fromHtml, type HtmlOrder } from './pdf.ts'

export interface DocumentPorts {
  readonly compute: Compute
  readonly documents: DocumentParser
}

/** Makes the formats of an order from a document. Throws what `DocumentParser` and `Compute` throw, `SCRAPE_UNSUPPORTED_FILE_ERROR` for one that is too large. */
export async function deriveDocument(wanted: HtmlOrder, { compute, documents }: DocumentPorts, call: Call): Promise<Derivation> {
  const { capture, order } = wanted
  if (capture.truncated) throw new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', 'The document is larger than what is read.', { details: { contentType: mediaType(capture) } })
  const document = await documents.convert(capture.body, call)
  const formats = order.formats.filter((format) => format.type !== 'rawHtml')
  const { fields, warnings, material, tracked } = await fromHtml(document.html, { capture, order: { ...order, formats } }, { compute }, call)
  // Notes are linked inside of the document; outside of it those addresses lead nowhere.
  const links = fields.links?.filter((url) => !url.startsWith(`${capture.url}#`))
  return {
    fields: { ...fields, ...(links === undefined ? {} : { links }) },
    metadata: document.metadata,
    verdict: 'ok',
    scriptDemand: null,
    confidence: null,
    removals: [],
    warnings: [...document.warnings, ...warnings, ...(formats.length < order.formats.length ? ['A document has no HTML of its own: rawHtml is left out.'] : [])],
    ...(material === undefined ? {} : { material }),
    ...(tracked === undefined ? {} : { tracked }),
  }
}
