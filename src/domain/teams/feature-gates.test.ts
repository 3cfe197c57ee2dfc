import { expect, it } from 'vitest'
import { isOn } from './feature-gates.ts'

it('a feature is enabled for the named teams, or for all', () => {
  expect([isOn(['a'], 'a'), isOn(['a'], 'b'), isOn(['*'], 'b'), isOn([], 'a')]).toEqual([true, false, true, false])
})
