import { longAt, type Streams, wordAt } from '../compound.ts'
import { type PptRecord, types, Walk } from './records.ts'
import { UnreadableDocument } from '../unreadable.ts'

/** An opened presentation. */
export interface PptFile {
  readonly walk: Walk
  /** The body of the document record. */
  readonly document: Buffer
  /** A slide, master or notes page, by its persist id. */
  part(id: number): PptRecord | undefined
}

/** In the `CurrentUserAtom`: the mark of an encrypted file, and the offsets of the mark and of the last edit. */
const lockedMark = 0xf3d1c4df
const markAt = 12
const lastEditAt = 16

/** Offsets in a `UserEditAtom`: the previous edit, its directory, the id of the document part, and the encryption part. */
const edits = { before: 8, directory: 12, document: 16, lock: 28 }
const maxPart = 0xf_ffff

/**
 * Finds the parts of a presentation. Each save may append parts; the newest one with an id counts. Throws
 * `UnreadableDocument`.
 */
export function openPpt(streams: Streams): PptFile {
  const user = streams.get('Current User') ?? Buffer.alloc(0)
  if (streams.has('EncryptedSummary') || longAt(user, markAt) === lockedMark) throw new UnreadableDocument('encrypted')
  const stream = streams.get('PowerPoint Document') ?? Buffer.alloc(0)
  const walk = new Walk()
  const offsets = new Map<number, number>()
  let id: number | undefined
  for (const edit of editsOf(stream, longAt(user, lastEditAt), walk)) {
    if (longAt(edit, edits.lock) !== 0) throw new UnreadableDocument('encrypted')
    id ??= longAt(edit, edits.document)
    for (const [part, offset] of directory(stream, longAt(edit, edits.directory), walk)) if (!offsets.has(part)) offsets.set(part, offset)
  }
  const part = (number: number): PptRecord | undefined => {
    const offset = offsets.get(number)
    return offset === undefined ? undefined : walk.at(stream, offset)
  }
  const document = id === undefined ? undefined : part(id)
  if (document?.type !== types.document) throw new UnreadableDocument('broken')
  return { walk, document: document.body, part }
}

/** The edits of a file, the last one first; each once, although they may refer to each other in a circle. */
function* editsOf(stream: Buffer, last: number, walk: Walk): Generator<Buffer> {
  const seen = new Set<number>()
  let offset: number | undefined = walk.at(stream, last)?.type === types.edit ? last : lastEdit(stream, walk)
  while (offset !== undefined && !seen.has(offset)) {
    seen.add(offset)
    const edit = walk.at(stream, offset)
    if (edit?.type !== types.edit) return
    yield edit.body
    offset = longAt(edit.body, edits.before) || undefined
  }
}

/** Finds the last edit of a file that does not say where it is. */
function lastEdit(stream: Buffer, walk: Walk): number | undefined {
  let offset = 0
  let found: number | undefined
  for (const { type } of walk.in(stream)) {
    if (type === types.edit) found = offset
    offset += 8 + longAt(stream, offset + 4)
  }
  return found
}

/**
 * The offsets of the parts in an edit: sequences, each with the id of its first part and their number
 * (`PersistDirectoryAtom`).
 */
function* directory(stream: Buffer, offset: number, walk: Walk): Generator<readonly [number, number]> {
  const record = walk.at(stream, offset)
  if (record?.type !== types.directory) return
  const { body } = record
  for (let at = 0; at + 4 <= body.length; ) {
    const first = longAt(body, at) & maxPart
    const count = Math.min(wordAt(body, at + 2) >> 4, Math.floor((body.length - at - 4) / 4))
    walk.spend(1 + count)
    for (let i = 0; i < count; i++) yield [first + i, longAt(body, at + 4 + i * 4)]
    at += 4 + count * 4
  }
}
