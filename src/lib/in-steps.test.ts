import { expect, it } from 'vitest'
import { atOnce, inSteps, type Steps } from './in-steps.ts'

function* counting(said: string[]): Steps<string> {
  said.push('one')
  yield
  said.push('two')
  yield
  said.push('three')
  return 'made'
}

it('makes a value step by step, or the rest of it when asked, and once only', () => {
  const said: string[] = []
  const value = inSteps(() => counting(said))
  expect(said).toEqual([])
  expect([value.step(), said.length]).toEqual([true, 1])
  expect([value.value(), said.length]).toEqual(['made', 3])
  expect([value.step(), value.value(), said.length]).toEqual([false, 'made', 3])
})

it('says that a value is made with its last step', () => {
  const value = inSteps(() => counting([]))
  expect([value.step(), value.step(), value.step(), value.step()]).toEqual([true, true, false, false])
})

it('makes all steps at once', () => {
  const said: string[] = []
  expect([atOnce(counting(said)), said]).toEqual(['made', ['one', 'two', 'three']])
})

it('throws what a step threw, as often as it is asked', () => {
  function* failing(): Steps<string> {
    yield
    throw new Error('broken')
  }
  const value = inSteps(failing)
  expect(value.step()).toBe(true)
  expect(() => value.step()).toThrow('broken')
  expect(() => value.value()).toThrow('broken')
})
