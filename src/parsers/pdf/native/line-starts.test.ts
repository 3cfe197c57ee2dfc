import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../test/cpu.ts'
import type { Placed } from '../page/placed.ts'
import { withLineStarts } from './line-starts.ts'

/** The runs of a page from top to bottom, each with a position and a text; runs of one line share a number. */
const page = (...runs: readonly (readonly [line: number, x: number, text: string])[]): Placed[] => runs.map(([line, x, text]) => ({ text, x, y: 700 - line * 14, width: text.length * 6, height: 10, itemType: 'Text' }))

describe('withLineStarts', () => {
  it('recognises list markers of symbol fonts that the library does not decode, and ends the list', () => {
    const items = page([0, 72, 'Bring:'], [1, 80, '■'], [1, 95, 'a boat of your own, which is'], [2, 95, 'dry'], [3, 100, 'o'], [3, 115, 'ropes'], [4, 100, 'o'], [4, 115, 'sails'], [5, 80, '\uf0a7'], [5, 95, 'papers'], [6, 72, 'The office answers.'])
    expect(withLineStarts('Bring:\n\n■ a boat of your own, which is dry o ropes o sails \uf0a7 papers The office answers.', items)).toBe('Bring:\n- a boat of your own, which is dry\n  - ropes\n  - sails\n- papers\n\nThe office answers.')
  })

  it('recognises the bullet of the bitmap fonts of TeX', () => {
    const items = page([0, 72, 'Bring:'], [1, 80, '❼'], [1, 95, 'ropes'], [2, 80, '❼'], [2, 95, 'sails'])
    expect(withLineStarts('Bring: ❼ ropes ❼ sails', items)).toBe('Bring:\n- ropes\n- sails')
  })

  it('does not take a sign at the start of a single line for a list marker', () => {
    const items = page([0, 72, 'o'], [0, 90, 'is a letter'], [1, 72, 'and § is a sign'])
    expect(withLineStarts('o is a letter and § is a sign', items)).toBe('o is a letter and § is a sign')
  })

  it('leaves the signs of numbers, and of the sections of a law', () => {
    const amounts = page([0, 72, 'Balance'], [1, 80, '–'], [1, 95, '1,250.00'], [2, 80, '–'], [2, 95, '310.50'], [3, 72, '– 12'], [4, 72, '– 15'])
    expect(withLineStarts('Balance – 1,250.00 – 310.50 – 12 – 15', amounts)).toBe('Balance – 1,250.00 – 310.50 – 12 – 15')
    const law = page([0, 72, '§'], [0, 90, '1 Scope'], [1, 72, '§'], [1, 90, '2 Terms'])
    expect(withLineStarts('§ 1 Scope § 2 Terms', law)).toBe('§ 1 Scope § 2 Terms')
  })

  it('nests list items by the position of their markers, indented to the text of the item above', () => {
    const items = page([0, 72, '1.'], [0, 90, 'First'], [1, 90, '•'], [1, 104, 'Inner'], [2, 72, '2.'], [2, 90, 'Second'])
    expect(withLineStarts('1. First\n- Inner\n2. Second', items)).toBe('1. First\n   - Inner\n2. Second')
    expect(withLineStarts('- One\n- Two', page([0, 72, '• One'], [1, 300, '• Two']))).toBe('- One\n- Two')
    expect(withLineStarts('- One\n- Unknown', page([0, 72, '• One'], [1, 90, '• Two']))).toBe('- One\n- Unknown')
  })

  it('indents code by its spaces and its position', () => {
    const items = page([0, 72, 'def tide(hours):'], [1, 72, '    for hour in hours:'], [2, 120, 'print(hour)'])
    expect(withLineStarts('```\ndef tide(hours):\nfor hour in hours:\nprint(hour)\nnowhere\n```\n\nend', items)).toBe('```\ndef tide(hours):\n    for hour in hours:\n        print(hour)\nnowhere\n```\n\nend')
  })

  it('takes little time for a hostile page', () => {
    const items = page(...Array.from({ length: 4_900 }, (_, i) => [i, 72 + (i % 7), `■ ${'a '.repeat(10)}${i % 3}`] as const))
    const texts = ['■ a a a a a a a a a a '.repeat(4_000), Array.from({ length: 4_000 }, () => `- ${'a '.repeat(10)}`).join('\n'), `\`\`\`\n${'a a\n'.repeat(20_000)}\`\`\``]
    expect(cpuMs(() => texts.forEach((text) => withLineStarts(text, items)))).toBeLessThan(5_000)
  })
})
