import type { Call } from '../../domain/call.ts'
import type { Capability, Capture } from '../../domain/capture.ts'
import { mediaType } from '../../domain/capture.ts'
import type { Compute, Derivation } from '../../domain/derivation.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fileKind } from '../../domain/file-kind.ts'
import type { PdfParser } from '../../domain/pdf.ts'
import { derivePdf } from './pdf.ts'
import { assertAble, type Plan } from './plan.ts'

export interface DerivePorts {
  readonly compute: Compute
  readonly pdf: PdfParser
  readonly features: ReadonlySet<Capability>
}

/** The file itself as base64, in `rawBase64` and (when asked for) in place of the markdown (contract §15.7). */
function asBase64(capture: Capture, plan: Plan): Derivation {
  const base64 = Buffer.from(capture.body).toString('base64')
  const wantsMarkdown = plan.derive.formats.some((format) => format.type === 'markdown')
  return {
    fields: { rawBase64: base64, ...(wantsMarkdown ? { markdown: base64 } : {}) },
    metadata: {},
    verdict: 'ok',
    scriptDemand: null,
    confidence: null,
    removals: [],
    warnings: [],
  }
}

/**
 * Makes every format of the plan from a capture.
 * Throws `SCRAPE_UNSUPPORTED_FILE_ERROR` for files that are neither text nor PDF, `FEATURE_NOT_CONFIGURED` for a PDF without a parser, and what `Compute` and `PdfParser` throw.
 */
export async function derive(capture: Capture, plan: Plan, ports: DerivePorts, call: Call): Promise<Derivation> {
  const kind = fileKind(capture)
  if (kind === 'page') return ports.compute.derive(capture, plan.derive, call)
  if (kind === 'binary') {
    const type = mediaType(capture) || 'unknown'
    throw new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', `The address leads to a file of type ${type}, which cannot be read.`, { details: { contentType: type } })
  }
  const parser = plan.derive.parsers.find((one) => one.type === 'pdf')
  if (parser === undefined) return asBase64(capture, plan)
  assertAble(['pdf'], ports.features)
  return derivePdf({ capture, order: plan.derive, parser }, ports, call)
}
