import { expect, it } from 'vitest'
import { withSpacedTitles } from './letter-spaced.ts'

type Items = Parameters<typeof withSpacedTitles>[1]
/** Letters one by one, with gaps between them and wider ones between words. */
const apart = (text: string, gap: number): Items => [...text].flatMap((letter, i) => (letter === ' ' ? [] : [{ text: letter, x: 72 + i * (8 + gap), y: 700, width: 8, height: 12, fontSize: 12, rotation: 0, itemType: 'Text' }]))

it.each([
  ['letters drawn one by one', '# C H A P T E R T W O\n\ntext', apart('CHAPTER TWO', 4), '# CHAPTER TWO\n\ntext'],
  ['words that the library joined', '# T I D E S O F M A Y', [{ text: 'TIDES OF MAY', x: 72, y: 700, width: 140, height: 12, fontSize: 12, rotation: 0, itemType: 'Text' }], '# TIDES OF MAY'],
  ['names of columns', 'A B C D E', apart('ABCDE', 4), 'A B C D E'],
  ['signs of formulas', 'X Y Z T', apart('XYZT', 4), 'X Y Z T'],
] as const)('reads %s', (_what, markdown, items, expected) => expect(withSpacedTitles(markdown, items)).toBe(expected))
