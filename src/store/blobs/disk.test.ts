import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BlobPlace } from '../../domain/blobs.ts'
import { blobsContract } from '../contract/blobs.contract.ts'
import { diskBlobs } from './disk.ts'

let shared = ''
blobsContract('a folder', {
  async open() {
    shared = join(await mkdtemp(join(tmpdir(), 'trawl-blobs-')), 'blobs')
    return diskBlobs(shared)
  },
  another: () => diskBlobs(shared),
  async age(ms) {
    for (const name of await readdir(shared, { recursive: true })) {
      const path = join(shared, name)
      const found = await stat(path)
      const then = new Date(found.mtimeMs - ms)
      if (found.isFile()) await utimes(path, then, then)
    }
  },
  async damage(key, change) {
    const path = join(shared, key.slice(0, 2), key)
    await writeFile(path, change(await readFile(path)))
  },
  close: () => rm(join(shared, '..'), { recursive: true }),
})

let folder = ''
let blobs: BlobPlace
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'trawl-blobs-')), 'blobs')
  blobs = diskBlobs(folder)
})
afterEach(() => rm(join(folder, '..'), { recursive: true }))

const text = (words: string): Uint8Array => new TextEncoder().encode(words)
const html = text('<li class="row"><a href="/x">word</a></li>\n'.repeat(1_000))
const keyOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const pathOf = (key: string): string => join(folder, key.slice(0, 2), key)
const files = async (): Promise<readonly string[]> => (await readdir(folder, { recursive: true })).filter((name) => /[0-9a-f-]{36}/.test(name)).sort()

describe('blobs on disk', () => {
  it('compress compressible content and nothing else, in files only their owner can read', async () => {
    const noise = randomBytes(200_000)
    const [small, large] = [await blobs.put(html), await blobs.put(noise)]
    expect((await stat(pathOf(small))).size).toBeLessThan(html.length / 10)
    expect((await stat(pathOf(large))).size).toBe(noise.length + 7)
    expect((await stat(pathOf(small))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, small.slice(0, 2)))).mode & 0o777).toBe(0o700)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  it.each([262_144 - 7, 262_144 - 6, 3_000_000])('return %i incompressible bytes unchanged', async (length) => {
    const noise = randomBytes(length)
    const key = await blobs.put(noise)
    expect((await stat(pathOf(key))).size).toBe(length + 7)
    expect(Buffer.from((await diskBlobs(folder).get(key)) ?? []).equals(noise)).toBe(true)
  })

  it('write the same bytes once for concurrent puts, also in two processes', async () => {
    const other = diskBlobs(folder)
    const keys = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? blobs : other).put(html)))
    expect(new Set(keys)).toEqual(new Set([keyOf(html)]))
    expect(await files()).toEqual([`${keyOf(html).slice(0, 2)}/${keyOf(html)}`])
    expect(await blobs.get(keyOf(html))).toEqual(Buffer.from(html))
  })

  it('do not follow a symbolic link in the place of a blob', async () => {
    const key = await blobs.put(html)
    const elsewhere = join(folder, '..', 'elsewhere')
    await rename(pathOf(key), elsewhere)
    await symlink(elsewhere, pathOf(key))
    expect(await blobs.get(key)).toBeNull()
    await blobs.put(html)
    expect(await blobs.get(key)).toEqual(Buffer.from(html))
    expect(Buffer.from(await readFile(elsewhere)).length).toBeGreaterThan(0)
  })

  it.each(['before', 'after'])('refuse a folder whose sub-folder was replaced by a link, %s its first use', async (when) => {
    await mkdir(folder)
    if (when === 'after') await blobs.put(text('anything else'))
    await symlink(tmpdir(), join(folder, keyOf(html).slice(0, 2)))
    await expect(blobs.put(html)).rejects.toThrow('The blob folder holds a link or a file where a folder of its own should be.')
  })

  it('create sub-folders on demand, and none if the folder itself is gone', async () => {
    const key = await blobs.put(html)
    expect((await readdir(folder)).sort()).toEqual([key.slice(0, 2), 'tmp'].sort())
    const away = join(folder, '..', 'away')
    await rename(folder, away)
    await mkdir(folder)
    const gone = { name: 'StoreAway', message: expect.stringContaining('ENOENT') }
    await expect(blobs.put(text('not there'))).rejects.toMatchObject(gone)
    await expect(blobs.put(html)).rejects.toMatchObject(gone)
    expect(await readdir(folder)).toEqual([])
    await rm(folder, { recursive: true })
    await rename(away, folder)
    expect(await blobs.get(await blobs.put(text('not there')))).toEqual(Buffer.from('not there'))
  })

  it.each(['gone', 'empty'])('are not missing while their folder is %s, like that of an unmounted disk', async (state) => {
    const key = await blobs.put(html)
    const reader = diskBlobs(folder)
    expect(await reader.get(key)).toEqual(Buffer.from(html))
    const away = join(folder, '..', 'away')
    await rename(folder, away)
    if (state === 'empty') await mkdir(folder)
    for (const one of [blobs, reader]) {
      await expect(one.get(key)).rejects.toMatchObject({ name: 'StoreAway' })
      await expect(one.keep(key)).rejects.toMatchObject({ name: 'StoreAway' })
    }
    // A process that has never seen the folder knows of no blobs.
    expect(await diskBlobs(folder).get(key)).toBeNull()
    await rm(folder, { recursive: true, force: true })
    await rename(away, folder)
    expect(await blobs.get(key)).toEqual(Buffer.from(html))
    expect(await blobs.get(keyOf(text('another')))).toBeNull()
  })

  it('remove partial files of writers that are gone, and nothing else', async () => {
    await blobs.put(html)
    const stale = join(folder, 'tmp', '00000000-0000-0000-0000-000000000000')
    const fresh = join(folder, 'tmp', '11111111-1111-1111-1111-111111111111')
    const foreign = join(folder, 'tmp', 'thesis.odt')
    await writeFile(stale, 'half')
    await writeFile(fresh, 'half')
    await writeFile(foreign, 'all there is')
    const then = new Date(Date.now() - 3_600_000)
    for (const path of [stale, foreign]) await utimes(path, then, then)
    await diskBlobs(folder).put(text('first use opens the folder'))
    expect((await readdir(join(folder, 'tmp'))).sort()).toEqual(['11111111-1111-1111-1111-111111111111', 'thesis.odt'])
  })
})
