import { expect, it } from 'vitest'
import { withSpacedRows } from './spaced-rows.ts'

type Items = Parameters<typeof withSpacedRows>[1]

/** The texts of a line, each in its column: the first column starts at 60 points, the others at 160, 260 and so on. */
const line = (y: number, ...texts: readonly string[]): Items => texts.map((text, i) => ({ text, x: 60 + i * 100, y, width: text.length * 5, height: 10, itemType: 'Text' })).filter(({ text }) => text !== '')
const md = (...lines: readonly string[]): string => lines.join('\n')
const head = line(700, 'Property', 'Type A', 'Remark')

it('parts rows that stand beside a cell of several lines', () => {
  const items = [...head, ...line(676, '', '', 'at twenty degrees'), ...line(670, 'Flow', '12'), ...line(664, '', '', 'in clean water'), ...line(640, 'Head', '24')]
  const rule = '|---|---|---|'
  expect(withSpacedRows(md('|Property|Type A|Remark|', rule, '|Flow Head|12 24|at twenty degrees in clean water|'), items)).toBe(md('|Property|Type A|Remark|', rule, '|Flow|12|at twenty degrees in clean water|', '|Head|24||'))
})

it('parts columns that the library joined', () => {
  const items = [...line(700, 'Details', 'Debit', 'Credit'), ...line(676, 'Rent of May', '845.00'), ...line(664, 'flat 12'), ...line(640, 'Salary', '', '3,120.00')]
  expect(withSpacedRows(md('|Details|Debit Credit|', '|---|---|', '|Rent of May flat 12|845.00|', '|Salary|3,120.00|'), items)).toBe(md('|Details|Debit|Credit|', '|---|---|---|', '|Rent of May flat 12|845.00||', '|Salary||3,120.00|'))
})

it('leaves the heading above a table', () => {
  const items = [...line(722, 'Technical'), ...head, ...line(676, '', '', 'at twenty degrees'), ...line(670, 'Flow', '12'), ...line(664, '', '', 'in clean water'), ...line(640, 'Head', '24')]
  const rows = ['|Flow|12|at twenty degrees in clean water|', '|Head|24||']
  expect(withSpacedRows(md('## Technical', '', '|Property|Type A|Remark|', '|---|---|---|', '|Flow Head|12 24|at twenty degrees in clean water|'), items)).toBe(md('## Technical', '', '|Property|Type A|Remark|', '|---|---|---|', ...rows))
})

it('takes the rest of cells out of the text around the table', () => {
  const items = [...line(740, 'Minutes'), ...line(700, 'No', 'Who', 'Long action'), ...line(676, '1', 'Chen', 'Ask three'), ...line(664, '', '', 'firms'), ...line(640, '2', 'Berg', 'Check the'), ...line(628, '', '', 'contract'), ...line(590, 'The meeting ended.')]
  const rows = ['|---|---|---|', '|1|Chen|Ask three firms|']
  expect(withSpacedRows(md('Minutes', '', '## Who', '', '|No||Long action|', ...rows, '|2|Berg|Check the|', '', 'contract The meeting ended.'), items)).toBe(md('Minutes', '', '|No|Who|Long action|', ...rows, '|2|Berg|Check the contract|', '', 'The meeting ended.'))
})

it.each([
  ['rows are as close as the lines of a cell', [...line(688, 'Flow', '12', 'at twenty degrees'), ...line(676, '', '', 'in clean water'), ...line(664, 'Head', '24')]],
  ['numbers stand below each other', [...line(676, 'Flow', '12', 'in clean'), ...line(664, 'Head', '24', 'water'), ...line(652, '', '', 'at most'), ...line(628, 'Weight', '38')]],
  ['groups of rows stand apart', [...line(676, 'Flow', 'high', 'in clean water'), ...line(664, 'Head', 'low', 'at most'), ...line(640, 'Weight', 'low', 'with its plate'), ...line(628, 'Power', 'high', 'on request')]],
  ['a cell begins below the first line of its row', [...line(676, 'Flow', 'high', 'in clean'), ...line(664, 'Head', '', 'water'), ...line(652, '', '24'), ...line(628, 'Weight', '38')]],
  ['a cell has paragraphs', [...line(676, 'Flow', '12', 'at twenty degrees'), ...line(664, '', '', 'in clean water'), ...line(640, '', '', 'Not in salt water')]],
  ['a text runs across the columns', [...line(676, 'Flow', '12', 'at twenty degrees'), ...line(664, '', '', 'in clean water'), ...line(640, 'Everything else that is known of it', '', 'none')]],
])('leaves a table where %s', (_what, rows) => {
  const items = [...head, ...rows]
  const whole = md('|Property|Type A|Remark|', '|---|---|---|', `|${[0, 1, 2].map((at) => rows.filter(({ x }) => x === 60 + at * 100).map(({ text }) => text).join(' ')).join('|')}|`)
  expect(withSpacedRows(whole, items)).toBe(whole)
})
