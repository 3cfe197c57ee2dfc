import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BlobPlace } from '../../domain/blobs.ts'

/** How the suite accesses the blobs under test. */
export interface BlobsSubject {
  /** Opens an empty place for blobs. */
  open(): Promise<BlobPlace>
  /** Opens the place of the last `open` again, as another process would. */
  another(): BlobPlace
  /** Makes all stored blobs older. */
  age(ms: number): Promise<void>
  /** Changes the stored bytes of a blob; they begin with one byte for the codec and six for the length. */
  damage(key: string, change: (file: Buffer) => Buffer): Promise<void>
  close(): Promise<void>
}

const text = (words: string): Uint8Array => new TextEncoder().encode(words)
const html = text('<li class="row"><a href="/x">word</a></li>\n'.repeat(1_000))
const noise = new Uint8Array(randomBytes(200_000))
const is = (bytes: Uint8Array) => (found: Uint8Array | null) => found !== null && Buffer.compare(found, bytes) === 0
const keyOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const nothing = async (): Promise<ReadonlySet<string>> => new Set<string>()
const hour = 3_600_000

/** The contract of all blob places. */
export function blobsContract(name: string, subject: BlobsSubject): void {
  let blobs: BlobPlace
  beforeEach(async () => {
    blobs = await subject.open()
  })
  afterEach(() => subject.close())
  keeping(name, subject, () => blobs)
  sweeping(name, subject, () => blobs)
}

function keeping(name: string, subject: BlobsSubject, blobs: () => BlobPlace): void {
  describe(`blobs in ${name}`, () => {
    it.each([
      ['nothing at all', new Uint8Array(0)],
      ['one byte', text('x')],
      ['text that compresses', html],
      ['bytes that do not', new Uint8Array(randomBytes(3_000))],
      ['more than a sample of bytes that do not', noise],
      ['several megabytes', new Uint8Array(Buffer.alloc(5_000_000, 'abc\0'))],
    ])('return %s under the hash of the content', async (_, bytes) => {
      const key = await blobs().put(bytes)
      expect(key).toBe(keyOf(bytes))
      for (const reader of [blobs(), subject.another()]) {
        const back = await reader.get(key)
        expect(back && Buffer.compare(back, bytes)).toBe(0)
      }
    })

    it('store a view into a larger buffer with its own bytes only', async () => {
      const view = new Uint8Array(html.buffer, 43, 4_300)
      expect(await blobs().get(await blobs().put(view))).toSatisfy(is(view))
    })

    it('return null for missing blobs and for invalid keys', async () => {
      expect(await blobs().get(keyOf(html))).toBeNull()
      for (const key of ['', '../../etc/passwd', `${keyOf(html)}/../x`, keyOf(html).toUpperCase(), 'tmp']) expect(await blobs().get(key)).toBeNull()
    })

    it.each([['a small one', html], ['a large one', noise]])('store one blob for concurrent puts of the same bytes, also in two processes: %s', async (_, bytes) => {
      const other = subject.another()
      const keys = await Promise.all(Array.from({ length: 20 }, (_each, i) => (i % 2 === 0 ? blobs() : other).put(bytes)))
      expect(new Set(keys)).toEqual(new Set([keyOf(bytes)]))
      expect(await blobs().get(keyOf(bytes))).toSatisfy(is(bytes))
      await subject.age(2 * hour)
      expect(await blobs().sweep(nothing, hour)).toBe(1)
    })

    it.each([
      ['cut short', (file: Buffer) => file.subarray(0, 50)],
      ['emptied', (file: Buffer) => file.subarray(0, 0)],
      ['changed in one byte', (file: Buffer) => file.map((byte, i) => (i === 60 ? byte ^ 1 : byte))],
      ['of an unknown codec', (file: Buffer) => file.map((byte, i) => (i === 0 ? 9 : byte))],
      ['said to be longer than it is', (file: Buffer) => file.map((byte, i) => (i === 6 ? byte + 1 : byte))],
      ['said to be shorter than it is', (file: Buffer) => file.map((byte, i) => (i === 6 ? 1 : byte))],
    ])('return null for a blob that was %s, and repair it with the next put', async (_, change) => {
      for (const bytes of [html, noise]) {
        const key = await blobs().put(bytes)
        await subject.damage(key, (file) => Buffer.from(change(file)))
        expect(await blobs().get(key)).toBeNull()
        expect(await blobs().put(bytes)).toBe(key)
        expect(await blobs().get(key)).toSatisfy(is(bytes))
      }
    })
  })
}

function sweeping(name: string, subject: BlobsSubject, blobs: () => BlobPlace): void {
  describe(`the sweep of blobs in ${name}`, () => {
    it('removes what is old and unused, finally after another grace period at the latest', async () => {
      const [old, used] = [await blobs().put(text('old')), await blobs().put(text('used'))]
      await subject.age(2 * hour)
      const young = await blobs().put(text('young'))
      const asked: string[] = []
      const inUse = async (keys: readonly string[]): Promise<ReadonlySet<string>> => {
        asked.push(...keys)
        return new Set([used])
      }
      expect(await blobs().sweep(inUse, hour)).toBe(1)
      expect(asked.sort()).toEqual([old, used].sort())
      await subject.age(2 * hour)
      const again = await subject.another().sweep(async () => new Set([used, young]), hour)
      expect(again).toBe(0)
      expect([await blobs().get(old), await blobs().get(used), await blobs().get(young)].map((found) => found !== null)).toEqual([false, true, true])
    })

    it.each([['a small blob', html], ['a large blob', noise]])('keeps %s that is put again, before or during the sweep', async (_, bytes) => {
      const key = await blobs().put(bytes)
      await subject.age(2 * hour)
      await blobs().put(bytes)
      expect(await blobs().sweep(nothing, hour)).toBe(0)
      await subject.age(2 * hour)
      const removed = await blobs().sweep(async () => {
        await subject.another().put(bytes)
        return new Set<string>()
      }, hour)
      expect(removed).toBe(0)
      expect(await blobs().get(key)).toSatisfy(is(bytes))
    })

    it('keeps a blob that is renewed, which fails for a missing one', async () => {
      const key = await blobs().put(html)
      await subject.age(2 * hour)
      expect(await blobs().keep(key)).toBe(true)
      expect(await blobs().sweep(nothing, hour)).toBe(0)
      expect(await blobs().get(key)).toSatisfy(is(html))
      for (const absent of [keyOf(text('absent')), '', '../../etc/passwd', 'tmp']) expect(await blobs().keep(absent)).toBe(false)
    })

    it('never removes a blob whose renewal was confirmed', async () => {
      for (let round = 0; round < 15; round++) {
        const key = await blobs().put(html)
        await subject.age(2 * hour)
        const [, kept] = await Promise.all([blobs().sweep(nothing, hour), subject.another().keep(key)])
        expect((await blobs().get(key)) !== null).toBe(kept)
      }
    })

    it('never loses a blob that is put while it runs, however many sweeps run', async () => {
      for (let round = 0; round < 15; round++) {
        const key = await blobs().put(html)
        await subject.age(2 * hour)
        await Promise.all([blobs().sweep(nothing, hour), subject.another().sweep(nothing, hour), subject.another().put(html)])
        expect(await blobs().get(key)).toSatisfy(is(html))
        await subject.age(2 * hour)
        await blobs().sweep(async (keys) => new Set(keys), hour)
        expect(await blobs().get(key)).toSatisfy(is(html))
      }
    })

    it('removes only the named blobs on request, if they are old and unused', async () => {
      const [old, used, other] = [await blobs().put(text('old')), await blobs().put(text('used')), await blobs().put(text('other'))]
      await subject.age(2 * hour)
      const young = await blobs().put(text('young'))
      const wanted = [old, used, young, old, keyOf(text('absent')), '../../etc/passwd']
      expect(await blobs().remove(wanted, async () => new Set([used]), hour)).toBe(1)
      expect(await subject.another().remove(wanted, async () => new Set([used]), hour)).toBe(0)
      await subject.age(2 * hour)
      await blobs().sweep(async (keys) => new Set(keys.filter((key) => key !== old)), hour)
      expect(await Promise.all([old, used, young, other].map(async (key) => (await blobs().get(key)) !== null))).toEqual([false, true, true, true])
    })

    it('never loses a blob that is put during its removal', async () => {
      for (let round = 0; round < 15; round++) {
        const key = await blobs().put(html)
        await subject.age(2 * hour)
        await Promise.all([blobs().remove([key], nothing, hour), subject.another().put(html)])
        expect(await blobs().get(key)).toSatisfy(is(html))
      }
    })

    it('removes hundreds and keeps hundreds, page by page', async () => {
      const keys: string[] = []
      for (let i = 0; i < 25; i++) keys.push(...(await Promise.all(Array.from({ length: 20 }, (_, j) => blobs().put(text(`blob ${i} ${j}`))))))
      await subject.age(2 * hour)
      const used = new Set(keys.filter((_, i) => i % 2 === 0))
      expect(await blobs().sweep(async (some) => new Set(some.filter((key) => used.has(key))), hour)).toBe(250)
      expect(await blobs().sweep(async (some) => new Set(some.filter((key) => used.has(key))), hour)).toBe(0)
      await subject.age(2 * hour)
      expect(await blobs().sweep(nothing, hour)).toBe(250)
    })
  })
}
