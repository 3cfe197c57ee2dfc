import { describe, expect, it } from 'vitest'
import { fakeJobs } from '../../../../test/fake-jobs.ts'
import { memoryBlobs } from '../../../../test/fakes.ts'
import { bodyRoom } from '../../body-room.ts'
import { documents, type DocumentPorts } from './documents.ts'

const all = { skip: 0, limit: 1_000, maxBytes: Number.POSITIVE_INFINITY }

/** A job with such results, and blobs that answer a turn later and say how many are read at once. */
async function slowly(markdown: readonly string[], failing?: number): Promise<{ readonly id: string; readonly ports: DocumentPorts; readonly most: () => number }> {
  const [fake, blobs] = [fakeJobs(), memoryBlobs()]
  const id = await fake.start()
  for (const text of markdown) await fake.deliver(id, { markdown: text }, blobs)
  let [now, most, asked] = [0, 0, 0]
  const get: typeof blobs.get = async (key) => {
    most = Math.max(most, ++now)
    const fails = asked++ === failing
    await new Promise((resolve) => setImmediate(resolve))
    now -= 1
    if (fails) throw new Error('the store is away')
    return blobs.get(key)
  }
  return { id, ports: { jobs: fake.jobs, blobs: { get }, now: () => 0 }, most: () => most }
}

const markdownOf = (document: Uint8Array): string => (JSON.parse(Buffer.from(document).toString()) as { markdown: string }).markdown // written above

describe('the documents of a job', () => {
  it('are read ahead, since an object store takes long for each, and come in their order', async () => {
    const texts = Array.from({ length: 100 }, (_, i) => `page ${i}`)
    const { id, ports, most } = await slowly(texts)
    const read = []
    for await (const document of documents(id, all, ports)) read.push(markdownOf(document))
    expect(read).toEqual(texts)
    expect(most()).toBe(8)
  })

  it('are read one at a time if they are large', async () => {
    const { id, ports, most } = await slowly(Array.from({ length: 5 }, (_, i) => `${i}${'x'.repeat(1_100_000)}`))
    let read = 0
    for await (const document of documents(id, all, ports)) read += document.length > 1_000_000 ? 1 : 0
    expect([read, most()]).toEqual([5, 1])
  })

  it('come as far as they can be read, before the failure of the next one is thrown', async () => {
    const { id, ports } = await slowly(Array.from({ length: 40 }, (_, i) => `page ${i}`), 20)
    const read: string[] = []
    const reading = async (): Promise<void> => {
      for await (const document of documents(id, all, ports)) read.push(markdownOf(document))
    }
    await expect(reading()).rejects.toThrow('the store is away')
    expect(read).toEqual(Array.from({ length: 20 }, (_, i) => `page ${i}`))
  })

  it('wait for memory before large ones are read, which they give back when they are sent, and small ones do not', async () => {
    const { id, ports, most } = await slowly([...Array.from({ length: 3 }, (_, i) => `${i}`), ...Array.from({ length: 3 }, (_, i) => `${i}${'x'.repeat(1_100_000)}`)])
    const rooms = bodyRoom({ bytes: 5_000_000, largest: 0 })
    const [holder, room] = [rooms.open('team'), rooms.open('team')]
    await holder.take(4_000_000, new AbortController().signal)
    let read = 0
    const reading = (async () => {
      for await (const document of documents(id, all, { ...ports, held: { room, signal: new AbortController().signal } })) read += Math.sign(document.length)
    })()
    await expect.poll(() => rooms.load().waiting).toBe(1)
    expect(most()).toBeLessThanOrEqual(3)
    holder.close()
    await reading
    expect(read).toBe(6)
    room.close()
    expect(rooms.load()).toEqual({ bytes: 0, waiting: 0 })
  })

  it('are read no more once their reader has left while they wait', async () => {
    const { id, ports, most } = await slowly(['x'.repeat(1_100_000)])
    const rooms = bodyRoom({ bytes: 1_000_000, largest: 0 })
    await rooms.open('team').take(1_000_000, new AbortController().signal)
    const left = new AbortController()
    const next = documents(id, all, { ...ports, held: { room: rooms.open('team'), signal: left.signal } }).next()
    left.abort()
    await expect(next).rejects.toThrow()
    expect(most()).toBe(0)
  })
})
