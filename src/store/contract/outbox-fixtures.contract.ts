import { expect } from 'vitest'
import type { EventType } from '../../domain/jobs/events.ts'
import type { Webhook } from '../../domain/jobs/job.ts'
import type { Delivery } from '../../domain/jobs/outbox.ts'
import type { Store } from '../../domain/store.ts'
import { now } from './fixtures.contract.ts'
import { hook, pageEnd, start, take } from './jobs-fixtures.contract.ts'

/** The outcome of an attempt that the receiver has accepted. */
export const ok = { kind: 'delivered', status: 200 } as const

/** The outcome of one that failed. */
export const again = (runAt: number): { kind: 'again'; runAt: number; reason: string } => ({ kind: 'again', runAt, reason: 'HTTP 500' })

/** The events that are delivered. */
export const types = (deliveries: readonly Delivery[]): readonly EventType[] => deliveries.map((d) => d.event.type)

/** What tests of the outbox do with the first store. */
export function outboxHands(stores: { readonly first: Store }) {
  return {
    /** Takes what is due. */
    due: (limit = 10, at = now, perReceiver = 10): Promise<readonly Delivery[]> => stores.first.outbox.take({ worker: 'w', limit, perReceiver, leaseMs: 100 }, at),
    /** Starts a job with a webhook. */
    hooked: (id: string, pages: readonly string[], more: Partial<Webhook> = {}, team = 'a'): Promise<void> => start(stores.first, id, { pages, job: { team, webhook: { ...hook, ...more } } }),
    /** Delivers all pages that are due. */
    async endAll(): Promise<void> {
      for (const task of await take(stores.first, 99)) await stores.first.jobs.settle(pageEnd(task))
    },
    async acknowledge(deliveries: readonly Delivery[]): Promise<void> {
      for (const delivery of deliveries) expect(await stores.first.outbox.attempted(delivery, ok, now)).toBe(true)
    },
  }
}
