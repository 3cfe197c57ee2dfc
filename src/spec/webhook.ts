import { z } from 'zod'
import { framingHeaders, headerFault, HeaderRecord } from './headers.ts'
import { limits } from './limits.ts'
import { urlOf } from '../lib/url-of.ts'

/** Short names of a job's events, in the order in which they may occur (contract §6.2). */
export const eventTypes = ['started', 'page', 'completed', 'failed', 'cancelled'] as const

const jsonType = /^\s*application\/json\s*(;.*)?$/i

/** Headers that say what the delivery is, how it is framed or who signed it: not the caller's to set (R15). */
const ours: ReadonlySet<string> = new Set([
  ...framingHeaders,
  'content-type', 'content-encoding', 'x-service-signature', 'x-service-timestamp', 'x-firecrawl-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature',
])

function urlFault(text: string): string | null {
  const url = /^https?:\/\//i.test(text) ? urlOf(text) : null
  if (url === null) return 'Not an absolute http or https URL'
  return url.username === '' && url.password === '' ? null : 'A webhook URL must not carry a user name or password; send an Authorization header instead'
}

const WebhookUrl = z
  .string()
  .max(limits.urlLength)
  .superRefine((text, context) => {
    const fault = urlFault(text)
    if (fault !== null) context.addIssue({ code: 'custom', message: fault })
  })

/** Many senders name the media type that we send anyway: that one is passed over, another refused. */
const isOurType = ([name, value]: readonly [string, string]): boolean => name.toLowerCase() === 'content-type' && jsonType.test(value)

const Headers = HeaderRecord.transform((headers, context) => {
  const kept = Object.entries(headers).filter((header) => !isOurType(header))
  for (const header of kept) {
    const fault = headerFault(header, ours)
    if (fault !== null) context.addIssue({ code: 'custom', path: [header[0]], message: fault })
  }
  return Object.fromEntries(kept)
})

const Metadata = z
  .record(z.string(), z.unknown())
  .refine((metadata) => JSON.stringify(metadata).length <= limits.webhookMetadata, `At most ${limits.webhookMetadata} characters of JSON`)

/** The `webhook` of a job whose events have this prefix: a URL, or an object. Events come out under their short names, never an empty list. */
export function webhookOf<P extends 'crawl' | 'batch_scrape'>(prefix: P) {
  const fullNames = eventTypes.map((name) => `${prefix}.${name}` as const)
  const wanted = (events: readonly string[]) => (events.length === 0 ? [...eventTypes] : eventTypes.filter((short) => events.includes(short) || events.includes(`${prefix}.${short}`)))
  const object = z
    .strictObject({
      url: WebhookUrl.describe('URL that receives the events by POST.'),
      headers: Headers.default({}).describe('Headers sent with each delivery.'),
      metadata: Metadata.default({}).describe('Included in each delivery; up to 16,384 characters of JSON.'),
      events: z.array(z.enum([...eventTypes, ...fullNames])).max(100).default([]).describe('Which events to send; all if empty.'),
    })
    .transform((webhook) => ({ ...webhook, events: wanted(webhook.events) }))
  return z
    .union([WebhookUrl.transform((url) => ({ url, headers: {}, metadata: {}, events: wanted([]) })), object])
    .meta({ id: prefix === 'crawl' ? 'CrawlWebhook' : 'BatchWebhook' })
}
