import type { Webhook } from '../../domain/jobs/job.ts'
import type { Jobs } from '../../domain/jobs/jobs.ts'
import type { Payer } from '../../domain/teams/ledger.ts'
import type { WebhookClient } from '../../domain/webhooks.ts'
import type { ScrapePorts } from '../scrape/scrape.ts'
import type { SitePorts } from '../site/ports.ts'
import type { RobotsShelf } from '../site/robots-shelf.ts'

/** What starting a job needs. */
export interface StartPorts extends Pick<ScrapePorts, 'gates' | 'features' | 'model' | 'ledger' | 'retentionMs' | 'now'> {
  readonly jobs: Jobs
  readonly receivers: Pick<WebhookClient, 'assertReceiver'>
  /** Webhook for jobs that name none; null if none is configured. */
  readonly fallback: Webhook | null
  readonly newId: () => string
  /** Lets other work run between the parts of a large request. */
  readonly breathe: SitePorts['breathe']
  /** Pages of one team that may run at once. */
  readonly teamPlaces: number
  /** Pages of one team that may wait. */
  readonly teamQueue: number
}

/** On whose behalf a job is started. */
export interface Starter {
  /** Id of the new job. */
  readonly id: string
  readonly team: string
  readonly key?: Payer['key']
  /** Base of the URLs in answers. */
  readonly baseUrl: string
  /** Warnings about the request itself. */
  readonly warnings: readonly string[]
  /** Keys that the request itself contains; its other options are defaults. */
  readonly given: ReadonlySet<string>
}

/** What working on the pages of jobs needs. */
export interface WorkPorts extends ScrapePorts {
  readonly jobs: Jobs
  readonly site: SitePorts
  readonly robots: RobotsShelf
  readonly newId: () => string
  readonly log: (event: string, fields: Readonly<Record<string, string | number | boolean | undefined>>) => void
}
