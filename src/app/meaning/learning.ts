import { createHash } from 'node:crypto'
import { pathShape } from '../../domain/engine-memory.ts'
import type { Call } from '../../domain/call.ts'
import type { Capture } from '../../domain/capture.ts'
import type { ReadOptions } from '../../domain/reading.ts'
import { isTest, type Lifted, noTemplate, observed, suffices, type Template, type TemplateKey } from '../../domain/templates.ts'
import { timeLimit } from '../../lib/deadline.ts'
import type { FormatOf } from '../../spec/formats.ts'
import type { Asking, Learning } from './asking.ts'

type Schema = Readonly<Record<string, unknown>>
type Values = Readonly<Record<string, Lifted>>

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const plainTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'null'])

/** The properties that a model is asked for, where each is a plain text or number: others are not read off a page by rules. Null where one is not. */
export function learnable(schema: Schema | null): readonly string[] | null {
  const properties = schema?.['properties']
  if (!isObject(properties)) return null
  const isPlain = (one: unknown): boolean => {
    if (!isObject(one) || 'enum' in one || 'const' in one || '$ref' in one) return false
    const types: readonly unknown[] = Array.isArray(one['type']) ? one['type'] : [one['type']]
    return types.length > 0 && types.every((type) => plainTypes.has(type))
  }
  return Object.values(properties).every(isPlain) ? Object.keys(properties) : null
}

function keyFor(format: FormatOf<'json'>, { capture }: Learning, { model, call }: Asking): TemplateKey {
  const ask = createHash('sha256').update(JSON.stringify([format.schema, format.prompt, model.id])).digest('hex').slice(0, 32)
  return { team: call.team, host: new URL(capture.url).host, shape: pathShape(capture.url), ask }
}

async function recalled(key: TemplateKey, { templates }: Learning): Promise<{ readonly template: Template; readonly version: number | null }> {
  const found = await templates.recall(key)
  return found === null ? { template: noTemplate, version: null } : { template: JSON.parse(found.state) as Template, version: found.version } // written below
}

/** Writes what one more page taught, on top of what others wrote meanwhile. */
async function learn(key: TemplateKey, next: (template: Template) => Template, learning: Learning): Promise<void> {
  for (let tries = 0; tries < 8; tries++) {
    const { template, version } = await recalled(key, learning)
    const after = next(template)
    if (after === template || (await learning.templates.note(key, { state: JSON.stringify(after), version, at: learning.now() }))) return
  }
}

/** What rules gave in place of a model (null: one is to be asked), and the way to learn from what a model says. */
export interface Lesson {
  readonly lifted: Values | null
  /** Tells what the model said of the page, or (null) that it gave nothing to learn from. To be called whenever a model was to be asked. */
  readonly taught: (values: Values | null) => Promise<void>
}

const page = ({ capture: { shots: _shots, actions: _actions, remembered: _remembered, ...capture }, read }: Learning): { readonly capture: Capture; readonly read: ReadOptions } => ({ capture, read })

/** The values of a page by the rules of its template; null where they are not trusted or do not suffice, `test` where the model is to be asked all the same. */
async function byRules(key: TemplateKey, names: readonly string[], learning: Learning, { analyse, call }: Asking): Promise<Values | 'test' | null> {
  const { template } = await recalled(key, learning)
  if (template.phase !== 'trusted') return null
  if (isTest(await learning.templates.use(key, learning.now()))) return 'test'
  const values = await analyse('lifted', { page: page(learning), rules: template.rules }, call)
  return suffices(template, values, names) ? Object.fromEntries(names.map((name) => [name, Object.hasOwn(values, name) ? (values[name] ?? null) : null])) : null
}

/** A wait for others takes at most this share of the time that a page has. */
const patience = 0.4

async function turnFor(key: TemplateKey, learning: Learning, call: Call): Promise<() => void> {
  const left = Math.max(0, call.deadline - learning.now()) * patience
  return learning.turns.enter(Object.values(key).join('\n'), AbortSignal.any([call.signal, timeLimit(left)]))
}

/** Looks whether the template of a page is known. While it is being learned a few pages at once are asked about; the others wait for what those teach. */
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

/** Learns from what a model says of the page, and then makes room for the next. */
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
