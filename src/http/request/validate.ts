import type { z } from 'zod'
import { ServiceError } from '../../domain/errors.ts'
import { isObject } from '../../lib/is-object.ts'
import { nearest } from '../../lib/nearest.ts'
import { formerKeys } from '../../spec/tolerate.ts'

/** One problem of a request (contract §1.3). */
export interface Problem {
  readonly code: string
  readonly path: readonly (string | number)[]
  readonly message: string
}

type Issue = z.core.$ZodIssue

/** A request may be wrong in a million places: limits how many problems are listed, and how much of a key is repeated. */
const maxProblems = 50
const shown = (key: string): string => (key.length > 100 ? `${key.slice(0, 100)}…` : key)

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/** Whether a key is missing, or which known value was meant, instead of what the input is to a parser; undefined: its own words. */
function worded(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    const expected = issue.expected === 'record' ? 'object' : issue.expected
    if (issue.input === undefined) return `Missing: expected ${expected}`
    return expected === issue.expected ? undefined : `Invalid input: expected ${expected}, received ${kindOf(issue.input)}`
  }
  // The object whose `type` (or whatever tells the alternatives apart) is none of those known.
  if (issue.code === 'invalid_union' && 'options' in issue && Array.isArray(issue.options) && typeof issue.discriminator === 'string') return invalidOption(issue.options, isObject(issue.input) ? issue.input[issue.discriminator] : undefined)
  return issue.code === 'invalid_value' && issue.values.length > 1 ? invalidOption(issue.values, issue.input) : undefined
}

function invalidOption(values: readonly unknown[], input: unknown): string {
  const near = typeof input === 'string' ? nearest(input, values.filter((value) => typeof value === 'string')) : null
  return `Invalid option: expected one of ${values.map((value) => JSON.stringify(value)).join('|')}${near === null ? '' : `; did you mean "${near}"?`}`
}

const asPath = (path: readonly PropertyKey[]): (string | number)[] => path.map((key) => (typeof key === 'number' ? key : shown(String(key))))

/** One problem for an input that is of no kind that a union takes; null where one of its alternatives takes that kind. */
function ofNoKind(issue: Extract<Issue, { code: 'invalid_union' }>): Issue | null {
  const faults = issue.errors.flatMap((branch) => branch.flatMap((inner) => (inner.code === 'invalid_type' && inner.path.length === 0 ? [inner] : [])))
  const [first] = faults
  if (first === undefined || first.input === undefined || faults.length < issue.errors.length) return null
  const kinds = [...new Set(faults.map(({ expected }) => expected))]
  return { ...first, message: `Invalid input: expected ${kinds.join(' or ')}, received ${kindOf(first.input)}` }
}

/**
 * The problems with the alternative of a union that the input was meant to be: the first one that does not merely reject
 * its kind. If all reject its `type`, they become one problem.
 */
function alternatives(issue: Extract<Issue, { code: 'invalid_union' }>): readonly Issue[] {
  const alien = ofNoKind(issue)
  if (alien !== null) return [alien]
  const kindly = issue.errors.filter((branch) => !branch.some(isOfKind))
  const kinds = kindly.length > 0 ? [] : issue.errors.flat().filter(isOfType)
  if (kinds[0] !== undefined) {
    const values = kinds.flatMap((inner) => inner.values)
    return [{ ...kinds[0], values, message: invalidOption(values, kinds[0].input) }]
  }
  return kindly[0] ?? issue.errors.find((branch) => branch.some((inner) => inner.code === 'invalid_value')) ?? issue.errors[0] ?? []
}

/** Whether a problem is about the `type` of an object. */
const isOfType = (issue: Issue): issue is Extract<Issue, { code: 'invalid_value' }> => issue.code === 'invalid_value' && issue.path.length === 1 && issue.path[0] === 'type'

/** Whether a problem says that the input is of another kind. */
function isOfKind(issue: Issue): boolean {
  const root = issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
  return root || isOfType(issue)
}

/** What was probably meant: a key that is spelled like it, or one of this name inside another option. */
function hintFor(key: string, known: readonly string[], keysIn: (option: string) => readonly string[]): string {
  const near = nearest(key, known)
  if (near === key) return ', which belongs to another `type`'
  if (near !== null) return `; did you mean "${near}"?`
  const homes = known.filter((option) => keysIn(option).includes(key))
  return homes.length === 0 ? '' : `; it belongs in ${homes.map((option) => `"${option}"`).join(' or ')}`
}

function unknownKeys(issue: Extract<Issue, { code: 'unrecognized_keys' }>, path: (string | number)[], keysAt: KeysAt): Problem[] {
  return issue.keys.slice(0, maxProblems).map(shown).map((key) => {
    const known = keysAt(path)
    const former = formerKeys.get(key)
    if (former !== undefined && known.includes(former)) return { code: 'unrecognized_keys', path: [...path, key], message: `Unknown key "${key}"; its name is now "${former}"` }
    return { code: 'unrecognized_keys', path: [...path, key], message: `Unknown key "${key}"${hintFor(key, known, (inner) => keysAt([...path, inner]))}` }
  })
}

type KeysAt = (path: readonly (string | number)[]) => readonly string[]

function problemsOf(issue: Issue, base: readonly (string | number)[], keysAt: KeysAt): Problem[] {
  const path = [...base, ...asPath(issue.path)]
  if (issue.code === 'unrecognized_keys') return unknownKeys(issue, path, keysAt)
  if (issue.code === 'invalid_union' && issue.errors.length > 0) return alternatives(issue).flatMap((inner) => problemsOf(inner, path, keysAt))
  const name = path.length === 0 ? '' : `${path.join('.')}: `
  return [{ code: issue.code, path, message: `${name}${issue.message}` }]
}

interface Shaped {
  readonly shape?: Record<string, z.ZodType>
  readonly in?: z.ZodType
  readonly innerType?: z.ZodType
  readonly element?: z.ZodType
  readonly options?: readonly z.ZodType[]
}

const inside = (schema: z.ZodType): Shaped => {
  const def = schema.def as Shaped // zod's public definition object; the fields differ by kind of schema
  return def
}

/** The keys that a schema knows at a path, for suggestions. */
function keysOf(schema: z.ZodType | undefined, path: readonly (string | number)[]): readonly string[] {
  if (schema === undefined) return []
  const def = inside(schema)
  const wrapped = def.in ?? def.innerType
  if (wrapped !== undefined) return keysOf(wrapped, path)
  if (def.options !== undefined) return def.options.flatMap((option) => keysOf(option, path))
  const [head, ...rest] = path
  if (def.shape !== undefined) return head === undefined ? Object.keys(def.shape) : keysOf(def.shape[head], rest)
  return def.element !== undefined && head !== undefined ? keysOf(def.element, rest) : []
}

/** The parsed form of `raw`. Throws `BAD_REQUEST` with every problem in `details`, the first one also in the message. */
export function validate<S extends z.ZodType>(schema: S, raw: unknown): z.output<S> {
  const result = schema.safeParse(raw, { error: worded, reportInput: true })
  if (result.success) return result.data
  const problems = result.error.issues.slice(0, maxProblems).flatMap((issue) => problemsOf(issue, [], (path) => keysOf(schema, path))).slice(0, maxProblems)
  throw new ServiceError('BAD_REQUEST', `Bad Request: ${problems[0]?.message ?? 'the request does not fit its schema'}`, { details: problems })
}
