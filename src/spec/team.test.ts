import { expect, it } from 'vitest'
import { ActivityQuery } from './team.ts'

it('the limit of the activity is a whole number in digits', () => {
  expect(ActivityQuery.parse({})).toEqual({ limit: 50 })
  expect(ActivityQuery.parse({ limit: '100' })).toEqual({ limit: 100 })
  expect(['', '0', '101', 'x', '1e1', '0x10', ' 5'].filter((limit) => ActivityQuery.safeParse({ limit }).success)).toEqual([])
  expect(ActivityQuery.safeParse({ limit: 'x' }).error?.issues).toMatchObject([{ message: 'Not a whole number' }])
})
