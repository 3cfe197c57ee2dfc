import { ofStore, StoreDamaged } from '../domain/errors.ts'
import type { Jobs } from '../domain/jobs/jobs.ts'
import type { Outbox } from '../domain/jobs/outbox.ts'
import type { Store } from '../domain/store.ts'
import type { TeamRemoval } from '../domain/teams/removal.ts'
import { withTimeout } from '../lib/with-timeout.ts'
import { appending } from './appending.ts'
import { cacheUses } from './cache-uses.ts'
import { creating } from './creating.ts'
import { type Promises, type RunOperation, promises } from './ops/index.ts'
import { recovering } from './recovering.ts'
import { taking } from './taking.ts'
import type { Wakeups } from './wakeups.ts'

/** A database that runs operations. */
export interface Engine {
  readonly name: Store['name']
  readonly run: RunOperation
  readonly wakeups: Wakeups
  close(): Promise<void>
}

/** A health check that takes longer than this has failed. */
const pingMs = 2_000

/** Makes the public store from an engine: the operations, and the little that is kept in memory. */
export function composeStore(engine: Engine): Store {
  const { run, isDamaged } = examined(engine.run)
  const ops = promises(run)
  const uses = cacheUses((batch) => ops.cache.touch(batch))
  return {
    name: engine.name,
    accounts: ops.accounts,
    ledger: ops.ledger,
    results: ops.results,
    idempotency: ops.idempotency,
    slots: ops.slots,
    lessons: ops.lessons,
    profiles: ops.profiles,
    sessions: ops.sessions,
    teams: ops.teams,
    versions: ops.versions,
    search: ops.search,
    templates: ops.templates,
    abilities: ops.abilities,
    blobRows: ops.blobRows,
    blobMarker: ops.blobMarker,
    cache: {
      ...ops.cache,
      find: async (...[key, oldest, newest, memo, now]) => {
        const found = await ops.cache.find(key, oldest, newest, memo)
        if (found) uses.note(key, now)
        return found
      },
      evict: async (maxBytes) => {
        await uses.flush()
        let evicted = 0
        for (let more = 1; more > 0; evicted += more) more = await ops.cache.evict(maxBytes)
        return evicted
      },
    },
    queue: {
      ...ops.queue,
      push: (...args) => thenWake(engine.wakeups, ops.queue.push(...args)),
      done: (...args) => thenWake(engine.wakeups, ops.queue.done(...args)),
      retry: (...args) => thenWake(engine.wakeups, ops.queue.retry(...args)),
      giveBack: (...args) => thenWake(engine.wakeups, ops.queue.giveBack(...args)),
      onChange: engine.wakeups.onChange,
    },
    jobs: jobsOf(ops.jobs, engine.wakeups),
    outbox: outboxOf(ops.outbox, engine.wakeups),
    removal: removalOf(ops.removal),
    sweep: (now) => sweepAll(ops.upkeep, now),
    blobsInUse: ops.blobs.inUse,
    shortenLeases: ops.upkeep.shortenLeases,
    time: ops.upkeep.time,
    backlog: ops.upkeep.backlog,
    isDamaged,
    ping: () => withTimeout(ops.upkeep.ping(), pingMs, late),
    close: async () => {
      engine.wakeups.close()
      try {
        await uses.flush()
      } finally {
        await engine.close()
      }
    },
  }
}

/** Sweeps batch by batch until nothing is left; answers as `sweep` of the store does. */
async function sweepAll(upkeep: Promises['upkeep'], now: number): Promise<readonly string[]> {
  const blobs: string[] = []
  for (let more = true; more; ) {
    const swept = await upkeep.sweep(now).catch((error: unknown) => {
      // What was swept before is named nowhere else any more. The rest is left to the next sweep.
      if (blobs.length === 0) throw error
      return { more: false, blobs: [] }
    })
    blobs.push(...swept.blobs)
    more = swept.more
  }
  return blobs
}

/** The same operations, whose failures are `StoreFault`s; remembers whether one of them met damage. */
function examined(run: RunOperation): { readonly run: RunOperation; readonly isDamaged: () => boolean } {
  let damaged = false
  return {
    run: (name, args) =>
      ofStore(run(name, args)).catch((error: unknown) => {
        damaged ||= error instanceof StoreDamaged
        throw error
      }),
    isDamaged: () => damaged,
  }
}

function jobsOf({ takePassed, orphaned, recover: recoverFree, recoverPassed, leavePassed, skipMore, halfEnded, ...ops }: Promises['jobs'], wakeups: Wakeups): Jobs {
  // In transactions of their own, so that nobody waits long for the row of a large job.
  const skipRest = async (id: string, now: number): Promise<void> => {
    while (await skipMore(id, now));
  }
  const leave = async (worker: string, now: number): Promise<void> => {
    for (let passed = await ops.leave(worker, now); passed.length > 0; passed = await ops.leave(worker, now)) {
      for (const id of passed) await leavePassed(id, worker, now)
    }
  }
  const recover = recovering({ orphaned, recover: recoverFree, recoverPassed }, wakeups)
  const create = creating(ops.create)
  const append = appending(ops.append)
  const take = taking({ take: ops.take, takePassed }, wakeups)
  return {
    ...ops,
    create: (...args) => thenWake(wakeups, create(...args)),
    append: (...args) => thenWake(wakeups, append(...args)),
    seeded: (...args) => thenWake(wakeups, ops.seeded(...args)),
    recalled: (...args) => thenWake(wakeups, ops.recalled(...args)),
    giveBack: (...args) => thenWake(wakeups, ops.giveBack(...args)),
    leave: (...args) => thenWake(wakeups, leave(...args)),
    cancel: async (id, eventId, now) => {
      const { outcome, more } = await thenWake(wakeups, ops.cancel(id, eventId, now))
      if (more) await skipRest(id, now)
      return outcome
    },
    fail: async (...args) => {
      const [id, , , now] = args
      if (await thenWake(wakeups, ops.fail(...args))) await skipRest(id, now)
    },
    take: async (terms, now) => {
      // In transactions of its own, since jobs are locked in order, and rare.
      await recover(now)
      return take(terms, now)
    },
    settle: async (end) => {
      const { answer, fresh, rest } = await ops.settle(end)
      if (fresh) wakeups.changed()
      // The page is settled. If the store fails now, the watchdog finishes this.
      if (rest === true) await skipRest(end.task.job, end.now).catch(() => undefined)
      return answer
    },
    watch: async (before, now) => {
      for (const id of await halfEnded(before)) await skipRest(id, now)
      const watched = await ops.watch(before, now)
      if (watched.seen > 0) wakeups.changed()
      return watched
    },
  }
}

function outboxOf(ops: Promises['outbox'], wakeups: Wakeups): Outbox {
  return {
    ...ops,
    // What waited for this delivery, of its job or its receiver, may go now.
    attempted: (...args) => thenWake(wakeups, ops.attempted(...args)),
    redeliver: (...args) => thenWake(wakeups, ops.redeliver(...args)),
  }
}

function removalOf({ removeSome, ...ops }: Promises['removal']): TeamRemoval {
  return {
    ...ops,
    remove: async (team) => {
      while (!(await removeSome(team)));
    },
  }
}

async function thenWake<T>(wakeups: Wakeups, work: Promise<T>): Promise<T> {
  const answer = await work
  wakeups.changed()
  return answer
}

function late(): never {
  throw new Error('The store did not answer in time.')
}
