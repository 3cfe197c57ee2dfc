import { describe, expect, it } from 'vitest'
import { type FakeJobs, fakeJobs } from '../../../../test/fake-jobs.ts'
import { memoryBlobs } from '../../../../test/fakes.ts'
import { textOf } from '../../../../test/text-of.ts'
import { StoreAway } from '../../../domain/errors.ts'
import { eventBody } from './event-body.ts'
import { eventStream, followEvents } from './events.ts'

const blobs = memoryBlobs()
const never = (): never => {
  throw new Error('there is nothing to wait for')
}

/** Resolves at each change of the fake; false once it was left. */
function listening(fake: FakeJobs): { changed: () => Promise<boolean>; leave: () => void } {
  let left = false
  let wake: () => void = () => undefined
  fake.onChange(() => wake())
  return {
    changed: () => (left ? Promise.resolve(false) : new Promise((resolve) => (wake = () => resolve(!left)))),
    leave: () => {
      left = true
      wake()
    },
  }
}

async function seqs(fake: FakeJobs, id: string, after: number, changed: () => Promise<boolean>): Promise<number[]> {
  const seen: number[] = []
  for await (const { event } of followEvents(id, after, { jobs: fake.jobs, changed })) seen.push(event.seq)
  return seen
}

describe('the events of a job', () => {
  it('are read in order, however many there are, and end with the job', async () => {
    const fake = fakeJobs()
    const id = await fake.start()
    for (let i = 0; i < 250; i++) await fake.deliver(id, {}, blobs)
    fake.end(id, 'completed')
    expect(await seqs(fake, id, 0, never)).toEqual(Array.from({ length: 252 }, (_, i) => i + 1))
    expect(await seqs(fake, id, 250, never)).toEqual([251, 252])
    expect(await seqs(fake, id, 252, never)).toEqual([])
    expect(await seqs(fake, id, 9_999, never)).toEqual([])
  })

  it('are awaited while the job runs', async () => {
    const fake = fakeJobs()
    const id = await fake.start()
    const following = seqs(fake, id, 0, listening(fake).changed)
    await fake.deliver(id, {}, blobs)
    fake.break(id, 'http://site.test/x', 'SCRAPE_TIMEOUT')
    await fake.deliver(id, {}, blobs)
    fake.end(id, 'cancelled')
    expect(await following).toEqual([1, 2, 3, 4, 5])
  })

  it('end when nobody listens any more, and when the job is deleted', async () => {
    const fake = fakeJobs()
    const id = await fake.start()
    const listener = listening(fake)
    const first = seqs(fake, id, 0, listener.changed)
    listener.leave()
    expect(await first).toEqual([1])
    const second = seqs(fake, id, 1, listening(fake).changed)
    fake.erase(id, 'job')
    expect(await second).toEqual([])
  })
})

describe('server-sent events', () => {
  it('contain the short name, the number, and the webhook body on one line', async () => {
    const fake = fakeJobs()
    const id = await fake.start({ kind: 'batch' })
    await fake.deliver(id, { markdown: 'line\nfeed\r\u2028' }, blobs)
    fake.end(id, 'failed')
    const job = await fake.jobs.find(id)
    const events = await fake.jobs.events(id, 0, 10)
    const bodies = await Promise.all(events.map(async (event) => Buffer.from(await eventBody(job ?? never(), event, blobs)).toString()))
    expect(bodies.some((body) => body.includes('\n') || body.includes('\r'))).toBe(false)
    expect(await textOf(eventStream(id, 0, { jobs: fake.jobs, blobs, changed: never, now: () => 0 }))).toBe(
      `event: started\nid: 1\ndata: ${bodies[0]}\n\nevent: page\nid: 2\ndata: ${bodies[1]}\n\nevent: failed\nid: 3\ndata: ${bodies[2]}\n\n`,
    )
    expect(bodies[2]).toContain('"error":"The site cannot be reached."')
  })

  it('break off before a page that is not found although it cannot have been erased, so that it is asked for again', async () => {
    const fake = fakeJobs()
    const id = await fake.start()
    await fake.deliver(id, { markdown: 'm' }, memoryBlobs(), 0)
    const sent: string[] = []
    const following = (async (): Promise<void> => {
      for await (const piece of eventStream(id, 0, { jobs: fake.jobs, blobs: memoryBlobs(), changed: never, now: () => 10_000 })) sent.push(Buffer.from(piece).toString())
    })()
    await expect(following).rejects.toBeInstanceOf(StoreAway)
    expect(sent).toEqual([expect.stringMatching(/^event: started/)])
  })
})
