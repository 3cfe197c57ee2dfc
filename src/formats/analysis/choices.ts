import { evidenceOf } from '../../content/evidence/index.ts'
import { isScalar, type Shape } from '../../domain/schemas/shape.ts'
import { isObject, type JsonObject } from '../../lib/is-object.ts'
import { keysOf } from '../../lib/json-pointer.ts'
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
  const inner = keysOf(pointer).reduce<Shape | null>((outer, name) => {
    if (outer?.kind === 'array') return outer.items
    return outer?.kind === 'object' ? (outer.properties.find((one) => one.name === name)?.shape ?? null) : null
  }, shape)
  return inner !== null && isScalar(inner) ? (inner.values ?? []).filter((one) => typeof one === 'string') : []
}

/** A longer quote, or a longer list, is not searched. */
const most = { quote: 1_000, choices: 60 } as const

/** Words that deny, and those after which a quote proves neither yes nor no. */
const denial = /(?<![\p{L}\p{N}])(?:not|no|never|isn['’]t|aren['’]t|doesn['’]t|without|nicht|keine?[nmrs]?|ohne|pas|sans|aucune?|sin|non|senza|niet|geen|zonder|inte|ikke)(?![\p{L}\p{N}])/giu
const doubt = /[?;:!.,]\s|\?$|\p{N}|(?<![\p{L}\p{N}])(?:if|when|unless|until|only|except|for|from|with|at|over|selected|some|most|soon|again|back|later|sold|out|un\p{L}+able|almost|hardly|nearly|may|might|could|would|usually|but|or|wenn|falls|nur|ab|si|seulement|solo|bald|wieder)(?![\p{L}\p{N}])/iu

/**
 * What a quote says of a property that is true or false, and named with at least two words: true with these words alone,
 * false if one word denies them. Null if it may be either.
 */
function answerIn(name: string, quote: string): boolean | null {
  const wanted = spaced(name).toLowerCase().replace(/^(?:is|has|are) /, '')
  const bare = quote.trim().replace(/[.!]$/, '')
  const at = /\s/.test(wanted) && bare.length <= 200 && !doubt.test(bare) ? evidenceOf(bare).text(wanted) : undefined
  if (at === undefined) return null
  const denials = [...bare.matchAll(denial)]
  if (denials.length === 0) return true
  return denials.length === 1 && denials.every(({ index }) => index < at.start && bare.slice(index, at.start).split(/\s+/).length <= 4) ? false : null
}

/**
 * Whether a model's quote names another of the values to choose from, and not the chosen one: small models answer "new" and
 * quote "Condition: used". Values are looked for as programs and as people write them. True or false is contradicted by a
 * quote that says the opposite in the words of the property's name.
 */
export function contradicted(shape: Shape | null, at: string, { value, quote }: { readonly value: unknown; readonly quote: string }): boolean {
  if (typeof value === 'boolean') {
    const said = answerIn(at.split('/').at(-1) ?? '', quote)
    return said !== null && said !== value
  }
  const choices = choicesAt(shape, at)
  if (typeof value !== 'string' || !choices.includes(value) || choices.length > most.choices || quote.length > most.quote) return false
  const said = evidenceOf(quote)
  const names = (one: string): boolean => [one, spaced(one), ...marksOf(one)].some((way) => said.text(way) !== undefined)
  return !names(value) && choices.some((one) => one !== value && names(one))
}
