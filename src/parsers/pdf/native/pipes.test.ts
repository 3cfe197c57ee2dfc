import { expect, it } from 'vitest'
import { samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

it('cells of a table without lines may have pipes', async () => {
  const rows = [['Command', 'Meaning', 'Count'], ['a | b', 'first or second', '12'], ['ls | wc', 'counts the files', '7'], ['x || y', 'either of them', '3']]
  const lines = rows.flatMap((cells, row) => cells.map((text, i) => ({ text, x: 72 + 130 * i, y: 700 - 18 * row, size: 10 })))
  const reply = await readPdf({ bytes: samplePdf({ pages: [{ lines }] }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  expect('document' in reply ? reply.document.markdown : reply).toBe('|Command|Meaning|Count|\n|---|---|---|\n|a \\| b|first or second|12|\n|ls \\| wc|counts the files|7|\n|x \\|\\| y|either of them|3|')
})
