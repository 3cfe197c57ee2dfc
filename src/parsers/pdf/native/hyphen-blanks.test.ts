import { expect, it } from 'vitest'
import { growth } from '../../../../test/cpu.ts'
import { paragraph, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'
import { withHyphenBlanks } from './hyphen-blanks.ts'

const lines = [
  'The program tar - an archiving utility - is old, and the well-known option implies -M',
  'in all cases. It was open from Mon - Fri and in 1998 - 2000, and ls -l shows more than',
  'that. Pre- and postwar boats lie there in Foo - Bar and in the harbour of A - B.',
]

it('keeps the blanks around hyphens that a line has', async () => {
  const reply = await readPdf({ bytes: samplePdf({ pages: [{ lines: paragraph(lines, { y: 700 }) }] }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  expect('document' in reply ? reply.document.markdown : reply).toBe(lines.join(' '))
})

const run = (text: string, x: number, y = 700): Parameters<typeof withHyphenBlanks>[1][number] => ({ text, itemType: 'Text', x, y, width: text.length * 5, height: 10, fontSize: 10, rotation: 0 })

it.each([
  ['before what begins a style', 'It implies**--sparse** here.', 'It implies **--sparse** here.'],
  ['after what ends a style', 'It **implies**--sparse here.', 'It **implies** --sparse here.'],
  ['after other styles', '**-I***=COMMAND* implies**--sparse** here.', '**-I***=COMMAND* implies **--sparse** here.'],
  ['not where words have none on the page', 'It im-plies--sparse.', 'It im-plies--sparse.'],
])('puts blanks %s', (_, markdown, mended) => {
  expect(withHyphenBlanks(markdown, [run('It', 60), run('implies', 75), run('--sparse', 115), run('here.', 160)])).toBe(mended)
})

it('leaves the lines that Markdown draws with hyphens', () => {
  const table = '|a-b|c|\n|---|---|\n|-|- - -|'
  expect(withHyphenBlanks(table, [run('a-b c', 60), run('- - -', 60, 680)])).toBe(table)
})

it('takes time in proportion to the text of a page', () => {
  const page = (n: number): readonly [string, Parameters<typeof withHyphenBlanks>[1]] => [Array.from({ length: n }, (_, i) => `w${i}-x`).join(' '), Array.from({ length: n }, (_, i) => run(`w${i} -x`, 60, 14 * (n - i)))]
  expect(growth(page, (of) => withHyphenBlanks(...of), 100, 4_000)).toBeLessThan(1.5)
})
