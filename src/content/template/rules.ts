import { type Lifted, type LiftForm, type Plain, type Rule, sameValue } from '../../domain/pages/templates.ts'
import type { Place } from './places.ts'
import { liftedRows, rowRules } from './rows.ts'
import { formOf, readAs } from './texts.ts'

const maxTraces = 12
/** Longest text around a value that belongs to the template ("by", "Price:"), in characters. */
const maxAround = 40
const around = /^[^\d]*$/

/** Places by their keys; null for keys that are not unique. */
function indexed(places: readonly Place[]): ReadonlyMap<string, Place | null> {
  const found = new Map<string, Place | null>()
  for (const place of places) {
    for (const key of [keyOf(place.path, null), ...(place.label === null ? [] : [keyOf(place.path, place.label)])]) found.set(key, found.has(key) ? null : place)
  }
  return found
}

const keyOf = (path: string, label: string | null): string => `${path}\n${label ?? ''}`

function read(text: string, { form, before, after }: Rule): Plain {
  if (text.length < before.length + after.length || !text.startsWith(before) || !text.endsWith(after)) return null
  return readAs(text.slice(before.length, text.length - after.length).trim(), form)
}

/** The ways in which a text gives a value. */
function formsOf(text: string, value: string | number): readonly Pick<Rule, 'form' | 'before' | 'after'>[] {
  const form: LiftForm | null = formOf(text, value)
  if (form !== null) return [{ form, before: '', after: '' }]
  if (typeof value === 'number') return []
  const at = text.indexOf(value)
  if (at < 0 || text.length - value.length > maxAround || value.length < 2) return []
  const [before, after] = [text.slice(0, at), text.slice(at + value.length)]
  return around.test(before) && around.test(after) && /(?:^|[\s:(])$/.test(before) && /^(?:$|[\s,.)])/.test(after) ? [{ form: 'text', before, after }] : []
}

/** The rules that would have given these values on a page. */
export function tracesOf(places: readonly Place[], values: Readonly<Record<string, Lifted>>): Readonly<Record<string, readonly Rule[]>> {
  const index = indexed(places)
  const traces = Object.entries(values).map(([name, value]): [string, readonly Rule[]] => {
    const found: Rule[] = []
    if (value === null) return [name, found]
    if (typeof value === 'object') return [name, rowRules(places, value)]
    for (const place of places) {
      if (found.length >= maxTraces) break
      for (const form of formsOf(place.text, value)) {
        for (const label of place.label === null ? [null] : [place.label, null]) if (index.get(keyOf(place.path, label)) === place) found.push({ path: place.path, label, ...form })
      }
    }
    return [name, found]
  })
  return Object.fromEntries(traces)
}

/** The values that rules give on a page; null when no rule gives one, or when they disagree. */
export function liftedBy(places: readonly Place[], rules: Readonly<Record<string, readonly Rule[]>>): Readonly<Record<string, Lifted>> {
  const index = indexed(places)
  const values = Object.entries(rules).map(([name, list]): [string, Lifted] => {
    const found = list.flatMap((rule) => {
      const place = index.get(keyOf(rule.path, rule.label))
      const value: Lifted = rule.cells !== undefined ? liftedRows(places, rule) : place ? read(place.text, rule) : null
      return value === null ? [] : [value]
    })
    const [first = null] = found
    return [name, found.every((value) => sameValue(value, first)) ? first : null]
  })
  return Object.fromEntries(values)
}
