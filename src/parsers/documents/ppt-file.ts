import { longAt, type Streams, wordAt } from './compound.ts'
import { type PptRecord, types, Walk } from './ppt-records.ts'
import { UnreadableDocument } from './unreadable.ts'

/** A presentation whose parts can be asked for. */
export interface PptFile {
  readonly walk: Walk
  /** What the record of the whole document holds. */
  readonly document: Buffer
  /** A slide, master or page of notes by the number under which the file keeps it. */
  part(id: number): PptRecord | undefined
}

/** In the stream of who wrote the file last, what says that the file is locked, and where the last edit is (`CurrentUserAtom`). */
const lockedMark = 0xf3d1c4df
const markAt = 12
const lastEditAt = 16

/** Of an edit (`UserEditAtom`), where it says which one was before it, where its directory is, which part the document is, and by what it is locked. */
const edits = { before: 8, directory: 12, document: 16, lock: 28 }
const maxPart = 0xf_ffff

/** Finds the parts of a presentation: each save may have added parts to the file, and the newest of a number counts. Throws `UnreadableDocument`. */
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

/** The edits of a file, the last first; each once, though some lead to one another. */
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

/** Where the last edit is in a file that does not say so. */
function lastEdit(stream: Buffer, walk: Walk): number | undefined {
  let offset = 0
  let found: number | undefined
  for (const { type } of walk.in(stream)) {
    if (type === types.edit) found = offset
    offset += 8 + longAt(stream, offset + 4)
  }
  return found
}

/** Where the parts of an edit begin: rows of them, each with the number of its first part and how many there are (`PersistDirectoryAtom`). */
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
