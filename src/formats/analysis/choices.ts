import { evidenceOf } from '../../content/evidence/index.ts'
import { isScalar, type Shape } from '../../domain/schemas/shape.ts'
import { isObject, type JsonObject } from '../../lib/is-object.ts'
import { marksOf } from '../fill/special.ts'
import { spaced } from '../fill/words.ts'

/** All values that some enumeration in the schema allows. */
export function choicesOf(schema: JsonObject | null): ReadonlySet<unknown> {
  const found = new Set<unknown>()
  const waiting: unknown[] = [schema]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isObject(next) && Array.isArray(next['enum'])) for (const one of next['enum']) found.add(one)
    if (isObject(next) && 'const' in next) found.add(next['const'])
    if (typeof next === 'object' && next !== null) waiting.push(...Object.values(next).filter((one) => typeof one === 'object' && one !== null))
  }
  return found
}

/** All names in a schema: those of properties among them. */
export function namesIn(schema: JsonObject | null): ReadonlySet<string> {
  const found = new Set<string>()
  const waiting: object[] = schema === null ? [] : [schema]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [name, one] of Object.entries(next)) {
      found.add(name)
      if (typeof one === 'object' && one !== null) waiting.push(one)
    }
  }
  return found
}

/** The texts from which the value at a JSON pointer is to be chosen; none if it is free. */
function choicesAt(shape: Shape | null, pointer: string): readonly string[] {
  const names = pointer.split('/').slice(1).map((name) => name.replace(/~1/g, '/').replace(/~0/g, '~'))
  const inner = names.reduce<Shape | null>((outer, name) => {
    if (outer?.kind === 'array') return outer.items
    return outer?.kind === 'object' ? (outer.properties.find((one) => one.name === name)?.shape ?? null) : null
  }, shape)
  return inner !== null && isScalar(inner) ? (inner.values ?? []).filter((one) => typeof one === 'string') : []
}

/** A longer quote, or a longer list, is not searched. */
const most = { quote: 1_000, choices: 60 } as const

/**
 * Whether a model's quote names another of the values to choose from, and not the chosen one: small models answer "new" and
 * quote "Condition: used". Values are looked for as programs and as people write them.
 */
export function contradicted(shape: Shape | null, at: string, { value, quote }: { readonly value: unknown; readonly quote: string }): boolean {
  const choices = choicesAt(shape, at)
  if (typeof value !== 'string' || !choices.includes(value) || choices.length > most.choices || quote.length > most.quote) return false
  const said = evidenceOf(quote)
  const names = (one: string): boolean => [one, spaced(one), ...marksOf(one)].some((way) => said.text(way) !== undefined)
  return !names(value) && choices.some((one) => one !== value && names(one))
}
