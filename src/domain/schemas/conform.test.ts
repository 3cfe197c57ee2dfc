import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { schemaFault } from '../../spec/json-schema.ts'
import { conform } from './conform.ts'
import { shapeOf } from './shape.ts'

/** A schema with a condition, as text: an object with `then` is taken for a promise. */
const conditional = (condition: object, yes: object, no: object): Record<string, unknown> => JSON.parse(`{"if":${JSON.stringify(condition)},"then":${JSON.stringify(yes)},"else":${JSON.stringify(no)}}`)
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

it.each([
  ['(?=a)\n', 'the pattern "(?=a)\\u{a}" cannot be used (regular expressions of RE2: no look-around, no back-references)'],
  ['x'.repeat(1_001), `the pattern "${'x'.repeat(100)}…" has more than 1000 characters`],
])('an invalid pattern is named: %j', (pattern, fault) => expect(schemaFault(object({ a: { type: 'string', pattern } }))).toContain(fault))

it.each([
  ['wide ranges without case', `(?i)${'[B-\u{1e942}]'.repeat(160)}`, 'have too many classes'],
  ['repetitions', `${'((a?){100}){9}'.repeat(62)}[x-z]`, 'with their repetitions written out'],
])('patterns that would take long to compile are refused: %s', (_, pattern, fault) => {
  const properties = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`p${i}`, { type: 'string', pattern }]))
  let found: string | null = null
  expect(cpuMs(() => (found = schemaFault(object(properties))))).toBeLessThan(5_000)
  expect(found).toContain(fault)
})

it('long texts are matched with large patterns for a limited time', () => {
  const schema = { type: 'array', items: { anyOf: Array.from({ length: 40 }, (_, i) => ({ type: 'string', pattern: `(a?b?){400}[x-z]${i}` })) } }
  expect(schemaFault(schema)).toBeNull()
  expect(cpuMs(() => void conform(['ab'.repeat(5_000), 'ba'.repeat(5_000)], schema))).toBeLessThan(8_000)
})

it.each([
  [object({ a: object({ 'b/c': { type: 'strng' } }) }), '/properties/a/properties/b~1c: unknown type "strng"'],
  [object({ a: { anyOf: [{}, 'string'] } }), '/properties/a/anyOf/1: a schema must be an object'],
  [object({ a: { properties: [] } }), '/properties/a: properties must be an object of schemas'],
  [object({ a: { type: 'string', pattern: 'x', required: true } }), '/properties/a: required must be a list of names'],
  [{ type: 'array', items: [{}, { $ref: '#/nowhere' }] }, '/items/1: $ref must name a part of the same schema (#/$defs/…), and "#/nowhere" does not'],
  [object({ a: { type: 'object', unevaluatedProperties: false } }), '/properties/a: unevaluatedProperties is not supported'],
  [{ dependencies: { a: ['b'], c: { pattern: '(?=a)' } } }, '/dependencies/c: the pattern "(?=a)" cannot be used (regular expressions of RE2: no look-around, no back-references)'],
  [{ name: 'string', price: 'number' }, 'none of its keys is one of JSON Schema; properties stand in "properties": {"type": "object", "properties": {…}}'],
  [{ title: { type: 'string' } }, 'none of its keys is one of JSON Schema; properties stand in "properties": {"type": "object", "properties": {…}}'],
])('the fault of %j is reported with its place', (schema, fault) => expect(schemaFault(schema)).toBe(fault))

it.each([{}, { description: 'Anything.' }, { minProperties: 1 }, { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'T' }])('%j is a valid schema', (schema) => expect(schemaFault(schema)).toBeNull())

describe('an answer is adapted to its schema', () => {
  it.each([
    ['what fits stays', object({ a: { type: 'string' } }), { a: 'x' }, { a: 'x' }, []],
    ['what does not is null', object({ a: { type: 'string' }, b: { type: 'integer' } }), { a: {}, b: 1.5 }, { a: null, b: null }, ['/a', '/b']],
    ['numbers as text are numbers', object({ a: { type: 'number' }, b: { type: 'string' } }), { a: '12.5', b: 7 }, { a: 12.5, b: '7' }, []],
    ['what is required and not there is null', object({}, { required: ['a'] }), {}, { a: null }, []],
    ['what may not be there goes', object({ a: {} }, { additionalProperties: false }), { a: 1, b: 2 }, { a: 1 }, ['/b']],
    ['wrong entries of a list go', object({ a: { type: 'array', items: { enum: ['x', 'y'] } } }), { a: ['x', 'z', 'y'] }, { a: ['x', 'y'] }, ['/a/1']],
    ['places of a tuple stay in their places', object({ a: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }, { type: 'boolean' }], items: { type: 'string' } } }), { a: ['x', 'y', null, {}, 'z', null] }, { a: [null, 'y', null, 'z'] }, ['/a/0', '/a/3']],
    ['names that match a pattern are known, and what they name must fit', { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false }, { 'x-a': 'b', 'x-c': {}, d: 1 }, { 'x-a': 'b', 'x-c': null }, ['/x-c', '/d']],
    ['a name that is known and matches a pattern must fit both', object({ ab: { type: 'string' } }, { patternProperties: { '^a': { maxLength: 2 } } }), { ab: 'xyz', ac: 'xyz', d: 'xyz' }, { ab: null, ac: null, d: 'xyz' }, ['/ab', '/ac']],
    ['a list that becomes too short is null', object({ a: { type: 'array', items: { type: 'integer' }, minItems: 2 } }), { a: [1, 'b'] }, { a: null }, ['/a/1', '/a']],
    ['the first alternative that fits counts', object({ a: { anyOf: [{ type: 'integer' }, { type: 'string', maxLength: 2 }] } }), { a: 'xy' }, { a: 'xy' }, []],
    ['references are followed', { $ref: '#/$defs/n', $defs: { n: object({ next: { $ref: '#/$defs/n' }, v: { type: 'integer' } }) } }, { v: 1, next: { v: 'x', next: null } }, { v: 1, next: { v: null, next: null } }, ['/next/v']],
    ['an alternative that needs no conversion comes before one that does', object({ a: { anyOf: [{ type: 'integer' }, { type: 'string' }] } }), { a: '007' }, { a: '007' }, []],
    ['so does one that lacks nothing', { oneOf: [object({ title: { type: 'string' } }, { required: ['title'] }), object({ name: { type: 'string' } }, { required: ['name'] })] }, { name: 'x' }, { name: 'x' }, []],
    ['where none fits as it is, the first that loses nothing counts', { anyOf: [object({ a: { type: 'boolean' } }), object({ a: { type: 'integer' } })] }, { a: '5' }, { a: 5 }, []],
    ['what would have to be changed to fit "not" may stay', { not: object({ a: { type: 'string' } }, { required: ['error'] }) }, { a: 5 }, { a: 5 }, []],
    ['what fits "not" may not', object({ a: { type: 'string', not: { const: 'x' } }, b: { type: 'string', not: { const: 'x' } } }), { a: 'x', b: 'y' }, { a: null, b: 'y' }, ['/a']],
    ['limits may be exclusive', { type: 'array', items: { exclusiveMinimum: 0, maximum: 9, exclusiveMaximum: true } }, [0, 1, 8, 9], [1, 8], ['/0', '/3']],
    ['what is null is not there for "not"', { not: { required: ['x'] } }, { x: null, y: 1 }, { x: null, y: 1 }, []],
    ['what is wanted because of another value must fit, too', object({ a: {}, b: {} }, conditional(object({ a: { const: 1 } }, { required: ['a'] }), object({ b: { type: 'string' } }, { required: ['c'] }), object({ b: { type: 'integer' } }))), { a: 1, b: true }, { a: 1, b: null, c: null }, ['/b']],
    ['what is wanted otherwise must fit where that value is null', conditional({ required: ['a'] }, { required: ['c'] }, object({ b: { type: 'integer' } })), { a: null, b: 'x' }, { a: null, b: null }, ['/b']],
    ['a list without what it must contain is null', object({ a: { contains: { const: 'x' } }, b: { contains: { const: 'x' } }, c: { contains: { const: 'x' }, minContains: 0, maxContains: 1 } }), { a: ['y', 'x'], b: ['y'], c: ['x', 'x'] }, { a: ['y', 'x'], b: null, c: null }, ['/b', '/c']],
    ['an object with fewer values than it must have, or with more, is null', object({ a: { minProperties: 2 }, b: { minProperties: 1, maxProperties: 1 } }), { a: { x: 1, y: null }, b: { x: 1, y: null } }, { a: null, b: { x: 1, y: null } }, ['/a']],
    ['properties whose names do not fit go', { propertyNames: { maxLength: 1 } }, { a: 1, bc: 2 }, { a: 1 }, ['/bc']],
    ['what depends on a property counts where that is there', { dependentRequired: { a: ['c'], b: ['d'] }, dependentSchemas: { a: object({ e: { type: 'string' } }) }, dependencies: { a: ['f'], b: object({ e: { type: 'null' } }) } }, { a: 1, b: null, e: 2 }, { a: 1, b: null, c: null, e: '2', f: null }, []],
    ['what follows the places of a tuple must fit', { type: 'array', items: [{ type: 'integer' }], additionalItems: { type: 'string' } }, [1, 'a', {}], [1, 'a'], ['/2']],
    ['names may be given by patterns', { type: 'object', patternProperties: { '^n_': { type: 'integer' }, '^t_': { type: 'string' } }, additionalProperties: false }, { n_a: 1, n_b: 'x', t_a: 'x', other: 1 }, { n_a: 1, n_b: null, t_a: 'x' }, ['/n_b', '/other']],
    ['days must be in the calendar', object({ a: { type: 'string', format: 'date' }, b: { type: 'string', format: 'date-time' }, c: { type: 'string', format: 'date' } }), { a: '2026-02-30', b: '2026-04-31T10:00:00Z', c: '2028-02-29' }, { a: null, b: null, c: '2028-02-29' }, ['/a', '/b']],
    ['dates must be dates, patterns must match', object({ a: { type: 'string', format: 'date' }, b: { type: 'string', pattern: '^[A-Z]+$' } }), { a: 'soon', b: 'abc' }, { a: null, b: null }, ['/a', '/b']],
  ])('%s', (_, schema, value, expected, dropped) => {
    expect(schemaFault(schema)).toBeNull()
    expect(conform(value, schema)).toEqual({ ok: true, value: expected, dropped })
  })

  it('unless even its outermost value does not match', () => {
    expect(conform([], object({}))).toEqual({ ok: false, value: null, dropped: [''] })
  })
})

describe('expensive schemas', () => {
  const again = { $ref: '#' }
  const many = (count: number) => Array.from({ length: count }, () => again)
  it.each([
    ['naming itself in all of itself', { allOf: many(200) }],
    ['naming itself in any of itself', { anyOf: many(200) }],
    ['naming itself and nothing else', { $ref: '#' }],
    ['naming what requires much many times', { allOf: Array.from({ length: 20 }, () => ({ $ref: '#/$defs/some' })), $defs: { some: { allOf: Array.from({ length: 20 }, () => ({ $ref: '#/$defs/names' })) }, names: { required: Array.from({ length: 10_000 }, (_, at) => at.toString(36)) } } }],
    ['of many patterns', { type: 'array', items: { anyOf: Array.from({ length: 900 }, (_, at) => ({ type: 'string', pattern: `(a|b|ab)*c{0,${(at % 90) + 1}}$` })) } }],
  ])('are refused or evaluated in bounded time: %s', (_, schema) => {
    const began = process.cpuUsage()
    if (schemaFault(schema) === null) {
      shapeOf(schema)
      conform(['x'.repeat(20_000), 'y'.repeat(20_000)], schema)
    }
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(10_000)
  })
})
