import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { filled } from '../../scripts/lib/spreads.mjs'

/** Whether the engine sees two objects as of one shape, by which alone it finds their properties fast. */
function alike(a: object, b: object): boolean {
  setFlagsFromString('--allow-natives-syntax')
  return (runInThisContext('(a, b) => %HaveSameMap(a, b)') as (a: object, b: object) => boolean)(a, b) // of the type that it is written in
}

const made = (code: string): ((a: object) => object) => runInThisContext(`(a) => ${code}`) as (a: object) => object // code of this file

test('copies to which something is added are of one shape, on the Node that runs this', () => {
  const unlike = ['({ ...a, more: 1 })', '({ ...a, ...{ more: 1 } })', '({\n  ...a,\n  id: 2,\n  more: { ...a, deep: 1 },\n})'].filter((code) => {
    const make = made(filled(code))
    const all = Array.from({ length: 300 }, (_, id) => make({ id, name: 'x' }))
    return !alike(all[1] ?? {}, all[298] ?? {})
  })
  expect(unlike).toEqual([])
})

test('what is copied stays what it was, key by key in order', () => {
  const a = { id: 1, name: 'x' }
  const codes = ['({ ...a, more: 1 })', '({ ...a, id: 2, ...a })', '({ id: 3, ...a })', '[{ ...a }, { ...a, b: `${JSON.stringify({ ...a, c: 1 })}` }]', '((b) => ({ ...b, d: /[{]\\.\\.\\.a,/.source, "e": "{...a, b}" }))(a)']
  expect(codes.map((code) => JSON.stringify(made(filled(code))(a)))).toEqual(codes.map((code) => JSON.stringify(made(code)(a))))
})

test('nothing but such copies is touched, and each line stays where it was', () => {
  const code = 'const one = { ...a };\nconst two = { id: 1, ...a };\nfunction three({ b, ...rest }) {\n  return f(...rest, { c: 1 });\n}\n// { ...a, b }\nconst four = "{ ...a, b }";\n'
  expect(filled(code)).toBe(code)
  expect(filled('f({\n  ...a,\n  b,\n});\n')).toBe('f({\n  ...null, ...a,\n  b,\n});\n')
})
