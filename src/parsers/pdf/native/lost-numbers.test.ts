import { describe, expect, it } from 'vitest'
import { samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

const running = 'The harbour office measures the level of the tide at three stations.'

async function read(lines: readonly (readonly [text: string, y: number, size?: number])[]): Promise<string> {
  const bytes = samplePdf({ pages: [{ lines: lines.map(([text, y, size = 11]) => ({ text, x: 72, y, size })) }] })
  const reply = await readPdf({ bytes, order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

describe('lines that are only a number', () => {
  it('stay where they stand between other lines', async () => {
    expect(await read([[running, 700], ['2024', 440], [running, 180]])).toBe(`${running}\n\n2024\n\n${running}`)
    expect(await read([[running, 760], ['Total', 600], ['1204', 580], ['Visits', 560], ['12', 540], [running, 400]])).toMatch(/Total\s+1204\s+Visits\s+12\b/)
  })

  it('stay in their order, each in a paragraph when they are apart', async () => {
    expect(await read([[running, 760], ['2024', 500], ['2023', 470], ['2022', 440], [running, 200]])).toBe(`${running}\n\n2024\n\n2023\n\n2022\n\n${running}`)
  })

  it('are titles in large letters, wherever they stand', async () => {
    expect(await read([['2024', 760, 24], [running, 700], [running, 400]])).toBe(`2024\n\n${running}\n\n${running}`)
    expect(await read([[running, 760], ['Annual report', 400], ['2024', 60, 30]])).toBe(`${running}\n\nAnnual report\n\n2024`)
    expect(await read([[running, 760], ['Annual report', 400], ['12', 60, 14]])).not.toContain('12')
  })

  it.each([[760, 'Customer no.:'], [732, 'Order Nr.'], [40, 'Code'], [740, 'Page no.:'], [40, 'Annual report']])('stay behind their label at the edge of a page, unless that is one for pages (%i, %s)', async (y, label) => {
    const isKept = !/^(?:Page|Annual)/.test(label)
    const lines = [{ text: 'Harbour office', x: 72, y: 770 }, { text: label, x: 72, y }, { text: '4711', x: 220, y }, { text: running, x: 72, y: 500 }, { text: 'It is open.', x: 72, y: 486 }]
    const reply = await readPdf({ bytes: samplePdf({ pages: [{ lines }] }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
    expect('document' in reply && reply.document.markdown.includes(`${label} 4711`)).toBe(isKept)
  })

  it('are page numbers at the end of a page', async () => {
    expect(await read([[running, 760], [running, 600], [running, 400], ['12', 40]])).not.toContain('12')
  })
})
