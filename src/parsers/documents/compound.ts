import iconv from 'iconv-lite'
import type { Converted } from './converted.ts'
import { sheetLibrary } from './sheets.ts'
import { UnreadableDocument } from './unreadable.ts'

/** The streams in the root of a compound file ([MS-CFB]), by name; those of embedded objects are left out. */
export type Streams = ReadonlyMap<string, Buffer>

/** Reads a compound file, the format of Office files before 2007. Throws `UnreadableDocument` for a broken one. */
export async function streamsOf(bytes: Uint8Array): Promise<Streams> {
  const { CFB } = await sheetLibrary()
  try {
    const { FullPaths, FileIndex }: { FullPaths: string[]; FileIndex: { content?: Uint8Array }[] } = CFB.read(Buffer.from(bytes), { type: 'buffer' })
    return new Map(FullPaths.flatMap((path, i) => (path.split('/').length === 2 ? [[path.split('/')[1] ?? '', Buffer.from(FileIndex[i]?.content ?? [])] as const] : []))) // pairs of a name and its bytes
  } catch (error) {
    throw new UnreadableDocument('broken', error)
  }
}

/** A slice of a buffer, cut at the buffer's bounds. */
export const slice = (from: Buffer, start: number, length: number): Buffer => from.subarray(Math.max(0, start), Math.max(0, start + Math.max(0, length)))

/** Little-endian numbers in a buffer; 0 beyond its end, where broken files may point. */
export const byteAt = (from: Buffer, at: number): number => from[at] ?? 0
export const wordAt = (from: Buffer, at: number): number => (at >= 0 && at + 2 <= from.length ? from.readUInt16LE(at) : 0)
export const longAt = (from: Buffer, at: number): number => (at >= 0 && at + 4 <= from.length ? from.readUInt32LE(at) : 0)

/** Properties of a document by id ([MS-OLEPS] 2.21, `SummaryInformation`). */
const fields: ReadonlyMap<number, string> = new Map([[2, 'title'], [3, 'subject'], [4, 'author'], [5, 'keywords'], [6, 'description'], [12, 'publishedTime'], [13, 'modifiedTime']])
const maxProperties = 1_000
const codePageProperty = 1
const types = { text: 30, wideText: 31, time: 64 }
/** Milliseconds between 1601, the epoch of file times, and 1970. */
const epoch = 11_644_473_600_000

/** The file's own metadata. */
export function summaryOf(streams: Streams): Converted['metadata'] {
  const info = streams.get('\u0005SummaryInformation') ?? Buffer.alloc(0)
  const start = longAt(info, 44)
  const found = new Map<number, number>()
  for (let i = 0; i < Math.min(longAt(info, start + 4), maxProperties); i++) found.set(longAt(info, start + 8 + i * 8), start + longAt(info, start + 12 + i * 8))
  const codePage = wordAt(info, (found.get(codePageProperty) ?? info.length) + 4)
  const said = Object.fromEntries([...fields].map(([id, name]) => [name, valueAt(info, found.get(id) ?? info.length, codePage)]))
  const { subject, ...metadata } = said
  return { ...metadata, description: metadata['description'] || subject }
}

function valueAt(info: Buffer, at: number, codePage: number): string | undefined {
  const type = wordAt(info, at)
  const length = longAt(info, at + 4)
  if (type === types.wideText) return until(slice(info, at + 8, length * 2).toString('utf16le'))
  if (type === types.time) return timeOf(longAt(info, at + 8) * 0x1_0000_0000 + longAt(info, at + 4))
  if (type !== types.text) return undefined
  const bytes = slice(info, at + 8, length)
  if (codePage === 1200) return until(bytes.toString('utf16le'))
  const encoding = codePage === 65001 ? 'utf8' : codePage === 10000 ? 'macintosh' : `cp${codePage}`
  return until(iconv.decode(bytes, iconv.encodingExists(encoding) ? encoding : 'windows-1252'))
}

const until = (text: string): string => text.split('\0', 1)[0] ?? ''

/** A file time (100-nanosecond intervals since 1601) as ISO 8601; undefined when it is not set. */
function timeOf(ticks: number): string | undefined {
  const time = new Date(ticks / 10_000 - epoch)
  return ticks === 0 || Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
