import { expect, it } from 'vitest'
import { withBulletRows } from './bullet-rows.ts'

type Item = Parameters<typeof withBulletRows>[1][number]
const kind = 'Text' as Item['itemType'] // an enumeration of the library, whose values are these words
const run = (text: string, x: number, y: number, isBold = false): Item => ({ text, x, y, width: text.length * 10, height: 20, rotation: 0, advanceKnown: true, font: 'Sans', fontTag: 'F1', fontSize: 20, page: 1, isBold, isItalic: false, isUnderline: false, isStrikeout: false, baselineShift: 0, itemType: kind, fontWeight: 400, fixedPitch: false })

it('makes a list of bullets far before their texts, with inner items and styles', () => {
  const items = [run('•', 40, 300), run('The bar has', 70, 299), run('two metres', 190, 299, true), run('•', 40, 260), run('Currents run', 70, 259), run('–', 70, 230), run('at the lock', 97, 229), run('–', 70, 200), run('at noon, when', 97, 199), run('nobody sails', 97, 179), run('•', 40, 150), run('The end', 70, 149)]
  const table = '|•|The bar has two metres||\n|---|---|---|\n|•|Currents run – –|at the lock at noon, when nobody sails|\n|•|The end||'
  expect(withBulletRows(`# Tides\n\n${table}`, items)).toBe('# Tides\n\n- The bar has **two metres**\n- Currents run\n- at the lock\n- at noon, when nobody sails\n- The end')
})

it.each([
  ['tell more in each row', '|●|North|0.4|\n|---|---|---|\n|●|South|0.6|'],
  ['have a head', '|Open|Quay|\n|---|---|\n|●|North|\n|●|South|'],
])('leaves tables that %s', (_what, table) => {
  expect(withBulletRows(table, [...table.matchAll(/[\w●.]+/g)].map((word, i) => run(word[0], 40 + i * 60, 300)))).toBe(table)
})

it('leaves a table whose bullets stand lower than their texts', () => {
  const table = '|•|The bar|\n|---|---|\n|•|The end|'
  expect(withBulletRows(table, [run('The bar', 70, 300), run('•', 40, 290), run('The end', 70, 260), run('•', 40, 250)])).toBe(table)
})
