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
  expect(answer.properties.data).toEqual({ type: 'object', properties: { $id: { type: ['string', 'null'] }, to: { $ref: '#/properties/data/$defs/place' } }, $defs: { place: { type: 'object', properties: { city: { type: ['string', 'null'] } } } } })
})
