import { createHash, randomUUID } from 'node:crypto'
import type { BlobPlace } from '../../domain/blobs.ts'
import { steadyNow } from '../../lib/steady-now.ts'
import type { OperatorHttp } from '../../net/index.ts'
import { contentKey, decodeBlob, encodeBlob, keyPattern } from './format.ts'
import { type S3Client, s3Client, type S3Page } from './s3-client.ts'
import type { S3Credentials, S3Place } from './s3-place.ts'

/** Up to this size an upload costs no more than asking whether it is needed. */
const askFirstBytes = 65_536

/** A blob younger than this need not be renewed: far below the grace of a sweep. */
const freshMs = 600_000

/** Keys per query during a sweep. */
const sweepBatch = 200

/** Concurrent moves or removals during a sweep; requests for pages continue meanwhile. */
const sweepWidth = 8

const hashStep = 1_048_576

const liveFolder = 'blobs/'
const retiredFolder = 'retired/'
const live = (key: string): string => liveFolder + key
const retiredOf = (key: string): string => `${retiredFolder}${key}/`

/**
 * Blobs as objects of an S3-compatible store: content-addressed, compressed. Any number of processes may share the place.
 * An object store cannot remove an object on condition that nobody has written it meanwhile. So a sweep removes in two
 * steps: an unused blob is copied to a separate name and then removed; a later sweep, at least `graceMs` afterwards,
 * removes the copy if the blob is still unused. A process that puts or keeps the blob between copy and removal loses the
 * object, but not the copy: `get` finds it there, and the later sweep restores it. Blobs removed by name are removed in two
 * calls, of which the second removes the copies.
 */
export function s3Blobs(place: S3Place, credentials: S3Credentials, http: OperatorHttp): BlobPlace {
  const client = s3Client(place, credentials, http)
  const underWay = new Map<string, Promise<string>>()

  const store = async (key: string, bytes: Uint8Array): Promise<string> => {
    const file = Buffer.concat(await encodeBlob(bytes))
    if (file.length <= askFirstBytes || !(await isFreshAndSame(client, key, file))) await client.put(live(key), file)
    return key
  }
  return {
    put: async (bytes) => {
      const key = await contentKey(bytes)
      const known = underWay.get(key)
      if (known) return known
      const work = store(key, bytes).finally(() => underWay.delete(key))
      underWay.set(key, work)
      return work
    },
    keep: async (key) => {
      if (!keyPattern.test(key)) return false
      const found = await client.head(live(key))
      if (found !== null && (found.ageMs < freshMs || (await client.copy(live(key), live(key))))) return true
      for await (const name of retiredCopies(client, key)) if (await client.copy(name, live(key))) return true
      return false
    },
    get: async (key) => {
      if (!keyPattern.test(key)) return null
      // Twice, because wrong bytes may have been corrupted in transit.
      for (let tries = 0; tries < 2; tries++) {
        const file = await client.get(live(key))
        const bytes = file && (await decodeBlob(file, key))
        if (bytes !== null) return bytes
        if (file === null) break
      }
      for await (const name of retiredCopies(client, key)) {
        const file = await client.get(name)
        const bytes = file && (await decodeBlob(file, key))
        if (bytes !== null) return bytes
      }
      return null
    },
    sweep: async (inUse, graceMs) => {
      await settleRetired(client, inUse, graceMs)
      let removed = 0
      for await (const { page, batch } of oldBatches(client, liveFolder, graceMs)) {
        const old = batch.filter((name) => keyPattern.test(keyIn(name)))
        const used = await inUse(old.map(keyIn))
        await each(old.filter((name) => !used.has(keyIn(name))), async (name) => {
          if (await retire(client, keyIn(name), { before: page.now - graceMs, withinMs: graceMs / 2 })) removed++
        })
      }
      return removed
    },
    remove: async (keys, inUse, graceMs) => {
      let removed = 0
      const own = [...new Set(keys)].filter((key) => keyPattern.test(key))
      for (let i = 0; i < own.length; i += sweepBatch) {
        const some = own.slice(i, i + sweepBatch)
        const used = await inUse(some)
        await each(some.filter((key) => !used.has(key)), async (key) => {
          const found = await client.head(live(key))
          if (found === null) return removeCopies(client, key, graceMs)
          const { at } = found
          if (at === null || found.ageMs <= graceMs) return
          if (await retire(client, key, { before: at, withinMs: graceMs / 2 })) removed++
        })
      }
      return removed
    },
  }
}

const keyIn = (name: string): string => name.split('/')[1] ?? ''

/**
 * Whether the store has these very bytes under the key, young enough not to be renewed. A damaged object has another tag.
 */
async function isFreshAndSame(client: S3Client, key: string, file: Uint8Array): Promise<boolean> {
  const found = await client.head(live(key))
  return found !== null && found.ageMs < freshMs && found.etag === (await md5Of(file))
}

/** In pieces, so that a large blob does not block the thread. */
async function md5Of(file: Uint8Array): Promise<string> {
  const hash = createHash('md5')
  for (let from = 0; from < file.length; from += hashStep) {
    if (from > 0) await new Promise((resolve) => setImmediate(resolve))
    hash.update(file.subarray(from, from + hashStep))
  }
  return hash.digest('hex')
}

async function* retiredCopies(client: S3Client, key: string): AsyncGenerator<string> {
  for await (const { objects } of client.list(retiredOf(key))) for (const { name } of objects) yield name
}

/** Removes the copies of an unused blob; any put since then has become known long ago. */
async function removeCopies(client: S3Client, key: string, graceMs: number): Promise<void> {
  for await (const { batch } of oldBatches(client, retiredOf(key), graceMs)) await each(batch, (name) => client.remove(name))
}

/** The objects of a folder that are older than the grace, in batches. */
async function* oldBatches(client: S3Client, folder: string, graceMs: number): AsyncGenerator<{ readonly page: S3Page; readonly batch: readonly string[] }> {
  for await (const page of client.list(folder)) {
    const old = page.objects.filter(({ at }) => at < page.now - graceMs).map(({ name }) => name)
    for (let i = 0; i < old.length; i += sweepBatch) yield { page, batch: old.slice(i, i + sweepBatch) }
  }
}

/** The milliseconds since the call, by the clock that says more: the time of day may have been set back, and the steady clock stands still while the machine sleeps. */
function longestSince(): () => number {
  const [day, steady] = [Date.now(), steadyNow()]
  return () => Math.max(Date.now() - day, steadyNow() - steady)
}

/** First step of a removal; false when the blob is gone or was written since. */
async function retire(client: S3Client, key: string, { before, withinMs }: { before: number; withinMs: number }): Promise<boolean> {
  const sinceBegin = longestSince()
  if (!(await client.copy(live(key), retiredOf(key) + randomUUID(), before))) return false
  // If this process was suspended meanwhile, others may have put the blob again, and a later sweep may remove the copy before
  // it sees their rows.
  if (sinceBegin() > withinMs) return false
  await client.remove(live(key))
  return true
}

/** Second step: removes old copies, after restoring those whose blob is in use after all. */
async function settleRetired(client: S3Client, inUse: (keys: readonly string[]) => Promise<ReadonlySet<string>>, graceMs: number): Promise<void> {
  for await (const { batch } of oldBatches(client, retiredFolder, graceMs)) {
    const copies = batch.filter((name) => keyPattern.test(keyIn(name)))
    const used = await inUse([...new Set(copies.map(keyIn))])
    await each(copies, async (name) => {
      const key = keyIn(name)
      // The copy of a restored blob stays until the next sweep, for readers that have just missed the blob.
      if (used.has(key) && (await client.head(live(key))) === null) await client.copy(name, live(key))
      else await client.remove(name)
    })
  }
}

async function each(names: readonly string[], work: (name: string) => Promise<void>): Promise<void> {
  for (let i = 0; i < names.length; i += sweepWidth) await Promise.all(names.slice(i, i + sweepWidth).map(work))
}
