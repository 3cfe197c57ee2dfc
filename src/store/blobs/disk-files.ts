import { randomUUID } from 'node:crypto'
import { closeSync, constants, fstatSync, fsync, lstatSync, open, openSync, read, write, writeSync } from 'node:fs'
import { rename, unlink, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode, missing } from './file-errors.ts'
import { decodeBlob } from './format.ts'

/** Longer data is neither copied before writing nor written synchronously. */
const longBytes = 262_144

// Passing work to another thread costs more than the work itself: whatever does not wait for the disk is done
// synchronously.
const opened = promisify(open)
const synced = promisify(fsync)
const readFrom = promisify(read)
const writeTo = promisify(write)

/**
 * Writes a short blob at its final path, and syncs file and folder at once; false when the file exists already, or the blob
 * is long. A reader that finds the file half written treats it as damaged by a crash, and replaces it with a complete one.
 */
export async function create(path: string, pieces: readonly Uint8Array[]): Promise<boolean> {
  if (lengthOf(pieces) > longBytes) return false
  let file: number
  try {
    file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
  try {
    const bytes = Buffer.concat(pieces)
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    const synchronised = await Promise.allSettled([synced(file), syncFolder(dirname(path))])
    for (const one of synchronised) if (one.status === 'rejected') throw one.reason
    return true
  } finally {
    closeSync(file)
  }
}

/**
 * Postpones the sweep of an existing blob, and waits until it is durable, whichever process wrote it; false when it is
 * missing or damaged, and must be written.
 */
export async function refresh(path: string, key: string): Promise<boolean> {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false
  const file = await readWhole(path, true)
  if (!file || !(await decodeBlob(file, key)) || !(await touch(path))) return false
  await syncFolder(dirname(path))
  return true
}

/** Marks a file as used now, which postpones its sweep; false when there is none. */
export async function touch(path: string): Promise<boolean> {
  const now = new Date()
  return utimes(path, now, now).then(() => true, missing)
}

/** Replaces a file atomically: readers never see it half written. */
export async function replace(blob: { pieces: readonly Uint8Array[]; path: string; temporary: string }): Promise<void> {
  const half = join(blob.temporary, randomUUID())
  const file = await opened(half, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
  try {
    await writePieces(file, blob.pieces)
    await rename(half, blob.path)
  } catch (error) {
    await unlink(half).catch(missing)
    throw error
  }
  await syncFolder(dirname(blob.path))
}

async function writePieces(file: number, pieces: readonly Uint8Array[]): Promise<void> {
  try {
    for (const piece of joined(pieces)) for (let at = 0; at < piece.length; ) at += await writeSome(file, piece.subarray(at))
    await synced(file)
  } finally {
    closeSync(file)
  }
}

/** Returns how many bytes were written. */
async function writeSome(file: number, bytes: Uint8Array): Promise<number> {
  return bytes.length <= longBytes ? writeSync(file, bytes) : (await writeTo(file, bytes)).bytesWritten
}

/** Joins short pieces, to write them synchronously; joining long ones would block the thread. */
function joined(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
  return lengthOf(pieces) > longBytes ? pieces : [Buffer.concat(pieces)]
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0)
}

/** Makes the entries of a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await synced(folder)
  } finally {
    closeSync(folder)
  }
}

/** The bytes of a file, made durable first if `sync` is set; null when there is none. */
export async function readWhole(path: string, sync = false): Promise<Uint8Array | null> {
  let file: number
  try {
    file = await opened(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ELOOP')) return null
    throw error
  }
  try {
    const bytes = Buffer.allocUnsafe(fstatSync(file).size)
    let at = 0
    for (let got = -1; at < bytes.length && got !== 0; at += got) got = (await readFrom(file, bytes, at, bytes.length - at, null)).bytesRead
    if (sync) await synced(file)
    return bytes.subarray(0, at)
  } finally {
    closeSync(file)
  }
}
