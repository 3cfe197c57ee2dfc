import type { Call } from '../../domain/call.ts'
import type { DeriveOrder, Packed } from '../../domain/derivation.ts'
import type { Model } from '../../domain/model.ts'
import { unpack } from '../../domain/packed.ts'
import type { Assembly } from '../../formats/analysis/assembly.ts'
import type { Analyse } from '../../formats/analysis/index.ts'
import type { Format } from '../../spec/formats.ts'
import type { Asking } from './asking.ts'
import { extracted, type Made } from './extract.ts'
import { tidied } from './tidy.ts'
import { answeredByModel, highlighted, summarised } from './words.ts'

export interface MeaningPorts {
  readonly model: Model
  readonly analyse: Analyse
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

/**
 * Has a model do its part in a derivation that names one: the formats that it makes better, and the boilerplate. Where it gives nothing
 * that can be used, what the page itself says stands in, with a warning. Throws `SCRAPE_JSON_CONTENT_TOO_LARGE`.
 */
export async function withMeaning(page: Packed, order: DeriveOrder, { model, analyse, now }: MeaningPorts, call: Call): Promise<Packed> {
  const { material, verdict } = page.facts
  if (material === undefined) return page
  const whole = async (made: Pick<Assembly, 'parts' | 'clean' | 'grounds' | 'passing'>): Promise<Packed> => unpack(await analyse('assembled', { bytes: page.bytes, ...made }, call))
  // The page is not the page asked for: no model is asked about it.
  if (verdict === 'challenge' || verdict === 'empty') return whole({ parts: Object.values(material.fallback), clean: null, grounds: false, passing: false })
  const asking: Asking = { model, material, analyse, call, now }
  const [tidy, ...made] = await Promise.all([order.clean === true ? tidied(page.bytes, asking) : null, ...order.formats.map((format) => makeOf(format, asking))])
  const warned = tidy === null || tidy.warning === null ? [] : [{ warning: tidy.warning }]
  const passing = (tidy?.fault ?? null) !== null || made.some(({ fault }) => fault !== null)
  return whole({ parts: [...warned, ...made.map(({ part }) => part)], clean: tidy?.clean ?? null, grounds: order.formats.some((format) => format.type === 'json' && format.grounding), passing })
}
