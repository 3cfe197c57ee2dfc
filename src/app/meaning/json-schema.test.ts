import { expect, it } from 'vitest'
import { answerSchema, remaining } from './json-schema.ts'

const place = { type: 'object', properties: { city: { type: 'string' } } }

it('a reduced schema keeps all referenced definitions', () => {
  const schema = { type: 'object', properties: { name: { type: 'string' }, from: place, to: { $ref: '#/properties/from' } } }
  expect(remaining(schema, ['/to/city'])).toEqual(schema)
  expect(remaining(schema, [])).toBeNull()
  const defined = { ...schema, properties: { name: { type: 'string' }, to: { $ref: '#/$defs/place' } }, $defs: { place } }
  expect(remaining(defined, ['/to/city'])).toEqual({ ...defined, properties: { to: { $ref: '#/$defs/place' } } })
})

it('a schema within the answer loses $schema and $id, and its references are adapted', () => {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'https://a.test/s', type: 'object', properties: { $id: { type: 'string' }, to: { $ref: '#/$defs/place' } }, $defs: { place } }
  const answer = answerSchema(schema) as { readonly properties: { readonly data: object } } // the shape that it is made with
  expect(answer.properties.data).toEqual({ type: 'object', properties: { $id: { type: ['string', 'null'] }, to: { anyOf: [{ $ref: '#/properties/data/$defs/place' }, { type: 'null' }] } }, $defs: { place: { type: 'object', properties: { city: { type: ['string', 'null'] } } } } })
})

const forModel = (schema: object) => (answerSchema({ ...schema }) as { readonly properties: { readonly data: object } }).properties.data // the shape that it is made with

it.each([
  [{ const: 'x' }, { enum: ['x', null] }],
  [{ enum: [1, 2] }, { enum: [1, 2, null] }],
  [{ type: ['string', 'number'] }, { type: ['string', 'number', 'null'] }],
  [{ type: ['string', 'null'] }, { type: ['string', 'null'] }],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { type: 'null' }] }],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
  [{ description: 'Anything' }, { description: 'Anything' }],
])('a property with %j may be null', (property, expected) => expect(forModel({ type: 'object', properties: { a: property } })).toEqual({ type: 'object', properties: { a: expected } }))

it('names of definitions are no keywords', () => {
  const $defs = { enum: { type: 'object', properties: { a: { type: 'string' } } }, $ref: { $ref: '#/$defs/enum' }, properties: { type: 'string' } }
  expect(forModel({ $ref: '#/$defs/enum', $defs })).toEqual({ $ref: '#/properties/data/$defs/enum', $defs: { enum: { type: 'object', properties: { a: { type: ['string', 'null'] } } }, $ref: { $ref: '#/properties/data/$defs/enum' }, properties: { type: 'string' } } })
})

it('what is only asked does not become nullable', () => {
  const asked = { properties: { kind: { const: 'a' } }, required: ['kind'] }
  expect(forModel({ type: 'object', if: asked, else: { properties: { b: { type: 'string' } } }, not: asked })).toEqual({ type: 'object', if: asked, else: { properties: { b: { type: ['string', 'null'] } } }, not: asked })
})
