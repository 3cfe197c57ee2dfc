import { RE2JS } from 're2js'
import { visible } from '../lib/visible.ts'
import { ServiceError } from './errors.ts'

/** How many patterns a request may bring, and how long (R18). */
const maxPatterns = 1_000
const maxLength = 2_000
/** Of all patterns together, as they are written and with repetitions written out: `a{9}` is nine. */
const maxTotal = 100_000
/** What an automaton has of each pattern beside its characters. */
const framing = 10
/** Parts of patterns that may be held against characters of one text; so many take a second at worst, in which nothing else is done. */
const maxSteps = 25_000_000

/** Tells whether any of the patterns is found in a text, in time proportional to its length. */
export interface PatternTest {
  (text: string): boolean
  /** Texts with more characters than that would take too long. */
  readonly longest: number
}

const lookAround = /\(\?(?:[=!]|<[=!])/
const backReference = /\\[1-9]|\\k</

function refuse(field: string, index: number, message: string): never {
  throw new ServiceError('BAD_REQUEST', `Bad Request: ${field}.${index}: ${message}`, { details: [{ code: 'invalid_pattern', path: [field, index], message }] })
}

function compile(pattern: string, field: string, index: number): RE2JS {
  const named = `: "${visible(pattern)}"`
  if (pattern.length > maxLength) refuse(field, index, `A pattern may have at most ${maxLength} characters${named}`)
  try {
    return RE2JS.compile(pattern)
  } catch {
    const why = lookAround.test(pattern) ? 'Look-ahead and look-behind are not supported' : backReference.test(pattern) ? 'Back-references are not supported' : 'Not a regular expression (RE2 syntax)'
    return refuse(field, index, `${why}${named}`)
  }
}

/**
 * Compiles a caller's regular expressions, searched unanchored, by an automaton that never backtracks (RE2).
 * `field` names them in the error. Throws `BAD_REQUEST` for a pattern that is none or too long, with its text, and for too many.
 */
export function compilePatterns(patterns: readonly string[], field: string): PatternTest {
  if (patterns.length > maxPatterns) refuse(field, maxPatterns, `At most ${maxPatterns} patterns`)
  const total = patterns.reduce((sum, pattern) => sum + pattern.length, 0)
  if (total > maxTotal) refuse(field, 0, `All patterns together may have at most ${maxTotal} characters`)
  let size = 0
  const compiled = patterns.map((pattern, i) => {
    const one = compile(pattern, field, i)
    size += one.programSize()
    if (size > maxTotal + framing * patterns.length) refuse(field, i, `All patterns together, with their repetitions written out, may have at most ${maxTotal} characters`)
    return one
  })
  return Object.assign((text: string) => compiled.some((pattern) => pattern.matcher(text).find()), { longest: Math.floor(maxSteps / Math.max(1, size)) })
}
