import type { LogFields } from '../../domain/call.ts'
import type { Attempted, Delivery, Outbox } from '../../domain/jobs/outbox.ts'

/** How a pump works. */
export interface PumpOptions {
  /** The name of this process, for leases. */
  readonly worker: string
  /** The maximum number of deliveries in flight. */
  readonly concurrency: number
  /** The maximum number of them per receiver. */
  readonly perReceiver: number
  /** Longer than any attempt takes, because leases are not renewed. */
  readonly leaseMs: number
  readonly now: () => number
  /** Rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Calls back when deliveries may be due; returns a function that unsubscribes. */
  readonly onChange: (listener: () => void) => () => void
  readonly log: (level: 'info' | 'warn', event: string, fields: LogFields) => void
}

/** Makes one attempt; the signal aborts when it must end early. Never rejects. */
export type Attempt = (delivery: Delivery, signal: AbortSignal) => Promise<Attempted>

/** Delivers what waits in the outbox. */
export interface Pump {
  start(): void
  /** Takes no more deliveries; after `graceMs`, the running ones are aborted and are due again at once. */
  stop(graceMs: number): Promise<void>
}

/** Nobody announces that leases of dead processes expire: look this often. */
const lookAgainMs = 5_000
/**
 * Due deliveries that cannot be taken wait for their job or receiver, which another process may be serving: look this
 * often.
 */
const blockedMs = 1_000
const storeAwayMs = 1_000
/** Most changes of the store do not concern the outbox, and there may be hundreds per second: look at most this often. */
const changesMs = 25

interface Leased {
  readonly delivery: Delivery
  readonly leaseUntil: number
  /** Aborts when running attempts must end. */
  readonly signal: AbortSignal
}

/** How long to wait before the next look, when nothing could be taken and this is due first. */
function waitFor(due: number | null, now: number): number {
  if (due === null) return lookAgainMs
  return due <= now ? blockedMs : Math.min(due - now, lookAgainMs)
}

/**
 * Delivers what is due in the outbox, many at a time but few per receiver, so that a dead receiver delays nobody else
 * (R14).
 */
export function webhookPump(outbox: Outbox, attempt: Attempt, options: PumpOptions): Pump {
  const { now, log } = options
  const running = new Map<Promise<void>, AbortController>()
  const stopping = new AbortController()
  /** An attempt of this process has ended, so there is room. */
  let ended = false
  /** The store has changed in some way. */
  let changed = false
  let wake = (): void => undefined
  let unsubscribe = (): void => undefined
  let looking: Promise<void> = Promise.resolve()

  async function rest(ms: number): Promise<void> {
    const woken = new AbortController()
    wake = () => woken.abort()
    await options.sleep(ms, woken.signal).catch(() => undefined) // waking early is what the signal is for
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

  /** Waits until there is a reason to look again. */
  async function pause(ms: number): Promise<void> {
    const urgent = (): boolean => ended || stopping.signal.aborted
    if (!urgent() && !changed) await rest(ms)
    // Further changes need not wake it again.
    if (!urgent() && changed) await rest(changesMs)
  }

  /** Records the outcome, retrying while the lease lasts: a short outage of the store must not cause a second delivery. */
  async function record({ delivery, leaseUntil, signal }: Leased, outcome: Attempted): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        const held = await outbox.attempted(delivery, outcome, now())
        if (!held) log('warn', 'webhook-lease-lost', fieldsOf(delivery))
        return
      } catch (error) {
        const isLast = signal.aborted || now() >= leaseUntil
        if (isFirst || isLast) log('warn', 'webhook-not-recorded', { ...fieldsOf(delivery), reason: String(error) })
        if (isLast) return
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

  /** Takes as many deliveries as there is room for; returns how long to wait before the next look. */
  async function look(why: 'change' | 'turn'): Promise<number> {
    const room = options.concurrency - running.size
    if (room === 0) return lookAgainMs
    if (why === 'change') {
      // It visits every receiver that waits to take something: find out first, from one entry of an index, whether anything is due.
      const due = await outbox.next()
      if (due === null || due > now()) return waitFor(due, now())
    }
    // When room becomes scarce, only receivers with nothing in flight get the rest: dead ones keep theirs until they time
    // out.
    const perReceiver = room > options.concurrency / 2 ? options.perReceiver : 1
    const started = now()
    const taken = await outbox.take({ worker: options.worker, limit: room, perReceiver, leaseMs: options.leaseMs }, started)
    for (const delivery of taken) {
      if (delivery.givenUp === undefined) launch(delivery, started + options.leaseMs)
      else log('warn', 'webhook-given-up', { ...fieldsOf(delivery), reason: delivery.givenUp })
    }
    if (taken.length > 0) return blockedMs
    return waitFor(await outbox.next(), now())
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const why = changed && !ended ? 'change' : 'turn'
      ended = false
      changed = false
      const wait = await look(why).catch((error: unknown) => {
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

/** What a log line may contain about a delivery: no URL, no header. */
function fieldsOf({ id, job, event, attempt }: Delivery): LogFields {
  return { delivery: id, job: job.id, type: event.type, attempt }
}
