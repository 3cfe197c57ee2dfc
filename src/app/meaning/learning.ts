import { pathShape } from '../../domain/fetching/engine-memory.ts'
import type { Call } from '../../domain/call.ts'
import type { Capture } from '../../domain/pages/capture.ts'
import type { ReadOptions } from '../../domain/pages/reading.ts'
import { isTest, type Lifted, noTemplate, observed, type Row, suffices, type Template, type TemplateKey } from '../../domain/pages/templates.ts'
import { timeLeft, within } from '../../lib/deadline.ts'
import { isObject, type JsonObject } from '../../lib/is-object.ts'
import { sha256 } from '../../lib/sha256.ts'
import type { FormatOf } from '../../spec/formats.ts'
import type { Asking, Learning } from './asking.ts'
import { keysOf, pointed } from '../../lib/json-pointer.ts'

type Schema = JsonObject
type Values = Readonly<Record<string, Lifted>>

const plainTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'null'])
const deepest = 4
const mostNames = 60
const mostEntries = 200

const typesOf = (one: Schema): readonly unknown[] => (Array.isArray(one['type']) ? one['type'] : [one['type']]).filter((type) => type !== 'null')
const isPlain = (one: unknown): boolean => isObject(one) && !('enum' in one || 'const' in one || '$ref' in one) && typesOf(one).length > 0 && typesOf(one).every((type) => plainTypes.has(type))
const isOnly = (one: unknown, type: string): one is Schema => isObject(one) && !('$ref' in one) && typesOf(one).length === 1 && typesOf(one)[0] === type

/** Whether a schema describes a list of plain values, or of objects that contain only plain values. */
function isPlainList(one: unknown): boolean {
  if (!isOnly(one, 'array')) return false
  const { items } = one
  return isPlain(items) || (isOnly(items, 'object') && isObject(items['properties']) && Object.values(items['properties']).every(isPlain))
}

/**
 * The properties to ask a model for, as pointers without their first slash. Each must be a plain text or number, a list of
 * such, or a list of objects of such, since rules cannot extract others from a page; null when one is not.
 */
export function learnable(schema: Schema | null): readonly string[] | null {
  const names: string[] = []
  const walk = (one: Schema, at: string, depth: number): boolean => {
    const { properties } = one
    if (!isObject(properties) || depth > deepest) return false
    // Values must never be set on a prototype.
    return Object.entries(properties).every(([name, inner]) => {
      if (name === '__proto__') return false
      const here = pointed(at, name)
      if (isPlain(inner) || isPlainList(inner)) return names.push(here.slice(1)) <= mostNames
      return isOnly(inner, 'object') && walk(inner, here, depth + 1)
    })
  }
  return schema !== null && walk(schema, '', 0) ? names : null
}

const stepsOf = (name: string): readonly string[] => keysOf(`/${name}`)
const isSingle = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** The entries of a list of plain values or objects; null when one is not plain, or for an empty list. */
function rowsIn(list: readonly unknown[]): readonly Row[] | null {
  const rows = list.flatMap((one): Row[] => {
    if (isSingle(one)) return [one]
    if (!isObject(one) || !Object.values(one).every((value) => value === null || isSingle(value))) return []
    return [Object.fromEntries(Object.entries(one).map(([key, value]) => [key, isSingle(value) ? value : null]))]
  })
  return rows.length === list.length && rows.length > 0 && rows.length <= mostEntries ? rows : null
}

/** The values of an answer with those names. */
export function valuesOf(json: unknown, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name): [string, Lifted] => {
    const value = stepsOf(name).reduce<unknown>((inner, step) => (isObject(inner) && Object.hasOwn(inner, step) ? inner[step] : null), json)
    return [name, isSingle(value) ? value : Array.isArray(value) ? rowsIn(value) : null]
  }))
}

/** An answer with those values. */
export function answerOf(values: Values): Readonly<Record<string, unknown>> {
  const answer: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const steps = stepsOf(name)
    const last = steps.at(-1) ?? ''
    const inner = steps.slice(0, -1).reduce((at, step) => {
      const next = at[step]
      const made: Record<string, unknown> = isObject(next) ? next : {}
      at[step] = made
      return made
    }, answer)
    inner[last] = value
  }
  return answer
}

function keyFor(format: FormatOf<'json'>, { capture }: Learning, { model, call }: Asking): TemplateKey {
  const ask = sha256(JSON.stringify([format.schema, format.prompt, model.id])).slice(0, 32)
  const url = new URL(capture.url)
  return { team: call.team, host: url.host, shape: pathShape(url), ask }
}

async function recalled(key: TemplateKey, { templates }: Learning): Promise<{ readonly template: Template; readonly version: number | null }> {
  const found = await templates.recall(key)
  return found === null ? { template: noTemplate, version: null } : { template: JSON.parse(found.state) as Template, version: found.version } // written below
}

/** Adds what another page taught to the latest state of the template. */
async function learn(key: TemplateKey, next: (template: Template) => Template, learning: Learning): Promise<void> {
  for (let tries = 0; tries < 8; tries++) {
    const { template, version } = await recalled(key, learning)
    const after = next(template)
    if (after === template || (await learning.templates.note(key, { state: JSON.stringify(after), version, at: learning.now() }))) return
  }
}

/** The values that rules found in place of the model (null: ask it), and a way to learn from the model's answer. */
export interface Lesson {
  readonly lifted: Values | null
  /**
   * Reports the model's answer about the page, or null when nothing can be learned from it. Must be called whenever the
   * model was to be asked.
   */
  readonly taught: (values: Values | null) => Promise<void>
}

const page = ({ capture: { shots: _shots, actions: _actions, remembered: _remembered, ...capture }, read }: Learning): { readonly capture: Capture; readonly read: ReadOptions } => ({ capture, read })

/**
 * The values of a page by the rules of its template; null when these are not trusted or not enough, `test` when the model
 * must be asked nevertheless.
 */
async function byRules(key: TemplateKey, names: readonly string[], learning: Learning, { analyse, call }: Asking): Promise<Values | 'test' | null> {
  const { template } = await recalled(key, learning)
  if (template.phase !== 'trusted') return null
  if (isTest(await learning.templates.use(key, learning.now()))) return 'test'
  const values = await analyse('lifted', { page: page(learning), rules: template.rules }, call)
  return suffices(template, values, names) ? Object.fromEntries(names.map((name) => [name, Object.hasOwn(values, name) ? (values[name] ?? null) : null])) : null
}

/** Waiting for other pages takes at most this share of the page's time. */
const patience = 0.4

async function turnFor(key: TemplateKey, learning: Learning, call: Call): Promise<() => void> {
  const left = Math.max(0, timeLeft(call, learning.now())) * patience
  return learning.turns.enter(Object.values(key).join('\n'), within(call, left))
}

/**
 * Looks up the template of a page. While it is being learned, the model is asked about only a few pages at once; the others
 * wait for what these teach.
 */
export async function lessonFor(format: FormatOf<'json'>, names: readonly string[], learning: Learning, asking: Asking): Promise<Lesson> {
  const key = keyFor(format, learning, asking)
  const { template: first } = await recalled(key, learning)
  if (first.phase === 'given-up') return { lifted: null, taught: async () => undefined }
  const now = await byRules(key, names, learning, asking)
  const leave = now === null ? await turnFor(key, learning, asking.call) : () => undefined
  try {
    const later = now ?? (await byRules(key, names, learning, asking))
    if (later === null || later === 'test') return { lifted: null, taught: teacher(key, { learning, leave }, asking) }
    leave()
    return { lifted: later, taught: teacher(key, { learning, leave }, asking) }
  } catch (error) {
    leave()
    throw error
  }
}

/** Learns from the model's answer about the page, and then lets the next page in. */
function teacher(key: TemplateKey, { learning, leave }: { readonly learning: Learning; readonly leave: () => void }, { analyse, call }: Asking): Lesson['taught'] {
  return async (values) => {
    try {
      if (values === null) return
      const { template } = await recalled(key, learning)
      const seen = await analyse('traced', { page: page(learning), values, rules: template.rules }, call)
      await learn(key, (latest) => (latest.phase !== 'learning' && JSON.stringify(latest.rules) !== JSON.stringify(template.rules) ? latest : observed(latest, { url: learning.capture.url, values, ...seen })), learning)
    } finally {
      leave()
    }
  }
}
