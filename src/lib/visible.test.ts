import { expect, it } from 'vitest'
import { forTerminal, visible, withoutControls } from './visible.ts'

it.each([
  ['^/straße\\d "x"', '^/straße\\d "x"'],
  ['a\nb\0\u009b\u202ec\u2028\ud800', 'a\\u{a}b\\u{0}\\u{9b}\\u{202e}c\\u{2028}\\u{d800}'],
  ['😀'.repeat(101), `${'😀'.repeat(100)}…`],
  ['x'.repeat(100), 'x'.repeat(100)],
])('%j is shown as %j', (text, shown) => expect(visible(text)).toBe(shown))

it('a text loses its control characters, and nothing else', () => expect(withoutControls('a\u001b]0;b\u0007\u009bc\u00ad\u200dd')).toBe('a]0;bc\u00ad\u200dd'))

it('a text for a terminal keeps its lines and tabs, and nothing that a terminal obeys', () => expect(forTerminal('a\r\n\tb\u001b[31mc\rd\u009be\n')).toBe('a\n\tb\\u{1b}[31mc\\u{d}d\\u{9b}e\n'))
