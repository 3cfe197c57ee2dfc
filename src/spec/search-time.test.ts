import { expect, it } from 'vitest'
import { anyTime, searchTime } from './search-time.ts'

it.each([
  ['qdr:w', { ...anyTime, span: 'w' }],
  ['sbd:1,qdr:h', { ...anyTime, span: 'h', byDate: true }],
  ['cdr:1,cd_min:01/31/2024,cd_max:02/29/2024', { ...anyTime, from: Date.UTC(2024, 0, 31), to: Date.UTC(2024, 2, 1) - 1 }],
  ['cdr:1, cd_min:1/2/2024, sbd:1', { ...anyTime, from: Date.UTC(2024, 0, 2), byDate: true }],
  ['qdr:x', null],
  ['qdr:d,qdr:w', null],
  ['qdr:d,cdr:1,cd_min:01/31/2024', null],
  ['sbd:1,sbd:0', null],
  ['cdr:1', null],
  ['cd_min:01/01/2024', null],
  ['cdr:1,cd_min:02/30/2024', null],
  ['cdr:1,cd_min:02/01/2024,cd_max:01/01/2024', null],
  ['', null],
  ['qdr:d,', null],
])('%j is parsed as %j', (text, time) => {
  expect(searchTime(text)).toEqual(time)
})
