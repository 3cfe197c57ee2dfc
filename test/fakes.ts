import { createHash, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { admission } from '../src/app/admission.ts'
import { bodyRoom } from '../src/app/body-room.ts'
import type { SessionService } from '../src/app/interact/service.ts'
import { rateLimits } from '../src/app/rate-limits.ts'
import type { Accounts, ApiKey } from '../src/domain/teams/accounts.ts'
import type { Blobs } from '../src/domain/blobs.ts'
import type { Results } from '../src/domain/pages/results.ts'
import type { Idempotency } from '../src/domain/teams/repeats.ts'
import { httpApp } from '../src/http/app.ts'
import type { HttpOptions, HttpPorts } from '../src/http/ports.ts'
import { every, sleep } from '../src/lib/sleep.ts'
import { fakeJobs } from './fake-jobs.ts'
import { testKey } from './service.ts'

const broken = (): never => {
  throw new Error('this fake must not be reached')
}

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const key: ApiKey = { id: 'key', team: 'default', prefix: 'fc-test', name: 'test', createdAt: 0, lastUsedAt: null, revokedAt: null, terms: { budget: null, rates: null } }

/** Accounts with the test key only. */
export const fakeAccounts: Accounts = {
  ensureTeam: broken,
  team: broken,
  teams: broken,
  addKey: broken,
  keyByHash: async (hash) => (hash === sha256(testKey) ? key : null),
  keys: async () => [key],
  revokeKey: broken,
  touchKeys: broken,
  setTeam: broken,
  setKey: broken,
  terms: broken,
  grant: broken,
}

/** Blobs in memory. */
export function memoryBlobs(): Blobs {
  const kept = new Map<string, Uint8Array>()
  const put = async (bytes: Uint8Array): Promise<string> => {
    const name = sha256(bytes)
    kept.set(name, bytes)
    return name
  }
  return {
    put,
    enclose: async (bytes) => ({ key: await put(bytes), enclosed: null }),
    keep: async (name) => kept.has(name),
    get: async (name) => kept.get(name) ?? null,
    sweep: broken,
    remove: async (names, inUse) => {
      const used = await inUse(names)
      return names.filter((name) => !used.has(name) && kept.delete(name)).length
    },
  }
}

const noResults: Results = { settle: broken, find: async () => null, artifact: async () => null }
const noIdempotency: Idempotency = { claim: async () => ({ kind: 'fresh', id: randomUUID(), again: false }), finish: async () => undefined, abandon: async () => undefined }

/** The ports of a team's own data; every call runs `answer`. */
export function fakeTeam(answer: () => never): HttpPorts['team'] {
  const given = admission({ places: 10, teamPlaces: 10, processQueue: 10, teamQueue: 10, slots: null, now: Date.now, sleep, every })
  return { teams: { load: answer, activity: answer, addFeedback: answer, feedback: answer }, ledger: { allowance: answer, find: answer, months: answer }, jobs: { load: answer }, admission: given, teamPlaces: 10, now: Date.now }
}

/** A session service whose methods run `does`, apart from some look-ups. */
export function fakeSessions(does: () => never | Promise<never>): SessionService {
  const keeper = { open: does, live: () => null, end: does, reap: does, tick: does, doors: { find: () => null }, start: does, stop: does }
  return { interact: does, execute: does, create: does, stopOfScrape: does, stop: does, status: does, list: does, unanswered: does, heardAt: async () => 0, ownerOf: async () => null, tokens: async () => null, repeats: { guard: (_target, _body, work) => work() }, keeper }
}

/** The HTTP edge over fakes; pass the ports that matter to the test. */
export function fakeApp(ports: Partial<HttpPorts>, options: Partial<HttpOptions> = {}): FastifyInstance {
  const now = Date.now
  const blobs = memoryBlobs()
  const all: HttpPorts = {
    accounts: fakeAccounts,
    results: { results: noResults, blobs, ledger: { find: async () => null }, retentionMs: 1000, now },
    idempotency: { idempotency: noIdempotency, blobs, now },
    admission: admission({ places: 10, teamPlaces: 10, processQueue: 10, teamQueue: 10, slots: null, now, sleep, every }),
    bodies: bodyRoom({ bytes: 2 ** 28, largest: 2 ** 26 }),
    rates: rateLimits({ each: new Map(), ofTeam: () => new Map(), now }),
    scrape: broken,
    parse: broken,
    startBatch: broken,
    startCrawl: broken,
    crawlOptions: broken,
    map: broken,
    search: broken,
    sessions: fakeSessions(broken),
    peers: null,
    profiles: { load: broken, lock: broken, remove: broken },
    jobs: fakeJobs().jobs,
    versions: { latest: broken, find: async () => null, at: async () => null, list: async () => [], remove: async () => null, removeSome: broken, tracked: broken },
    live: { find: () => null },
    team: fakeTeam(broken),
    blobs,
    blobsInUse: async () => new Set<string>(),
    onChange: () => () => undefined,
    keyUsed: () => undefined,
    log: () => undefined,
    metrics: { request: () => undefined, text: async () => '' },
    now,
    newId: randomUUID,
    ...ports,
  }
  return httpApp(all, { version: '0', roles: ['api'], auth: true, metricsToken: null, publicUrl: null, ...options })
}
