import { randomUUID } from 'node:crypto'
import { closeSync, constants, fstatSync, fsync, lstatSync, open, openSync, read, write, writeSync } from 'node:fs'
import { rename, unlink, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode, missing } from './file-errors.ts'
import { decodeBlob } from './format.ts'

/** More than this is neither copied to be written, nor written at once. */
const longBytes = 262_144

// Each of these is a way to another thread and back, which costs more than the work itself: so what does not wait for the disk is done at once.
const opened = promisify(open)
const synced = promisify(fsync)
const readFrom = promisify(read)
const writeTo = promisify(write)

/**
 * Writes a short blob where it belongs, file and folder synced at once; false when there is a file already, or the blob is long. Who finds
 * the file half written takes it for damaged, as what a crash leaves, and puts a whole one in its place.
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

/** Puts off the sweep of a blob that is there already, and waits until it is durable, whoever has written it; false when it is missing or damaged, so that it must be written. */
export async function refresh(path: string, key: string): Promise<boolean> {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false
  const file = await readWhole(path, true)
  if (!file || !(await decodeBlob(file, key)) || !(await touch(path))) return false
  await syncFolder(dirname(path))
  return true
}

/** Marks a file as used now, which puts off its sweep; false when there is none. */
export async function touch(path: string): Promise<boolean> {
  const now = new Date()
  return utimes(path, now, now).then(() => true, missing)
}

/** Writes a file in the place of what may be there; readers never see it half written. */
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

/** Short pieces as one, to be written at once; to join long ones would hold everything else up. */
function joined(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
  return lengthOf(pieces) > longBytes ? pieces : [Buffer.concat(pieces)]
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0)
}

/** Makes durable which files a folder holds. */
export async function syncFolder(path: string): Promise<void> {
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await synced(folder)
  } finally {
    closeSync(folder)
  }
}

/** The bytes of a file, made durable first where `sync` asks for it; null when there is none. */
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
