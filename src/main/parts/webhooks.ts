import { randomUUID } from 'node:crypto'
import type { BodyRoom } from '../../app/body-room.ts'
import { deliver } from '../../app/webhooks/deliver.ts'
import { type Pump, webhookPump } from '../../app/webhooks/pump.ts'
import { isBrokenStandard, signatureNames, type Signing } from '../../app/webhooks/sign.ts'
import type { Clock } from '../../domain/clock.ts'
import { eventTypes } from '../../spec/webhook.ts'
import { type Webhook } from '../../domain/jobs/job.ts'
import { type Outbox } from '../../domain/jobs/outbox.ts'
import type { Blobs } from '../../domain/blobs.ts'
import type { WebhookClient } from '../../domain/webhooks.ts'
import type { Log } from '../../http/ports.ts'
import { sleep } from '../../lib/sleep.ts'
import { webUrlOf } from '../../lib/url-of.ts'
import { egress, nameResolver, webhookClient } from '../../net/index.ts'
import { type Config, ConfigError } from '../settings/config.ts'
import { allowed, operatorEndpoints, type Outbound } from './outbound.ts'
import { version } from '../version.ts'

/** The parts of webhooks. */
export interface WebhookParts {
  readonly outbox: Outbox
  readonly blobs: Blobs
  readonly bodies: BodyRoom
  readonly out: Pick<Outbound, 'own'>
  readonly clock: Clock
  readonly log: Log
  /** The signing key of a team; null for that of the settings. */
  readonly secretOf: (team: string) => string | null
  /** Subscribes to changes after which deliveries may be due; returns a function that unsubscribes. */
  readonly onChange: (listener: () => void) => () => void
}

/** Webhooks of this process: every process checks receivers, workers deliver. */
export interface Webhooks extends Pick<WebhookClient, 'assertReceiver'> {
  /** The webhook of jobs that name none; null when none is configured. */
  readonly fallback: Webhook | null
  /** To be started if the process is a worker, and stopped before `close`. */
  readonly pump: Pump
  close(): void
}

/** Far more than usually wait: a hanging receiver holds at most `perReceiver` of them, for ten seconds. */
const concurrency = 128
const perReceiver = 4
/** Longer than the twenty seconds that an event may be read plus the ten of an attempt. */
const leaseMs = 35_000

/** Webhooks as configured. Throws `ConfigError` for an invalid allow-list or default URL. */
export function webhooks(config: Config, { outbox, blobs, bodies, out, clock, log, secretOf, onChange }: WebhookParts): Webhooks {
  const resolver = nameResolver({ servers: config.TRAWL_EGRESS_DNS_SERVERS })
  const allow = allowed('TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES', config.TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES, log)
  const way = egress({ resolver, allow, own: out.own, closed: operatorEndpoints(config), asBrowsers: true })
  const signing: Signing = { secret: config.TRAWL_WEBHOOK_SECRET, headers: config.TRAWL_WEBHOOK_SIGNATURE_HEADERS, standard: config.TRAWL_WEBHOOK_STANDARD_HEADERS === 'on' }
  const reserved = [...signatureNames, ...signing.headers.map((name) => name.toLowerCase())]
  const client = webhookClient({ egress: way, reserved, userAgent: `Trawl/${version}` })
  const ports = { client, blobs, bodies, signing, secretOf, schedule: config.TRAWL_WEBHOOK_RETRY_SCHEDULE_MS, now: clock.now }
  return {
    assertReceiver: client.assertReceiver,
    fallback: fallbackOf(config),
    pump: webhookPump(outbox, (delivery, signal) => deliver(delivery, ports, signal), { worker: randomUUID(), concurrency, perReceiver, leaseMs, now: clock.now, sleep, onChange, log }),
    close: () => resolver.close(),
  }
}

/** Throws `ConfigError` for a secret that receivers of Standard Webhooks could not use, if deliveries have its headers. */
export function assertSecret(secret: string | null, { TRAWL_WEBHOOK_STANDARD_HEADERS: standard }: Config, name: string): void {
  if (standard === 'on' && secret !== null && isBrokenStandard(secret)) throw new ConfigError(`${name} starts with whsec_, so the rest must be base64 (TRAWL_WEBHOOK_STANDARD_HEADERS=on).`)
}

/** The webhook of jobs that name none; null when none is configured. Throws `ConfigError`. */
export function fallbackOf({ TRAWL_WEBHOOK_DEFAULT_URL: url }: Config): Webhook | null {
  if (url === null) return null
  if (webUrlOf(url) === null) throw new ConfigError('TRAWL_WEBHOOK_DEFAULT_URL must be an http or https URL.')
  return { url, headers: {}, metadata: {}, events: eventTypes }
}
