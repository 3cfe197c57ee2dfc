import type { Call } from '../../domain/call.ts'
import type { DeriveOrder, Packed, TrackedFields } from '../../domain/pages/derivation.ts'
import type { Model } from '../../domain/model.ts'
import { unpack } from '../../domain/pages/packed.ts'
import type { Assembly } from '../../formats/analysis/assembly.ts'
import type { Analyse } from '../../formats/analysis/index.ts'
import { isEmpty } from '../../formats/analysis/ground.ts'
import { givesNothing } from '../../formats/nothing.ts'
import { tracksFields } from '../../formats/tracking.ts'
import type { Format, FormatType } from '../../spec/formats.ts'
import type { Asking, Learning } from './asking.ts'
import { characterised } from './brand.ts'
import { extracted, type Made } from './extract.ts'
import { tidied } from './tidy.ts'
import { answeredByModel, highlighted, summarised } from './words.ts'

export interface MeaningPorts {
  readonly model: Model
  readonly analyse: Analyse
  readonly now: () => number
  /** For pages of jobs, where templates are learned. */
  readonly learning: Learning | null
}

const nothing: Made = { part: {}, fault: null }

function makeOf(format: Format, page: Packed, asking: Asking): Promise<Made> {
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
    case 'branding':
      return characterised(page.fields().branding, asking)
    default:
      return Promise.resolve(nothing)
  }
}

/** The formats left empty because the model did not answer. */
function withoutAnswer(formats: readonly Format[], made: readonly Made[], tracked: TrackedFields | undefined): readonly FormatType[] {
  const empty = formats.filter((format, i) => (made[i]?.fault ?? null) !== null && givesNothing(format, made[i]?.part ?? {})).map(({ type }) => type)
  return [...empty, ...(tracked?.unanswered === true && isEmpty(tracked.value) ? ['changeTracking' as const] : [])] // names of formats
}

/** The fields for change tracking: the model is asked for those that the page's data does not prove. */
async function trackedBy(tracked: TrackedFields | undefined, order: DeriveOrder, asking: Asking): Promise<Made & { readonly tracked: TrackedFields | undefined }> {
  const format = order.formats.find(tracksFields)
  if (format === undefined || tracked === undefined || tracked.done) return { ...nothing, tracked }
  const { schema, prompt } = format
  const { part, fault, cut, ungiven } = await extracted({ type: 'json', schema, prompt, grounding: false }, { ...asking, material: { ...asking.material, draft: tracked } })
  const warning = part.warning?.replaceAll(/\bjson: /g, 'changeTracking: ')
  return { part: warning === undefined ? {} : { warning }, fault, tracked: { ...tracked, value: part.json, missing: [], done: true, ...(fault === null && cut !== true ? {} : { unanswered: true as const }), ...(ungiven === undefined ? {} : { ungiven }) } }
}

/**
 * Lets the model do its part of a derivation: the formats that it improves, and the removal of boilerplate. If it returns
 * nothing usable, the page's own words replace it, with a warning. Throws `SCRAPE_JSON_CONTENT_TOO_LARGE`.
 */
export async function withMeaning(page: Packed, order: DeriveOrder, { model, analyse, now, learning }: MeaningPorts, call: Call): Promise<Packed> {
  const { material, verdict } = page.facts
  if (material === undefined) return page
  const whole = async (made: Pick<Assembly, 'parts' | 'clean' | 'grounds' | 'passing' | 'without' | 'saved' | 'tracked'>): Promise<Packed> => unpack(await analyse('assembled', { bytes: page.bytes(), part: order.read.onlyMainContent ? 'content' : 'page', ...made }, call))
  // This is not the requested page, so the model is not asked about it.
  if (verdict === 'challenge' || verdict === 'empty') return whole({ parts: Object.values(material.fallback), clean: null, grounds: false, passing: false, without: [], saved: false })
  const asking: Asking = { model, material, analyse, learning, call, now }
  const [{ tracked, ...fields }, tidy, ...formats] = await Promise.all([trackedBy(page.facts.tracked, order, asking), order.clean === true ? tidied(page.bytes(), asking) : null, ...order.formats.map((format) => makeOf(format, page, asking))])
  const made = [fields, ...formats]
  const warned = tidy === null || tidy.warning === null ? [] : [{ warning: tidy.warning }]
  const passing = (tidy?.fault ?? null) !== null || made.some(({ fault }) => fault !== null)
  return whole({ parts: [...warned, ...made.map(({ part }) => part)], clean: tidy?.clean ?? null, grounds: order.formats.some((format) => format.type === 'json' && format.grounding), passing, without: withoutAnswer(order.formats, formats, tracked), saved: formats.some(({ saved }) => saved === true), tracked })
}
