import { evidenceOf } from '../../content/evidence/index.ts'
import { conform } from '../../domain/conform.ts'
import { shapeOf } from '../../domain/shape.ts'
import { spaced } from '../fill/words.ts'
import { scalars } from '../grounding.ts'
import { opened, ungiven } from './envelope.ts'
import { grounded, isEmpty, merged } from './ground.ts'
import { shaped } from './shaped.ts'
import { isObject, type JsonObject } from '../../lib/is-object.ts'

type Schema = JsonObject

/** What a model answered about the parts of a page, and what it is judged by. */
export interface JsonCase {
  readonly text: string
  readonly title: string
  readonly urls: readonly string[]
  readonly answers: readonly unknown[]
  /** What the page itself proves. */
  readonly draft: unknown
  /** What of the page's own data the model was shown, to take or leave: what it takes of it is proven. */
  readonly offered?: unknown
  /** Of the caller; null where there is none. */
  readonly schema: Schema | null
}

/** What is left of it. */
export interface JsonVerdict {
  /** False when nothing keeps to the schema. */
  readonly ok: boolean
  readonly value: unknown
  /** Pointers of what the page does not say. */
  readonly invented: readonly string[]
  /** Whether there were more values than can be looked up in time: those at the end count as invented. */
  readonly spent: boolean
  /** Pointers of what did not keep to the schema. */
  readonly unfit: readonly string[]
  /** Pointers of what is empty without the model having said so. */
  readonly ungiven: readonly string[]
}

/** Every text that some list of the schema allows. */
function choicesOf(schema: Schema | null): ReadonlySet<unknown> {
  const found = new Set<unknown>()
  const waiting: unknown[] = [schema]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isObject(next) && Array.isArray(next['enum'])) for (const one of next['enum']) found.add(one)
    if (isObject(next) && 'const' in next) found.add(next['const'])
    if (typeof next === 'object' && next !== null) waiting.push(...Object.values(next).filter((one) => typeof one === 'object' && one !== null))
  }
  return found
}

const placed = (pointer: string, value: unknown): string => JSON.stringify([pointer.replace(/\/\d+(?=\/|$)/g, '/*'), value])

/** Takes out of answers what the page does not say, and lays the rest behind what the page proves. */
export function judged({ text, title, urls, answers, draft, offered = null, schema }: JsonCase): JsonVerdict {
  const evidence = evidenceOf(text, { texts: [title], urls })
  const choices = choicesOf(schema)
  const shape = schema === null ? null : shapeOf(schema)
  const given = new Set(scalars(offered).map(({ pointer, value }) => placed(pointer, value)))
  const open = answers.map((answer) => opened(answer, schema))
  const without = (value: unknown): readonly string[] => ungiven(shape ?? { kind: 'any', values: null, format: null }, open.map(({ data }) => data), value)
  const checked = open.map(({ data, quotes }) => grounded(shape === null ? data : shaped(data, shape), { evidence, quotes, chosen: (value) => choices.has(value), given: (at, value) => given.has(placed(at, value)) }))
  const found = checked.reduce<unknown>((all, one) => merged(all, one.value), null)
  const invented = [...new Set(checked.flatMap((one) => one.dropped))]
  // What the page itself proves is not open to a model's opinion.
  const together = merged(draft, found)
  if (schema === null) return { ok: true, value: isEmpty(together) ? null : together, invented, spent: evidence.spent(), unfit: [], ungiven: without(together) }
  // Names of a map are values, though a program writes them its own way.
  const isNamed = (name: string, at: string): boolean => {
    const said = [name, spaced(name)].some((way) => evidence.text(way) !== undefined)
    if (!said && !invented.includes(at)) invented.push(at)
    return said
  }
  const { ok, value, dropped } = conform(together, schema, isNamed)
  return { ok, value: ok ? value : null, invented, spent: evidence.spent(), unfit: dropped.filter((pointer) => pointer !== ''), ungiven: without(ok ? value : null) }
}
