import type { LogFields } from '../../domain/call.ts'
import type { Attempted, Delivery, Outbox } from '../../domain/jobs/outbox.ts'

/** How a pump works. */
export interface PumpOptions {
  /** Name of this process among those that lease. */
  readonly worker: string
  /** Deliveries in flight. */
  readonly concurrency: number
  /** Of them, for one receiver. */
  readonly perReceiver: number
  /** Longer than any attempt takes: leases are not renewed. */
  readonly leaseMs: number
  readonly now: () => number
  /** Rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Calls back when deliveries may be due; answers an unsubscribe function. */
  readonly onChange: (listener: () => void) => () => void
  readonly log: (level: 'info' | 'warn', event: string, fields: LogFields) => void
}

/** Makes one attempt; the signal aborts when it is to end early. Never rejects. */
export type Attempt = (delivery: Delivery, signal: AbortSignal) => Promise<Attempted>

export interface Pump {
  start(): void
  /** Takes nothing more; after `graceMs` what still runs is broken off and due again at once. */
  stop(graceMs: number): Promise<void>
}

/** Leases of processes that died become due without anybody telling: look this often. */
const lookAgainMs = 5_000
/** What is due and not to be had waits for its job or its receiver, which another process may serve. */
const blockedMs = 1_000
const storeAwayMs = 1_000
/** Most changes of the store are none of the outbox, and there may be hundreds in a second: look for them so often. */
const changesMs = 25

interface Leased {
  readonly delivery: Delivery
  readonly leaseUntil: number
  /** Aborts when what runs is broken off. */
  readonly signal: AbortSignal
}

/** Takes what is due from the outbox and has it delivered, many at a time, few for each receiver, so that a dead one delays nobody (R14). */
export function webhookPump(outbox: Outbox, attempt: Attempt, options: PumpOptions): Pump {
  const { now, log } = options
  const running = new Map<Promise<void>, AbortController>()
  const stopping = new AbortController()
  /** Something of ours has ended, so that there is room. */
  let ended = false
  /** The store has changed, in whatever way. */
  let changed = false
  let wake = (): void => undefined
  let unsubscribe = (): void => undefined
  let looking: Promise<void> = Promise.resolve()

  async function rest(ms: number): Promise<void> {
    const woken = new AbortController()
    wake = () => woken.abort()
    await options.sleep(ms, woken.signal).catch(() => undefined) // woken early, which is what the signal is for
    wake = () => undefined
  }

  const onEnd = (): void => {
    ended = true
    wake()
  }
  const onChange = (): void => {
    if (!changed) wake()
    changed = true
  }

  /** Until there is reason to look again. */
  async function pause(ms: number): Promise<void> {
    const urgent = (): boolean => ended || stopping.signal.aborted
    if (!urgent() && !changed) await rest(ms)
    // The second change and those after it wake nobody.
    if (!urgent() && changed) await rest(changesMs)
  }

  /** Writes down how it ended, for as long as the lease lasts: a store that is away for a moment must not make it a second delivery. */
  async function record({ delivery, leaseUntil, signal }: Leased, outcome: Attempted): Promise<void> {
    for (;;) {
      try {
        const held = await outbox.attempted(delivery, outcome, now())
        if (!held) log('warn', 'webhook-lease-lost', fieldsOf(delivery))
        return
      } catch (error) {
        log('warn', 'webhook-not-recorded', { ...fieldsOf(delivery), reason: String(error) })
        if (signal.aborted || now() >= leaseUntil) return
        await options.sleep(storeAwayMs, signal).catch(() => undefined) // woken by the end of the grace period: one more try
      }
    }
  }

  async function serve(leased: Leased): Promise<void> {
    const { delivery, signal } = leased
    const outcome = await attempt(delivery, signal)
    if (outcome.kind === 'again') log('info', 'webhook-failed', { ...fieldsOf(delivery), reason: outcome.reason })
    if (outcome.kind === 'given-up' || outcome.kind === 'stopped') log('warn', `webhook-${outcome.kind}`, { ...fieldsOf(delivery), reason: outcome.reason })
    await record(leased, outcome)
  }

  function launch(delivery: Delivery, leaseUntil: number): void {
    const abort = new AbortController()
    const work = serve({ delivery, leaseUntil, signal: abort.signal })
      .catch((error: unknown) => log('warn', 'webhook-attempt-broke', { ...fieldsOf(delivery), reason: String(error) }))
      .finally(() => {
        running.delete(work)
        onEnd()
      })
    running.set(work, abort)
  }

  /** Takes what there is room for; answers how long to wait before the next look. */
  async function look(): Promise<number> {
    const room = options.concurrency - running.size
    if (room === 0) return lookAgainMs
    // When room becomes scarce, receivers that have none in flight get what is left: dead ones hold theirs until they time out.
    const perReceiver = room > options.concurrency / 2 ? options.perReceiver : 1
    const started = now()
    const taken = await outbox.take({ worker: options.worker, limit: room, perReceiver, leaseMs: options.leaseMs }, started)
    for (const delivery of taken) {
      if (delivery.givenUp === undefined) launch(delivery, started + options.leaseMs)
      else log('warn', 'webhook-given-up', { ...fieldsOf(delivery), reason: delivery.givenUp })
    }
    if (taken.length > 0) return blockedMs
    const due = await outbox.next()
    if (due === null) return lookAgainMs
    return due <= now() ? blockedMs : Math.min(due - now(), lookAgainMs)
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      ended = false
      changed = false
      const wait = await look().catch((error: unknown) => {
        log('warn', 'outbox-unreachable', { reason: String(error) })
        return storeAwayMs
      })
      await pause(wait)
    }
  }

  return {
    start() {
      unsubscribe = options.onChange(onChange)
      looking = run()
    },
    async stop(graceMs) {
      stopping.abort()
      unsubscribe()
      wake()
      await looking
      const over = new AbortController()
      const grace = options.sleep(graceMs, over.signal).then(
        () => running.forEach((abort) => abort.abort(new Error('the pump stops'))),
        () => undefined, // all was done before
      )
      await Promise.all(running.keys())
      over.abort()
      await grace
    },
  }
}

/** What a log line may say of a delivery: no URL, no header. */
function fieldsOf({ id, job, event, attempt }: Delivery): LogFields {
  return { delivery: id, job: job.id, type: event.type, attempt }
}
