import { expect, it } from 'vitest'
import { jsonMembers } from './json-members.ts'

it('an object is split into its members as they are written', () => {
  const object = { a: 'x"}],\\', 'na"me\u2028': [1, { b: ['}', ']'] }, []], c: null, d: {}, e: -1.5e9, ü: '€\\"', f: true }
  const members = jsonMembers(Buffer.from(JSON.stringify(object)))
  expect(Object.fromEntries([...members].map(([name, value]) => [name, JSON.parse(Buffer.from(value).toString())]))).toEqual(object)
  expect([...jsonMembers(Buffer.from('{}'))]).toEqual([])
})
