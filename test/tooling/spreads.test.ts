import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { filled } from '../../scripts/lib/spreads.mjs'

/** Whether two objects have the same hidden class, which V8 needs for fast property access. */
function alike(a: object, b: object): boolean {
  setFlagsFromString('--allow-natives-syntax')
  return (runInThisContext('(a, b) => %HaveSameMap(a, b)') as (a: object, b: object) => boolean)(a, b) // the type of the expression
}

const made = (code: string): ((a: object) => object) => runInThisContext(`(a) => ${code}`) as (a: object) => object // the code of this file

test('extended copies have the same hidden class on the running version of Node', () => {
  const unlike = ['({ ...a, more: 1 })', '({ ...a, ...{ more: 1 } })', '({\n  ...a,\n  id: 2,\n  more: { ...a, deep: 1 },\n})'].filter((code) => {
    const make = made(filled(code))
    const all = Array.from({ length: 300 }, (_, id) => make({ id, name: 'x' }))
    return !alike(all[1] ?? {}, all[298] ?? {})
  })
  expect(unlike).toEqual([])
})

test('the values and the order of keys stay the same', () => {
  const a = { id: 1, name: 'x' }
  const codes = ['({ ...a, more: 1 })', '({ ...a, id: 2, ...a })', '({ id: 3, ...a })', '[{ ...a }, { ...a, b: `${JSON.stringify({ ...a, c: 1 })}` }]', '((b) => ({ ...b, d: /[{]\\.\\.\\.a,/.source, "e": "{...a, b}" }))(a)']
  expect(codes.map((code) => JSON.stringify(made(filled(code))(a)))).toEqual(codes.map((code) => JSON.stringify(made(code)(a))))
})

test('only such copies are changed, and each line stays in place', () => {
  const code = 'const one = { ...a };\nconst two = { id: 1, ...a };\nfunction three({ b, ...rest }) {\n  return f(...rest, { c: 1 });\n}\n// { ...a, b }\nconst four = "{ ...a, b }";\n'
  expect(filled(code)).toBe(code)
  expect(filled('f({\n  ...a,\n  b,\n});\n')).toBe('f({\n  ...null, ...a,\n  b,\n});\n')
})
