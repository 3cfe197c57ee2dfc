import { expect, it } from 'vitest'
import { paragraph, type PdfLine, type PdfPageSpec, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'
import { keepsDigits } from './asides.ts'

async function markdown(lines: readonly PdfLine[], links: PdfPageSpec['links'] = []): Promise<string> {
  const reply = await readPdf({ bytes: samplePdf({ pages: [{ lines, links }] }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

/** Lines below each other. */
const block = (texts: readonly string[], at: { readonly x: number; readonly y: number; readonly step: number; readonly size: number }): PdfLine[] => texts.map((text, i) => ({ text, x: at.x, y: at.y - at.step * i, size: at.size }))

const first = [
  'The harbour was built by the company that ran the railway, and it served the saw mills',
  'of the valley for many years. The quay had room for three ships of the usual size, and',
  'a crane of five tonnes moved the timber from the wagons. In the years after the war all',
  'of the mills closed one after another, and so the harbour lost its trade to a port that',
  'is larger and lies in the south.',
]
const second = [
  'It was much later that the town bought the land. A new quay was built of concrete then,',
  'and the sheds were let to fishermen of the town. The crane was sold to a museum, where',
  'it can still be seen on Sundays. The council hoped for ferries, but the company that it',
  'asked preferred the southern port because of its railway station and its hotels, which',
  'stand beside the lock.',
]
const running = [...block(first, { x: 60, y: 700, step: 14, size: 9 }), ...block(second, { x: 60, y: 610, step: 14, size: 9 })]

it('reads notes in the margin after the paragraph beside them', async () => {
  const notes = [...block(['The first plans are', 'older, but they were', 'lost in a fire.'], { x: 460, y: 684, step: 10, size: 7 }), ...block(['See the minutes of', 'the council.'], { x: 460, y: 593, step: 10, size: 7 })]
  expect(await markdown([...running, ...notes])).toBe([first.join(' '), 'The first plans are older, but they were lost in a fire.', second.join(' '), 'See the minutes of the council.'].join('\n\n'))
})

it('reads notes of the leading of the text where they begin within its sentences', async () => {
  const notes = [...block(['The first plans', 'were lost.'], { x: 460, y: 686, step: 14, size: 9 }), ...block(['See the minutes', 'of the council.'], { x: 460, y: 596, step: 14, size: 9 })]
  expect(await markdown([...running, ...notes])).toBe([first.join(' '), 'The first plans were lost.', second.join(' '), 'See the minutes of the council.'].join('\n\n'))
})

it('writes the links of a page in both texts, in whatever order these are read', async () => {
  const notes = block(['See the minutes', 'of our council.'], { x: 460, y: 684, step: 10, size: 7 })
  const made = await markdown([...running, ...notes], [{ rect: [60, 669, 92, 681], uri: 'https://example.org/crane' }, { rect: [60, 551, 90, 563], uri: 'https://example.org/stand' }, { rect: [460, 682, 520, 692], uri: 'https://example.org/minutes' }])
  expect(made).toBe([first.join(' ').replace('a crane', '[a crane](https://example.org/crane)'), '[See the minutes](https://example.org/minutes) of our council.', second.join(' ').replace('stand beside', '[stand](https://example.org/stand) beside')].join('\n\n'))
})

it('reads a column of facts as one text after the text beside it', async () => {
  const facts = ['Key facts', 'Built by a railway', 'Quay of concrete', 'Room for three ships', 'One crane of five tonnes', 'Open on all days', 'Ferries twice a day', 'Yachts in summer', 'Fishermen in the sheds', 'A museum on Sundays', 'A hotel at the lock', 'A market in autumn', 'No cars on the quay']
  const made = await markdown([...running, ...block(facts, { x: 460, y: 703, step: 11, size: 8 })])
  expect(made).toBe([first.join(' '), second.join(' '), facts.join(' ')].join('\n\n'))
})

it('leaves a table whose cells have several lines as it is', async () => {
  const rows = [['Repair of the crane at the north quay, with', 'all parts and the work of two days'], ['Paint for the sheds, and brushes'], ['Timber for the new stairs at the lock, cut', 'and planed by the saw mill at Alder'], ['Rent of a boat for the survey of the quay']]
  let y = 714
  const lines = rows.flatMap((row, i) => row.flatMap((text, j): PdfLine[] => [{ text, x: 60, y: (y -= 14), size: 11 }, ...(j === 0 ? [{ text: `Euro ${310 + i * 45}`, x: 420, y, size: 11 }, { text: `Sum of part ${i + 1}`, x: 480, y, size: 11 }] : [])]))
  const made = await markdown([...lines, ...paragraph(first, { x: 60, y: 560 })])
  expect(made).toMatch(/Repair of the crane[^\n]*Euro 310[^\n]*Sum of part 1/)
  expect(made).toMatch(/Rent of a boat[^\n]*Euro 445[^\n]*Sum of part 4/)
})

it('takes no reading that lacks a digit of the page, or has one more', () => {
  const keeps = (made: string, markdown: string, ...texts: readonly string[]): boolean => keepsDigits(made, { markdown, items: texts.map((text) => ({ itemType: 'Text', text })) })
  expect(keeps('|12|3 m²|', '12 3 m<sup>2</sup>', '12', '3 m²')).toBe(true)
  expect(keeps('[12](https://example.org/9) 3', '12 3', '12', '3')).toBe(true)
  expect(keeps('12', '12 3', '12', '3')).toBe(false)
  expect(keeps('12 8', '12 3', '12', '3')).toBe(false)
  expect(keeps('12 33', '12 3', '12', '3')).toBe(false)
  // The reading before lacked one, or had one twice.
  expect(keeps('12 3', '12', '12', '3')).toBe(true)
  expect(keeps('12 3', '12 3 3', '12', '3')).toBe(true)
})
