import { randomUUID } from 'node:crypto'
import type { Webhook } from '../../domain/jobs/job.ts'
import { type Attempted, type Delivery, type DeliveryRow, eventPatienceMs, longestPauseMs } from '../../domain/jobs/outbox.ts'
import { anyOf, forUpdate, notifyQueue, storable } from '../dialect.ts'
import { type Op, all, exclusively, first, run } from '../op.ts'
import { type Sql, list, sql } from '../sql.ts'
import { type EventRead, eventColumns, eventOf, eventTables } from './jobs/reads.ts'
import { type JobRead, jobColumns, jobOf, setHushed } from './jobs/row.ts'
import { receiverTurns } from './receiver-turns.ts'

/** Only one taker at a time over the fleet leases deliveries, so that those under way per receiver can be counted. */
const inTurn = (): Op<void> => exclusively('outbox deliveries')

/** Deliveries of events. A lease is a future run time with a token: one that lapses is simply due again. `tried`: the first attempt has ended, in whatever way. */
export const outbox = {
  *take(terms: { readonly worker: string; readonly limit: number; readonly perReceiver: number; readonly leaseMs: number }, now: number): Op<readonly Delivery[]> {
    if (terms.limit <= 0) return []
    const due = yield* dueReceivers(now)
    const paused = due.length === 0 ? new Set<string>() : yield* pausedAmong(due, now)
    const receivers = due.filter((receiver) => !paused.has(receiver))
    if (receivers.length === 0) return []
    yield* inTurn()
    const sent = new Map((yield* all<{ receiver: string; count: number }>(sql`select receiver, count(*) as count from outbox
      where state = 'waiting' and token is not null and run_at > ${now} group by receiver`)).map(({ receiver, count }) => [receiver, count]))
    const taken: Leased[] = []
    for (const { receiver, underWay, count } of receiverTurns(receivers, sent)) {
      const left = terms.limit - taken.length
      if (left === 0) break
      const places = Math.min(left, terms.perReceiver - underWay)
      if (places <= 0) continue
      const leased = yield* lease(receiver, { count: places, until: now + terms.leaseMs, now })
      taken.push(...leased)
      count(leased.length)
    }
    return yield* deliveriesOf(taken)
  },

  *attempted(delivery: Pick<Delivery, 'id' | 'token'>, outcome: Attempted, now: number): Op<boolean> {
    if (outcome.kind === 'stopped') {
      // The job is locked before its deliveries, as everywhere: what its later pages write depends on this.
      yield* first(sql`select id from jobs where id = (select job from outbox where id = ${delivery.id}) ${forUpdate}`)
      yield* inTurn()
    }
    const pause = outcome.kind === 'again' ? (outcome.pauseUntil ?? null) : null
    const state = outcome.kind === 'again' ? 'waiting' : outcome.kind
    const runAt = outcome.kind === 'again' ? outcome.runAt : now
    const reason = outcome.kind === 'delivered' ? null : storable(outcome.reason)
    const counted = outcome.kind !== 'again' || outcome.counted !== false
    const ended = yield* first<{ job: string; receiver: string }>(sql`update outbox set state = ${state}, run_at = ${runAt}, reason = ${reason}, tried = ${counted ? sql`1` : triedUncounted(now)}, token = null, attempts = attempts - ${counted ? 0 : 1}
      where id = ${delivery.id} and token = ${delivery.token} and state = 'waiting' returning job, receiver`)
    if (!ended) return false
    // Otherwise each delivery that waits would get the same answer, and use up an attempt. There may be very many, and more are to come: none of them is changed.
    if (pause !== null) yield* run(sql`insert into receiver_pauses (receiver, until) values (${ended.receiver}, ${pause}) on conflict (receiver) do update set until = excluded.until where receiver_pauses.until < excluded.until or receiver_pauses.until > ${now + longestPauseMs}`)
    if (outcome.kind === 'stopped') {
      yield* run(sql`update outbox set state = 'stopped', reason = ${reason}, token = null where job = ${ended.job} and state = 'waiting'`)
      yield* setHushed(ended.job, true)
    }
    return true
  },

  *list(filter: { readonly team?: string | undefined; readonly job?: string | undefined; readonly state?: DeliveryRow['state'] | undefined; readonly limit: number }): Op<readonly DeliveryRow[]> {
    const team = filter.team === undefined ? sql`` : sql`and o.team = ${filter.team}`
    const job = filter.job === undefined ? sql`` : sql`and o.job = ${filter.job}`
    const state = filter.state === undefined ? sql`` : sql`and o.state = ${filter.state}`
    const rows = yield* all<Omit<DeliveryRow, 'url'> & { readonly webhook: string }>(sql`select o.id, o.team, o.job, o.type, d.webhook, o.state, o.attempts, o.run_at as "runAt", o.reason
      from outbox o join job_details d on d.job = o.job where 1 = 1 ${team} ${job} ${state} order by o.n desc limit ${filter.limit}`)
    return rows.map(({ webhook, ...row }) => {
      const { url }: Webhook = JSON.parse(webhook)
      return { ...row, url }
    })
  },

  *redeliver(filter: { readonly id?: string; readonly job?: string }, now: number): Op<number> {
    // Redelivering a job also turns on what is still to come. The job is locked before its deliveries, as above.
    if (filter.id === undefined && (yield* first(sql`select id from jobs where id = ${filter.job ?? null} ${forUpdate}`)) !== null) yield* setHushed(filter.job ?? '', false)
    yield* inTurn()
    const which = filter.id === undefined ? sql`job = ${filter.job ?? null} and state <> 'delivered'` : sql`id = ${filter.id}`
    const again = yield* all<{ receiver: string }>(sql`update outbox set state = 'waiting', attempts = 0, lapses = 0, run_at = ${now}, token = null, reason = null where ${which} returning receiver`)
    yield* run(sql`delete from receiver_pauses where receiver in ${anyOf([...new Set(again.map(({ receiver }) => receiver))])}`)
    if (again.length > 0) yield* run(sql`${notifyQueue}`)
    return again.length
  },

  *next(): Op<number | null> {
    const row = yield* first<{ at: number | null }>(sql`select min(run_at) as at from outbox where state = 'waiting'`)
    return row?.at ?? null
  },
}

/** What could not be read, or sent to its end, is not tried yet; but the end of a job does not wait for that for ever. */
const triedUncounted = (now: number): Sql => sql`case when (select e.at from job_events e where e.job = outbox.job and e.seq = outbox.seq) > ${now - eventPatienceMs} then tried else 1 end`

/** Receivers with something due, the longest waiting first. Found by skipping from one to the next in the index, however much waits at each. */
function* dueReceivers(now: number): Op<readonly string[]> {
  const rows = yield* all<{ receiver: string }>(sql`with recursive receivers (receiver) as (
      select (select min(receiver) from outbox where state = 'waiting')
      union all select (select min(receiver) from outbox where state = 'waiting' and receiver > receivers.receiver) from receivers where receivers.receiver is not null)
    select receiver from (select receiver, (select min(run_at) from outbox o where o.state = 'waiting' and o.receiver = receivers.receiver) as due
      from receivers where receiver is not null) as firsts where due <= ${now} order by due, receiver`)
  return rows.map(({ receiver }) => receiver)
}

/** Those of the receivers that want a pause. One that ends later than any may has the time of a clock that was ahead. */
function* pausedAmong(receivers: readonly string[], now: number): Op<ReadonlySet<string>> {
  const rows = yield* all<{ receiver: string }>(sql`select receiver from receiver_pauses where receiver in ${anyOf(receivers)} and until > ${now} and until <= ${now + longestPauseMs}`)
  return new Set(rows.map(({ receiver }) => receiver))
}

interface Leased {
  readonly id: string
  readonly n: number
  readonly attempts: number
  readonly token: string | null
  readonly state: 'waiting' | 'given-up'
}

/** Order within one job: nothing else before `started` was tried, and the end only after everything before it was. */
const untried = sql`select 1 from outbox s where s.job = o.job and s.tried = 0 and s.state = 'waiting'`
const inOrder = sql`(o.seq = 1 or not exists (${untried} and s.seq = 1))
  and (o.type not in ('completed', 'failed', 'cancelled') or not exists (${untried} and s.seq < o.seq))`

/** After more worker deaths than this, a first attempt counts as made: the end of the job must not wait for ever. */
const diedWith = 2

/** A delivery that so many workers died with is given up: it may be what kills them. */
const mostLapses = 12
const diedTooOften = 'The service ended each time it tried.'

/** Its worker died or could not record the outcome: the receiver is not to blame, and the attempt does not count. */
const lapsed = sql`token is not null`
const doomed = sql`(${lapsed} and lapses >= ${mostLapses - 1})`

function* lease(receiver: string, terms: { readonly count: number; readonly until: number; readonly now: number }): Op<readonly Leased[]> {
  const due: Sql = sql`select o.n from outbox o where o.receiver = ${receiver} and o.state = 'waiting' and o.run_at <= ${terms.now} and ${inOrder} order by o.run_at, o.n limit ${terms.count}`
  const leased = yield* all<Leased>(sql`update outbox set attempts = attempts + case when ${lapsed} then 0 else 1 end, lapses = lapses + case when ${lapsed} then 1 else 0 end,
      tried = case when ${doomed} or (${lapsed} and lapses >= ${diedWith}) then 1 else tried end, state = case when ${doomed} then 'given-up' else state end,
      reason = case when ${doomed} then ${diedTooOften} else reason end,
      run_at = case when ${doomed} then cast(${terms.now} as bigint) else cast(${terms.until} as bigint) end, token = case when ${doomed} then null else ${randomUUID()} end
    where n in (${due}) returning id, n, attempts, token, state`)
  return [...leased].sort((a, b) => a.n - b.n)
}

function* deliveriesOf(leased: readonly Leased[]): Op<readonly Delivery[]> {
  if (leased.length === 0) return []
  const ids = list(leased.map(({ id }) => id))
  const events = yield* all<EventRead>(sql`select ${eventColumns} ${eventTables} where (e.job, e.seq) in (select job, seq from outbox where id in ${ids})`)
  const jobs = yield* all<JobRead>(sql`select ${jobColumns} from jobs j join job_details d on d.job = j.id where j.id in (select job from outbox where id in ${ids})`)
  const eventById = new Map(events.map((row) => [row.id, eventOf(row)]))
  const jobById = new Map(jobs.map((row) => [row.id, jobOf(row)]))
  const made = leased.flatMap(({ id, attempts, token, state }): Delivery[] => {
    const event = eventById.get(id)
    const job = event && jobById.get(event.job)
    return event && job ? [{ id, team: job.team, job, event, attempt: attempts, token: token ?? '', ...(state === 'given-up' ? { givenUp: diedTooOften } : {}) }] : []
  })
  // What is left of a job that was removed has nobody to tell, and must not keep the others from being sent.
  const known = new Set(made.map(({ id }) => id))
  const orphans = leased.filter(({ id }) => !known.has(id))
  if (orphans.length > 0) yield* run(sql`delete from outbox where id in ${list(orphans.map(({ id }) => id))}`)
  return made
}
