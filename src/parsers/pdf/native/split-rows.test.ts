import { expect, it } from 'vitest'
import { withSplitRows } from './split-rows.ts'

/** The cells of the lines of a page, with line distances of 14 points by default; each column is 100 points wide. */
const placed = (...lines: readonly (readonly (string | number)[])[]): Parameters<typeof withSplitRows>[1] => {
  let y = 700
  return lines.flatMap((line) => {
    y -= typeof line[0] === 'number' ? line[0] : 14
    const texts = line.filter((text) => typeof text === 'string')
    return texts.map((text, i) => ({ text, x: 72 + i * 100, y, width: text.length * 5, height: 10, itemType: 'Text' })).filter(({ text }) => text !== '')
  })
}
const table = (...rows: readonly string[]): string => ['text', '', '|Pier|Low|High|', '|---|---|---|', ...rows, '', 'text'].join('\n')
const head = ['Pier', 'Low', 'High']

it.each([
  ['of which one has an empty cell', [['Old lock', '0.6', '2.9'], ['East', '', '3.0']], ['|Old lock East|0.6|2.9 3.0|'], ['|Old lock|0.6|2.9|', '|East||3.0|']],
  ['that go on without a name', [['Old lock', '0.6', '2.9'], ['', '0.5', '2.8']], ['|Old lock|0.6 0.5|2.9 2.8|'], ['|Old lock|0.6|2.9|', '||0.5|2.8|']],
  ['of three', [['Old lock', '0.6', ''], ['East', '', '3.0'], ['West', '0.1', '-1']], ['|**Old lock East West**|0.6 0.1|3.0 -1|'], ['|Old lock|0.6||', '|East||3.0|', '|West|0.1|-1|']],
])('parts rows %s', (_what, lines, joined, apart) => {
  const items = placed(head, ['North pier', '0.4', '3.1'], ...lines, ['South', '0.2', '2.2'])
  expect(withSplitRows(table('|North pier|0.4|3.1|', ...joined, '|South|0.2|2.2|'), items)).toBe(table('|North pier|0.4|3.1|', ...apart, '|South|0.2|2.2|'))
})

it.each([
  ['a name takes two lines', [['Old lock', '0.6', '2.9'], ['by the sea', '', '']], '|Old lock by the sea|0.6|2.9|'],
  ['lines stand closer than rows', [['Old lock', '0.6', '2.9'], [9, 'by the sea', '', '(3.0)']], '|Old lock by the sea|0.6|2.9 (3.0)|'],
  ['words are elsewhere too', [['Old lock', '0.6', '2.9', 'beside'], ['East', '', '3.0']], '|Old lock East|0.6|2.9 3.0|'],
])('leaves a row one where %s', (_what, lines, row) => {
  const whole = table('|North pier|0.4|3.1|', row)
  expect(withSplitRows(whole, placed(head, ['North pier', '0.4', '3.1'], ...lines))).toBe(whole)
})

it('parts rows of a table in which a cell holds two columns', () => {
  const row = (y: number, ...texts: readonly (readonly [text: string, x: number])[]): Parameters<typeof withSplitRows>[1][number][] => texts.map(([text, x]) => ({ text, x, y, width: text.length * 5, height: 10, itemType: 'Text' }))
  const items = [
    ...row(700, ['Pos', 72], ['Name', 100], ['Qty', 300], ['Price', 340], ['Amount', 400]),
    ...row(680, ['1', 72], ['Quince jelly', 100], ['12', 305], ['6.50', 345], ['78.00', 405]),
    ...row(660, ['2', 72], ['Quince paste', 100], ['3', 310], ['9.00', 345], ['27.00', 405]),
    ...row(640, ['Total', 100], ['105.00', 400]),
  ]
  const made = (...rows: readonly string[]): string => ['|Pos|Name|Qty Price|Amount|', '|---|---|---|---|', '|1|Quince jelly|12 6.50|78.00|', ...rows].join('\n')
  expect(withSplitRows(made('|2|Quince paste Total|3 9.00|27.00 105.00|'), items)).toBe(made('|2|Quince paste|3 9.00|27.00|', '||Total||105.00|'))
})
