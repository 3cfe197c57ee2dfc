import { expect, it } from 'vitest'
import { growth } from '../../../../test/cpu.ts'
import { listingsOf } from './listings.ts'
import type { Sized } from './page-lines.ts'

const item = (text: string, y: number): Sized => ({ itemType: 'Text', text, x: 72, y, width: 6 * text.length, height: 10, fontSize: 10, rotation: 0, fixedPitch: true })

it('takes no lines of scripts for a listing whose letters are all as wide as each other', () => {
  const wide = (text: string, y: number): Sized => ({ ...item(text, y), width: 10 * text.length })
  expect(listingsOf([wide('港の水位は毎日二回計測され、その結果は', 700), wide('市役所に送られる。', 684)])).toEqual([])
  expect(listingsOf([item('level = 4  # 水位', 700), item('print(level)', 688)]).map(({ lines }) => lines)).toEqual([['level = 4  # 水位', 'print(level)']])
})

it('takes time in proportion to the lines of a listing', () => {
  expect(growth((n) => Array.from({ length: n }, (_, i) => item(`a${i};`, 60_000 - 12 * i)), listingsOf, 75, 4_800)).toBeLessThan(1.4)
})
