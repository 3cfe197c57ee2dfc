import { expect, it } from 'vitest'
import type { Placed } from '../page/placed.ts'
import { bandsIn } from './bands.ts'
import type { Shape } from './drawn-shapes.ts'
import { rulesOf } from './rules.ts'

const rule = (y: number, left = 0, right = 400): Shape => ({ left, bottom: y, right, top: y, isRound: false })
const box = (bottom: number, top: number): Shape => ({ left: 0, bottom, right: 400, top, isRound: false })
/** The texts of a line, each in its column. */
const line = (y: number, ...texts: readonly string[]): Placed[] => texts.map((text, i) => ({ text, x: 5 + i * 120, y, width: text.length * 5, height: 10, itemType: 'Text' })).filter(({ text }) => text !== '')

const bold = (items: readonly Placed[]): Placed[] => items.map((item) => ({ ...item, isBold: true }))

function tablesOf(shapes: readonly Shape[], items: readonly Placed[]): string[][] {
  const rules = rulesOf(shapes)
  return (rules === null ? [] : bandsIn(rules, shapes, { items, taken: new Set<Placed>() })).map(({ cells }) => cells.map((row) => row.map((cell) => cell.map(({ text }) => text).join(' ')).join('|')))
}

const head = line(190, 'Station', 'Low', 'Remark')
const rows = [...line(170, 'North pier', '0.4', 'closed while it is rough'), ...line(158, '', '', 'and in the winter'), ...line(146, 'Old lock', '0.6', 'open')]
const table = ['Station|Low|Remark', 'North pier|0.4|closed while it is rough and in the winter', 'Old lock|0.6|open']

it('finds the rows between three lines by cells that had no room for more', () => {
  expect(tablesOf([rule(205), rule(184), rule(140)], [...head, ...rows])).toEqual([table])
})

it('finds rows between lines, whatever stands in their middle', () => {
  const middle = [...line(176, '', '', 'closed while'), ...line(170, 'North pier', '0.4'), ...line(164, '', '', 'it is rough'), ...line(146, 'Old lock', '0.6', 'open')]
  expect(tablesOf([rule(205), rule(184), rule(158), rule(140)], [...head, ...middle])).toEqual([['Station|Low|Remark', 'North pier|0.4|closed while it is rough', 'Old lock|0.6|open']])
})

it('finds a head above the first line and a row below the last one', () => {
  expect(tablesOf([rule(184), rule(152), rule(134)], [...line(240, 'The tides of the year at all of the stations, and what is known of them'), ...head, ...rows, ...line(122, 'New lock', '0.7', 'open')])).toEqual([[...table, 'New lock|0.7|open']])
})

it('finds rows by the boxes of a colour behind every other', () => {
  const even = [20, 60, 100].flatMap((y, i) => [...line(y, `Pier ${i}`, `${i}.5`, 'open'), ...line(y + 20, `Lock ${i}`, `${i}.7`, 'closed')])
  expect(tablesOf([20, 60, 100].map((y) => box(y - 5, y + 15)), even)).toEqual([[2, 1, 0].flatMap((i) => [`Lock ${i}|${i}.7|closed`, `Pier ${i}|${i}.5|open`])])
})

it('has no text in two tables', () => {
  const other = [...line(130, 'Jan', '12', 'rain'), ...line(110, 'Feb', '13', 'snow')]
  expect(tablesOf([rule(205), rule(184), rule(140), rule(142, 0, 380), rule(124, 0, 380), rule(104, 0, 380)], [...head, ...rows, ...other]).flat().toSorted()).toEqual(['Feb|13|snow', 'Jan|12|rain', ...table.toSorted()].toSorted())
})

it.each<readonly [string, readonly Shape[], readonly Placed[], readonly string[] | null]>([
  ['all cells are sentences', [rule(205), rule(184), rule(164)], [...line(190, 'The lock is open.', 'Boats wait.'), ...line(170, 'The pier is closed.', 'Bread is sold.')], ['The lock is open.', 'Boats wait.', 'The pier is closed.', 'Bread is sold.']],
  ['each cell has a heading', [rule(205), rule(174), rule(144)], [...bold(line(194, 'Ada', 'Bo')), ...line(182, 'Quay 4', 'Pier 5'), ...bold(line(164, 'Cy', 'Di')), ...line(152, 'Lock 6', 'Mill 7')], ['Ada Quay 4', 'Bo Pier 5', 'Cy Lock 6', 'Di Mill 7']],
  ['there are two lines of words, as in a letterhead', [rule(205), rule(184), rule(164)], [...line(190, 'Pier Works', 'Quay 12'), ...line(170, 'Telephone', 'office@pier')], ['Pier Works', 'Quay 12', 'Telephone', 'office@pier']],
  ['but not where a row is above numbers', [rule(205), rule(184), rule(164)], [...line(190, 'Pier', 'Low'), ...line(170, 'North', '0.4')], null],
  ['but not where a bold row is above others', [rule(205), rule(184), rule(164)], [...bold(line(190, 'Name', 'Office')), ...line(170, 'Ada', 'Quay')], null],
])('takes texts side by side for such where %s', (_what, shapes, items, expected) => {
  const rules = rulesOf(shapes)
  const [found] = rules === null ? [] : bandsIn(rules, shapes, { items, taken: new Set<Placed>() })
  expect(found?.areTexts === true ? found.cells.flat().map((cell) => cell.map(({ text }) => text).join(' ')) : null).toEqual(expected)
})

const prose = (y: number): Placed[] => [...line(y, 'The harbour office measures the tide every ten minutes')]
it.each([
  ['texts run across', [rule(205), rule(184), rule(160)], [...prose(190), ...prose(170)]],
  ['there are two lines', [rule(205), rule(140)], [...head, ...rows]],
  ['lines have other ends', [rule(205), rule(184, 50, 200), rule(140, 100, 300)], [...head, ...rows]],
  ['texts stand across their ends', [rule(205, 20), rule(184, 20), rule(140, 20)], [...head, ...rows]],
  ['columns are running text', [rule(205), rule(130), rule(40)], [190, 100].flatMap((top) => [0, 12, 24, 36, 48].flatMap((step) => [{ ...line(top - step, 'The harbour office measures the tides')[0], x: 5 }, { ...line(top - step, 'and boats wait for the water outside of')[0], x: 205 }]) as Placed[])], // the lines are not empty
])('takes lines for no table where %s', (_what, shapes, items) => {
  expect(tablesOf(shapes, items)).toEqual([])
})
