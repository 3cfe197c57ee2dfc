import { type CellObject, utils, write } from '@e965/xlsx'
import { unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { ConvertedDocument } from '../../domain/pages/document.ts'
import { readDocument } from './read.ts'

const number = (v: number, z?: string): CellObject => ({ t: 'n', v, ...(z === undefined ? {} : { z }) })

function workbook(cells: readonly (CellObject | string)[], more: { readonly date1904?: boolean; readonly type?: 'xlsx' | 'biff8' | 'xlml' | 'ods' } = {}): Uint8Array {
  const sheet = utils.aoa_to_sheet([['Value'], ...cells.map((cell) => [cell])])
  const book = { SheetNames: ['Tides'], Sheets: { Tides: sheet }, Workbook: { WBProps: { date1904: more.date1904 ?? false } } }
  return new Uint8Array(write(book, { type: 'array', bookType: more.type ?? 'xlsx' }) as ArrayBuffer) // the result for type array
}

async function read(bytes: Uint8Array): Promise<ConvertedDocument> {
  const reply = await readDocument(bytes)
  if (!('converted' in reply)) throw new Error(reply.problem)
  return reply.converted
}
const valuesOf = ({ html }: ConvertedDocument): string[] => [...html.matchAll(/<td>([^<]*)<\/td>/g)].map((match) => match[1] ?? '')

describe('the values of a workbook', () => {
  const dates: readonly (readonly [string, number, string])[] = [
    ['dd.mm.yyyy', 46_082, '01.03.2026'],
    ['d. mmmm yyyy', 46_082, '1. March 2026'],
    ['[$-407]dd.mm.yy;@', 46_082, '01.03.26'],
    ['dd.mm.yyyy hh:mm', 46_082.5, '01.03.2026 12:00'],
    ['yyyy-mm-dd', 46_082, '2026-03-01'],
    ['mm:ss.0', 0.0123, '17:42.7'],
    ['"a.b" dd.mm.', 46_082, 'a.b 01.03.'],
  ]
  it.each([
    ['xlsx', dates],
    ['biff8', dates],
  ] as const)('are dates whose parts points stand between (%s)', async (type, all) => {
    expect(valuesOf(await read(workbook(all.map(([code, value]) => number(value, code)), { type })))).toEqual(all.map(([, , shown]) => shown))
  })

  it('are counted from 1904 if the file says so', async () => {
    expect(valuesOf(await read(workbook([number(44_620, 'dd.mm.yyyy'), number(44_620, 'yyyy-mm-dd')], { date1904: true })))).toEqual(['01.03.2026', '2026-03-01'])
  })

  it('keep their digits without a number format', async () => {
    const all = [4_006_381_333_931, -123_456_789_012, 1_234_567_890_123.5, 0.1 + 0.2, 52.520_006_599_12, 1 / 3, 1.5e-7, 1e21]
    expect(valuesOf(await read(workbook(all.map((value) => number(value)))))).toEqual(['4006381333931', '-123456789012', '1234567890123.5', '0.3', '52.52000659912', '0.333333333333333', '0.00000015', '1E+21'])
    expect(valuesOf(await read(workbook([number(4_006_381_333_931, '0.00E+00'), number(5, 'no code')])))).toEqual(['4.01E+12', '5'])
  })

  it('are shown as they are if their format is longer than any', async () => {
    const bytes = workbook([number(2.5, '0.00'), number(3.25, '000')])
    const files = unzipSync(bytes)
    const path = 'xl/styles.xml'
    const long = zipSync({ ...files, [path]: Buffer.from(Buffer.from(files[path] ?? []).toString().replace('formatCode="000"', `formatCode="${'&quot;a&quot;'.repeat(10_000)}0"`)) })
    expect(valuesOf(await read(long))).toEqual(['2.50', '3.25'])
  })

  it('are formulas if the file contains no results, with a warning', async () => {
    const bytes = workbook([number(2), number(3), { t: 'n', v: 5, f: 'A2+A3' }])
    const files = unzipSync(bytes)
    const path = 'xl/worksheets/sheet1.xml'
    const without = zipSync({ ...files, [path]: Buffer.from(Buffer.from(files[path] ?? []).toString().replace('<v>5</v>', '<v></v>')) })
    const [whole, bare] = [await read(bytes), await read(without)]
    expect([valuesOf(whole), whole.warnings]).toEqual([['2', '3', '5'], []])
    expect([valuesOf(bare), bare.warnings]).toEqual([['2', '3', '=A2+A3'], ['The file does not hold the results of some of its formulas; the formulas stand in their place.']])
  })
})

describe('a cell that spans rows', () => {
  const htmlOf = async (rows: readonly (readonly (string | null)[])[], ...merges: readonly string[]): Promise<string> => {
    const sheet = utils.aoa_to_sheet(rows.map((row) => [...row]))
    sheet['!merges'] = merges.map((range) => utils.decode_range(range))
    const bytes = new Uint8Array(write({ SheetNames: ['Tides', 'x'], Sheets: { Tides: sheet, x: {} } }, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer) // the result for type array
    return (await read(bytes)).html.replaceAll('\n', '')
  }
  const tableOf = (head: string, ...rows: readonly string[]): string => `<h2>Tides</h2><table><thead><tr>${head}</tr></thead><tbody>${rows.map((row) => `<tr>${row}</tr>`).join('')}</tbody></table><h2>x</h2>`

  it('is shorter by the rows that show nothing, so that the others stay in their columns', async () => {
    expect(await htmlOf([['Name', 'Price'], [], ['Tea', '2'], ['Cake', '3']], 'A1:A2', 'B1:B2')).toBe(tableOf('<th>Name</th><th>Price</th>', '<td>Tea</td><td>2</td>', '<td>Cake</td><td>3</td>'))
    expect(await htmlOf([['Kind', 'Name'], ['Hot', 'Tea'], [], [null, 'Coffee'], ['Cold', 'Milk']], 'A2:A4')).toBe(tableOf('<th>Kind</th><th>Name</th>', '<td rowspan="2">Hot</td><td>Tea</td>', '<td>Coffee</td>', '<td>Cold</td><td>Milk</td>'))
    expect(await htmlOf([['Kind', 'Name'], [], [null, 'Coffee'], ['Cold', 'Milk']], 'A2:A3')).toBe(tableOf('<th>Kind</th><th>Name</th>', '<td></td><td>Coffee</td>', '<td>Cold</td><td>Milk</td>'))
  })
})

describe('a table that is too long to be returned', () => {
  const cut = 'The table "Tides" is longer or wider than is returned; its end is missing.'
  /** Empty rows between others, as in a table with room to write. */
  const spaced = (rows: number): readonly string[] => Array.from({ length: rows }, (_, i) => (i % 4 === 0 ? `Row ${i}` : ''))

  it('is reported, even if its first omitted row is empty', async () => {
    const [short, long, longer] = await Promise.all([4_990, 5_002, 6_000].map((rows) => read(workbook(spaced(rows)))))
    expect([short?.warnings, long?.warnings, longer?.warnings]).toEqual([[], [cut], [cut]])
    expect(long?.html).toContain('Row 4996')
    expect(longer?.html).not.toContain('Row 5000')
  })

  it('is reported if its end stands below thousands of empty rows, and not if these are all that there is', async () => {
    const apart = (last: string): Uint8Array => {
      const files = unzipSync(workbook(['first']))
      const path = 'xl/worksheets/sheet1.xml'
      const sheet = Buffer.from(files[path] ?? []).toString().replace('</sheetData>', `<row r="90000"><c r="A90000" s="0" t="str">${last}</c></row></sheetData>`).replace(/<dimension ref="[^"]*"/, '<dimension ref="A1:A90000"')
      return zipSync({ ...files, [path]: Buffer.from(sheet) })
    }
    const [said, empty] = await Promise.all([read(apart('<v>last</v>')), read(apart(''))])
    expect([valuesOf(said), said?.warnings, empty?.warnings]).toEqual([['first'], ['Rows below the 5500th of a table are left out.'], []])
  })
})

describe('what its program does not show of a workbook', () => {
  const told = 'Hidden rows and columns are left out (3).'
  const rows = [['Name', 'Note', 'Port'], ['Ada', 'n1', 'Kiel'], ['Bob', 'n2', 'Bremen'], ['Cem', 'n3', 'Husum'], ['Sum', '', '']]

  it.each(['xlsx', 'xlsb', 'xlml'] as const)('is left out with a warning (%s)', async (bookType) => {
    const sheet = utils.aoa_to_sheet(rows)
    sheet['!rows'] = [{}, {}, { hidden: true }, { hidden: true }]
    sheet['!cols'] = [{ wch: 10 }, { wch: 10, hidden: true }, { wch: 10 }]
    sheet['!merges'] = [utils.decode_range('B5:C5'), utils.decode_range('A2:A4')]
    const bytes = new Uint8Array(write({ SheetNames: ['Tides & Piers'], Sheets: { 'Tides & Piers': sheet } }, { type: 'array', bookType }) as ArrayBuffer) // the result for type array
    const { html, warnings } = await read(bytes)
    expect([html.replaceAll('\n', ''), warnings]).toEqual(['<h2>Tides &amp; Piers</h2><table><thead><tr><th>Name</th><th>Port</th></tr></thead><tbody><tr><td>Ada</td><td>Kiel</td></tr><tr><td>Sum</td><td></td></tr></tbody></table>', [told]])
  })

  it('is left out of an OpenDocument file, too', async () => {
    const cell = (text: string): string => `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`
    const table = (name: string, style: string, columns: string, lines: string): string => `<table:table table:name="${name}" table:style-name="${style}">${columns}${lines}</table:table>`
    const row = (cells: readonly string[], more = ''): string => `<table:table-row${more}>${cells.map(cell).join('')}</table:table-row>`
    const columns = '<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column table:number-columns-repeated="1022"/>'
    const lines = row(rows[0] ?? []) + row(rows[1] ?? []) + row(rows[2] ?? [], ' table:visibility="collapse"') + row(rows[3] ?? [], ' table:visibility="filter"') + row(rows[4] ?? [])
    const styles = [['ta1', 'true'], ['ta2', 'false']].map(([name, shown]) => `<style:style style:name="${name}" style:family="table"><style:table-properties table:display="${shown}"/></style:style>`).join('')
    const tables = table('Tides &amp; Piers', 'ta1', columns, lines) + table('Se &amp; cret', 'ta2', '', row(['SECRET']))
    const files = unzipSync(new Uint8Array(write({ SheetNames: ['x'], Sheets: { x: {} } }, { type: 'array', bookType: 'ods' }) as ArrayBuffer)) // the result for type array
    const content = `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`
    const { html, warnings } = await read(zipSync({ ...files, 'content.xml': Buffer.from(content) }))
    expect([html.replaceAll('\n', ''), warnings]).toEqual(['<h2>Tides &amp; Piers</h2><table><thead><tr><th>Name</th><th>Port</th></tr></thead><tbody><tr><td>Ada</td><td>Kiel</td></tr><tr><td>Sum</td><td></td></tr></tbody></table>', ['Hidden tables are left out (1).', told]])
  })
})

it.each(['xlsx', 'xlsb'] as const)('what lies over the cells of a workbook is counted (%s)', async (bookType) => {
  const files = unzipSync(new Uint8Array(write({ SheetNames: ['Tides'], Sheets: { Tides: utils.aoa_to_sheet([['a'], ['b']]) } }, { type: 'array', bookType }) as ArrayBuffer)) // the result for type array
  const anchored = (what: string): string => `<xdr:twoCellAnchor editAs="oneCell"><xdr:from/><xdr:to/>${what}<xdr:clientData/></xdr:twoCellAnchor>`
  const drawing = `<xdr:wsDr>${anchored('<xdr:graphicFrame/>')}${anchored('<xdr:sp><xdr:txBody><a:p><a:r><a:t>boxed</a:t></a:r></a:p></xdr:txBody></xdr:sp>')}<xdr:oneCellAnchor><xdr:pic/></xdr:oneCellAnchor></xdr:wsDr>`
  expect((await read(zipSync({ ...files, 'xl/drawings/drawing1.xml': Buffer.from(drawing) }))).warnings).toEqual(['Charts, pictures and text boxes of tables are left out (3).'])
  expect((await read(zipSync(files))).warnings).toEqual([])
})

describe('a workbook that is one file of XML', () => {
  const made = (tables: string, { encoding = 'UTF-8', end = '</Workbook>' } = {}): string => `<?xml version="1.0" encoding="${encoding}"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><DocumentProperties><Author>Ada &amp; Bob</Author></DocumentProperties><Styles><Style ss:ID="d"><NumberFormat ss:Format="dd\\.mm\\.yyyy"/></Style><Style ss:ID="l"><NumberFormat ss:Format="${'&quot;a&quot;'.repeat(10_000)}0"/></Style></Styles>${tables}${end}`
  const sheet = (name: string, rows: string): string => `<Worksheet ss:Name="${name}"><Table>${rows}</Table></Worksheet>`
  const row = (...cells: readonly string[]): string => `<Row>${cells.map((cell) => `<Cell${cell}</Cell>`).join('')}</Row>`
  const text = (value: string): string => `><Data ss:Type="String">${value}</Data>`

  it('is read like others, in its encoding', async () => {
    const rows = row(text('Köln'), text('When')) + row(' ss:StyleID="l"><Data ss:Type="Number">2.5</Data>', ' ss:StyleID="d"><Data ss:Type="DateTime">2026-03-01T00:00:00.000</Data>')
    const { html, metadata } = await read(Buffer.from(made(sheet('Tides &amp; Piers', rows), { encoding: 'ISO-8859-1' }), 'latin1'))
    expect([html.replaceAll('\n', ''), metadata]).toEqual(['<h2>Tides &amp; Piers</h2><table><thead><tr><th>Köln</th><th>When</th></tr></thead><tbody><tr><td>2.5</td><td>01.03.2026</td></tr></tbody></table>', { author: 'Ada & Bob' }])
  })

  it('is read as far as it goes, and up to the same number of rows', async () => {
    const whole = made(sheet('One', row(text('first')) + row(text('second')) + row(text('third'))))
    expect((await read(Buffer.from(whole.slice(0, whole.indexOf('third'))))).html).toContain('second')
    const { html, warnings } = await read(Buffer.from(made(sheet('Long', Array.from({ length: 9_000 }, (_, i) => row(text(`Row ${i}`))).join('')) + sheet('Next', row(text('behind'))))))
    expect([html.includes('Row 4999<'), html.includes('Row 5000<'), html.includes('behind'), warnings]).toEqual([true, false, true, ['The table "Long" is longer or wider than is returned; its end is missing.']])
  })
})

describe('links that formulas make', () => {
  const linked = (f: string, v = 'shown'): CellObject => ({ t: 's', v, f })
  const cells = [
    linked('HYPERLINK("https://example.org/a?x=1","shown")'),
    linked('HYPERLINK("https://example.org/"&A4&"/""b""",A4)'),
    'coast',
    linked('HYPERLINK($A$6)'),
    'https://example.org/whole',
    linked('HYPERLINK(LOWER("HTTPS://EXAMPLE.ORG"),"shown")'),
    linked('CONCATENATE("HYPERLINK(","b")'),
  ]
  const expected = ['https://example.org/a?x=1', 'https://example.org/coast/&quot;b&quot;', 'https://example.org/whole']
  it.each(['xlsx', 'xlml', 'ods'] as const)('lead where they lead in the program (%s)', async (type) => {
    const { html } = await read(workbook(cells, { type }))
    expect([...html.matchAll(/<a href="([^"]*)">shown<\/a>/g)].map((match) => match[1])).toEqual(expected)
    expect(html.match(/<td>shown<\/td>/g)).toHaveLength(2)
  })
})
