import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { packedPdfFile, pdfFile } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

type File = (objects: Parameters<typeof pdfFile>[0]) => Buffer

const bytes = (...numbers: readonly number[]): Buffer => Buffer.from(numbers)
/** An INDEX with offsets of one byte. */
function index(...parts: readonly Buffer[]): Buffer {
  let at = 1
  return Buffer.concat([bytes(0, parts.length, 1, 1, ...parts.map((part) => (at += part.length))), ...parts])
}
const number = (value: number): number[] => [28, value >> 8, value & 255]

/** A font in the compact format whose codes are `names`; it has no outlines. */
function compactFont(names: ReadonlyMap<number, string>): Buffer {
  const strings = index(...[...names.values()].map((name) => Buffer.from(name)))
  const head = Buffer.concat([bytes(1, 0, 4, 1), index(Buffer.from('X'))])
  const top = (charset: number): Buffer => index(Buffer.from([...number(charset), 15, ...number(charset + 1 + 2 * names.size), 16, ...number(charset + 3 + 3 * names.size), 17]))
  const start = head.length + top(0).length + strings.length + 2
  const charset = bytes(0, ...[...names.keys()].flatMap((_, i) => [(391 + i) >> 8, (391 + i) & 255]))
  const encoding = bytes(0, names.size, ...names.keys())
  return Buffer.concat([head, top(start), strings, bytes(0, 0), charset, encoding, index(bytes(14), ...[...names].map(() => bytes(14)))])
}

const typeOneFont = (names: ReadonlyMap<number, string>): Buffer => Buffer.from(`%!PS-AdobeFont-1.0: X\n/Encoding 256 array\n${[...names].map(([code, name]) => `dup ${code} /${name} put`).join('\n')}\nreadonly def\ncurrentfile eexec `)

async function read(program: 'FontFile' | 'FontFile3', file: File, names: ReadonlyMap<number, string>, codes: string): Promise<string> {
  const font = deflateSync(program === 'FontFile' ? typeOneFont(names) : compactFont(names))
  const reply = await readPdf({
    bytes: file([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 8 0 R >> >> >>',
      { head: '', stream: Buffer.from(`BT /F2 12 Tf 72 700 Td (The level is x ) Tj /F1 12 Tf (${codes}) Tj /F2 12 Tf ( and the gauge measures it.) Tj ET`) },
      `<< /Type /Font /Subtype /Type1 /BaseFont /AAAAAA+CMSY10 /FontDescriptor 6 0 R /FirstChar 0 /LastChar 127 /Widths [${'777 '.repeat(128)}] >>`,
      `<< /Type /FontDescriptor /FontName /AAAAAA+CMSY10 /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /${program} 7 0 R >>`,
      { head: `/Filter /FlateDecode ${program === 'FontFile' ? '' : '/Subtype /Type1C'}`, stream: font },
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ]),
    order: { mode: 'auto', pages: false, pageMarkers: false, html: false },
  })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

const signs = new Map([[33, 'arrowright'], [50, 'element'], [51, 'owner'], [54, 'negationslash'], [110, 'backslash']])

describe('fonts that name their letters only in the embedded font', () => {
  it.each([['FontFile', pdfFile], ['FontFile3', pdfFile], ['FontFile', packedPdfFile], ['FontFile3', packedPdfFile]] as const)('are read by these names: %s', async (program, file) => {
    expect(await read(program, file, signs, '!23n')).toBe('The level is x →∈∋\\ and the gauge measures it.')
  })

  it('are read as before where these names only count the glyphs', async () => {
    expect(await read('FontFile3', pdfFile, new Map([[65, 'G1'], [66, 'G2']]), 'AB')).toBe('The level is x AB and the gauge measures it.')
  })
})

describe('a stroke that is drawn through the next sign', () => {
  it('makes one sign with it', async () => {
    expect(await read('FontFile', pdfFile, new Map([...signs, [61, 'equal']]), '6=')).toBe('The level is x ≠ and the gauge measures it.')
    expect(await read('FontFile3', pdfFile, new Map([...signs, [61, 'equal'], [55, 'mapsto']]), '7!')).toBe('The level is x ↦ and the gauge measures it.')
  })
})
