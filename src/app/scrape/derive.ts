import type { Call } from '../../domain/call.ts'
import type { Capability, Capture } from '../../domain/pages/capture.ts'
import { mediaType } from '../../domain/pages/capture.ts'
import type { Compute, Derivation, Packed } from '../../domain/pages/derivation.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fileKind, isTextual } from '../../domain/pages/file-kind.ts'
import { pack } from '../../domain/pages/packed.ts'
import { commonUrl } from '../../domain/urls/url.ts'
import { isMedia } from '../../formats/media.ts'
import type { PdfParser } from '../../domain/pages/pdf.ts'
import { deriveDocument, type DocumentPorts } from './document.ts'
import { derivePdf } from './pdf.ts'
import { assertAble, type Plan } from './plan.ts'

export interface DerivePorts extends DocumentPorts {
  readonly compute: Compute
  readonly pdf: PdfParser
  readonly features: ReadonlySet<Capability>
}

/** A media file contains nothing to read. */
const nothing: Derivation = { fields: {}, metadata: {}, verdict: 'ok', scriptDemand: null, confidence: null, removals: [], warnings: [] }

/**
 * Makes every format of the plan from a capture. Throws `SCRAPE_UNSUPPORTED_FILE_ERROR` for unreadable kinds of files,
 * `FEATURE_NOT_CONFIGURED` for a PDF without a parser, and what `Compute`, `PdfParser` and `DocumentParser` throw.
 */
export async function derive(whole: Capture, plan: Plan, ports: DerivePorts, call: Call): Promise<Packed> {
  // Images and the like are not read; passing them on would copy them to another thread.
  const { shots: _shots, actions: _actions, remembered: _remembered, ...rest } = whole
  // Without the fragment: the derivation may be cached for others, who ask with other fragments.
  const capture: Capture = { ...rest, url: commonUrl(whole) }
  const kind = fileKind(capture)
  if (kind === 'document') return pack(await deriveDocument({ capture, order: plan.derive }, ports, call))
  if (kind === 'image' && plan.derive.parsers.some((one) => one.type === 'image')) return pack(await deriveDocument({ capture, order: plan.derive, picture: true }, ports, call))
  if (kind === 'binary' || kind === 'image') {
    const type = mediaType(capture) || 'unknown'
    const media = plan.derive.formats.filter(isMedia).filter((format) => type.startsWith(`${format.type}/`))
    if (media.length > 0) return pack({ ...nothing, media: media.map(({ type: wanted }) => ({ kind: wanted, urls: [capture.url], players: [] })) })
    const why = isTextual(type) ? `The file is sent as ${type} and is no text, so that it cannot be read.` : `The file is of type ${type}, which cannot be read.`
    throw new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', why, { details: { contentType: type } })
  }
  const parser = plan.derive.parsers.findLast((one) => one.type === 'pdf')
  if (kind === 'page' || parser === undefined) return ports.compute.derive(capture, plan.derive, call)
  assertAble(['pdf'], ports.features)
  return pack(await derivePdf({ capture, order: plan.derive, parser }, ports, call))
}
