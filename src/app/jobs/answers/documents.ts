import type { Room } from '../../../domain/call.ts'
import type { Jobs } from '../../../domain/jobs/jobs.ts'
import type { PageRow } from '../../../domain/jobs/pages.ts'
import type { Blobs } from '../../../domain/blobs.ts'
import { documentOf, type Frame } from '../../scrape/page-bytes.ts'
import { formatsOf } from '../../../domain/pages/packed.ts'
import { keptBlobs } from '../../kept-blobs.ts'

export interface DocumentPorts {
  readonly jobs: Pick<Jobs, 'results'>
  readonly blobs: Pick<Blobs, 'get'>
  readonly now: () => number
  /** What documents count against until they are sent, as clients may read as slowly as they like; and whether anybody waits for them. */
  readonly held?: { readonly room: Room; readonly signal: AbortSignal }
}

/** A window of a job's results: `limit` of them after `skip`, or until `maxBytes`, but at least one. */
export interface Window {
  readonly skip: number
  readonly limit: number
  readonly maxBytes: number
}

/** Rows read at once; few, so that little is read and not sent. */
const chunk = { rows: 100, bytes: 1_048_576 }

const erased = 'The content of this page is no longer kept.'

/** The scrape result of a page, as JSON. If its content is gone, what is still known of it. Throws `StoreAway` if it should still be there. */
export async function pageDocument({ blob, frame, at }: PageRow, { blobs, now }: Pick<DocumentPorts, 'blobs' | 'now'>): Promise<Uint8Array> {
  const stored = await keptBlobs(blobs, at, now).get(blob)
  if (stored !== null) return documentOf(formatsOf(stored), frame)
  const rest = JSON.parse(frame) as Frame // written with the page
  return Buffer.from(JSON.stringify({ ...rest, warning: rest.warning === undefined ? erased : `${rest.warning} ${erased}` }))
}

/** The rows of the window, read in chunks; they end early if results were erased. */
async function* pageRows(id: string, { skip, limit, maxBytes }: Window, jobs: DocumentPorts['jobs']): AsyncGenerator<PageRow> {
  let given = 0
  let bytes = 0
  while (given < limit) {
    const rows = await jobs.results(id, { skip: skip + given, limit: Math.min(chunk.rows, limit - given), maxBytes: chunk.bytes })
    for (const row of rows) {
      // Sequence numbers have no gaps, so a jump means that a sweep has taken rows in between.
      if (row.seq !== skip + given + 1) return
      if (given > 0 && bytes + row.bytes > maxBytes) return
      yield row
      given += 1
      bytes += row.bytes
    }
    if (rows.length === 0) return
  }
}

/** How far documents are read ahead, as an object store takes long for each: at most so many, and of so many bytes. */
const ahead = { documents: 8, bytes: 1_048_576 }

/** So many bytes of documents are not counted, and each byte of the others as often as it is copied on its way. */
const counted = { from: 1_048_576, copies: 3 }

/** Of what followers are sent one by one, less goes uncounted: there may be hundreds of them, each with a document that it leaves unread. */
const countedAlone = 131_072

/** How many bytes one document of that size counts while it is read and sent alone; 0 for a small one. */
export const countAlone = ({ bytes }: Pick<PageRow, 'bytes'>): number => (bytes > countedAlone ? bytes * counted.copies : 0)

/** Reads one document of that size, and counts it, if it is not small, until its reader asks for more. */
export async function* alone(size: Pick<PageRow, 'bytes'>, read: () => Promise<Uint8Array>, { held }: Pick<DocumentPorts, 'held'>): AsyncGenerator<Uint8Array> {
  const taken = countAlone(size)
  if (taken > 0) await held?.room.take(taken, held.signal)
  try {
    yield await read()
  } finally {
    if (taken > 0) held?.room.give(taken)
  }
}

/** The documents of the window in their order; few of them are in memory, and of large ones one. */
export async function* documents(id: string, window: Window, ports: DocumentPorts): AsyncGenerator<Uint8Array> {
  const reading: { readonly document: Promise<Uint8Array>; readonly bytes: number; readonly taken: number }[] = []
  let bytes = 0
  let total = 0
  let refused: { readonly error: unknown } | null = null
  for await (const row of pageRows(id, window, ports.jobs)) {
    total += row.bytes
    const taken = total > counted.from ? row.bytes * counted.copies : 0
    if (taken > 0) refused = (await ports.held?.room.take(taken, ports.held.signal).then(() => null, (error: unknown) => ({ error }))) ?? null
    if (refused !== null) break
    const document = pageDocument(row, ports)
    // A failure counts in its turn, after the documents before it.
    document.catch(() => undefined)
    reading.push({ document, bytes: row.bytes, taken })
    bytes += row.bytes
    while (reading.length >= ahead.documents || bytes >= ahead.bytes) {
      const [first] = reading.splice(0, 1)
      if (first === undefined) break
      bytes -= first.bytes
      yield await first.document
      ports.held?.room.give(first.taken)
    }
  }
  for (const { document, taken } of reading) {
    yield await document
    ports.held?.room.give(taken)
  }
  if (refused !== null) throw refused.error
}
