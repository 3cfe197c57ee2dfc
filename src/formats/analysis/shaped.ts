import { readings } from '../../content/evidence/numbers.ts'
import type { Shape } from '../../domain/schemas/shape.ts'
import { isScalar } from '../../domain/schemas/shape.ts'
import { typed } from '../fill/values.ts'

/** Deepest nesting of an answer that is read. */
const maxDepth = 60

/** The only integer that a text with separators can mean; null otherwise. */
function wholeNumber(text: string): number | null {
  const bare = text.trim()
  const whole = /^\d[\d.,'’ \u00a0\u202f]*$/u.test(bare) ? readings(bare).filter(Number.isInteger) : []
  return whole.length === 1 ? (whole[0] ?? null) : null
}

/** The only value of that shape that a text can mean; the text itself when it is ambiguous. */
function meant(text: string, shape: Extract<Shape, { values: unknown }>): unknown {
  if (text.trim() === '') return null
  if (shape.values?.includes(text) === true) return text
  return typed(text, shape) ?? (shape.kind === 'integer' ? wholeNumber(text) : null) ?? text
}

/** Whether an answer is a single entry of the list that was asked for. */
const isOne = (value: unknown): boolean => (typeof value === 'string' ? value.trim() !== '' : value !== null && value !== undefined && !Array.isArray(value))

/**
 * Converts texts in a model's answer to what the schema wants: models copy values as the page spells them ("149,00 €", "3.
 * März 2026"). A list of one entry may come as that entry. What the schema does not name goes: a model adds it in one answer and not in the next, or because a page tells it to.
 */
export function shaped(value: unknown, shape: Shape, depth = 0): unknown {
  if (depth > maxDepth) return value
  if (shape.kind === 'array' && isOne(value)) return [shaped(value, shape.items, depth + 1)]
  if (typeof value === 'string') return isScalar(shape) ? meant(value, shape) : value
  if (Array.isArray(value)) return shape.kind === 'array' ? value.map((one) => shaped(one, shape.items, depth + 1)) : value
  if (typeof value !== 'object' || value === null || shape.kind !== 'object') return value
  const known = new Map(shape.properties.map(({ name, shape: inner }) => [name, inner]))
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
      const inner = known.get(key)
      if (inner === undefined) return shape.open ? [[key, one]] : []
      return [[key, shaped(one, inner, depth + 1)]]
    }),
  )
}
