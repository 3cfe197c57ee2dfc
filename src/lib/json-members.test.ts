import { expect, it } from 'vitest'
import { jsonMembers, repeatedMember } from './json-members.ts'

it('an object is split into its members as they are written', () => {
  const object = { a: 'x"}],\\', 'na"me\u2028': [1, { b: ['}', ']'] }, []], c: null, d: {}, e: -1.5e9, ü: '€\\"', f: true }
  const members = jsonMembers(Buffer.from(JSON.stringify(object)))
  expect(Object.fromEntries([...members].map(([name, value]) => [name, JSON.parse(Buffer.from(value).toString())]))).toEqual(object)
  expect([...jsonMembers(Buffer.from('{}'))]).toEqual([])
})

it.each([
  ['{"a":1,"a":1}', ['a']],
  ['{"a" : 1,\n"\\u0061"\t: 2}', ['a']],
  ['{"formats":["x:",{"type":"json"},{"type":":","b":{},"type":1}]}', ['formats', 2, 'type']],
  ['[[1,{}],[2,[{"ü":[1],"b":{"ü":1},"ü":{"b":1}}]]]', [1, 1, 0, 'ü']],
  ['\ufeff{"a":{"b":1,"b":{"a":1}}}', ['a', 'b']],
])('the member that an object has twice is found: %s', (text, path) => expect(repeatedMember(Buffer.from(text))).toEqual(path))

it.each(['{"a":{"a":[{"a":null},{"a":":"}]},"A":"a"}', '["a","a"]', '"a"', '[{},{}]'])('none is found where there is none: %s', (text) => expect(repeatedMember(Buffer.from(text))).toBeNull())
