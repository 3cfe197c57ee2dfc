import { evidenceOf } from '../../content/evidence/index.ts'
import { conform } from '../../domain/schemas/conform.ts'
import { shapeOf } from '../../domain/schemas/shape.ts'
import { spaced } from '../fill/words.ts'
import { scalars } from '../grounding.ts'
import { choicesOf, contradicted, namesIn } from './choices.ts'
import { opened, ungiven } from './envelope.ts'
import { grounded, isEmpty, merged } from './ground.ts'
import { shaped } from './shaped.ts'
import { isObject, type JsonObject } from '../../lib/is-object.ts'
import { keysOf } from '../../lib/json-pointer.ts'

type Schema = JsonObject

/** A model's answers about the parts of a page, and what they are checked against. */
export interface JsonCase {
  readonly text: string
  readonly title: string
  readonly urls: readonly string[]
  readonly answers: readonly unknown[]
  /** What the page's own data proves. */
  readonly draft: unknown
  /** The part of the page's own data that the model was shown: what it adopts is proven. */
  readonly offered?: unknown
  /** The caller's schema; null without one. */
  readonly schema: Schema | null
}

/** The checked answer. */
export interface JsonVerdict {
  /** False when nothing conforms to the schema. */
  readonly ok: boolean
  readonly value: unknown
  /** Pointers of values that the page does not say, and that nothing true replaces. */
  readonly invented: readonly string[]
  /** Whether there were too many values to check in time: the last ones count as invented. */
  readonly spent: boolean
  /** Pointers of values that did not conform to the schema. */
  readonly unfit: readonly string[]
  /** Pointers of empty values that the model did not report as missing. */
  readonly ungiven: readonly string[]
}

/** Whether the place that a pointer names has a value. Entries of lists have no fixed place: those that are invented go, and others move up. */
function stands(pointer: string, value: unknown): boolean {
  return !isEmpty(keysOf(pointer).reduce<unknown>((inside, name) => (isObject(inside) && Object.hasOwn(inside, name) ? inside[name] : null), value))
}

const placed = (pointer: string, value: unknown): string => JSON.stringify([pointer.replace(/\/\d+(?=\/|$)/g, '/*'), value])

/** Removes what the page does not say from the answers, and merges the rest with what the page's data proves. */
export function judged({ text, title, urls, answers, draft, offered = null, schema }: JsonCase): JsonVerdict {
  const evidence = evidenceOf(text, { texts: [title], urls })
  const choices = choicesOf(schema)
  const names = namesIn(schema)
  const shape = schema === null ? null : shapeOf(schema)
  const given = new Set(scalars(offered).map(({ pointer, value }) => placed(pointer, value)))
  const open = answers.map((answer) => opened(answer, schema))
  const without = (value: unknown): readonly string[] => ungiven(shape ?? { kind: 'any', values: null, format: null }, open.map(({ data }) => data), value)
  const checked = open.map(({ data, quotes }) => grounded(shape === null ? data : shaped(data, shape), { evidence, quotes, chosen: (value) => choices.has(value), asked: (name) => names.has(name), contradicted: (at, value, quote) => contradicted(shape, at, { value, quote }), given: (at, value) => given.has(placed(at, value)) }))
  const found = checked.reduce<unknown>((all, one) => merged(all, one.value), null)
  const invented = [...new Set(checked.flatMap((one) => one.dropped))]
  // What the page's data proves takes precedence over a model.
  const together = merged(draft, found)
  if (schema === null) return { ok: true, value: isEmpty(together) ? null : together, invented: invented.filter((pointer) => !stands(pointer, together)), spent: evidence.spent(), unfit: [], ungiven: without(together) }
  // The keys of a map are values, although programs spell them their own way.
  const isNamed = (name: string, at: string): boolean => {
    const said = [name, spaced(name)].some((way) => evidence.text(way) !== undefined)
    if (!said && !invented.includes(at)) invented.push(at)
    return said
  }
  const { ok, value, dropped } = conform(together, schema, isNamed)
  const kept = ok ? value : null
  return { ok, value: kept, invented: invented.filter((pointer) => !stands(pointer, kept)), spent: evidence.spent(), unfit: dropped.filter((pointer) => pointer !== ''), ungiven: without(kept) }
}
