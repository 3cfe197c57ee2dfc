import type { DeliveryRow } from '../../domain/jobs/outbox.ts'
import { isoTime } from '../../lib/time.ts'
import type { Config } from '../settings/config.ts'
import { withStore } from './keys.ts'
import { countIn } from './limits.ts'

/** The filter for deliveries, as typed. */
export interface DeliveryFilter {
  readonly job?: string
  readonly state?: DeliveryRow['state']
  readonly limit: string
}

/** A receiver's URL without the parts that may be secret. */
function shownUrl(text: string): string {
  const { origin, pathname } = new URL(text)
  return origin + pathname
}

/** Prints deliveries, newest first. Throws when the limit is not a number. */
export async function list({ limit, ...filter }: DeliveryFilter, config: Config): Promise<void> {
  const most = countIn(limit)
  const rows = await withStore(config, (store) => store.outbox.list({ ...filter, limit: most }))
  console.log(['ID', 'TEAM', 'JOB', 'EVENT', 'STATE', 'ATTEMPTS', 'NEXT', 'RECEIVER', 'REASON'].join('\t'))
  for (const row of rows) {
    const next = row.state === 'waiting' ? isoTime(row.runAt) : '-'
    console.log([row.id, row.team, row.job, row.type, row.state, row.attempts, next, shownUrl(row.url), row.reason ?? '-'].join('\t'))
  }
}

/** Queues a delivery again, or all of a job that did not arrive. Throws when there are none. */
export async function redeliver(id: string | undefined, { job }: { readonly job?: string }, config: Config): Promise<void> {
  if ((id === undefined) === (job === undefined)) throw new Error('Name one delivery by its id, or a job with --job.')
  const filter = { ...(id === undefined ? {} : { id }), ...(job === undefined ? {} : { job }) }
  const count = await withStore(config, (store) => store.outbox.redeliver(filter, Date.now()))
  if (count === 0) throw new Error(id === undefined ? `Job ${job} has no delivery that did not arrive.` : `No delivery has the id ${id}; "trawl webhooks list" shows them.`)
  console.log(count === 1 ? 'One delivery is due again.' : `${count} deliveries are due again.`)
}
