import { CFB, utils, write } from '@e965/xlsx'
import { unzipSync, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { readDocument } from './read.ts'

const numbers = (size: 1 | 2 | 4, ...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(size * values.length)
  values.forEach((value, i) => bytes.writeUIntLE(value, i * size, size))
  return bytes
}
const sheet = utils.aoa_to_sheet([['Value'], ['shown'], ['coast'], ['shown'], ['plain']])
const book = (bookType: 'biff8' | 'xlsb'): Uint8Array => new Uint8Array(write({ SheetNames: ['Tides'], Sheets: { Tides: sheet } }, { type: 'array', bookType }) as ArrayBuffer) // the result for type array

/** The tokens of two formulas: a text as the address, and one that a cell is a part of. */
interface Tokens {
  readonly text: (text: string) => Buffer
  readonly cell: (row: number, column: number) => Buffer
}
const hyperlink = Buffer.from([0x42, 2, 0x67, 0x01])
const joined = Buffer.from([0x08])
const formulasOf = ({ text, cell }: Tokens): Readonly<Record<number, Buffer>> => ({
  1: Buffer.concat([text('https://example.org/a?x=1'), text('shown'), hyperlink]),
  3: Buffer.concat([text('https://example.org/'), cell(2, 0), joined, text('/b'), joined, text('shown'), hyperlink]),
})

/** A workbook of Excel 97 in which records of texts are such of formulas with their results. */
function xls(): Uint8Array {
  const formulas = formulasOf({ text: (text) => Buffer.concat([Buffer.from([0x17, text.length, 0]), Buffer.from(text)]), cell: (row, column) => Buffer.concat([Buffer.from([0x44]), numbers(2, row, column | 0xc000)]) })
  const { FullPaths, FileIndex }: { FullPaths: string[]; FileIndex: { content?: Uint8Array }[] } = CFB.read(Buffer.from(book('biff8')), { type: 'buffer' })
  const stream = Buffer.from(FileIndex[FullPaths.findIndex((path) => path.endsWith('/Workbook'))]?.content ?? [])
  const record = (type: number, body: Buffer): Buffer => Buffer.concat([numbers(2, type, body.length), body])
  const records: Buffer[] = []
  for (let at = 0; at + 4 <= stream.length; ) {
    const end = at + 4 + stream.readUInt16LE(at + 2)
    const isText = stream.readUInt16LE(at) === 0xfd || stream.readUInt16LE(at) === 0x204
    const row = isText ? stream.readUInt16LE(at + 4) : -1
    const tokens = formulas[row]
    if (tokens === undefined) records.push(stream.subarray(at, end))
    else records.push(record(0x06, Buffer.concat([numbers(2, row, 0, 15, 0, 0, 0, 0xffff, 0, 0, 0, tokens.length), tokens])), record(0x207, Buffer.concat([numbers(2, 5), Buffer.from('\0shown')])))
    at = end
  }
  const file = CFB.utils.cfb_new()
  CFB.utils.cfb_add(file, '/Workbook', Buffer.concat(records))
  return CFB.write(file, { type: 'buffer' }) as Uint8Array // the type of that output
}

/** The same in the binary form of 2007: a byte for the type of a record and one for its length, where they are small. */
function xlsb(): Uint8Array {
  const wide = (text: string): Buffer => Buffer.from(text, 'utf16le')
  const formulas = formulasOf({ text: (text) => Buffer.concat([Buffer.from([0x17]), numbers(2, text.length), wide(text)]), cell: (row, column) => Buffer.concat([Buffer.from([0x44]), numbers(4, row), numbers(2, column | 0xc000)]) })
  const files = unzipSync(book('xlsb'))
  const path = 'xl/worksheets/sheet1.bin'
  let bytes = Buffer.from(files[path] ?? [])
  for (const [row, tokens] of Object.entries(formulas)) {
    // The row, 25 bytes long, and after it the cell with its text.
    const at = bytes.indexOf(Buffer.concat([Buffer.from([0, 25]), numbers(4, Number(row))])) + 27
    const body = Buffer.concat([numbers(4, 0, 0, 5), wide('shown'), numbers(2, 0), numbers(4, tokens.length), tokens, numbers(4, 0)])
    bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([0x08, (body.length & 0x7f) | 0x80, body.length >> 7]), body, bytes.subarray(at + 2 + (bytes[at + 1] ?? 0))])
  }
  return zipSync({ ...files, [path]: bytes })
}

it.each([['xls', xls], ['xlsb', xlsb]])('links that formulas make lead where they lead in the program (%s)', async (_, make) => {
  const reply = await readDocument(make())
  const html = 'converted' in reply ? reply.converted.html : reply.problem
  expect([...html.matchAll(/<td>(.*?)<\/td>/g)].map((match) => match[1])).toEqual(['<a href="https://example.org/a?x=1">shown</a>', 'coast', '<a href="https://example.org/coast/b">shown</a>', 'plain'])
})
