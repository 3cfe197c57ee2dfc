import { expect, it } from 'vitest'
import { visible } from './visible.ts'

it.each([
  ['^/straße\\d "x"', '^/straße\\d "x"'],
  ['a\nb\0\u009b\u202ec\u2028\ud800', 'a\\u{a}b\\u{0}\\u{9b}\\u{202e}c\\u{2028}\\u{d800}'],
  ['😀'.repeat(101), `${'😀'.repeat(100)}…`],
  ['x'.repeat(100), 'x'.repeat(100)],
])('%j is shown as %j', (text, shown) => expect(visible(text)).toBe(shown))
