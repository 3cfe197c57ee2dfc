import type { Attempted, Delivery } from '../../domain/jobs/outbox.ts'
import type { Blobs } from '../../domain/blobs.ts'
import type { NoAnswer, Receipt, WebhookClient } from '../../domain/webhooks.ts'
import type { Room } from '../../domain/call.ts'
import { deadline, untilAborted } from '../../lib/deadline.ts'
import type { BodyRoom } from '../body-room.ts'
import { countAlone } from '../jobs/answers/documents.ts'
import { eventBody } from '../jobs/answers/event-body.ts'
import { keptBlobs } from '../kept-blobs.ts'
import { nextAttemptAt, pauseUntil, type RetrySchedule } from './schedule.ts'
import { signatureHeaders, type Signing } from './sign.ts'

/** What an attempt needs. */
export interface DeliverPorts {
  readonly client: Pick<WebhookClient, 'post'>
  readonly blobs: Blobs
  /** What large events count against until they are sent: receivers may answer as slowly as they like. */
  readonly bodies: Pick<BodyRoom, 'open'>
  readonly signing: Signing
  /** The key of a team's own signatures; null: the one in `signing`. */
  readonly secretOf: (team: string) => string | null
  readonly schedule: RetrySchedule
  readonly now: () => number
}

/** Reasons that operators read; never an address, a URL or a secret. */
const reasons: Readonly<Record<NoAnswer, string>> = {
  roomless: 'The machine has no room for another connection.',
  forbidden: 'The address of the receiver is not allowed.',
  unresolved: 'The name of the receiver does not resolve.',
  certificate: 'The receiver has no certificate that verifies.',
  timeout: 'The receiver did not answer in time.',
  unreachable: 'The receiver does not take connections.',
  broken: 'The receiver broke off, or does not speak HTTP.',
  unsendable: 'The URL or the headers of the webhook cannot be sent.',
}

/** The service stopped during the attempt: it is due again at once. */
const stopped = 'The service stopped.'
/** How long an event may be read: together with the ten seconds of an attempt, shorter than the lease of a delivery. */
const readMs = 20_000
/** The pause after the last attempt of the schedule, if the receiver was never contacted. */
const ownFaultDelayMs = 60_000

/**
 * Makes one attempt at a delivery: 2xx means delivered, 410 ends the deliveries of its job, anything else is retried
 * according to the schedule, or later if the receiver asks for that. Never rejects.
 */
export async function deliver(delivery: Delivery, ports: DeliverPorts, signal: AbortSignal): Promise<Attempted> {
  const room = ports.bodies.open(delivery.team)
  return attempted({ ...delivery, room }, ports, signal).finally(room.close)
}

type Counted = Delivery & { readonly room: Room }

async function attempted(delivery: Counted, ports: DeliverPorts, signal: AbortSignal): Promise<Attempted> {
  const { event, job, attempt } = delivery
  const { schedule, now } = ports
  let body: Uint8Array
  try {
    body = await bodyOf(delivery, ports, signal)
  } catch (error) {
    if (signal.aborted) return { kind: 'again', counted: false, runAt: now(), reason: stopped }
    return ownFault(`The event could not be read: ${error instanceof Error ? error.name : typeof error}.`, delivery, ports)
  }
  if (job.webhook === null) return { kind: 'given-up', reason: 'The job has no webhook.' }
  const { url, headers } = job.webhook
  const signature = signatureHeaders({ ...ports.signing, secret: ports.secretOf(delivery.team) ?? ports.signing.secret }, { id: event.id, body, at: now() })
  try {
    const receipt = await ports.client.post({ url, headers, signature, body }, signal)
    if (receipt.kind === 'none' && receipt.why === 'roomless') return ownFault(reasons.roomless, delivery, ports)
    const at = now()
    return outcomeOf(receipt, (reason) => failed(reason, nextAttemptAt(schedule, attempt, at), receipt.kind === 'answer' ? pauseUntil(receipt.retryAfter, at) : null))
  } catch {
    return { kind: 'again', counted: false, runAt: now(), reason: stopped }
  }
}

/** Not the receiver's fault, so it does not use up attempts; the job's retention ends it. */
function ownFault(reason: string, { attempt }: Delivery, { schedule, now }: DeliverPorts): Attempted {
  return { kind: 'again', counted: false, runAt: nextAttemptAt(schedule, attempt, now()) ?? now() + ownFaultDelayMs, reason }
}

/** The bytes to deliver. Rejects when there is no memory for them, or they cannot be read, in time, and when the signal aborts. */
async function bodyOf({ job, event, room }: Counted, { blobs, now }: DeliverPorts, signal: AbortSignal): Promise<Uint8Array> {
  const limit = deadline(signal, readMs, () => new DOMException('The event was not read in time.', 'TimeoutError'))
  try {
    const taken = countAlone(event.page ?? { bytes: 0 })
    if (taken > 0) await room.take(taken, limit.signal)
    // With zero retention a page may be erased at any time.
    const body = await untilAborted(eventBody(job, event, job.retention === 'zero' ? blobs : keptBlobs(blobs, event.at, now)), limit.signal)
    if (taken > body.length) room.give(taken - body.length)
    return body
  } finally {
    limit.dispose()
  }
}

function outcomeOf(receipt: Receipt, again: (reason: string) => Attempted): Attempted {
  if (receipt.kind === 'none') return again(reasons[receipt.why])
  const { status } = receipt
  if (status >= 200 && status < 300) return { kind: 'delivered', status }
  if (status === 410) return { kind: 'stopped', reason: 'The receiver answered with status 410: it wants no more of this job.' }
  return again(`The receiver answered with status ${status}${status >= 300 && status < 400 && status !== 304 ? ', and redirects are not followed' : ''}.`)
}

function failed(reason: string, runAt: number | null, pause: number | null): Attempted {
  if (runAt === null) return { kind: 'given-up', reason }
  return pause === null ? { kind: 'again', runAt, reason } : { kind: 'again', runAt: Math.max(runAt, pause), reason, pauseUntil: pause }
}
