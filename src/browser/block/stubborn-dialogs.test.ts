import { expect, it } from 'vitest'
import { stubbornDialogs } from './stubborn-dialogs.ts'

it('after two pages tried in vain only every twentieth page of a host is tried, until one is closed', () => {
  const dialogs = stubbornDialogs()
  const visit = (host: string, closed: boolean): boolean => {
    const isWorthIt = dialogs.isWorthIt(host)
    if (isWorthIt) dialogs.tried(host, closed)
    return isWorthIt
  }
  const tried = Array.from({ length: 45 }, () => visit('a.example', false))
  expect(tried.flatMap((was, i) => (was ? [i] : []))).toEqual([0, 1, 21, 41])
  expect(visit('b.example', false)).toBe(true)
  const left = Array.from({ length: 16 }, () => visit('a.example', true))
  expect(left.every((was) => !was)).toBe(true)
  expect([visit('a.example', true), visit('a.example', false), visit('a.example', false), visit('a.example', false)]).toEqual([true, true, true, false])
})

it('forgets the host that was met least recently', () => {
  const dialogs = stubbornDialogs()
  for (const host of ['old.example', 'old.example']) dialogs.tried(host, false)
  expect(dialogs.isWorthIt('old.example')).toBe(false)
  for (let i = 0; i < 1_000; i++) dialogs.tried(`${i}.example`, false)
  expect(dialogs.isWorthIt('old.example')).toBe(true)
})
