import { describe, expect, it } from 'vitest'
import { fakeJobs } from '../../../test/fake-jobs.ts'
import { memoryBlobs } from '../../../test/fakes.ts'
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
  return { id, ports: { jobs: fake.jobs, blobs: { get } }, most: () => most }
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
})
