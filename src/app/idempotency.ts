import { createHash } from 'node:crypto'
import { costOfFailure } from '../domain/teams/credits.ts'
import { ServiceError } from '../domain/errors.ts'
import type { Blobs } from '../domain/blobs.ts'
import { type Claimed, type Idempotency, repeatMs } from '../domain/teams/repeats.ts'

/** A complete response, as bytes. */
export interface Answer {
  readonly status: number
  readonly body: Uint8Array
  readonly replayed: boolean
}

/** A request with an idempotency key. */
export interface KeyedRequest {
  readonly team: string
  readonly route: string
  readonly key: string
  readonly body: Uint8Array
  /** By when the request will have ended in any case. */
  readonly until: number
  /** False: the response must not be stored, and a repeat runs again (contract §15.28). */
  readonly keepable: boolean
}

/** Identifies the request, whatever its body. */
export type RequestKey = Pick<KeyedRequest, 'team' | 'route' | 'key'>

export interface IdempotencyPorts {
  readonly idempotency: Idempotency
  readonly blobs: Blobs
  readonly now: () => number
}

const slackMs = 5_000

const hash = (parts: readonly (string | Uint8Array)[]): string => {
  const sum = createHash('sha256')
  // Each part is preceded by its length, so that shifting a boundary cannot cause a collision.
  for (const part of parts) sum.update(`${part.length}:`).update(part)
  return sum.digest('hex')
}

/** The id of what a request with that key creates: a repeat finds it even if the first response was never stored. */
export function idOfKey({ team, route, key }: RequestKey): string {
  const hex = hash(['id', team, route, key])
  // In the form of a name-based UUID.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Whether the failure was charged. Then a repeat gets a new id: another charge under the old one would change nothing. */
const isPaid = (error: unknown): boolean => error instanceof ServiceError && costOfFailure(error.code) > 0

/**
 * Runs a request once per key: a repeat gets the first response, byte by byte (contract §1.6). If that response was lost,
 * the request runs again under the first id: it finds what the first run created, and is not charged twice. Throws
 * `IDEMPOTENCY_CONFLICT` for another body, or while the first run continues. Only responses with status 200 are stored.
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
    // It may have been written and charged although it failed: the response was lost, or came too late.
    await ports.idempotency.abandon(scope, bodyHash, leaseUntil, isPaid(error) ? 'forgotten' : 'kept')
    throw error
  }
}
