import type { Contribution } from '../../domain/pages/derivation.ts'
import { ServiceError } from '../../domain/errors.ts'
import { cutText, faultText, type ModelAnswer, type ModelAsk, type ModelFault } from '../../domain/model.ts'
import { shapeOf } from '../../domain/schemas/shape.ts'
import { isOfKind, opened } from '../../formats/analysis/envelope.ts'
import { isEmpty } from '../../formats/analysis/ground.ts'
import { missingWarning, openWarning, promptWarning } from '../../formats/warnings.ts'
import { isObject, type JsonObject } from '../../lib/is-object.ts'
import { pointed } from '../../lib/json-pointer.ts'
import { tokensOf } from '../../lib/tokens.ts'
import type { FormatOf } from '../../spec/formats.ts'
import { type Lifted, sameValue } from '../../domain/pages/templates.ts'
import { answerOf, learnable, type Lesson, lessonFor, valuesOf } from './learning.ts'
import { askJson, type Asking, mapped, partsFor } from './asking.ts'
import { fenced, rules } from './fence.ts'
import { answerSchema, remaining } from './json-schema.ts'

/** What a model made of a format, and whether it answered. */
export interface Made {
  readonly part: Contribution
  readonly fault: ModelFault | null
  /** Its answer was cut off at its limit. */
  readonly cut?: true
  /** A learned template replaced the model. */
  readonly saved?: true
  /** JSON pointers of values that are empty although the model did not say so. */
  readonly ungiven?: readonly string[]
}

type Json = FormatOf<'json'>
type Schema = JsonObject

const system = `You fill in data from a web page for a program. ${rules}
Copy texts exactly as they stand on the page. What the page does not say is null; a list of what it does not name is empty.
Answer with {"data": …, "evidence": […]}. For each value that is true, false or chosen from a fixed list, "evidence" has one entry with the JSON pointer of the value within data ("/inStock") and a quote of at least two words, exactly as on the page, that proves it.`

/** The caller's prompt, as told to the model. */
const wish = (prompt: string | undefined): string => (prompt === undefined ? 'Fill in the data of the schema.' : `What is wanted: ${prompt}`)

interface Gathered {
  readonly answers: readonly unknown[]
  readonly fault: ModelFault | null
  readonly cut: boolean
  /** The number of parts of the page that were asked about. */
  readonly parts: number
}

/** The warning about a model that did not answer about the page, or about parts of it. */
function faultSentence({ answers, fault, parts }: Gathered, stoodIn: string | undefined): string | undefined {
  if (fault === null) return undefined
  if (answers.length === 0 && stoodIn !== undefined) return `json: ${faultText[fault]}. ${stoodIn}`
  if (answers.length === 0) return `json: ${faultText[fault]}; what it was to find is null.`
  return `json: ${parts - answers.length} of ${parts} parts of the page were not looked at, as ${faultText[fault]}; what stands only there is missing from lists, or null.`
}

/** Whether a prompt explains the properties of the schema: then only something that understands it can fill them. */
const isPrompted = ({ schema, prompt }: Json): boolean => schema !== undefined && prompt !== undefined

/** Longer data of a page is not given to the model in addition to its text. */
const mostData = 4_000

/** The values that the page's data has for the schema, from which the model may choose by the prompt. */
function dataOf(format: Json, { material: { draft } }: Asking): string {
  const data = isPrompted(format) && !isEmpty(draft?.value) ? JSON.stringify(draft?.value, (_, value: unknown) => (value === null ? undefined : value)) : ''
  return data === '' || data.length > mostData ? '' : `\nWhat the data of the page says, whether it is shown or not; take of it only what fits what is wanted: ${fenced(data, 'DATA')}`
}

const again = '\n\nYour last answer was not of the type that the schema wants. Answer again, with "data" of that type.'

/**
 * Asks for data of the schema's type, and once more if the answer has another type; a second such answer counts as none.
 */
async function askData(schema: Schema | null, ask: ModelAsk & { readonly schema: object }, asking: Asking): Promise<ModelAnswer<unknown>> {
  const kind = schema === null ? 'any' : shapeOf(schema).kind
  const isUsable = (answer: ModelAnswer<unknown>): boolean => !answer.ok || isOfKind(opened(answer.value, schema).data, kind)
  const first = await askJson(ask, asking)
  if (isUsable(first)) return first
  const second = await askJson({ ...ask, prompt: ask.prompt + again }, asking)
  return isUsable(second) ? second : { ok: false, fault: 'unusable', usage: second.usage }
}

/** Asks about each part of the page. Throws `SCRAPE_JSON_CONTENT_TOO_LARGE`. */
async function gathered(schema: Schema | null, format: Json, asking: Asking): Promise<Gathered> {
  const { prompt } = format
  const wanted = answerSchema(schema)
  const data = dataOf(format, asking)
  const overhead = tokensOf(system) + tokensOf(wish(prompt)) + tokensOf(data) + tokensOf(JSON.stringify(wanted)) * 2
  const parts = await partsFor(overhead, asking)
  if (parts === null) throw new ServiceError('SCRAPE_JSON_CONTENT_TOO_LARGE')
  const answers = await mapped(parts.texts, async (text, at) => {
    const where = parts.texts.length === 1 ? '' : `\nThis is part ${at + 1} of ${parts.texts.length} of the page.`
    return askData(schema, { purpose: 'json', system, prompt: `${wish(prompt)}${where}\nTitle of the page: ${fenced(asking.material.title, 'TITLE')}${data}\n${fenced(text)}`, schema: wanted, long: parts.long }, asking)
  })
  return {
    answers: answers.flatMap((answer) => (answer.ok ? [answer.value] : [])),
    fault: answers.find((answer) => !answer.ok)?.fault ?? null,
    cut: answers.some((answer) => answer.ok && answer.cut),
    parts: answers.length,
  }
}

/** The warning about an answer. */
function warningOf(found: Gathered, { invented, spent, unfit, missing, ungiven, stoodIn }: { readonly invented: readonly string[]; readonly spent: boolean; readonly unfit: readonly string[]; readonly missing: readonly string[]; readonly ungiven: readonly string[]; readonly stoodIn: string | undefined }, asking: Asking): readonly string[] {
  const { fault, cut } = found
  const isNamed = (list: readonly string[], pointer: string): boolean => list.some((one) => one === pointer || one.startsWith(`${pointer}/`))
  // Without the model's answer, nobody knows what is missing.
  const open = fault === null ? missing.filter((pointer) => !isNamed(invented, pointer) && !isNamed(unfit, pointer)) : []
  const silent = open.filter((pointer) => isNamed(ungiven, pointer))
  const sentences = [
    faultSentence(found, stoodIn),
    missingWarning(invented, 'the language model said what the page does not say, hence null'),
    spent ? 'json: the answer of the language model has more values than can be looked up on the page; those at its end are null.' : undefined,
    missingWarning(silent, 'the language model gave no value, hence null'),
    missingWarning(open.filter((pointer) => !silent.includes(pointer)), 'the language model found nothing on the page, hence null'),
    cut ? `json: ${cutText}.` : undefined,
    asking.material.cut ? 'json: only the first part of this very long page was looked at.' : undefined,
    missingWarning(unfit, 'did not keep to the schema, hence null'),
  ]
  return sentences.filter((sentence) => sentence !== undefined)
}

/** JSON pointers of null and empty values in the outermost object. */
const nullsOf = (value: unknown): readonly string[] => (isObject(value) ? Object.entries(value).filter(([, one]) => isEmpty(one)).map(([key]) => pointed('', key)) : [])

/**
 * The answer by rules learned from the model on similar pages; null when the page or the schema does not support one of its
 * values.
 */
async function byTemplate(format: Json, lifted: Readonly<Record<string, Lifted>>, { material: { draft, text, title, urls }, analyse, call }: Asking): Promise<Made | null> {
  const { ok, value } = await analyse('judged', { text, title, urls, answers: [answerOf(lifted)], draft: isPrompted(format) ? null : (draft?.value ?? null), schema: format.schema ?? null }, call)
  const kept = valuesOf(value, Object.keys(lifted))
  if (!ok || Object.entries(lifted).some(([name, one]) => one !== null && (typeof one === 'object' ? !sameValue(one, kept[name] ?? null) : kept[name] === null))) return null
  const warning = missingWarning(nullsOf(value), 'not found on the page by what the language model taught of others, hence null')
  return { part: { json: value, ...(warning === undefined ? {} : { warning }) }, fault: null, saved: true }
}

/**
 * The json format: what the page's own data proves, completed by what a model finds and the page confirms. Throws
 * `SCRAPE_JSON_CONTENT_TOO_LARGE`.
 */
export async function extracted(format: Json, asking: Asking): Promise<Made> {
  const { draft } = asking.material
  const { schema } = format
  const left = schema === undefined ? null : isPrompted(format) ? schema : remaining(schema, draft?.missing ?? [''])
  if (schema !== undefined && left === null) return { part: { json: draft?.value ?? null }, fault: null }
  const names = learnable(left)
  const { learning, call } = asking
  // When the template fails, the model is asked: no page fails because of it.
  const apart = (error: unknown): null => {
    call.signal.throwIfAborted()
    call.log('template-not-used', { reason: error instanceof ServiceError ? error.code : String(error) })
    return null
  }
  const lesson = learning === null || names === null ? null : await lessonFor(format, names, learning, asking).catch(apart)
  const known = lesson?.lifted ? await byTemplate(format, lesson.lifted, asking).catch(apart) : null
  if (known !== null) return known
  let taught: Parameters<Lesson['taught']>[0] = null
  try {
    const made = await byModel(format, left, asking)
    if (made.fault === null && made.cut !== true && names !== null) taught = valuesOf(made.part.json, names)
    return made
  } finally {
    // Failing to learn costs another call later, but does not fail this page.
    await lesson?.taught(taught).catch((error: unknown) => asking.call.log('template-not-learned', { reason: error instanceof ServiceError ? error.code : String(error) }))
  }
}

/** The checked answer of a model about the remaining properties. Throws `SCRAPE_JSON_CONTENT_TOO_LARGE`. */
async function byModel(format: Json, left: Schema | null, asking: Asking): Promise<Made> {
  const { draft, text, title, urls } = asking.material
  const { schema } = format
  const found = await gathered(left, format, asking)
  const { fault, answers } = found
  // The page's own data does not answer a prompt, unless no model answers it.
  const proved = isPrompted(format) && answers.length > 0 ? { draft: null, offered: draft?.value ?? null } : { draft: draft?.value ?? null }
  const { ok, value: judged, invented, spent, unfit, ungiven } = await asking.analyse('judged', { text, title, urls, answers, ...proved, schema: schema ?? null }, asking.call)
  const unanswered = fault !== null && answers.length === 0
  const value = unanswered && isEmpty(judged) ? null : judged
  const missing = schema === undefined || !ok ? [] : nullsOf(value)
  const none = unanswered ? [] : !ok ? ['json: no answer that keeps to the schema.'] : schema === undefined && value === null && fault === null ? ['json: nothing of what was asked for is on the page.'] : []
  const open = openWarning(schema)
  const warning = [...(open === undefined ? [] : [open]), ...warningOf(found, { invented, spent, unfit: ok ? unfit : [], missing, ungiven, stoodIn: schema === undefined ? undefined : promptWarning(format.prompt) }, asking), ...none].join(' ')
  return { part: { json: value, ...(warning === '' ? {} : { warning }) }, fault, ...(found.cut ? { cut: true as const } : {}), ...(ungiven.length === 0 ? {} : { ungiven }) }
}
