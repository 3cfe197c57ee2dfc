import { randomUUID } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { access, constants, readdir, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobPlace } from '../../domain/blobs.ts'
import { StoreAway } from '../../domain/errors.ts'
import { once } from '../../lib/once.ts'
import { makeFolder } from '../make-folder.ts'
import { create, readWhole, refresh, replace, syncFolder, touch } from './disk-files.ts'
import { classified, hasCode, missing } from './file-errors.ts'
import { contentKey, decodeBlob, encodeBlob, keyPattern } from './format.ts'
import { soundFiles } from './sound.ts'

/** A temporary file older than this belongs to a process that has died. */
const leftoverMs = 600_000

/** Keys per query. */
const sweepBatch = 200

const notAFolder = 'The blob folder holds a link or a file where a folder of its own should be.'
const subfolderPattern = /^[0-9a-f]{2}$/
/** Names of our own temporary files: an existing folder may contain files of others. */
const temporaryPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Blobs as files in a folder: content-addressed, compressed, readable to the owner only. The first two characters of the
 * key name a sub-folder. Several processes may share the folder. `open` makes and examines it, which otherwise happens with
 * the first blob, and throws what the file system says where it cannot be written; everything else throws `StoreAway` for
 * what may pass.
 */
export function diskBlobs(folder: string): BlobPlace & { open(): Promise<void> } {
  const { isGone, open, put, keep, get, sweep, remove } = files(folder)
  const named = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw hasCode(error, 'ENOENT') && isGone() ? new StoreAway(error) : classified(error)
    })
  return {
    open,
    put: (bytes) => named(put(bytes)),
    keep: (key) => named(keep(key)),
    get: (key) => named(get(key)),
    sweep: (...args) => named(sweep(...args)),
    remove: (...args) => named(remove(...args)),
  }
}

function files(folder: string): BlobPlace & { open(): Promise<void>; isGone(): boolean } {
  const temporary = join(folder, 'tmp')
  /** Whether this process has seen the folder. */
  let known = false
  const ready = once(async () => {
    const present = await prepare(folder, temporary)
    known = true
    return present
  })
  const isThere = (): boolean => lstatSync(temporary, { throwIfNoEntry: false }) !== undefined
  /** Whether the folder was there and is not any more, such as that of an unmounted disk. */
  const isGone = (): boolean => known && !isThere()
  /** What is not in a folder that is gone may well exist. Throws `StoreAway`. */
  const assertThere = (): void => {
    if (isGone()) throw new StoreAway(new Error('The folder of the blobs is gone.'))
  }
  const subfolder = subfoldersOf(folder, temporary, ready)
  const underWay = new Map<string, Promise<string>>()
  const sound = soundFiles()
  const pathOf = (key: string): string => join(folder, key.slice(0, 2), key)

  const kept = async (key: string, bytes: Uint8Array): Promise<string> => {
    const { durable } = await subfolder(key.slice(0, 2))
    const path = pathOf(key)
    const there = sound.has(path) ? await touch(path) : await refresh(path, key)
    if (!there) {
      const pieces = await encodeBlob(bytes)
      if (!(await create(path, pieces))) await replace({ pieces, path, temporary })
    }
    await durable
    sound.note(path)
    return key
  }
  const removeUnused = async (keys: readonly string[], inUse: Parameters<BlobPlace['sweep']>[0], before: number): Promise<number> => {
    let removed = 0
    for (let i = 0; i < keys.length; i += sweepBatch) {
      const batch = keys.slice(i, i + sweepBatch)
      const used = await inUse(batch)
      for (const key of batch) if (!used.has(key) && (await removeUnlessTouched(pathOf(key), { before, temporary }))) removed++
    }
    return removed
  }
  return {
    isGone,
    open: async () => void (await ready()),
    put: async (bytes) => {
      const key = await contentKey(bytes)
      const before = underWay.get(key)
      if (before) return before
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
      if (!there) assertThere()
      return there
    },
    get: async (key) => {
      if (!keyPattern.test(key)) return null
      const path = pathOf(key)
      const file = await readWhole(path)
      if (file === null) assertThere()
      else known ||= isThere()
      const bytes = file && (await decodeBlob(file, key))
      // A disk may corrupt a file without a visible change.
      if (bytes === null) sound.forget(path)
      return bytes
    },
    sweep: async (inUse, graceMs) => {
      await ready()
      await removeLeftovers(temporary)
      const before = Date.now() - graceMs
      let removed = 0
      for (const name of await subfolders(folder)) removed += await removeUnused(await olderThan(join(folder, name), before), inUse, before)
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
      return removeUnused(old, inUse, before)
    },
  }
}

/** Creates the folder and removes temporary files of dead processes; returns the names of the existing sub-folders. */
async function prepare(folder: string, temporary: string): Promise<readonly string[]> {
  await makeFolder(temporary, 0o700)
  await access(temporary, constants.W_OK)
  const present = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => subfolderPattern.test(name))
  if (present.some((entry) => !entry.isDirectory())) throw new Error(notAFolder)
  await syncFolder(folder)
  await removeLeftovers(temporary)
  return present.map(({ name }) => name)
}

/**
 * Creates a sub-folder synchronously: awaiting it would take a turn of the event loop, which can be as long as reading a
 * page.
 */
function makeSubfolder(path: string, temporary: string): void {
  // Throws when the parent folder is gone, such as an unmounted disk: data written in its place would be lost with the next
  // mount.
  lstatSync(temporary)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    if (!lstatSync(path).isDirectory()) throw new Error(notAFolder, { cause: error })
  }
}

/** Creates the requested sub-folders, once each; await it before a file in one of them counts as durable. */
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

/**
 * Moves the file aside first: a `put` of the same bytes has either touched it, which shows now, or finds it gone and writes
 * it again.
 */
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
