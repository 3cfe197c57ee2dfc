import { describe, expect, it } from 'vitest'
import { paragraph, type PdfLine, type PdfPageSpec, samplePdf } from '../../../../test/pdf.ts'
import { drawn, Letters, newFile } from '../letters/new-file.ts'
import { readPdf } from '../read.ts'

async function markdownOf(page: PdfPageSpec): Promise<string> {
  const answer = await readPdf({ bytes: samplePdf({ pages: [page] }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in answer ? answer.document.markdown : JSON.stringify(answer)
}

type Rule = readonly [number, number, number, number]

/** The lines of cells, one below the other, whose columns start at these places. */
const cellsAt = (xs: readonly number[], y: number, cells: readonly (readonly string[])[]): PdfLine[] => cells.flatMap((texts, i) => texts.map((text, at) => ({ text, x: (xs[i] ?? 0) + 6, y: y - 14 * at })))

const xs = [72, 162, 230, 520]
const ys = [640, 610, 574, 538]
const grid: readonly Rule[] = [...ys.map((y): Rule => [72, y, 520, y]), ...xs.map((x): Rule => [x, 640, x, 538])]
const rows = [
  [['Winter'], ['Chart'], ['Notice']],
  [['Vessel', 'summer'], ['93%'], ['Station channel cost']],
  [['Harbour', 'notice'], [], ['Mean survey storm basin', 'cargo']],
]
const cells = rows.flatMap((row, i) => cellsAt(xs, (ys[i] ?? 0) - 14, row))
const table = ['|Winter|Chart|Notice|', '|---|---|---|', '|Vessel summer|93%|Station channel cost|', '|Harbour notice||Mean survey storm basin cargo|'].join('\n')
const above = ['The harbour office measures the tide every ten minutes at three', 'stations along the pier.']
const below = ['All values are of the year in which the second pier was built, and', 'of no other.']
const text = [...paragraph(above, { y: 720 }), ...paragraph(below, { y: 510 })]

/** Texts in any script, each with its place and width, and lines. */
async function markdownOfDrawn(texts: readonly (readonly [text: string, x: number, y: number, width: number])[], rules: readonly Rule[]): Promise<string> {
  const letters = new Letters()
  const content = [...texts.map(([own, x, y, width]) => drawn(letters.codesOf(own), { font: 'F1', size: 10, width, place: [1, 0, 0, 1, x, y] })), ...rules.map(([x1, y1, x2, y2]) => `${x1} ${y1} m ${x2} ${y2} l S`)].join('\n')
  const answer = await readPdf({ bytes: newFile([{ content, rest: '/MediaBox [0 0 612 792]' }], letters), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in answer ? answer.document.markdown : JSON.stringify(answer)
}

describe('withRuledTables', () => {
  it('parts the words of neighbouring cells, also where these are read from the right', async () => {
    const lines: Rule[] = [...[640, 624, 608].map((y): Rule => [400, y, 520, y]), ...[400, 460, 520].map((x): Rule => [x, 640, x, 608])]
    const sentences = ['הדוח מספר כי 12 אוניות עברו ביום 3.5.2024 דרך המנעול של Quay One (בנהר).', 'וזה סוף הדוח על האוניות של השנה, ועל כל מה שעבר דרך הנמל הגדול.'] as const
    const markdown = await markdownOfDrawn([[sentences[0], 160, 700, 360], ['עיר אוניות', 435, 629, 50], ['בון 95', 447, 613, 31], [sentences[1], 190, 560, 330]], lines)
    expect(markdown).toBe([sentences[0], '|עיר|אוניות|\n|---|---|\n|בון|95|', sentences[1]].join('\n\n'))
  })

  it('writes the cells of a table by its lines, between the text around it', async () => {
    expect(await markdownOf({ lines: [...text, ...cells], rules: grid })).toBe([above.join(' '), table, below.join(' ')].join('\n\n'))
  })

  it('takes thin boxes for lines, as browsers draw each side of a cell', async () => {
    const boxes = grid.flatMap(([x1, y1, , y2]) => (y1 === y2 ? xs.slice(1).map((x, i) => `${xs[i] ?? 0} ${y1} ${x - (xs[i] ?? 0)} 0.75 re f`) : [`${x1} ${y2} 0.75 ${y1 - y2} re f`])).join('\n')
    expect(await markdownOf({ lines: [...text, ...cells], drawing: `q 1 0 0 1 0 0 cm ${boxes} Q` })).toContain(table)
  })

  it('writes a cell over several columns once', async () => {
    const joined = grid.filter(([x1, y1, x2]) => x1 !== x2 || x1 === 72 || x1 === 520 || y1 !== 640)
    const lines: Rule[] = [...joined, ...[162, 230].map((x): Rule => [x, 610, x, 538])]
    const head = cellsAt(xs, 626, [['The tides of all of the winters until now']])
    expect(await markdownOf({ lines: [...text, ...head, ...cells.slice(3)], rules: lines })).toContain('|The tides of all of the winters until now|||\n|---|---|---|\n|Vessel summer|93%|')
  })

  it('writes links in cells', async () => {
    const link = { rect: [234, 592, 300, 608] as const, uri: 'https://example.com/station' }
    expect(await markdownOf({ lines: [...text, ...cells], rules: grid, links: [link] })).toContain('[Station')
  })

  it('marks bold letters in cells, with signs close behind them, but not the head', async () => {
    const styled: PdfLine[] = [{ text: 'Winter', x: 78, y: 626, bold: true }, ...cells.slice(1).filter(({ text: own }) => own !== '93%'), { text: '93', x: 168, y: 596, bold: true }, { text: '%', x: 181, y: 596 }]
    expect(await markdownOf({ lines: [...text, ...styled], rules: grid })).toContain('|Winter|Chart|Notice|\n|---|---|---|\n|Vessel summer|**93**%|Station channel cost|')
  })

  it('writes each link in its own cell, and those below in the text below', async () => {
    const more = [...paragraph(['The cost is told in the channel.'], { y: 500 })]
    const links = [{ rect: [300, 592, 330, 608] as const, uri: 'https://example.com/cost' }, { rect: [82, 498, 107, 512] as const, uri: 'https://example.com/below' }]
    const lines = [...text.filter(({ y }) => y > 520), ...cells.map((cell) => (cell.text === 'Vessel' ? { ...cell, text: 'The cost' } : cell)), ...more]
    const markdown = await markdownOf({ lines, rules: grid, links })
    expect(markdown).toContain('|The cost summer|93%|Station channel [cost](https://example.com/cost)|')
    expect(markdown).toContain('The [cost](https://example.com/below) is told')
  })

  it('reads texts side by side between lines one after the other', async () => {
    const offers = [['Small', 'a berth for boats', 'until nine metres'], ['Large', 'a berth for ships', 'and their crew'], ['Winter', 'a place in the', 'hall by the lock'], ['Help', 'every day in the', 'harbour office']]
    const lines = offers.flatMap(([title = '', ...words], i) => [title, ...words].map((own, at): PdfLine => ({ text: own, x: i % 2 === 0 ? 72 : 300, y: (i < 2 ? 640 : 580) - 14 * at, bold: at === 0 })))
    const rules = [655, 595, 535].map((y): Rule => [72, y, 520, y])
    expect(await markdownOf({ lines: [...text, ...lines], rules })).toBe([above.join(' '), ...offers.flatMap(([title = '', ...words]) => [`## ${title}`, words.join(' ')]), below.join(' ')].join('\n\n'))
  })
})
