import { expect, it } from 'vitest'
import { samplePdf } from '../../../../test/pdf.ts'
import { readPlain } from './plain.ts'

it('begins no page after its time, but reads the first, and names those that are missing', async () => {
  const file = samplePdf({ pages: ['Low water at one.', 'High water at seven.', 'Dogs are welcome.'].map((text) => ({ lines: [{ text, x: 72, y: 700 }] })) })
  const library = await import('unpdf')
  const all = await readPlain(library, file, { maxPages: 9, maxMs: 60_000 })
  expect([all.pages.length, all.warnings.join(' ').includes('missing')]).toEqual([3, false])
  const late = await readPlain(library, file, { maxPages: 9, maxMs: 0 })
  expect([all.isLate, late.isLate]).toEqual([undefined, true])
  expect([late.totalPages, late.pages.map(({ markdown }) => markdown.trim()), late.warnings.at(-1)]).toEqual([3, ['Low water at one.'], 'The PDF takes too long to read: pages 2-3 are missing.'])
})
