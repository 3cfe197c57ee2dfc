import { RE2JS } from 're2js'
import { patternBudget } from '../../lib/pattern-work.ts'
import { visible } from '../../lib/visible.ts'
import { ServiceError } from '../errors.ts'

/** The maximum number of patterns per request, and their maximum length (R18). */
const maxPatterns = 1_000
const maxLength = 2_000
/** The maximum length of all patterns together, both as written and with repetitions expanded: `a{9}` counts nine. */
const maxTotal = 100_000
/** Automaton states of a pattern beyond its characters. */
const framing = 10
/** Limit on pattern size × text length: it takes a second at worst, during which the process does nothing else. */
const maxSteps = 25_000_000

/** Whether any of the patterns matches somewhere in a text, in time proportional to its length. */
export interface PatternTest {
  (text: string): boolean
  /** The number of characters above which matching would take too long. */
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
 * Compiles a caller's regular expressions into automata that never backtrack (RE2); they match anywhere in a text. `field`
 * names them in errors. Throws `BAD_REQUEST` for too many patterns, and with its text for one that is invalid or too long.
 */
export function compilePatterns(patterns: readonly string[], field: string): PatternTest {
  if (patterns.length > maxPatterns) refuse(field, maxPatterns, `At most ${maxPatterns} patterns`)
  const total = patterns.reduce((sum, pattern) => sum + pattern.length, 0)
  if (total > maxTotal) refuse(field, 0, `All patterns together may have at most ${maxTotal} characters`)
  const affordable = patternBudget()
  let size = 0
  const compiled = patterns.map((pattern, i) => {
    if (!affordable(pattern)) refuse(field, i, 'All patterns together have too many classes like \\p{L}, or too wide ranges with (?i)')
    const one = compile(pattern, field, i)
    size += one.programSize()
    if (size > maxTotal + framing * patterns.length) refuse(field, i, `All patterns together, with their repetitions written out, may have at most ${maxTotal} characters`)
    return one
  })
  return Object.assign((text: string) => compiled.some((pattern) => pattern.matcher(text).find()), { longest: Math.floor(maxSteps / Math.max(1, size)) })
}
