import { createHmac } from 'node:crypto'

/** How deliveries prove their origin. */
export interface Signing {
  /** Null: deliveries are not signed. */
  readonly secret: string | null
  /** Names of the headers that contain the signature of the body. */
  readonly headers: readonly string[]
  /** Whether to send the headers of the Standard Webhooks convention, too: they also cover id and time. */
  readonly standard: boolean
}

/** What is signed. */
export interface Signed {
  readonly id: string
  readonly body: Uint8Array
  /** The time of this attempt. */
  readonly at: number
}

/** Headers that only the service may set, whether it sends them or not. */
export const signatureNames = ['x-service-signature', 'x-service-timestamp', 'x-firecrawl-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

const standardPrefix = 'whsec_'

/** The signature headers of an attempt, over the exact bytes of its body (R15); none without a secret. */
export function signatureHeaders({ secret, headers, standard }: Signing, message: Signed): Readonly<Record<string, string>> {
  if (secret === null) return {}
  const value = `sha256=${createHmac('sha256', secret).update(message.body).digest('hex')}`
  return { ...Object.fromEntries(headers.map((name) => [name, value])), ...(standard ? standardHeaders(secret, message) : {}) }
}

/** Whether a secret says that it is base64 (`whsec_…`), and is not: libraries of Standard Webhooks take no such secret. */
export const isBrokenStandard = (secret: string): boolean => secret.startsWith(standardPrefix) && !/^(?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{2,4}={0,2}$/.test(secret.slice(standardPrefix.length))

/**
 * The headers of standardwebhooks.com, version 1: a secret `whsec_…` is decoded from base64 as defined there, any other is
 * used as it is. So is a broken one: what decoding leaves of it may be nothing, and everybody can sign with that.
 */
function standardHeaders(secret: string, { id, body, at }: Signed): Readonly<Record<string, string>> {
  const key = secret.startsWith(standardPrefix) && !isBrokenStandard(secret) ? Buffer.from(secret.slice(standardPrefix.length), 'base64') : secret
  const seconds = String(Math.floor(at / 1_000))
  const mac = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64')
  return { 'Webhook-Id': id, 'Webhook-Timestamp': seconds, 'Webhook-Signature': `v1,${mac}` }
}
