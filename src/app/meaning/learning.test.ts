import { expect, it } from 'vitest'
import { answerOf, learnable, valuesOf } from './learning.ts'

const text = { type: 'string' }
const object = (properties: object): Readonly<Record<string, unknown>> => ({ type: 'object', properties })
const schema = object({ name: text, spec: object({ weight: { type: ['number', 'null'] }, 'a/b': text }), tags: { type: 'array', items: text }, parts: { type: 'array', items: object({ id: text, count: { type: 'integer' } }) } })

it('plain values, lists of them, and lists of flat entries can be learned, also in nested objects', () => {
  expect(learnable(schema)).toEqual(['name', 'spec/weight', 'spec/a~1b', 'tags', 'parts'])
})

it.each([
  ['yes or no', object({ sold: { type: 'boolean' } })],
  ['a choice', object({ size: { enum: ['s', 'm'] } })],
  ['a list of lists', object({ rows: { type: 'array', items: { type: 'array', items: text } } })],
  ['entries with lists of their own', object({ rows: { type: 'array', items: object({ tags: { type: 'array', items: text } }) } })],
  ['a reference', object({ name: { $ref: '#/$defs/a' } })],
  ['the prototype of things', JSON.parse('{"type":"object","properties":{"__proto__":{"type":"object","properties":{"x":{"type":"string"}}}}}')],
  ['nothing', null],
])('%s cannot be learned', (_, given) => {
  expect(learnable(given)).toBeNull()
})

it('an answer is split into values and composed again', () => {
  const answer = { name: 'Rope', spec: { weight: 3, 'a/b': null }, tags: ['x', 'y'], parts: [{ id: 'p', count: null }] }
  const values = valuesOf(answer, learnable(schema) ?? [])
  expect(values).toEqual({ name: 'Rope', 'spec/weight': 3, 'spec/a~1b': null, tags: ['x', 'y'], parts: [{ id: 'p', count: null }] })
  expect(answerOf(values)).toEqual(answer)
  expect(valuesOf({ name: true, spec: [], tags: [], parts: [{ id: {} }] }, ['name', 'spec/weight', 'tags', 'parts'])).toEqual({ name: null, 'spec/weight': null, tags: null, parts: null })
})
