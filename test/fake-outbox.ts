import type { EventType, JobEvent } from '../src/domain/jobs/events.ts'
import type { Job } from '../src/domain/jobs/job.ts'
import type { Attempted, Delivery, DeliveryRow, Outbox } from '../src/domain/jobs/outbox.ts'

interface Row {
  readonly job: Job
  readonly event: JobEvent
  state: DeliveryRow['state']
  attempts: number
  tried: boolean
  runAt: number
  reason: string | null
  lease: { readonly token: string; readonly until: number } | null
}

/** An outbox in memory that implements the port. Pumps that share it act as a fleet. */
export interface FakeOutbox extends Outbox {
  /** Stores the event, and a delivery if the webhook subscribes to it. */
  add(job: Job, event: JobEvent): void
  onChange(listener: () => void): () => void
  /** Expires all leases, as the service does when it starts after a kill. */
  crash(): void
  /** The state of each delivery, in the order of their events. */
  rows(): readonly DeliveryRow[]
}

const ends: readonly EventType[] = ['completed', 'failed', 'cancelled']
const originOf = (job: Job): string => new URL(job.webhook?.url ?? '').origin

/** An empty outbox. */
export function fakeOutbox(): FakeOutbox {
  const rows: Row[] = []
  /** Jobs whose receiver has asked to get no more of their events. */
  const hushed = new Set<string>()
  const listeners = new Set<() => void>()
  const changed = (): void => listeners.forEach((listener) => listener())
  let leases = 0

  const tried = (row: Row): boolean => row.state !== 'waiting' || row.tried
  const leased = (row: Row, now: number): boolean => row.lease !== null && row.lease.until > now
  const inFlight = (origin: string, now: number): number => rows.filter((row) => leased(row, now) && originOf(row.job) === origin).length

  function turnOf(row: Row): boolean {
    const others = rows.filter((other) => other.job.id === row.job.id && other !== row)
    if (row.event.type === 'started') return true
    if (others.some((other) => other.event.type === 'started' && !tried(other))) return false
    return !ends.includes(row.event.type) || others.every(tried)
  }

  const shown = ({ job, event, state, attempts, runAt, reason }: Row): DeliveryRow => ({ id: event.id, team: job.team, job: job.id, type: event.type, url: job.webhook?.url ?? '', state, attempts, runAt, reason })

  function apply(row: Row, outcome: Attempted): void {
    row.lease = null
    row.tried ||= outcome.kind !== 'again' || outcome.counted !== false
    if (outcome.kind === 'again') {
      if (outcome.counted === false) row.attempts--
      row.runAt = outcome.runAt
      row.reason = outcome.reason
      for (const other of rows) if (originOf(other.job) === originOf(row.job) && other.state === 'waiting' && other.lease === null) other.runAt = Math.max(other.runAt, outcome.pauseUntil ?? other.runAt)
      return
    }
    row.state = outcome.kind
    row.reason = outcome.kind === 'delivered' ? null : outcome.reason
    if (outcome.kind !== 'stopped') return
    hushed.add(row.job.id)
    for (const other of rows) if (other.job.id === row.job.id && other.state === 'waiting' && other.lease === null) other.state = 'stopped'
  }

  return {
    add(job, event) {
      if (job.webhook === null || !job.webhook.events.includes(event.type)) return
      rows.push({ job, event, state: hushed.has(job.id) ? 'stopped' : 'waiting', attempts: 0, tried: false, runAt: event.at, reason: null, lease: null })
      changed()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    crash() {
      for (const row of rows) if (row.lease !== null) row.lease = { ...row.lease, until: Number.NEGATIVE_INFINITY }
      changed()
    },
    rows: () => rows.map(shown),
    async take({ limit, perReceiver, leaseMs }, now) {
      const taken: Delivery[] = []
      for (const row of [...rows].sort((a, b) => a.runAt - b.runAt)) {
        if (taken.length === limit) break
        if (row.state !== 'waiting' || row.runAt > now || leased(row, now) || inFlight(originOf(row.job), now) >= perReceiver || !turnOf(row)) continue
        // A lease that is still set expired with its process: do not count that as an attempt of the receiver.
        if (row.lease === null) row.attempts++
        row.lease = { token: String(++leases), until: now + leaseMs }
        taken.push({ id: row.event.id, team: row.job.team, job: row.job, event: row.event, attempt: row.attempts, token: row.lease.token })
      }
      return taken
    },
    async attempted(delivery, outcome) {
      const row = rows.find((one) => one.event.id === delivery.id)
      if (row?.lease?.token !== delivery.token) return false
      apply(row, outcome)
      return true
    },
    list: async ({ team, job, state, limit }) => rows.map(shown).filter((row) => (team ?? row.team) === row.team && (job ?? row.job) === row.job && (state ?? row.state) === row.state).reverse().slice(0, limit),
    async redeliver({ id, job }, now) {
      const wanted = rows.filter((row) => (id === undefined || row.event.id === id) && (job === undefined || (row.job.id === job && row.state !== 'delivered')))
      if (job !== undefined) hushed.delete(job)
      for (const row of wanted) Object.assign(row, { state: 'waiting', attempts: 0, runAt: now, reason: null, lease: null })
      changed()
      return wanted.length
    },
    async next() {
      const waiting = rows.filter((row) => row.state === 'waiting').map((row) => row.lease?.until ?? row.runAt)
      return waiting.length === 0 ? null : Math.min(...waiting)
    },
  }
}

let made = 0

/** A job that sends its events to `url`. */
export function jobTo(url: string, webhook: Partial<NonNullable<Job['webhook']>> = {}): Job {
  return {
    id: `job-${++made}`, team: 'team', kind: 'crawl', url: 'http://site.test/', request: '{}', baseUrl: 'http://127.0.0.1', retention: 'normal', retentionMs: 86_400_000, limit: 100, maxConcurrency: 10, delayMs: 0,
    webhook: { url, headers: {}, metadata: {}, events: ['started', 'page', 'completed', 'failed', 'cancelled'], ...webhook },
    warnings: [], seeding: false, createdAt: 0, state: 'scraping', total: 0, completed: 0, failed: 0, skipped: 0, creditsUsed: 0, modelCallsSaved: 0, lastEvent: 0, endedAt: null, expiresAt: null, error: null, start: null,
  }
}

/** An event of a job. `page` events report a failed page, because those need no blob. */
export function eventOf(job: Job, seq: number, type: EventType): JobEvent {
  const failure = type === 'page' ? { id: `scrape-${seq}`, at: 0, url: `http://site.test/${seq}`, code: 'SCRAPE_TIMEOUT', error: 'Too slow.' } : null
  return { job: job.id, seq, id: `${job.id}-event-${seq}`, type, at: 0, page: null, failure }
}

/** Adds `started`, as many `page` events as given, and `completed`. */
export function addRun(outbox: FakeOutbox, job: Job, pages: number): void {
  outbox.add(job, eventOf(job, 1, 'started'))
  for (let page = 0; page < pages; page++) outbox.add(job, eventOf(job, page + 2, 'page'))
  outbox.add(job, eventOf(job, pages + 2, 'completed'))
}
