import { createHash } from 'node:crypto'
import { costOfFailure } from '../domain/credits.ts'
import { ServiceError } from '../domain/errors.ts'
import type { Blobs } from '../domain/blobs.ts'
import { type Claimed, type Idempotency, repeatMs } from '../domain/repeats.ts'

/** A finished answer, as bytes. */
export interface Answer {
  readonly status: number
  readonly body: Uint8Array
  readonly replayed: boolean
}

/** One request that carries an idempotency key. */
export interface KeyedRequest {
  readonly team: string
  readonly route: string
  readonly key: string
  readonly body: Uint8Array
  /** When the request will have ended, whatever happens. */
  readonly until: number
  /** False: the answer must not be kept, a repeat runs again (contract §15.28). */
  readonly keepable: boolean
}

/** Which request it is, whatever its body. */
export type RequestKey = Pick<KeyedRequest, 'team' | 'route' | 'key'>

export interface IdempotencyPorts {
  readonly idempotency: Idempotency
  readonly blobs: Blobs
  readonly now: () => number
}

const slackMs = 5_000

const hash = (parts: readonly (string | Uint8Array)[]): string => {
  const sum = createHash('sha256')
  // A length before each part: two requests cannot collide by moving a boundary.
  for (const part of parts) sum.update(`${part.length}:`).update(part)
  return sum.digest('hex')
}

/** The id of what a request with that key makes: a repeat finds it, though the answer to the first was never written. */
export function idOfKey({ team, route, key }: RequestKey): string {
  const hex = hash(['id', team, route, key])
  // The form of a UUID made from a name.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Whether nothing that is written under its id hereafter would have been paid for: then a repeat is another request. */
const isPaid = (error: unknown): boolean => error instanceof ServiceError && costOfFailure(error.code) > 0

/**
 * Runs a request once per key: a repeat gets the first answer, bytes as they were (contract §1.6). One whose answer was lost is run again, under the
 * id of the first: what that has written it finds, and what that has cost is not charged again.
 * Throws `IDEMPOTENCY_CONFLICT` for another body or while the first is running. Only answers with status 200 are kept.
 */
export async function runOnce(request: KeyedRequest, ports: IdempotencyPorts, run: (own: Claimed) => Promise<Uint8Array>): Promise<Answer> {
  const scope = hash([request.team, request.route, request.key])
  const bodyHash = hash([request.body])
  const leaseUntil = request.until + slackMs
  const claim = await ports.idempotency.claim(scope, bodyHash, request.team, leaseUntil, ports.now())
  if (claim.kind === 'other-body') throw new ServiceError('IDEMPOTENCY_CONFLICT', 'This idempotency key was used with another request body.')
  if (claim.kind === 'running') throw new ServiceError('IDEMPOTENCY_CONFLICT', 'The first request with this idempotency key is still running.', { retryAfterSeconds: 1 })
  const kept = claim.kind === 'done' ? await ports.blobs.get(claim.blob) : null
  if (claim.kind === 'done' && kept !== null) return { status: claim.status, body: kept, replayed: true }
  try {
    const body = await run(claim.kind === 'done' ? { id: claim.id, again: true } : claim)
    if (request.keepable) await ports.idempotency.finish(scope, bodyHash, 200, await ports.blobs.put(body), ports.now() + repeatMs)
    else await ports.idempotency.abandon(scope, bodyHash, leaseUntil, 'forgotten')
    return { status: 200, body, replayed: false }
  } catch (error) {
    // It may have been written, and charged, although it failed: its answer was lost, or came too late.
    await ports.idempotency.abandon(scope, bodyHash, leaseUntil, isPaid(error) ? 'forgotten' : 'kept')
    throw error
  }
}
