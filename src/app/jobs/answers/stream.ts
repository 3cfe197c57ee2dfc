/** Bytes gathered before they are passed on: small writes cost more than they carry. */
const pieceBytes = 65_536

/** Joins small parts to pieces of a reasonable size, in order and at the reader's pace. */
export async function* pieces(parts: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    waiting.push(bytes)
    size += bytes.length
    if (size < pieceBytes) continue
    yield Buffer.concat(waiting)
    waiting = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(waiting)
}

/** A JSON array of items that are JSON texts. */
export async function* jsonItems(items: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array | string> {
  let first = true
  yield '['
  for await (const item of items) {
    if (!first) yield ','
    first = false
    yield item
  }
  yield ']'
}

/** All rows of a paged list. */
export async function* everyRow<T>(read: (skip: number, limit: number) => Promise<readonly T[]>, pageSize: number): AsyncGenerator<T> {
  for (let skip = 0; ; ) {
    const rows = await read(skip, pageSize)
    yield* rows
    skip += rows.length
    if (rows.length < pageSize) return
  }
}
