import type { Call } from '../../domain/call.ts'
import type { Contribution, Derivation, DeriveOrder, Packed } from '../../domain/derivation.ts'
import type { Model } from '../../domain/model.ts'
import { pack } from '../../domain/packed.ts'
import { groundingOf } from '../../formats/grounding.ts'
import type { Format } from '../../spec/formats.ts'
import type { Asking } from './asking.ts'
import { extracted, type Made } from './extract.ts'
import { tidied } from './tidy.ts'
import { answeredByModel, highlighted, summarised } from './words.ts'

export interface MeaningPorts {
  readonly model: Model
  readonly now: () => number
}

const nothing: Made = { part: {}, fault: null }

function makeOf(format: Format, asking: Asking): Promise<Made> {
  switch (format.type) {
    case 'json':
      return extracted(format, asking)
    case 'summary':
      return summarised(asking)
    case 'question':
      return answeredByModel(format.question, 'question', asking)
    case 'highlights':
      return highlighted(format.query, 'highlights', asking)
    case 'query':
      return format.mode === 'freeform' ? answeredByModel(format.prompt, 'query', asking) : highlighted(format.prompt, 'answer', asking)
    default:
      return Promise.resolve(nothing)
  }
}

/** The page is not the page asked for: no model is asked about it. */
function withoutModel({ material, ...facts }: Derivation): Derivation {
  const parts = Object.values(material?.fallback ?? {})
  return { ...facts, fields: joined([facts.fields, ...parts]) }
}

function joined(parts: readonly Contribution[]): Contribution {
  const warning = parts.flatMap((part) => part.warning ?? []).join(' ')
  return { ...Object.assign({}, ...parts), ...(warning === '' ? {} : { warning }) }
}

function derivationOf({ facts, fields }: Packed): Derivation {
  const { formatWarning: warning, ...rest } = facts
  return { ...rest, fields: { ...fields(), ...(warning === undefined ? {} : { warning }) } }
}

/**
 * Has a model do its part in a derivation that names one: the formats that it makes better, and the boilerplate. Where it gives nothing
 * that can be used, what the page itself says stands in, with a warning. Throws `SCRAPE_JSON_CONTENT_TOO_LARGE`.
 */
export async function withMeaning(page: Packed, order: DeriveOrder, { model, now }: MeaningPorts, call: Call): Promise<Packed> {
  const derivation = derivationOf(page)
  const { material, ...rest } = derivation
  if (material === undefined) return page
  if (derivation.verdict === 'challenge' || derivation.verdict === 'empty') return pack(withoutModel(derivation))
  const asking: Asking = { model, material, call, now }
  const { markdown } = rest.fields
  const [tidy, ...made] = await Promise.all([
    order.clean === true && markdown !== undefined ? tidied(markdown, asking) : null,
    ...order.formats.map((format) => makeOf(format, asking)),
  ])
  const whole = joined([rest.fields, ...(tidy === null ? [] : [{ markdown: tidy.markdown, ...(tidy.warning === null ? {} : { warning: tidy.warning }) }]), ...made.map(({ part }) => part)])
  const grounds = order.formats.some((format) => format.type === 'json' && format.grounding)
  const fields = grounds ? { ...whole, grounding: groundingOf(whole.json, whole.markdown ?? '') } : whole
  const failed = (tidy?.fault ?? null) !== null || made.some(({ fault }) => fault !== null)
  return pack({ ...rest, fields, ...(failed ? { passing: true } : {}) })
}
