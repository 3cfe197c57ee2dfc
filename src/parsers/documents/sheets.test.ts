import { type CellObject, utils, write } from '@e965/xlsx'
import { unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { ConvertedDocument } from '../../domain/pages/document.ts'
import { readDocument } from './read.ts'

const number = (v: number, z?: string): CellObject => ({ t: 'n', v, ...(z === undefined ? {} : { z }) })

function workbook(cells: readonly (CellObject | string)[], more: { readonly date1904?: boolean; readonly type?: 'xlsx' | 'biff8' } = {}): Uint8Array {
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
