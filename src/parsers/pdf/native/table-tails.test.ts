import { expect, it } from 'vitest'
import { withoutTableTails } from './table-tails.ts'

const at = (text: string, x: number, y: number): { text: string; x: number; y: number; width: number; height: number; itemType: string } => ({ text, x, y, width: text.length * 5, height: 10, itemType: 'Text' })
const cells = [at('Station', 80, 600), at('Low', 200, 600), at('North pier', 80, 586), at('0.4', 200, 586), at('Old lock', 80, 572), at('0.6', 200, 572), at('Fish quay', 80, 558), at('0.5', 200, 558)]
const table = '|Station|Low|\n|---|---|\n|North pier|0.4|\n|Old lock|0.6|\n'

it('takes a paragraph out of the last rows of the table above it', () => {
  const items = [...cells, at('The numbers are metres above the mark of the lock,', 80, 530), at('and averages.', 80, 516)]
  const paragraph = 'The numbers are metres above the mark of the lock, and averages.'
  expect(withoutTableTails(`${table}|Fish quay|0.5|\n|The numbers are metres and averages.|above the mark of the lock,|\n\nend`, items)).toBe(`${table}|Fish quay|0.5|\n\n${paragraph}\n\nend`)
  expect(withoutTableTails(`${table}|Fish quay The numbers are metres and averages.|0.5 above the mark of the lock,|`, items)).toBe(`${table}|Fish quay|0.5|\n\n${paragraph}`)
})

it('keeps the last row of a table whose first column is as wide as its text', () => {
  const rows = [at('Load', 80, 600), at('Concentration times flow', 146, 600), at('Flow', 80, 586), at('Volume in a second', 146, 586), at('Haze', 80, 572), at('Light that is lost', 146, 572), at('Grab sample', 80, 558), at('A bottle taken by hand', 146, 558)]
  const whole = '|Load|Concentration times flow|\n|---|---|\n|Flow|Volume in a second|\n|Haze|Light that is lost|\n|Grab sample|A bottle taken by hand|'
  expect(withoutTableTails(whole, rows)).toBe(whole)
})

it('keeps rows with several lines in a cell', () => {
  const items = [...cells, at('The quay that was', 80, 544), at('0.7', 200, 544), at('built in a year', 80, 530)]
  const whole = `${table}|Fish quay|0.5|\n|The quay that was built in a year|0.7|`
  expect(withoutTableTails(whole, items)).toBe(whole)
})

it('does not repeat the end of the paragraph above as a table head', () => {
  expect(withoutTableTails(`The heights are those of the year.¹\n\n|of the year.¹||\n|---|---|\n${table.replace('|---|---|\n', '')}`, cells)).toBe(`The heights are those of the year.¹\n\n${table}`)
  const other = `The heights of the stations.\n\n|of the year||\n|---|---|\n|Station|Low|\n|North pier|0.4|`
  expect(withoutTableTails(other, cells)).toBe(other)
})
