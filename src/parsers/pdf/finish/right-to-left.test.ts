import { expect, it } from 'vitest'
import { asDrawn, readingOrder, withTurnedTables } from './right-to-left.ts'

/** The words of lines in the order in which a file draws them. */
const lines = (...all: readonly (readonly string[])[]): { text: string; left: number; bottom: number; size: number }[] =>
  all.flatMap((words, i) => words.map((text, j) => ({ text: j === words.length - 1 && i < all.length - 1 ? `${text}\n` : text, left: 60 + j * 40, bottom: 700 - i * 14, size: 10 })))
const read = (...all: readonly (readonly string[])[]): string => readingOrder(lines(...all)).map(({ text }) => text).join('')

it.each([
  ['words', [['2026', ' ', 'לשנת', ' ', 'הנמל', ' ', 'דוח']], 'דוח הנמל לשנת 2026'],
  ['lines one by one', [['.', 'שעברה', ' ', 'השנה'], ['שני', ' ', 'משפט']], 'השנה שעברה.\nמשפט שני'],
  ['numbers and names in other letters, which stay as they are', [['ברבעון', ' ', 'Harbour', ' ', 'One', ' ', '1,234', '-', 'ב']], 'ב-Harbour One 1,234 ברבעון'],
  ['a hyphen before a number', [['אוניות', ' ', '1,234-', 'ב']], 'ב-1,234 אוניות'],
  ['a stop after a number', [['.45.6', ' ', 'ומספרים']], 'ומספרים 45.6.'],
  ['other scripts, which stay as they are', [['High', ' ', 'water']], 'High water'],
])('reads %s', (_what, drawn, expected) => expect(read(...drawn)).toBe(expected))

it('does not change a line that is drawn in reading order', () => {
  const [first, second] = lines(['שני', 'ראשון'])
  const drawn = first === undefined || second === undefined ? [] : [second, first]
  expect(readingOrder(drawn)).toEqual(drawn)
})

it.each([
  ['High water (3 m)', 'High water (3 m)'],
  ['דוח (2024)', '(2024) חוד'],
  ['עברו 12 אוניות, 3.5 מטר ו-15% של Quay One.', '.Quay One לש 15%-ו רטמ 3.5 ,תוינוא 12 ורבע'],
])('draws %j from left to right', (text, drawn) => expect(asDrawn(text)).toBe(drawn))

it('turns the columns of tables in such text, and of no others', () => {
  expect(withTurnedTables('טקסט | אחד\n\n|95|בון \\| ב|\n|---|:--|\n|120|קלן|\n\n|Bonn|בון|\n|---|---|\n|Mainz|95|\n')).toBe('טקסט | אחד\n\n|בון \\| ב|95|\n|:--|---|\n|קלן|120|\n\n|Bonn|בון|\n|---|---|\n|Mainz|95|\n')
})
