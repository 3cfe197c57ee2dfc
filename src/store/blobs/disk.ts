import { randomUUID } from 'node:crypto'
import { closeSync, constants, fstatSync, fsync, lstatSync, mkdirSync, open, openSync, read, write, writeSync } from 'node:fs'
import { mkdir, readdir, rename, stat, unlink, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { BlobPlace } from '../../domain/blobs.ts'
import { once } from '../../lib/once.ts'
import { contentKey, decodeBlob, encodeBlob } from './format.ts'
import { soundFiles } from './sound.ts'

/** A temporary file older than this belongs to a writer that is gone. */
const leftoverMs = 600_000

/** More than this is neither copied to be written, nor written at once. */
const longBytes = 262_144

// Each of these is a way to another thread and back, which costs more than the work itself: so what does not wait for the disk is done at once.
const opened = promisify(open)
const synced = promisify(fsync)
const readFrom = promisify(read)
const writeTo = promisify(write)

/** Keys asked about at once during a sweep. */
const sweepBatch = 200

const keyPattern = /^[0-9a-f]{64}$/
const notAFolder = 'The blob folder holds a link or a file where a folder of its own should be.'
const subfolderPattern = /^[0-9a-f]{2}$/
/** Names of our own temporary files: a folder that was there before may hold what is others'. */
const temporaryPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Blobs as files of a folder: content-addressed, compressed, readable to the owner only.
 * The first two characters of the key name a sub-folder. Several processes may share the folder.
 */
export function diskBlobs(folder: string): BlobPlace {
  const temporary = join(folder, 'tmp')
  const ready = once(() => prepare(folder, temporary))
  const subfolder = subfoldersOf(folder, temporary, ready)
  const underWay = new Map<string, Promise<string>>()
  const sound = soundFiles()
  const pathOf = (key: string): string => join(folder, key.slice(0, 2), key)

  const kept = async (key: string, bytes: Uint8Array): Promise<string> => {
    const { durable } = await subfolder(key.slice(0, 2))
    const path = pathOf(key)
    const known = sound.has(path) ? await touch(path) : await refresh(path, key)
    if (!known) {
      const pieces = await encodeBlob(bytes)
      if (!(await create(path, pieces))) await replace({ pieces, path, temporary })
    }
    await durable
    sound.note(path)
    return key
  }
  const removeUnused = async (keys: readonly string[], inUse: Parameters<BlobPlace['sweep']>[0], before: number): Promise<number> => {
    const used = await inUse(keys)
    let removed = 0
    for (const key of keys) if (!used.has(key) && (await removeUnlessTouched(pathOf(key), { before, temporary }))) removed++
    return removed
  }
  return {
    put: async (bytes) => {
      const key = await contentKey(bytes)
      const known = underWay.get(key)
      if (known) return known
      const work = kept(key, bytes).finally(() => underWay.delete(key))
      underWay.set(key, work)
      return work
    },
    keep: async (key) => {
      if (!keyPattern.test(key)) return false
      const path = pathOf(key)
      const isSound = sound.has(path)
      const there = await touch(path)
      if (isSound && there) sound.note(path)
      return there
    },
    get: async (key) => {
      if (!keyPattern.test(key)) return null
      const path = pathOf(key)
      const file = await readWhole(path)
      const bytes = file && (await decodeBlob(file, key))
      // A disk may spoil a file without a change that shows.
      if (bytes === null) sound.forget(path)
      return bytes
    },
    sweep: async (inUse, graceMs) => {
      await ready()
      await removeLeftovers(temporary)
      const before = Date.now() - graceMs
      let removed = 0
      for (const name of await subfolders(folder)) {
        const keys = await olderThan(join(folder, name), before)
        for (let i = 0; i < keys.length; i += sweepBatch) {
          removed += await removeUnused(keys.slice(i, i + sweepBatch), inUse, before)
        }
      }
      return removed
    },
    remove: async (keys, inUse, graceMs) => {
      await ready()
      const before = Date.now() - graceMs
      const old: string[] = []
      for (const key of new Set(keys)) {
        const found = keyPattern.test(key) && (await stat(pathOf(key)).catch(missing))
        if (found && found.mtimeMs < before) old.push(key)
      }
      let removed = 0
      for (let i = 0; i < old.length; i += sweepBatch) removed += await removeUnused(old.slice(i, i + sweepBatch), inUse, before)
      return removed
    },
  }
}

/** Makes the folder and clears away what writers that are gone have left half written; answers the names of the sub-folders that are there. */
async function prepare(folder: string, temporary: string): Promise<readonly string[]> {
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  const present = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => subfolderPattern.test(name))
  if (present.some((entry) => !entry.isDirectory())) throw new Error(notAFolder)
  await syncFolder(folder)
  await removeLeftovers(temporary)
  return present.map(({ name }) => name)
}

/** Makes a sub-folder at once: a wait would last a turn of the event loop, which may be as long as a page is read. */
function makeSubfolder(path: string, temporary: string): void {
  // Throws where the folder has gone, such as a disk that is not mounted any more: what is written in its place would be lost with the next mount.
  lstatSync(temporary)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    if (!lstatSync(path).isDirectory()) throw new Error(notAFolder, { cause: error })
  }
}

/** Makes the sub-folders that are wanted, once each; to be awaited before what is in one is called durable. */
function subfoldersOf(folder: string, temporary: string, ready: () => Promise<readonly string[]>): (name: string) => Promise<{ readonly durable: Promise<void> }> {
  const known = new Map<string, Promise<void>>()
  const there = once(async () => {
    for (const name of await ready()) known.set(name, Promise.resolve())
  })
  return async (name) => {
    await there()
    const before = known.get(name)
    if (before !== undefined) return { durable: before }
    makeSubfolder(join(folder, name), temporary)
    const durable = syncFolder(folder)
    known.set(name, durable)
    durable.catch(() => known.delete(name))
    return { durable }
  }
}

/**
 * Writes a short blob where it belongs, file and folder synced at once; false when there is a file already, or the blob is long. Who finds
 * the file half written takes it for damaged, as what a crash leaves, and puts a whole one in its place.
 */
async function create(path: string, pieces: readonly Uint8Array[]): Promise<boolean> {
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
async function refresh(path: string, key: string): Promise<boolean> {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false
  const file = await readWhole(path, true)
  if (!file || !(await decodeBlob(file, key)) || !(await touch(path))) return false
  await syncFolder(dirname(path))
  return true
}

async function touch(path: string): Promise<boolean> {
  const now = new Date()
  return utimes(path, now, now).then(() => true, missing)
}

/** Readers never see it half written. */
async function replace(blob: { pieces: readonly Uint8Array[]; path: string; temporary: string }): Promise<void> {
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

/** Answers how many bytes were written. */
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

async function syncFolder(path: string): Promise<void> {
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await synced(folder)
  } finally {
    closeSync(folder)
  }
}

async function readWhole(path: string, sync = false): Promise<Uint8Array | null> {
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

async function subfolders(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => subfolderPattern.test(name))
}

async function olderThan(folder: string, before: number): Promise<readonly string[]> {
  const keys: string[] = []
  for (const name of await readdir(folder)) {
    const found = keyPattern.test(name) && (await stat(join(folder, name)).catch(missing))
    if (found && found.mtimeMs < before) keys.push(name)
  }
  return keys
}

/** Takes the file aside first: a `put` of the same bytes then either has touched it, which shows now, or finds it gone and writes it anew. */
async function removeUnlessTouched(path: string, sweep: { before: number; temporary: string }): Promise<boolean> {
  const aside = join(sweep.temporary, randomUUID())
  try {
    await rename(path, aside)
  } catch (error) {
    return missing(error)
  }
  const taken = await stat(aside).catch(missing)
  if (taken && taken.mtimeMs >= sweep.before) {
    await rename(aside, path)
    return false
  }
  await unlink(aside).catch(missing)
  return true
}

async function removeLeftovers(temporary: string): Promise<void> {
  const before = Date.now() - leftoverMs
  for (const name of (await readdir(temporary)).filter((one) => temporaryPattern.test(one))) {
    const path = join(temporary, name)
    const found = await stat(path).catch(missing)
    if (found && found.mtimeMs < before) await unlink(path).catch(missing)
  }
}

/** False for a file that is not there; anything else is a fault and goes on. */
function missing(error: unknown): false {
  if (hasCode(error, 'ENOENT')) return false
  throw error
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
}
