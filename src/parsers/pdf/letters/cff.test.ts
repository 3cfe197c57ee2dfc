import { expect, it } from 'vitest'
import { cpuMs } from '../../../../test/cpu.ts'
import { cffNames } from './cff.ts'

/** An INDEX of some data ([Adobe Technical Note 5176], 5). */
function index(parts: readonly Buffer[]): Buffer {
  let end = 1
  const ends = [end, ...parts.map((part) => (end += part.length))].map((place) => [place >> 24, place >> 16, place >> 8, place].map((byte) => byte & 0xff))
  return parts.length === 0 ? Buffer.from([0, 0]) : Buffer.concat([Buffer.from([parts.length >> 8, parts.length & 0xff, 4, ...ends.flat()]), ...parts])
}

/** A font with one glyph, for the letter A, which has the name with that number of its own. */
function fontOf(strings: readonly string[], own: number): Buffer {
  const number = (value: number): number[] => [29, value >> 24, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff]
  const head = (at: number): Buffer => Buffer.concat([Buffer.from([1, 0, 4, 4]), index([Buffer.from('F')]), index([Buffer.from([...number(at), 15, ...number(at + 3), 16, ...number(at + 6), 17])]), index(strings.map((one) => Buffer.from(one))), index([])])
  const name = 391 + own
  return Buffer.concat([head(head(0).length), Buffer.from([0, name >> 8, name & 0xff, 0, 1, 65]), index([Buffer.from([14]), Buffer.from([14])])])
}

it('reads the names of a font that has more of them than are kept', () => {
  const names = (length: number): string[] => Array.from({ length }, (_, i) => `glyph${i}`)
  expect(cffNames(fontOf(names(3), 2))).toEqual(new Map([[65, 'glyph2']]))
  expect(cffNames(fontOf(names(6_000), 4_321))).toEqual(new Map([[65, 'glyph4321']]))
})

it('reads no further than the end of a font that says that it is gigabytes long', () => {
  const font = Buffer.from([1, 0, 4, 4, 0, 0, 0, 1, 4, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0])
  expect(cpuMs(() => expect(cffNames(font)).toBeNull())).toBeLessThan(1_000)
})
