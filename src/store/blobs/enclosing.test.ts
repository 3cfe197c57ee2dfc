import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BlobPlace, BlobRows, Blobs } from '../../domain/blobs.ts'
import type { Store } from '../../domain/store.ts'
import { blobsContract } from '../contract/blobs.contract.ts'
import { caching, entry } from '../contract/fixtures.contract.ts'
import { readingConnection, writingConnection } from '../sqlite/connection.ts'
import { sqliteStore } from '../sqlite/store.ts'
import { first, run } from '../op.ts'
import { sql } from '../sql.ts'
import { diskBlobs } from './disk.ts'
import { enclosing } from './enclosing.ts'

let dataDir = ''
let store: Store
let later = 0
const now = (): number => Date.now() + later
const folder = (): string => join(dataDir, 'blobs')
const opened = (encloses = true): Blobs => enclosing(diskBlobs(folder()), store.blobRows, { now, encloses })
const files = async (): Promise<readonly string[]> => (await readdir(folder(), { recursive: true }).catch(() => [])).filter((name) => /[0-9a-f]{64}/.test(name))

async function open(): Promise<void> {
  dataDir = await mkdtemp(join(tmpdir(), 'trawl-enclosing-'))
  later = 0
  store = await sqliteStore({ dataDir })
}

async function close(): Promise<void> {
  await store.close()
  await rm(dataDir, { recursive: true })
}

async function age(ms: number): Promise<void> {
  later += ms
  for (const name of await files()) {
    const then = new Date((await stat(join(folder(), name))).mtimeMs - ms)
    await utimes(join(folder(), name), then, then)
  }
}

/** Changes a stored blob in its row or file. */
async function damage(key: string, change: (file: Buffer) => Buffer): Promise<void> {
  const connection = writingConnection(join(dataDir, 'trawl.db'))
  try {
    const row = connection.execute(first<{ packed: Uint8Array }>(sql`select packed from blobs where key = ${key}`))
    if (row) return connection.execute(run(sql`update blobs set packed = ${change(Buffer.from(row.packed))} where key = ${key}`))
  } finally {
    connection.close()
  }
  const path = join(folder(), key.slice(0, 2), key)
  await writeFile(path, change(await readFile(path)))
}

/** Puts blobs like a scrape does: an enclosed blob is written with a settlement. */
function settling(blobs: Blobs): BlobPlace {
  return {
    ...blobs,
    async put(bytes) {
      const { key, enclosed } = await blobs.enclose(bytes)
      await store.results.settle({ team: 'a', result: null, charge: null, cache: null, enclosed: enclosed === null ? [] : [enclosed] })
      return key
    },
  }
}

blobsContract('rows and files', {
  async open() {
    await open()
    return settling(opened())
  },
  another: () => settling(opened()),
  age,
  damage,
  close,
})

const html = new TextEncoder().encode('<li class="row"><a href="/x">word</a></li>\n'.repeat(1_000))
const keyOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('an enclosed blob', () => {
  // The suite above opens and closes the store around each test.

  it('is stored only with its settlement, and not in a file', async () => {
    const blobs = opened()
    const { key, enclosed } = await blobs.enclose(html)
    expect(key).toBe(keyOf(html))
    expect([await blobs.get(key), await blobs.keep(key)]).toEqual([null, false])
    await store.results.settle({ ...caching({ ...entry('e'), blob: key }), enclosed: enclosed === null ? [] : [enclosed] })
    expect([await blobs.keep(key), await files()]).toEqual([true, []])
    expect(Buffer.from((await blobs.get(key)) ?? []).equals(html)).toBe(true)
  })

  it('is not stored if its settlement fails', async () => {
    const blobs = opened()
    const { key, enclosed } = await blobs.enclose(html)
    const broken = { team: 'nobody', result: null, charge: { ref: 'r', kind: 'scrape', credits: 1, at: 0 }, cache: null, enclosed: enclosed === null ? [] : [enclosed] } as const
    await expect(store.results.settle(broken)).rejects.toThrow()
    expect(await blobs.get(key)).toBeNull()
  })

  it.each([['packed to more than 64 KB', 70_000], ['too long to be packed to see', 600_000]])('is not used if it is %s: the blob becomes a durable file', async (_, length) => {
    const noise = randomBytes(length)
    const { key, enclosed } = await opened().enclose(noise)
    expect([enclosed, (await files()).length]).toEqual([null, 1])
    expect(Buffer.from((await opened().get(key)) ?? []).equals(noise)).toBe(true)
  })

  it('is found among older files as well', async () => {
    const key = await diskBlobs(folder()).put(html)
    const blobs = opened()
    expect([await blobs.keep(key), Buffer.from((await blobs.get(key)) ?? []).equals(html)]).toEqual([true, true])
    await age(7_200_000)
    expect(await blobs.sweep(async () => new Set(), 3_600_000)).toBe(1)
  })

  it('is found after enclosing was turned off', async () => {
    const { key, enclosed } = await opened().enclose(html)
    await store.results.settle({ ...caching({ ...entry('e'), blob: key }), enclosed: enclosed === null ? [] : [enclosed] })
    const apart = opened(false)
    expect([await apart.keep(key), Buffer.from((await apart.get(key)) ?? []).equals(html)]).toEqual([true, true])
    const small = new TextEncoder().encode('small')
    expect(await apart.enclose(small)).toEqual({ key: keyOf(small), enclosed: null })
    expect(await files()).toHaveLength(1)
  })

  it("leaves no bytes in the store's files when it is removed", async () => {
    const noise = randomBytes(20_000)
    const { key, enclosed } = await opened().enclose(noise)
    await store.results.settle({ team: 'a', result: null, charge: null, cache: null, enclosed: enclosed === null ? [] : [enclosed] })
    await age(120_000)
    const left = async (): Promise<boolean> => {
      const names = (await readdir(dataDir)).filter((name) => name.startsWith('trawl.db'))
      const held = await Promise.all(names.map(async (name) => readFile(join(dataDir, name))))
      return held.some((file) => file.includes(noise.subarray(9_000, 9_064)))
    }
    expect(await left()).toBe(true)
    // A reader keeps the journal from being cleared as long as it reads.
    const backup = readingConnection(join(dataDir, 'trawl.db'))
    backup.exec('begin')
    backup.execute(first(sql`select at from blobs`))
    const started = performance.now()
    expect(await opened().remove([key], async () => new Set(), 60_000)).toBe(1)
    await store.ping()
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(await left()).toBe(true)
    backup.exec('commit')
    backup.close()
    await expect.poll(async () => store.ping().then(left)).toBe(false)
  })

  it('leaves no bytes if there are no readers, long before the service ends', async () => {
    const noise = randomBytes(20_000)
    const { key, enclosed } = await opened().enclose(noise)
    await store.results.settle({ team: 'a', result: null, charge: null, cache: null, enclosed: enclosed === null ? [] : [enclosed] })
    const holders = async (): Promise<number> => {
      const files = await Promise.all((await readdir(dataDir)).filter((one) => one.startsWith('trawl.db')).map((name) => readFile(join(dataDir, name))))
      return files.filter((bytes) => bytes.includes(noise.subarray(9_000, 9_064))).length
    }
    expect(await holders()).toBeGreaterThan(0)
    await age(120_000)
    expect(await opened().remove([key], async () => new Set(), 60_000)).toBe(1)
    expect(await holders()).toBe(0)
  })

  it('survives every sweep while a row names it, and is removed by the next one after that', async () => {
    const blobs = opened()
    const { key, enclosed } = await blobs.enclose(html)
    await store.results.settle({ ...caching({ ...entry('e'), blob: key }), enclosed: enclosed === null ? [] : [enclosed] })
    await age(7_200_000)
    expect(await blobs.sweep(store.blobsInUse, 3_600_000)).toBe(0)
    await store.cache.evict(0)
    expect(await blobs.sweep(store.blobsInUse, 3_600_000)).toBe(1)
    expect(await blobs.get(key)).toBeNull()
  })
})

describe('rows that are read in batches', () => {
  const busy = (ms: number): void => {
    for (const end = performance.now() + ms; performance.now() < end; );
  }
  const nothing = { put: async () => '', keep: async () => false, get: async () => null, sweep: async () => 0, remove: async () => 0 }
  const over = (rows: Partial<BlobRows>): Blobs => enclosing(nothing, { find: async () => null, keptAt: async () => null, keep: async () => false, old: async () => [], remove: async () => 0, ...rows }, { now: Date.now, encloses: true })

  /** The turns of the event loop during the work. */
  async function turnsOf(work: () => Promise<unknown>): Promise<number> {
    let turns = 0
    let at = setImmediate(function again() {
      turns++
      at = setImmediate(again)
    })
    await work()
    clearImmediate(at)
    return turns
  }

  it('let the event loop run while a sweep finds every row in use', async () => {
    let batches = 0
    const blobs = over({ old: async () => (++batches > 50 ? [] : [{ at: batches, key: 'used' }]) })
    const inUse = async (): Promise<ReadonlySet<string>> => {
      busy(2)
      return new Set(['used'])
    }
    expect(await turnsOf(() => blobs.sweep(inUse, 0))).toBeGreaterThan(18)
    expect(await turnsOf(() => blobs.remove(Array.from({ length: 10_000 }, () => 'used'), inUse, 0))).toBeGreaterThan(18)
  })

  it('leave most of the time to others, because a scrape needs many turns of the loop', async () => {
    const blobs = over({
      find: async () => {
        busy(1)
        return null
      },
    })
    const gets = async (): Promise<void> => {
      for (let i = 0; i < 50; i++) await blobs.get('none')
    }
    expect(await turnsOf(gets)).toBeGreaterThan(18)
  })
})
