import { addressesIn, type Evidence } from '../../content/evidence/index.ts'
import { type Plain, sameValue } from '../../domain/pages/templates.ts'
import { isObject } from '../../lib/is-object.ts'
import { pointed } from '../../lib/json-pointer.ts'

/** A model's answer without everything that the page does not say (contract §15.6). */
export interface Grounded {
  readonly value: unknown
  readonly dropped: readonly string[]
}

/** A shorter quote proves nothing. */
const leastQuote = /\S+\s+\S+|\S{4,}/

/** What proves an answer. */
export interface Proof {
  readonly evidence: Evidence
  /** The model's quotes from the page, by JSON pointer. */
  readonly quotes: ReadonlyMap<string, string>
  /** Whether a value is one of the caller's enumerated values, which pages spell differently. */
  readonly chosen: (value: unknown) => boolean
  /** Whether a quote names another value that could be chosen at that place, and not this one, or says the opposite. */
  readonly contradicted: (at: string, value: unknown, quote: string) => boolean
  /** Whether a name of a property is the caller's. All others are the model's own words. */
  readonly asked: (name: string) => boolean
  /** Whether the page's data has that value at that place, in any entry of a list. */
  readonly given: (at: string, value: string | number | boolean) => boolean
}

/** Replaces every value that the page does not say by null, and removes such entries from lists. */
export function grounded(answer: unknown, proof: Proof): Grounded {
  const dropped: string[] = []
  const supported = (at: string): boolean => {
    const quote = proof.quotes.get(at)
    return quote !== undefined && leastQuote.test(quote.trim()) && proof.evidence.text(quote) !== undefined
  }
  const said = (value: unknown, at: string): boolean => {
    if (typeof value === 'boolean') return proof.given(at, value) || (supported(at) && !proof.contradicted(at, value, proof.quotes.get(at) ?? ''))
    if (typeof value === 'number') return proof.given(at, value) || proof.evidence.scalar(value) !== undefined
    if (typeof value !== 'string' || value.trim() === '') return false
    if (proof.given(at, value)) return true
    const quote = proof.quotes.get(at)
    if (quote !== undefined && proof.contradicted(at, value, quote)) return false
    return proof.evidence.scalar(value) !== undefined || (proof.chosen(value) && supported(at))
  }
  /** Whether a property may have that name: a page can make a model put an address into one. */
  const isName = (name: string, at: string): boolean => {
    const isSound = proof.asked(name) || addressesIn(name).every(({ said: address }) => proof.evidence.address(address) !== undefined)
    if (!isSound) dropped.push(at)
    return isSound
  }
  const walk = (value: unknown, at: string, depth: number): unknown => {
    if (value === null || value === undefined || value === '' || depth > 60) return null
    if (Array.isArray(value)) return value.map((one, index) => walk(one, pointed(at, index), depth + 1)).filter((one) => !isEmpty(one))
    if (typeof value === 'object') return Object.fromEntries(Object.entries(value).flatMap(([key, one]) => (isName(key, pointed(at, key)) ? [[key, walk(one, pointed(at, key), depth + 1)] as const] : []))) // a pair
    if (said(value, at)) return value
    dropped.push(at)
    return null
  }
  return { value: walk(answer, '', 0), dropped }
}

const isSame = (a: unknown, b: unknown): boolean => (typeof a === 'object' ? JSON.stringify(a) === JSON.stringify(b) : typeof b !== 'object' && sameValue(a as Plain, b as Plain)) // plain, as no object

/** The properties that two entries share, if they agree on all of them; otherwise none. */
function agreed(one: unknown, other: unknown): readonly string[] {
  if (!isObject(one) || !isObject(other)) return []
  const both = Object.keys(one).filter((key) => !isEmpty(one[key]) && Object.hasOwn(other, key) && !isEmpty(other[key]))
  return both.every((key) => isSame(one[key], other[key])) ? both : []
}

/** Whether two lists describe the same things, each perhaps with other properties. */
const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean => a.length === b.length && a.every((one, at) => agreed(one, b[at]).length > 0)

/** The entries of a list by each text that only one of them has in a property. */
function marked(list: readonly unknown[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>()
  for (const one of list.filter(isObject)) {
    for (const [key, value] of Object.entries(one)) if (typeof value === 'string') found.set(markOf(key, value), found.has(markOf(key, value)) ? undefined : one)
  }
  return found
}

const markOf = (key: string, text: string): string => JSON.stringify([key, text.toLowerCase()])

/**
 * Merges two lists. Entries that share a text which is unique in both lists are the same thing, and are merged. What one
 * list says twice, such as a number, stays twice.
 */
function mergedLists(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
  const [inA, inB] = [marked(a), marked(b)]
  const taken = new Set<unknown>()
  const sameIn = (one: unknown): unknown => {
    if (!isObject(one)) return undefined
    const marks = Object.entries(one).flatMap(([key, text]) => (typeof text === 'string' && inA.get(markOf(key, text)) === one ? [[key, inB.get(markOf(key, text))] as const] : [])) // a pair
    return marks.find(([key, other]) => other !== undefined && !taken.has(other) && agreed(one, other).includes(key))?.[1]
  }
  const first = a.map((one) => {
    const same = sameIn(one)
    if (same === undefined) return one
    taken.add(same)
    return merged(one, same)
  })
  const known = new Set(first.map((one) => JSON.stringify(one)))
  return [...first, ...b.filter((one) => !taken.has(one) && !known.has(JSON.stringify(one)))]
}

/** Merges two answers about parts of a page: values of the first take precedence, lists are joined. */
export function merged(a: unknown, b: unknown): unknown {
  if (a === null || a === undefined) return b ?? null
  if (b === null || b === undefined) return a
  if (Array.isArray(a) && Array.isArray(b) && isSameList(a, b)) return a.map((one, at) => merged(one, b[at]))
  if (Array.isArray(a) && Array.isArray(b)) return mergedLists(a, b)
  if (Array.isArray(a) || Array.isArray(b) || typeof a !== 'object' || typeof b !== 'object') return a
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  const at = (object: object, key: string): unknown => (Object.hasOwn(object, key) ? Object.entries(object).find(([name]) => name === key)?.[1] : null)
  return Object.fromEntries([...keys].map((key) => [key, merged(at(a, key), at(b, key))]))
}

/** Whether a value says nothing: null, or nothing but such values inside. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && Object.values(value).every(isEmpty)
}
