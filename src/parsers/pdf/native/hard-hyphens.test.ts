import { expect, it } from 'vitest'
import { growth } from '../../../../test/cpu.ts'
import { paragraph, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'
import { withHardHyphens } from './hard-hyphens.ts'

const lead = 'The harbour office has been closed to all visitors from the north since the year of'

it.each([
  [`${lead} COVID-`, '19, which nobody had expected there.', `${lead} COVID-19, which nobody had expected there.`],
  [`${lead} 2019-`, '2021, which nobody had expected there.', `${lead} 2019-2021, which nobody had expected there.`],
  [`${lead} the Nord-`, 'Ostsee works, which nobody had expected there.', `${lead} the Nord-Ostsee works, which nobody had expected there.`],
  [`${lead} the 24-`, 'hour service, which nobody had expected there.', `${lead} the 24-hour service, which nobody had expected there.`],
  [`${lead} the har-`, 'bour, with grades of A- 4 and B- 3 for all.', `${lead} the harbour, with grades of A- 4 and B- 3 for all.`],
])('joins %s with the line below', async (first, second, joined) => {
  const reply = await readPdf({ bytes: samplePdf({ pages: [{ lines: paragraph([first, second, 'It opens again in spring.'], { y: 700 }) }] }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  expect('document' in reply ? reply.document.markdown : reply).toBe(`${joined} It opens again in spring.`)
})

it('takes time in proportion to the lines of a page', () => {
  const page = (n: number): readonly [markdown: string, items: Parameters<typeof withHardHyphens>[1]] => [
    Array.from({ length: n }, (_, i) => `${i}a- ${i + 1}`).join(' '),
    Array.from({ length: n }, (_, i) => ({ text: `${i}b-`, itemType: 'Text', x: 60, y: 14 * (n - i), width: 40, height: 10, fontSize: 10, rotation: 0 })),
  ]
  expect(growth(page, (of) => withHardHyphens(...of), 40, 2_400)).toBeLessThan(1.5)
})
