import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Call, LogFields } from '../domain/call.ts'
import { ServiceError } from '../domain/errors.ts'
import { once } from '../lib/once.ts'
import { whenGone } from './ends.ts'
import type { Log } from './ports.ts'

/** Generated at each start: lines of one run can be correlated, but nothing can be looked up later (R26). */
const logSecret = randomBytes(32)

const hidden = (value: string): string => `hmac:${createHmac('sha256', logSecret).update(value).digest('hex').slice(0, 16)}`

/** The parameters of a call. */
export interface CallTerms {
  readonly team: string
  readonly key?: Call['key']
  readonly timeoutMs: number
  readonly retention: Call['retention']
}

/** A call that can be ended. */
export interface OpenCall extends Call {
  /** Releases the timer; the signal will not abort any more. */
  end(): void
  /** Aborts the call now, with this reason. */
  abort(reason: Error): void
}

/** The log of a call; under zero retention it contains no URLs (R26). */
export function callLog({ team, retention, fields: always }: { readonly team: string; readonly retention: Call['retention']; readonly fields: LogFields }, log: Log): Call['log'] {
  return (event, fields = {}) => log('info', event, { ...always, team, ...(retention === 'zero' ? withoutAddresses(fields) : fields) })
}

const withoutAddresses = (fields: LogFields): LogFields => Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' && /url|host/i.test(key) ? hidden(value) : value]))

/**
 * The log of a call that a worker makes for another process, under the same rule as in the process that received the
 * request.
 */
export function errandLog(task: string, log: Log): (call: Pick<Call, 'id' | 'team' | 'retention'>) => Call['log'] {
  return ({ id, team, retention }) => callLog({ team, retention, fields: { task, requestId: id } }, log)
}

/**
 * The call of a request: it aborts when its time is up (`SCRAPE_TIMEOUT`, or `CONCURRENCY_QUEUE_TIMEOUT` while it waits for
 * its turn) or its client has disconnected.
 */
export function openCall(terms: CallTerms, request: FastifyRequest, ports: { log: Log; now: () => number }): OpenCall {
  const controller = new AbortController()
  let queues = 0
  const timer = setTimeout(() => controller.abort(new ServiceError(queues > 0 ? 'CONCURRENCY_QUEUE_TIMEOUT' : 'SCRAPE_TIMEOUT')), terms.timeoutMs)
  const stay = whenGone(request.raw.socket, () => controller.abort(new ServiceError('SCRAPE_TIMEOUT', 'The client closed the connection.')))
  return {
    id: request.id,
    team: terms.team,
    key: terms.key,
    signal: controller.signal,
    deadline: ports.now() + terms.timeoutMs,
    retention: terms.retention,
    queue: {
      begin: () => {
        queues++
        return once(() => queues--)
      },
    },
    log: callLog({ team: terms.team, retention: terms.retention, fields: { requestId: request.id } }, ports.log),
    abort: (reason) => controller.abort(reason),
    end: () => {
      clearTimeout(timer)
      stay()
    },
  }
}
