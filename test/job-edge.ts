import type { FastifyInstance } from 'fastify'
import { StoreAway } from '../src/domain/errors.ts'
import type { Blobs } from '../src/domain/blobs.ts'
import type { HttpOptions, HttpPorts } from '../src/http/ports.ts'
import { type FakeJobs, fakeJobs } from './fake-jobs.ts'
import { fakeApp, memoryBlobs } from './fakes.ts'
import { testKey } from './service.ts'

/** A log line. */
export interface Line {
  readonly event: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** The HTTP edge over jobs in memory, listening on loopback. */
export interface JobEdge {
  readonly fake: FakeJobs
  readonly blobs: Blobs
  readonly base: string
  readonly app: FastifyInstance
  readonly lines: readonly Line[]
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  close(): Promise<void>
}

export async function openJobEdge(ports: Partial<HttpPorts> = {}, options: Partial<HttpOptions> = {}): Promise<JobEdge> {
  const fake = fakeJobs()
  const blobs = memoryBlobs()
  const lines: Line[] = []
  const log: HttpPorts['log'] = (_level, event, fields = {}) => void lines.push({ event, fields })
  const app = fakeApp({ jobs: fake.jobs, blobs, onChange: fake.onChange, log, now: () => 0, ...ports }, { pace: { soonestMs: 1, latestMs: 500 }, ...options })
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    fake,
    blobs,
    base,
    app,
    lines,
    get: (path, headers = {}) => fetch(base + path, { headers: { authorization: `Bearer ${testKey}`, ...headers } }),
    close: () => app.drain(0),
  }
}

/** Wraps the sources so that, after `leave()`, the next `times` reads of each kind fail with `StoreAway`. */
export function leaving({ jobs, blobs }: Pick<HttpPorts, 'jobs' | 'blobs'>, times: number): { readonly sources: Pick<HttpPorts, 'jobs' | 'blobs'>; leave(): void } {
  const left = new Map<string, number>()
  const or = <A extends readonly unknown[], T>(name: string, read: (...args: A) => Promise<T>) => async (...args: A): Promise<T> => {
    const more = left.get(name) ?? 0
    left.set(name, more - 1)
    if (more > 0) throw new StoreAway(new Error('connect ECONNREFUSED'))
    return read(...args)
  }
  return {
    sources: { jobs: { ...jobs, find: or('find', jobs.find), events: or('events', jobs.events), skipped: or('skipped', jobs.skipped) }, blobs: { ...blobs, get: or('get', blobs.get) } },
    leave: () => ['find', 'events', 'skipped', 'get'].forEach((name) => left.set(name, times)),
  }
}

/** Resolves when the condition holds; checks it once per turn of the event loop. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}
