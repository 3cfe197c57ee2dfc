import { expect, it } from 'vitest'
import { ChangesQuery, ForgetQuery } from './changes.ts'

const url = 'https://a.example/'
const at = '2026-11-01T00:00:00Z'

it('the versions of a page are asked for part by part, or one by its time', () => {
  const reads = (query: object): boolean => ChangesQuery.safeParse({ url, tag: 't', ...query }).success
  expect([{}, { skip: '5', limit: '1' }, { at }].map(reads)).toEqual([true, true, true])
  expect([{ at, skip: '5' }, { at, limit: '1' }, { at, skip: '0', limit: '1' }].map(reads)).toEqual([false, false, false])
  expect([ForgetQuery.safeParse({ url, tag: 't' }).success, ForgetQuery.safeParse({ url, at }).success]).toEqual([true, false])
})
