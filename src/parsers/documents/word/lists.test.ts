import { expect, it } from 'vitest'
import { Lists } from './lists.ts'

const words = (...values: readonly number[]): Buffer => Buffer.from(values.flatMap((value) => [value & 0xff, (value >> 8) & 0xff]))
const longs = (...values: readonly number[]): Buffer => Buffer.concat(values.map((value) => words(value & 0xffff, value >>> 16)))

interface Level {
  readonly text: string
  readonly start?: number
  readonly format?: number
  readonly flags?: number
  readonly restart?: number
}

/** A level ([MS-DOC] 2.9.149), with formats of three and two bytes. */
const level = ({ text, start = 1, format = 0, flags = 0, restart = 0 }: Level): Buffer =>
  Buffer.concat([longs(start), Buffer.from([format, flags]), Buffer.alloc(18), Buffer.from([3, 2, restart, 0]), Buffer.alloc(5), words(text.length), Buffer.from(text, 'utf16le')])

interface Override {
  readonly at?: number
  readonly start?: number
  readonly level?: Level
}

/** A file with one list, and what its paragraphs refer to ([MS-DOC] 2.9.131 to 2.9.133). */
function lists(levels: readonly Level[], overrides: readonly (readonly Override[])[]): Lists {
  const list = Buffer.concat([longs(77, 0), Buffer.alloc(18), Buffer.from([levels.length === 1 ? 1 : 0, 0])])
  const all = [...levels, ...Array.from({ length: levels.length === 1 ? 0 : 9 - levels.length }, (): Level => ({ text: '' }))]
  const heads = overrides.map((own) => Buffer.concat([longs(77, 0, 0), Buffer.from([own.length, 0, 0, 0])]))
  const data = overrides.flatMap((own) => [longs(0xffff_ffff), ...own.flatMap(({ at = 0, start, level: other }) => [longs(start ?? 0, at + (start === undefined ? 0 : 16) + (other === undefined ? 0 : 32)), ...(other === undefined ? [] : [level(other)])])])
  const tables: Readonly<Record<string, Buffer>> = { lists: Buffer.concat([words(1), list]), listOverrides: Buffer.concat([longs(overrides.length), ...heads, ...data]) }
  return new Lists({ table: (name) => tables[name] ?? Buffer.alloc(0), behind: () => Buffer.concat(all.map(level)) })
}

const markers = (made: Lists, ...items: readonly (readonly [list: number, level: number])[]): (string | undefined)[] => items.map(([list, depth]) => made.marker(list, depth))

it('a list that begins anew does so at its first item', () => {
  const made = lists([{ text: '\0.' }, { text: '\x01)', format: 4 }], [[], [{ start: 1 }], [], [{ start: 7 }, { at: 1, start: 3 }]])
  expect(markers(made, [1, 0], [1, 0], [2, 0], [2, 0], [3, 0], [4, 0], [4, 1], [4, 0], [4, 1])).toEqual(['1.', '2.', '1.', '2.', '3.', '7.', 'c)', '8.', 'a)'])
})

it('a list may have levels of its own, with or without a number to begin with', () => {
  const own = { text: '§ \0', start: 4, format: 1 }
  const made = lists([{ text: '\0.' }], [[], [{ level: own }], [{ level: own, start: 9 }], [{ start: 5 }]])
  expect(markers(made, [1, 0], [2, 0], [3, 0], [3, 0], [4, 0], [1, 0])).toEqual(['1.', '§ II', '§ IV', '§ V', '5.', '6.'])
})

it('levels may go on behind outer ones, and write their numbers as digits', () => {
  const outer = [{ text: '\0', format: 1 }, { text: '\0.\x01', flags: 4 }]
  const items = [[1, 0], [1, 1], [1, 2], [1, 1], [1, 2], [1, 0], [1, 1], [1, 2]] as const
  const last = (more: Partial<Level>): (string | undefined)[] => markers(lists([...outer, { text: '\x02', ...more }], [[]]), ...items)
  expect(last({})).toEqual(['I', '1.1', '1', '1.2', '1', 'II', '2.1', '1'])
  expect(last({ flags: 8 })).toEqual(['I', '1.1', '1', '1.2', '2', 'II', '2.1', '3'])
  expect(last({ flags: 8, restart: 1 })).toEqual(['I', '1.1', '1', '1.2', '2', 'II', '2.1', '1'])
})

it('bullets are signs, levels without a number nothing, and unknown lists none', () => {
  expect(markers(lists([{ text: '\uf0b7', format: 23 }, { text: 'x', format: 255 }], [[]]), [1, 0], [1, 1], [2, 0])).toEqual(['•', undefined, undefined])
})
