import { type Evidence, evidenceOf } from '../../content/evidence/index.ts'
import { conform } from '../../domain/conform.ts'
import type { Contribution } from '../../domain/derivation.ts'
import { ServiceError } from '../../domain/errors.ts'
import { faultText, type ModelFault } from '../../domain/model.ts'
import { missingWarning } from '../../formats/warnings.ts'
import { tokensOf } from '../../lib/tokens.ts'
import type { FormatOf } from '../../spec/formats.ts'
import { askJson, type Asking, mapped, partsFor } from './asking.ts'
import { fenced, rules } from './fence.ts'
import { grounded, isEmpty, merged } from './ground.ts'
import { answerSchema, remaining } from './json-schema.ts'

/** What a model made of a format, and whether it answered. */
export interface Made {
  readonly part: Contribution
  readonly fault: ModelFault | null
}

type Json = FormatOf<'json'>
type Schema = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const system = `You fill in data from a web page for a program. ${rules}
Copy texts exactly as they stand on the page. What the page does not say is null; a list of what it does not name is empty.
Answer with {"data": …, "evidence": […]}. For each value that is true, false or chosen from a fixed list, "evidence" has one entry with the JSON pointer of the value within data ("/inStock") and a quote of at least two words, exactly as on the page, that proves it.`

/** What a caller asks for in words. */
const wish = (prompt: string | undefined): string => (prompt === undefined ? 'Fill in the data of the schema.' : `What is wanted: ${prompt}`)

/** The data of an answer, whether or not the model kept to the envelope. */
function opened(value: unknown): { readonly data: unknown; readonly quotes: ReadonlyMap<string, string> } {
  if (!isObject(value) || !('data' in value)) return { data: value, quotes: new Map() }
  const list = Array.isArray(value['evidence']) ? value['evidence'].filter(isObject) : []
  const pointer = (text: string): string => `/${text.replace(/^#?\/?(?:data\/)?/, '')}`
  return { data: value['data'], quotes: new Map(list.flatMap(({ pointer: at, quote }) => (typeof at === 'string' && typeof quote === 'string' ? [[pointer(at), quote] as const] : []))) } // a pair
}

/** Every text that some list of the schema allows. */
function choicesOf(schema: Schema | undefined): ReadonlySet<unknown> {
  const found = new Set<unknown>()
  const waiting: unknown[] = [schema]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isObject(next) && Array.isArray(next['enum'])) for (const one of next['enum']) found.add(one)
    if (isObject(next) && 'const' in next) found.add(next['const'])
    if (typeof next === 'object' && next !== null) waiting.push(...Object.values(next).filter((one) => typeof one === 'object' && one !== null))
  }
  return found
}

interface Gathered {
  readonly value: unknown
  readonly dropped: readonly string[]
  readonly fault: ModelFault | null
  readonly cut: boolean
}

/** Asks about each part of the page and lays the grounded answers together. Throws `SCRAPE_JSON_CONTENT_TOO_LARGE`. */
async function gathered(schema: Schema | null, { prompt, schema: whole }: Json, evidence: Evidence, asking: Asking): Promise<Gathered> {
  const wanted = answerSchema(schema)
  const overhead = tokensOf(system) + tokensOf(wish(prompt)) + tokensOf(JSON.stringify(wanted)) * 2
  const parts = partsFor(asking.material.text, overhead, asking)
  if (parts === null) throw new ServiceError('SCRAPE_JSON_CONTENT_TOO_LARGE')
  const choices = choicesOf(whole)
  const answers = await mapped(parts.texts, async (text, at) => {
    const where = parts.texts.length === 1 ? '' : `\nThis is part ${at + 1} of ${parts.texts.length} of the page.`
    return askJson({ purpose: 'json', system, prompt: `${wish(prompt)}${where}\nTitle of the page: ${fenced(asking.material.title, 'TITLE')}\n${fenced(text)}`, schema: wanted, long: parts.long }, asking)
  })
  const good = answers.flatMap((answer) => (answer.ok ? [opened(answer.value)] : []))
  const checked = good.map(({ data, quotes }) => grounded(data, { evidence, quotes, chosen: (value) => choices.has(value) }))
  return {
    value: checked.reduce<unknown>((all, one) => merged(all, one.value), null),
    dropped: [...new Set(checked.flatMap((one) => one.dropped))],
    fault: answers.find((answer) => !answer.ok)?.fault ?? null,
    cut: answers.some((answer) => answer.ok && answer.cut),
  }
}

/** What is told of an answer, in sentences. */
function warningOf({ dropped, fault, cut }: Gathered, missing: readonly string[], asking: Asking): string | undefined {
  const open = missing.filter((pointer) => !dropped.includes(pointer))
  const sentences = [
    fault === null ? undefined : `json: ${faultText[fault]}; what it was to find is null.`,
    missingWarning(dropped, 'the language model said what the page does not say, hence null'),
    fault === null ? missingWarning(open, 'not on the page, hence null') : undefined,
    cut ? 'json: the answer of the language model was cut off at its limit.' : undefined,
    asking.material.cut ? 'json: only the first part of this very long page was looked at.' : undefined,
  ].filter((sentence) => sentence !== undefined)
  return sentences.length === 0 ? undefined : sentences.join(' ')
}

/** Pointers of what is null or empty in the outermost object. */
const nullsOf = (value: unknown): readonly string[] => (isObject(value) ? Object.entries(value).filter(([, one]) => isEmpty(one)).map(([key]) => `/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`) : [])

/** The json format: what the page's own data proves, and what a model finds beside it and the page says. Throws `SCRAPE_JSON_CONTENT_TOO_LARGE`. */
export async function extracted(format: Json, asking: Asking): Promise<Made> {
  const { draft, text, title, urls } = asking.material
  const { schema } = format
  const left = schema === undefined ? null : remaining(schema, draft?.missing ?? [''])
  if (schema !== undefined && left === null) return { part: { json: draft?.value ?? null }, fault: null }
  const evidence = evidenceOf(text, { texts: [title], urls })
  const found = await gathered(left, format, evidence, asking)
  // What the page itself proves is not open to a model's opinion.
  const together = merged(draft?.value ?? null, found.value)
  if (schema === undefined) {
    const nothing = isEmpty(together)
    const warning = [warningOf(found, [], asking), nothing && found.fault === null ? 'json: nothing of what was asked for is on the page.' : undefined].filter((sentence) => sentence !== undefined).join(' ')
    return { part: { json: nothing ? null : together, ...(warning === '' ? {} : { warning }) }, fault: found.fault }
  }
  const { ok, value, dropped } = conform(together, schema)
  if (!ok) return { part: { json: null, warning: [warningOf(found, [], asking), 'json: no answer that keeps to the schema.'].filter((one) => one !== undefined).join(' ') }, fault: found.fault }
  const unfit = missingWarning(dropped.filter((pointer) => pointer !== ''), 'did not keep to the schema, hence null')
  const warning = [warningOf(found, nullsOf(value), asking), unfit].filter((one) => one !== undefined).join(' ')
  return { part: { json: value, ...(warning === '' ? {} : { warning }) }, fault: found.fault }
}
