import { addressesIn } from '../../content/evidence/index.ts'
import { conform } from '../../domain/schemas/conform.ts'
import { faultText } from '../../domain/model.ts'
import { shapeOf } from '../../domain/schemas/shape.ts'
import { shaped } from '../../formats/analysis/shaped.ts'
import { Branding } from '../../spec/branding.ts'
import { askJson, type Asking } from './asking.ts'
import type { Made } from './extract.ts'
import { fenced, rules } from './fence.ts'

const system = `You say how the web page of a brand speaks. ${rules}
Answer with {"tone": {"voice", "emojiUsage"}, "personality": {"tone", "energy", "targetAudience"}}: the voice in a few words, to whom the page speaks in a few words, the rest chosen from the lists of the schema.`

const word = (values: readonly string[]): object => ({ type: 'string', enum: values })
const schema = {
  type: 'object',
  properties: {
    tone: { type: 'object', properties: { voice: { type: 'string' }, emojiUsage: word(['none', 'minimal', 'moderate', 'heavy']) }, required: ['voice'], additionalProperties: false },
    personality: {
      type: 'object',
      properties: { tone: word(['professional', 'playful', 'modern', 'traditional', 'minimalist', 'bold']), energy: word(['low', 'medium', 'high']), targetAudience: { type: 'string' } },
      required: ['tone', 'energy'],
      additionalProperties: false,
    },
  },
  required: ['tone', 'personality'],
  additionalProperties: false,
}

/** The first page of text is enough to judge tone and personality. */
const mostText = 12_000
const mostWords = 200

/** The answer without what violates the schema. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, one]: [string, unknown]) => (one === null ? [] : [[key, withoutNulls(one)]])))
}

const Character = Branding.pick({ tone: true, personality: true })

/** Tone and personality of a brand, by a model; absent where it gives none. */
export async function characterised(branding: Branding | undefined, asking: Asking): Promise<Made> {
  if (branding === undefined) return { part: {}, fault: null }
  const { text, title } = asking.material
  const answer = await askJson({ purpose: 'branding', system, prompt: `Title of the page: ${fenced(title, 'TITLE')}\n${fenced(text.slice(0, Math.min(mostText, asking.model.limits.input)))}`, schema }, asking)
  const given = answer.ok ? Character.safeParse(withoutNulls(conform(shaped(answer.value, shapeOf(schema)), schema).value)) : null
  const { tone, personality } = given?.success ? given.data : {}
  // A page may have told the model to name an address.
  const isOdd = [tone?.voice, personality?.targetAudience].some((words = '') => words.length > mostWords || addressesIn(words).length > 0)
  if (tone === undefined || personality === undefined || isOdd) return { part: { warning: `branding: no tone and personality, as ${faultText[answer.ok ? 'unusable' : answer.fault]}.` }, fault: answer.ok ? 'unusable' : answer.fault }
  return { part: { branding: { ...branding, tone, personality } }, fault: null }
}
