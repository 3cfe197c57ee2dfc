import type { Evidence } from '../../content/evidence/index.ts'
import { pointed } from '../../domain/shape.ts'

/** A model's answer with all taken out of it that the page does not say (contract §15.6). */
export interface Grounded {
  readonly value: unknown
  readonly dropped: readonly string[]
}

/** A quote of fewer words proves nothing. */
const leastQuote = /\S+\s+\S+|\S{4,}/

/** What proves an answer. */
export interface Proof {
  readonly evidence: Evidence
  /** Words that the model quotes from the page, by JSON pointer. */
  readonly quotes: ReadonlyMap<string, string>
  /** Whether the value at a pointer is one of a list of the caller's, which pages do not spell as the caller does. */
  readonly chosen: (value: unknown) => boolean
}

/** Nulls every value that the page does not say, and takes such entries out of lists. */
export function grounded(answer: unknown, proof: Proof): Grounded {
  const dropped: string[] = []
  const supported = (at: string): boolean => {
    const quote = proof.quotes.get(at)
    return quote !== undefined && leastQuote.test(quote.trim()) && proof.evidence.text(quote) !== undefined
  }
  const said = (value: unknown, at: string): boolean => {
    if (typeof value === 'boolean') return supported(at)
    if (typeof value === 'number') return proof.evidence.number(value) !== undefined
    if (typeof value !== 'string' || value.trim() === '') return false
    return proof.evidence.scalar(value) !== undefined || (proof.chosen(value) && supported(at))
  }
  const walk = (value: unknown, at: string, depth: number): unknown => {
    if (value === null || value === undefined || depth > 60) return null
    if (Array.isArray(value)) return value.map((one, index) => walk(one, pointed(at, index), depth + 1)).filter((one) => !isEmpty(one))
    if (typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one, pointed(at, key), depth + 1)]))
    if (said(value, at)) return value
    dropped.push(at)
    return null
  }
  return { value: walk(answer, '', 0), dropped }
}

/** Whether two lists are of the same things, of which each may say what the other does not. */
function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  const agree = (one: unknown, other: unknown): boolean => {
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null || Array.isArray(one) || Array.isArray(other)) return false
    const theirs = new Map<string, unknown>(Object.entries(other))
    const both = Object.entries(one).flatMap(([key, value]) => (isEmpty(value) || isEmpty(theirs.get(key)) ? [] : [JSON.stringify(value) === JSON.stringify(theirs.get(key))]))
    return both.length > 0 && both.every(Boolean)
  }
  return a.length === b.length && a.every((one, at) => agree(one, b[at]))
}

/** Two answers about parts of one page as one: what the first says stands, lists go on. */
export function merged(a: unknown, b: unknown): unknown {
  if (a === null || a === undefined) return b ?? null
  if (b === null || b === undefined) return a
  if (Array.isArray(a) && Array.isArray(b) && isSameList(a, b)) return a.map((one, at) => merged(one, b[at]))
  if (Array.isArray(a) && Array.isArray(b)) return [...new Map([...a, ...b].map((one) => [JSON.stringify(one), one])).values()]
  if (Array.isArray(a) || Array.isArray(b) || typeof a !== 'object' || typeof b !== 'object') return a
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  const at = (object: object, key: string): unknown => (Object.hasOwn(object, key) ? Object.entries(object).find(([name]) => name === key)?.[1] : null)
  return Object.fromEntries([...keys].map((key) => [key, merged(at(a, key), at(b, key))]))
}

/** Whether anything is said in a value. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && Object.values(value).every(isEmpty)
}
