import { read } from '../content/reading.ts'
import type { Capture } from '../domain/capture.ts'
import type { Contribution, Derivation, DeriveOrder } from '../domain/derivation.ts'
import type { Reading } from '../domain/reading.ts'
import { contribute, readsContent } from '../formats/index.ts'

/** The formats of an order, made from one reading; warnings of formats are joined. */
function contributions(reading: Reading, order: DeriveOrder): Contribution {
  const parts = order.formats.map((format) => contribute(reading, format))
  const warning = parts.flatMap((part) => part.warning ?? []).join(' ')
  return { ...Object.assign({}, ...parts), ...(warning === '' ? {} : { warning }) }
}

/** Everything an order asks for, from a reading that may have been started already. */
export function deriveFrom(reading: Reading, order: DeriveOrder): Derivation {
  const fields = contributions(reading, order)
  return {
    fields,
    metadata: reading.metadata(),
    verdict: reading.verdict(),
    scriptDemand: reading.scriptDemand(),
    confidence: readsContent(order.formats) ? reading.confidence() : null,
    removals: order.explain ? reading.removals() : [],
    warnings: reading.warnings(),
  }
}

/** Everything an order asks for, from a capture; runs wherever it is called. */
export function deriveHere(capture: Capture, order: DeriveOrder): Derivation {
  return deriveFrom(read(capture, order.read), order)
}
