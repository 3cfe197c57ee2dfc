import { expect, it } from 'vitest'
import type { Block } from '../blocks.ts'
import { withoutLeaders } from './dot-leaders.ts'

const linesOf = (...lines: readonly string[]): readonly string[] => withoutLeaders({ kind: 'text', lines }).lines

it('makes list items of the entries of a table of contents', () => {
  expect(linesOf('1 Tides..... 2', '1.1 Low water .. ....... 2', '1.1.1 At noon\t3', '2 A long title that goes on in', 'a second line. .. .. ........ 12', '**A Numbers** ...... **xi**')).toEqual([
    '- 1 Tides 2',
    '  - 1.1 Low water 2',
    '    - 1.1.1 At noon 3',
    '- 2 A long title that goes on in a second line 12',
    '- **A Numbers** **xi**',
  ])
  expect(linesOf('2.1 Piers …………… 7')).toEqual(['- 2.1 Piers 7'])
})

it('keeps the markers of lists', () => {
  expect(withoutLeaders({ kind: 'list', lines: ['1. Tides ........ 4', '2. Piers ........ 9'] }).lines).toEqual(['1. Tides 4', '2. Piers 9'])
})

it.each<Block>([
  { kind: 'text', lines: ['It was ... 5 metres', 'or more, in all .... of 1999'] },
  { kind: 'text', lines: ['It was quiet', 'and then', 'there were..... 5'] },
  { kind: 'code', lines: ['```', 'a ....... 5', '```'] },
  { kind: 'table', lines: ['|a ..... 5'] },
  { kind: 'text', lines: [`${'.'.repeat(500)} 5`] },
])('keeps other blocks: %o', (block) => expect(withoutLeaders(block)).toBe(block))
