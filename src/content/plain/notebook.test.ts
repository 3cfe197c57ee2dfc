import { expect, it } from 'vitest'
import { markdownOfType } from './by-media-type.ts'

const notebook = (cells: readonly unknown[], more: object = {}): string => JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: { language_info: { name: 'python' } }, cells, ...more })

it('a notebook is its texts, its code and what the code printed', () => {
  const book = notebook([
    { cell_type: 'markdown', source: ['# Tides\n', '\n', 'See *below*.'] },
    { cell_type: 'code', source: 'print(rise())', outputs: [{ output_type: 'stream', name: 'stdout', text: ['12 cm\n', '14 cm\n'] }, { output_type: 'execute_result', data: { 'text/html': '<table>', 'text/plain': ['   cm\n', '0  12'] } }, { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo=', 'text/plain': '<Figure size 640x480>' } }] },
    { cell_type: 'code', source: ['1 / 0'], outputs: [{ output_type: 'error', ename: 'ZeroDivisionError', evalue: 'by zero', traceback: ['\x1b[31mZeroDivisionError\x1b[0m: by zero'] }, { output_type: 'display_data', data: { 'text/markdown': '**bold**' } }] },
    { cell_type: 'raw', source: 'as it is' },
    { cell_type: 'code', source: [], outputs: [] },
  ])
  expect(markdownOfType(book, 'application/x-ipynb+json')).toBe('# Tides\n\nSee *below*.\n\n```python\nprint(rise())\n```\n\n```\n12 cm\n14 cm\n```\n\n```\n   cm\n0  12\n```\n\n```\n<Figure size 640x480>\n```\n\n```python\n1 / 0\n```\n\n```\nZeroDivisionError: by zero\n```\n\n**bold**\n\n```\nas it is\n```\n')
})

it('JSON that is no notebook of that format, or a broken one, stays JSON', () => {
  for (const text of ['{"nbformat":4}', '{"nbformat":3,"cells":[]}', '[{"nbformat":4,"cells":[]}]', '{"nbformat":4,"cells":[', `${'['.repeat(100_000)}"nbformat"`]) expect(markdownOfType(text, 'application/json')).toBe(`\`\`\`json\n${text}\n\`\`\`\n`)
  expect(markdownOfType(notebook([{ cell_type: 'code', source: 7 }, 7, { cell_type: 'code', source: 'x', outputs: {} }], { metadata: { language_info: { name: 'a b`' } } }), 'application/json')).toBe('```\nx\n```\n')
})
