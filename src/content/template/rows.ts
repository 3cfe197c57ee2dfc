import { type Cell, type Plain, type Row, type Rule, sameValue } from '../../domain/pages/templates.ts'
import type { Place, Spot } from './places.ts'
import { formOf, readAs } from './texts.ts'

const maxRows = 200
const maxRules = 3
/** How many occurrences of a value are tried, and how many elements around each may be its entry. */
const maxStarts = 6
const maxUp = 10

/** The places inside each element with that path, in document order; elements without any are omitted. */
function entriesOf(places: readonly Place[], path: string): readonly (readonly Place[])[] {
  const found = new Map<Spot, Place[]>()
  for (const place of places) {
    if (!place.path.startsWith(path)) continue
    let spot: Spot | null = place.spot
    while (spot !== null && spot.path !== path) spot = spot.up
    if (spot === null) continue
    const inside = found.get(spot)
    if (inside === undefined) found.set(spot, [place])
    else inside.push(place)
  }
  return [...found.values()]
}

/** The value of a cell in an entry; null when it is empty, undefined when it is ambiguous. */
function inCell(entry: readonly Place[], { path, form }: Cell): Plain | undefined {
  const [place, other] = entry.filter((one) => one.path === path)
  if (other !== undefined) return undefined
  return place === undefined ? null : (readAs(place.text, form) ?? undefined)
}

/** The rows that a list rule gives on a page; null when there are none, or when one is ambiguous. */
export function liftedRows(places: readonly Place[], { path, cells = [] }: Rule): readonly Row[] | null {
  const rows: Row[] = []
  for (const entry of entriesOf(places, path)) {
    const values: Plain[] = []
    for (const cell of cells) {
      const value = inCell(entry, cell)
      if (value === undefined) return null
      values.push(value)
    }
    // An entry without any value is no entry; one without the key value makes the rule uncertain.
    if (values.every((value) => value === null)) continue
    if (values[0] === null || rows.length >= maxRows) return null
    rows.push(cells[0]?.name === null ? (values[0] ?? null) : Object.fromEntries(cells.map(({ name }, at) => [name ?? '', values[at] ?? null])))
  }
  return rows.length === 0 ? null : rows
}

const cellOf = (row: Row | undefined, name: string | null): Plain => (row === undefined || row === null || typeof row !== 'object' ? (name === null ? (row ?? null) : null) : name !== null && Object.hasOwn(row, name) ? (row[name] ?? null) : null)

/** A cell rule that gives every row's value; null when there is none. */
function cellFor(entries: readonly (readonly Place[])[], rows: readonly Row[], name: string | null): Cell | null {
  const at = rows.findIndex((row) => cellOf(row, name) !== null)
  const value = cellOf(rows[at], name)
  if (value === null) return null
  const tries = (entries[at] ?? []).flatMap(({ path, text }): Cell[] => {
    const form = formOf(text, value)
    return form === null ? [] : [{ name, path, form }]
  })
  return tries.slice(0, maxStarts).find((cell) => entries.every((entry, index) => {
    const found = inCell(entry, cell)
    return found !== undefined && sameValue(found, cellOf(rows[index], name))
  })) ?? null
}

/** The rule for entries at that path with the given key cell, if they give exactly these rows; otherwise null. */
function ruleFor(places: readonly Place[], path: string, rows: readonly Row[], key: Cell): Rule | null {
  const entries = entriesOf(places, path).filter((entry) => entry.some((place) => place.path === key.path))
  if (entries.length !== rows.length || !entries.every((entry, at) => sameValue(inCell(entry, key) ?? null, cellOf(rows[at], key.name)))) return null
  const names = key.name === null ? [] : [...new Set(rows.flatMap((row) => (typeof row === 'object' && row !== null ? Object.keys(row) : [])))].filter((name) => name !== key.name && rows.some((row) => cellOf(row, name) !== null))
  const others = names.map((name) => cellFor(entries, rows, name))
  return others.includes(null) ? null : { path, label: null, form: key.form, before: '', after: '', cells: [key, ...others.filter((cell) => cell !== null)] }
}

/** The rules that would have given this list on a page. */
export function rowRules(places: readonly Place[], rows: readonly Row[]): readonly Rule[] {
  const [first] = rows
  if (first === undefined || rows.length > maxRows) return []
  const names = typeof first === 'object' && first !== null ? Object.keys(first) : [null]
  const name = names.find((one) => rows.every((row) => cellOf(row, one) !== null))
  const value = name === undefined ? null : cellOf(first, name)
  if (name === undefined || value === null) return []
  const found = new Map<string, Rule | null>()
  const starts = places.flatMap((place): (readonly [Place, Cell])[] => {
    const form = formOf(place.text, value)
    return form === null ? [] : [[place, { name, path: place.path, form }]]
  })
  for (const [place, key] of starts.slice(0, maxStarts)) {
    for (let spot: Spot | null = place.spot, up = 0; spot !== null && up < maxUp; spot = spot.up, up++) {
      const id = `${spot.path}\n${key.path}`
      if (!found.has(id)) found.set(id, ruleFor(places, spot.path, rows, key))
    }
  }
  return [...found.values()].filter((rule) => rule !== null).slice(0, maxRules)
}
