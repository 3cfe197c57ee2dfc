import { randomUUID } from 'node:crypto'
import { workerGone, type NewTask, type Task, type TaskOutcome } from '../../domain/queue.ts'
import { notifyQueue, skipLocked } from '../dialect.ts'
import { type Op, all, first, run } from '../op.ts'
import { type Sql, list, sql } from '../sql.ts'

const notify = sql`${notifyQueue}`
const taskColumns = sql`seq, id, team, kind, priority, run_at as "runAt", payload, max_attempts as "maxAttempts", created_at as "createdAt",
  attempt, token, lease_until as "leaseUntil"`

/** The columns of a leased task that was not done: it waits again, or has failed when it has no attempt left. */
const unfinished = (reason: string, now: number): Sql => sql`state = case when attempt >= max_attempts then 'failed' else 'waiting' end,
  finished_at = case when attempt >= max_attempts then cast(${now} as bigint) end, reason = ${reason}, worker = null, token = null, lease_until = null`

/** Makes a waiting task due. */
export function* hasten(id: string, now: number): Op<void> {
  yield* run(sql`update tasks set run_at = ${now} where id = ${id} and state = 'waiting' and run_at > ${now}`)
}

/** Durable work. States: waiting, leased, then done or failed. */
export const queue = {
  *push(tasks: readonly NewTask[]): Op<void> {
    for (const task of tasks) {
      yield* run(sql`insert into tasks (id, team, kind, priority, run_at, payload, max_attempts, created_at, state, attempt)
        values (${task.id}, ${task.team}, ${task.kind}, ${task.priority}, ${task.runAt}, ${task.payload}, ${task.maxAttempts}, ${task.createdAt}, 'waiting', 0)`)
    }
    if (tasks.length > 0) yield* run(notify)
  },

  *take(worker: string, kinds: readonly string[], limit: number, leaseMs: number, now: number): Op<readonly Task[]> {
    yield* lapse(now)
    const token = randomUUID()
    const taken = yield* all<Task & { seq: number }>(sql`update tasks
      set state = 'leased', attempt = attempt + 1, worker = ${worker}, token = ${token}, lease_until = ${now + leaseMs}
      where seq in (select seq from tasks where state = 'waiting' and run_at <= ${now} and kind in ${list(kinds)}
        order by priority, seq limit ${limit} ${skipLocked})
      returning ${taskColumns}`)
    return [...taken].sort((a, b) => a.priority - b.priority || a.seq - b.seq).map(taskOf)
  },

  *renew(id: string, token: string, leaseUntil: number): Op<boolean> {
    const renewed = yield* all(sql`update tasks set lease_until = ${leaseUntil} where id = ${id} and token = ${token} and state = 'leased' returning id`)
    return renewed.length > 0
  },

  *held(tasks: readonly Pick<Task, 'id' | 'token'>[]): Op<readonly string[]> {
    if (tasks.length === 0) return []
    const rows = yield* all<Pick<Task, 'id' | 'token'>>(sql`select id, token from tasks where state = 'leased' and id in ${list(tasks.map(({ id }) => id))}`)
    const tokens = new Map(tasks.map(({ id, token }) => [id, token]))
    return rows.filter(({ id, token }) => tokens.get(id) === token).map(({ id }) => id)
  },

  *leasedTo(worker: string): Op<readonly Pick<Task, 'id' | 'token'>[]> {
    return yield* all<Pick<Task, 'id' | 'token'>>(sql`select id, token from tasks where state = 'leased' and worker = ${worker} order by seq`)
  },

  *giveBack(id: string, token: string): Op<boolean> {
    const given = yield* all(sql`update tasks set state = 'waiting', attempt = attempt - 1, worker = null, token = null, lease_until = null
      where id = ${id} and token = ${token} and state = 'leased' returning id`)
    if (given.length > 0) yield* run(notify)
    return given.length > 0
  },

  *done(id: string, token: string, reply: string, now: number): Op<boolean> {
    const ended = yield* all(sql`update tasks set state = 'done', reply = ${reply}, finished_at = ${now}, token = null, lease_until = null
      where id = ${id} and token = ${token} and state = 'leased' returning id`)
    if (ended.length > 0) yield* run(notify)
    return ended.length > 0
  },

  *retry(id: string, token: string, reason: string, runAt: number, now: number): Op<boolean> {
    const again = yield* all(sql`update tasks set ${unfinished(reason, now)}, run_at = ${runAt}
      where id = ${id} and token = ${token} and state = 'leased' returning id`)
    if (again.length > 0) yield* run(notify)
    return again.length > 0
  },

  *outcome(id: string): Op<TaskOutcome | null> {
    const row = yield* first<{ state: string; reply: string | null; reason: string | null }>(sql`select state, reply, reason from tasks where id = ${id}`)
    if (!row) return null
    if (row.state === 'done') return { kind: 'done', reply: row.reply ?? '' }
    if (row.state === 'failed') return { kind: 'failed', reason: row.reason ?? '' }
    return { kind: 'waiting' }
  },

  *remove(id: string): Op<boolean> {
    const gone = yield* all<{ state: string; attempt: number }>(sql`delete from tasks where id = ${id} returning state, attempt`)
    // Its worker must learn of the removal.
    if (gone.some(({ state }) => state === 'leased')) yield* run(notify)
    return gone.some(({ attempt }) => attempt > 0)
  },

  *depth(team?: string): Op<{ waiting: number; leased: number }> {
    const where = team === undefined ? sql`` : sql`and team = ${team}`
    const rows = yield* all<{ state: string; count: number }>(sql`select state, count(*) as count from tasks where finished_at is null ${where} group by state`)
    const count = (state: string): number => rows.find((row) => row.state === state)?.count ?? 0
    return { waiting: count('waiting'), leased: count('leased') }
  },
}

function taskOf(row: Task & { seq: number }): Task {
  const { id, team, kind, priority, runAt, payload, maxAttempts, createdAt, attempt, token, leaseUntil } = row
  return { id, team, kind, priority, runAt, payload, maxAttempts, createdAt, attempt, token, leaseUntil }
}

/** Requeues tasks whose lease ran out; those without an attempt left fail, so that a task that kills its workers does not do so for ever. */
export function* lapse(now: number): Op<void> {
  const lapsed = yield* all(sql`update tasks set ${unfinished(workerGone, now)}
    where seq in (select seq from tasks where state = 'leased' and lease_until <= ${now} order by seq ${skipLocked})
    returning id`)
  if (lapsed.length > 0) yield* run(notify)
}
