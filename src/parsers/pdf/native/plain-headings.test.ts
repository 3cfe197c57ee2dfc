import { expect, it } from 'vitest'
import { withoutPlainHeadings } from './plain-headings.ts'

const run = (text: string, y: number, look = {}): Parameters<typeof withoutPlainHeadings>[1][number] => ({ itemType: 'Text', text, x: 72, y, width: text.length * 5, height: 10, fontSize: 10, rotation: 0, font: 'Body', isBold: false, isItalic: false, ...look })
const body = run('The harbour office opens at seven in the morning, and closes at eight in the evening.', 600)

it('makes paragraphs of headings that look like the text', () => {
  expect(withoutPlainHeadings('## 3 March 2026\n\nThe harbour office opens at seven in the morning, and closes at eight in the evening.', [run('3 March 2026', 700), body])).toBe('3 March 2026\n\nThe harbour office opens at seven in the morning, and closes at eight in the evening.')
})

it('joins them with the sentence of which they are a part', () => {
  expect(withoutPlainHeadings('The lock opens,\n\n### as long as it is day.', [run('The lock opens,', 620), run('as long as it is day.', 560), body])).toBe('The lock opens, as long as it is day.')
})

it.each([
  ['bold', { isBold: true }, 'Opening hours'],
  ['larger', { fontSize: 12 }, 'Opening hours'],
  ['in another font', { font: 'Other' }, 'Opening hours'],
  ['in capital letters', {}, 'OPENING HOURS'],
  ['numbered', {}, '2.1 Opening hours'],
  ['of a part', {}, 'Chapter 2'],
])('keeps headings that are %s', (_what, look, text) => {
  expect(withoutPlainHeadings(`## ${text}\n\nThe harbour office`, [run(text, 700, look), body])).toBe(`## ${text}\n\nThe harbour office`)
})

it('keeps headings of pages that have no other text', () => {
  expect(withoutPlainHeadings('## Tide tables', [run('Tide tables', 700)])).toBe('## Tide tables')
})

it.each([
  ['behind a sign in a font of its own', [run('–', 700, { font: 'Signs', width: 5 }), run('opening hours', 700, { x: 84 })], '– opening hours'],
  ['beside a line of the other column', [{ ...body, y: 700 }, run('[2] A. Author', 700, { x: 508 })], '[2] A. Author'],
])('makes a paragraph of a heading %s', (_what, runs, text) => {
  expect(withoutPlainHeadings(`The harbour office\n\n#### ${text}`, [...runs, body])).toBe(`The harbour office\n\n${text}`)
})
