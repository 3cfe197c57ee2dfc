import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Blobs } from '../../domain/ports.ts'
import { diskBlobs } from './disk.ts'

let folder = ''
let blobs: Blobs
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'trawl-blobs-')), 'blobs')
  blobs = diskBlobs(folder)
})
afterEach(() => rm(join(folder, '..'), { recursive: true }))

const text = (words: string): Uint8Array => new TextEncoder().encode(words)
const html = text('<li class="row"><a href="/x">word</a></li>\n'.repeat(1_000))
const keyOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const pathOf = (key: string): string => join(folder, key.slice(0, 2), key)
const age = async (key: string, ms: number): Promise<void> => {
  const then = new Date(Date.now() - ms)
  await utimes(pathOf(key), then, then)
}
const nothing = async (): Promise<ReadonlySet<string>> => new Set<string>()
const files = async (): Promise<readonly string[]> => (await readdir(folder, { recursive: true })).filter((name) => /[0-9a-f-]{36}/.test(name)).sort()

describe('blobs on disk', () => {
  it.each([
    ['nothing at all', new Uint8Array(0)],
    ['one byte', text('x')],
    ['text that compresses', html],
    ['bytes that do not', new Uint8Array(randomBytes(3_000))],
    ['more than a sample of bytes that do not', new Uint8Array(randomBytes(200_000))],
    ['several megabytes', new Uint8Array(Buffer.alloc(5_000_000, 'abc\0'))],
  ])('gives back %s under the hash of its contents', async (_, bytes) => {
    const key = await blobs.put(bytes)
    expect(key).toBe(keyOf(bytes))
    const back = await blobs.get(key)
    expect(back && Buffer.compare(back, bytes)).toBe(0)
  })

  it('takes a view into a larger buffer for what it shows', async () => {
    const view = new Uint8Array(html.buffer, 43, 4_300)
    expect(await blobs.get(await blobs.put(view))).toEqual(Buffer.from(view))
  })

  it('compresses what shrinks and leaves the rest alone, for its owner only', async () => {
    const noise = randomBytes(200_000)
    const [small, large] = [await blobs.put(html), await blobs.put(noise)]
    expect((await stat(pathOf(small))).size).toBeLessThan(html.length / 10)
    expect((await stat(pathOf(large))).size).toBe(noise.length + 7)
    expect((await stat(pathOf(small))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, small.slice(0, 2)))).mode & 0o777).toBe(0o700)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  it('answers null for what it does not have and for what is no key', async () => {
    expect(await blobs.get(keyOf(html))).toBeNull()
    for (const key of ['', '../../etc/passwd', `${keyOf(html)}/../x`, keyOf(html).toUpperCase(), 'tmp']) expect(await blobs.get(key)).toBeNull()
  })

  it('writes the same bytes once when many put them at once, in two processes too', async () => {
    const other = diskBlobs(folder)
    const keys = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? blobs : other).put(html)))
    expect(new Set(keys)).toEqual(new Set([keyOf(html)]))
    expect(await files()).toEqual([`${keyOf(html).slice(0, 2)}/${keyOf(html)}`])
    expect(await blobs.get(keyOf(html))).toEqual(Buffer.from(html))
  })

  it.each([
    ['cut short', (path: string): Promise<void> => truncate(path, 50)],
    ['emptied', (path: string): Promise<void> => truncate(path, 0)],
    ['changed in one byte', async (path: string): Promise<void> => writeFile(path, Buffer.from(await readFile(path)).map((byte, i) => (i === 60 ? byte ^ 1 : byte)))],
    ['of an unknown codec', async (path: string): Promise<void> => writeFile(path, Buffer.from(await readFile(path)).map((byte, i) => (i === 0 ? 9 : byte)))],
    ['said to be longer than it is', async (path: string): Promise<void> => writeFile(path, Buffer.from(await readFile(path)).map((byte, i) => (i === 6 ? byte + 1 : byte)))],
    ['said to be shorter than it is', async (path: string): Promise<void> => writeFile(path, Buffer.from(await readFile(path)).map((byte, i) => (i === 6 ? 1 : byte)))],
  ])('answers null for a file that was %s, and mends it with the next put', async (_, damage) => {
    const key = await blobs.put(html)
    await damage(pathOf(key))
    expect(await blobs.get(key)).toBeNull()
    expect(await blobs.put(html)).toBe(key)
    expect(await blobs.get(key)).toEqual(Buffer.from(html))
  })

  it('follows no link that somebody has put in the place of a blob', async () => {
    const key = await blobs.put(html)
    const elsewhere = join(folder, '..', 'elsewhere')
    await rename(pathOf(key), elsewhere)
    await symlink(elsewhere, pathOf(key))
    expect(await blobs.get(key)).toBeNull()
    await blobs.put(html)
    expect(await blobs.get(key)).toEqual(Buffer.from(html))
    expect(Buffer.from(await readFile(elsewhere)).length).toBeGreaterThan(0)
  })

  it('refuses a folder in which a link stands for a folder of its own', async () => {
    await mkdir(folder)
    await symlink(tmpdir(), join(folder, 'ab'))
    await expect(blobs.put(html)).rejects.toThrow('The blob folder holds a link or a file where a folder of its own should be.')
  })

  it('sweeps what is old and not in use', async () => {
    const [old, used, young] = [await blobs.put(text('old')), await blobs.put(text('used')), await blobs.put(text('young'))]
    await age(old, 5_000)
    await age(used, 5_000)
    const asked: string[] = []
    const removed = await blobs.sweep(async (keys) => {
      asked.push(...keys)
      return new Set([used])
    }, 4_000)
    expect(removed).toBe(1)
    expect(asked.sort()).toEqual([old, used].sort())
    expect([await blobs.get(old), await blobs.get(used), await blobs.get(young)].map((found) => found !== null)).toEqual([false, true, true])
  })

  it('spares a blob that is put again, before a sweep or in the midst of one', async () => {
    const key = await blobs.put(html)
    await age(key, 5_000)
    await blobs.put(html)
    expect(await blobs.sweep(nothing, 4_000)).toBe(0)
    await age(key, 5_000)
    const removed = await blobs.sweep(async () => {
      await diskBlobs(folder).put(html)
      return new Set<string>()
    }, 4_000)
    expect(removed).toBe(0)
    expect(await blobs.get(key)).toEqual(Buffer.from(html))
  })

  it('spares a blob that is kept, and says when there is none', async () => {
    const key = await blobs.put(html)
    await age(key, 5_000)
    expect(await blobs.keep(key)).toBe(true)
    expect(await blobs.sweep(nothing, 4_000)).toBe(0)
    expect(await blobs.get(key)).toEqual(Buffer.from(html))
    for (const absent of [keyOf(text('absent')), '', '../../etc/passwd', 'tmp']) expect(await blobs.keep(absent)).toBe(false)
  })

  it('never says that it keeps a blob which a sweep takes away meanwhile', async () => {
    for (let round = 0; round < 15; round++) {
      const key = await blobs.put(html)
      await age(key, 5_000)
      const [, kept] = await Promise.all([blobs.sweep(nothing, 4_000), diskBlobs(folder).keep(key)])
      expect((await blobs.get(key)) !== null).toBe(kept)
    }
  })

  it('never loses a blob to a sweep that runs while it is put', async () => {
    for (let round = 0; round < 15; round++) {
      const key = await blobs.put(html)
      await age(key, 5_000)
      await Promise.all([blobs.sweep(nothing, 4_000), diskBlobs(folder).put(html)])
      expect(await blobs.get(key)).not.toBeNull()
    }
  })

  it('clears away what writers that are gone have left half written', async () => {
    await blobs.put(html)
    const stale = join(folder, 'tmp', '00000000-0000-0000-0000-000000000000')
    const fresh = join(folder, 'tmp', '11111111-1111-1111-1111-111111111111')
    await writeFile(stale, 'half')
    await writeFile(fresh, 'half')
    const then = new Date(Date.now() - 3_600_000)
    await utimes(stale, then, then)
    await diskBlobs(folder).put(text('first use opens the folder'))
    expect(await readdir(join(folder, 'tmp'))).toEqual(['11111111-1111-1111-1111-111111111111'])
  })
})
