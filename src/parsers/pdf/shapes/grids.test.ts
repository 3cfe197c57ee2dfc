import { expect, it } from 'vitest'
import type { Placed } from '../page/placed.ts'
import { formsIn, gridsIn } from './grids.ts'
import { rulesOf } from './rules.ts'

const line = (left: number, bottom: number, right: number, top: number): Parameters<typeof rulesOf>[0][number] => ({ left, bottom, right, top, isRound: false })
const text = (x: number, y: number, own: string): Placed => ({ text: own, x, y, width: own.length * 5, height: 10, itemType: 'Text' })
const box = [0, 50, 100].flatMap((x) => [line(x, 0, x, 60), line(0, x * 0.6, 100, x * 0.6)])
const four = [text(5, 40, 'Low'), text(55, 40, 'High'), text(5, 10, '0.4'), text(55, 10, '3.1')]
const cellsOf = (shapes: Parameters<typeof rulesOf>[0], items: readonly Placed[]): string[][][] => {
  const rules = rulesOf(shapes)
  return (rules === null ? [] : gridsIn(rules, items)).map(({ cells }) => cells.map((row) => row.map((cell) => cell.map((item) => item.text).join(' '))))
}

it('finds the cells of each table of a page', () => {
  const other = box.map((shape) => ({ ...shape, bottom: shape.bottom + 200, top: shape.top + 200 }))
  const more = four.map((item) => ({ ...item, y: item.y + 200, text: `${item.text}!` }))
  expect(cellsOf([...box, ...other], [...more, text(5, 120, 'Between'), ...four])).toEqual(expect.arrayContaining([[['Low', 'High'], ['0.4', '3.1']], [['Low!', 'High!'], ['0.4!', '3.1!']]]))
})

it('finds columns outside of the outermost upright lines', () => {
  expect(cellsOf(box.filter(({ left, right }) => left !== right || left === 50), four)).toEqual([[['Low', 'High'], ['0.4', '3.1']]])
})

it('takes a grid for texts where each cell has a heading', () => {
  const headed = [[5, 52], [55, 52], [5, 18], [55, 18]].flatMap(([x = 0, y = 0]) => [{ ...text(x, y, 'Ada'), isBold: true }, text(x, y - 12, 'Quay 4')])
  const rules = rulesOf(box)
  expect([headed, four].map((items) => (rules === null ? [] : gridsIn(rules, items)).map(({ areTexts }) => areTexts))).toEqual([[true], [false]])
})

it('parts texts that the library joined over a line, at the blank beside it', () => {
  const wide = (x: number, y: number, own: string, width: number): Placed => ({ ...text(x, y, own), width })
  expect(cellsOf(box, [wide(5, 40, '1 metre High', 70), wide(30, 10, '0.4 3.1', 40)])).toEqual([[['1 metre', 'High'], ['0.4', '3.1']]])
  expect(cellsOf(box, [...four.slice(0, 2), wide(5, 10, 'LowtidesHigh', 90)])).toEqual([])
})

it('parts a text from right to left by its end on the left', () => {
  expect(cellsOf(box, [{ ...text(5, 40, 'גאות שפל'), width: 90 }, text(5, 10, '0.4'), text(55, 10, '3.1')])).toEqual([[['שפל', 'גאות'], ['0.4', '3.1']]])
})

it.each([
  ['a text stands across its lines', box, [text(5, 40, 'Low and high tides'), ...four.slice(2)]],
  ['each row has one text', box, [four[0], four[2]].filter((item) => item !== undefined)],
  ['it has one row with text', box, four.slice(2)],
  ['it has no lines between columns', box.filter(({ left, right }) => left !== right || left !== 50), four],
  ['there are thousands of lines', Array.from({ length: 2_001 }, () => box[0]).filter((shape) => shape !== undefined), four],
])('takes lines for no table where %s', (_what, shapes, items) => {
  expect(cellsOf(shapes, items)).toEqual([])
})

it('finds forms: labels with an empty field at the right of each', () => {
  const rules = rulesOf(box)
  const labels = [text(5, 40, 'Name:'), text(5, 10, 'Age:')]
  expect([labels, four, labels.slice(1)].map((items) => (rules === null ? [] : formsIn(rules, items)).map(({ cells }) => cells.map((row) => row.map((cell) => cell.map((item) => item.text).join(' ')))))).toEqual([[[['Name:', ''], ['Age:', '']]], [], []])
})
