import { createHash, createHmac, randomBytes } from 'node:crypto'
import { ServiceError } from '../domain/errors.ts'
import { peerHeader, type Peers } from '../http/ports.ts'
import { isToken } from '../http/token.ts'
import { nameResolver, type OperatorHttp, operatorHttp, type OwnEndpoints } from '../net/index.ts'
import { type Config, ConfigError } from './settings/config.ts'

/** Largest difference of clocks in a fleet, including the time a request travels. */
const skewMs = 60_000
const minSecret = 16
const maxAnswerBytes = 64 * 1024 * 1024
/** The caller monitors the process it asks: silence alone is no fault. */
const quietMs = 900_000
/** Runs of many sessions wait side by side. */
const maxAtOnce = 1_000

const digestOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('base64url')
const encode = (text: string): string => Buffer.from(text).toString('base64url')
const decode = (text: string): string => Buffer.from(text, 'base64url').toString()

/** Returns a test that is true for a nonce that was used before; remembers nonces for as long as they would be accepted. */
function used(now: () => number): (nonce: string) => boolean {
  const until = new Map<string, number>()
  return (nonce) => {
    for (const [old, end] of until) {
      if (end >= now()) break
      until.delete(old)
    }
    if (until.has(nonce)) return true
    until.set(nonce, now() + 2 * skewMs)
    return false
  }
}

/** Validates the settings by which processes of a fleet reach each other. Throws `ConfigError`. */
export function assertPeers({ TRAWL_PEER_URL: url, TRAWL_PEER_SECRET: secret }: Config): void {
  if (url !== null && secret === null) throw new ConfigError('TRAWL_PEER_URL needs TRAWL_PEER_SECRET.')
  // The paths of the interface begin at the root there.
  if (url !== null && new URL(url).pathname !== '/') throw new ConfigError('TRAWL_PEER_URL must have no path: http://10.0.0.7:3002.')
  if (secret !== null && secret.length < minSecret) throw new ConfigError(`TRAWL_PEER_SECRET must have ${minSecret} characters or more.`)
}

/** The other processes of the fleet, which authenticate by the shared secret; null without one. */
export function peers(config: Config, own: OwnEndpoints, now: () => number): (Peers & { close(): void }) | null {
  const secret = config.TRAWL_PEER_SECRET
  if (secret === null) return null
  const macOf = (parts: readonly string[]): string => createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url')
  const isUsed = used(now)
  const lines = new Map<string, OperatorHttp>()
  const resolver = nameResolver({ servers: config.TRAWL_EGRESS_DNS_SERVERS })

  function lineTo(origin: string): OperatorHttp {
    // A process that died is known by its refusing a connection: one kept from before only tells that it died, not whether it had begun.
    const known = lines.get(origin) ?? operatorHttp(new URL(origin), { resolver, own, quietMs, atOnce: maxAtOnce, anew: true })
    lines.set(origin, known)
    return known
  }

  return {
    sender({ method, path, header }) {
      if (header === undefined) return null
      const [time = '', nonce = '', team = '', key = '', base = '', digest = '', mac = ''] = header.split('.')
      const signed = macOf([method, path, time, nonce, team, key, base, digest])
      if (!isToken(mac, signed) || !/^\d{1,15}$/.test(time) || Math.abs(now() - Number(time)) > skewMs || isUsed(nonce)) throw new ServiceError('UNAUTHORIZED', 'The proof of the sending process is not valid; its clock and TRAWL_PEER_SECRET must be those of this one.')
      return {
        team: decode(team),
        key: key === '' ? null : decode(key),
        base: decode(base),
        assertBody(body) {
          if (digestOf(body) !== digest) throw new ServiceError('UNAUTHORIZED', 'The body is not the one that was sent.')
        },
      }
    },

    async send({ method, path, team, key, base, body }, to, signal) {
      if (to.url === null) throw new Error('a process that cannot be reached')
      const parts = [String(now()), randomBytes(16).toString('base64url'), encode(team), encode(key ?? ''), encode(base), digestOf(body ?? new Uint8Array())]
      const header = [...parts, macOf([method, path, ...parts])].join('.')
      const { origin } = new URL(to.url)
      const headers = [[peerHeader, header] as const, ...(body === null ? [] : [['content-type', 'application/json'] as const])]
      const answer = await lineTo(origin).send({ method: method === 'POST' ? 'POST' : method === 'DELETE' ? 'DELETE' : 'GET', url: new URL(path, origin), headers, body, maxBytes: maxAnswerBytes, signal })
      return { status: answer.status, body: answer.body, retryAfter: answer.headers.find(([name]) => name === 'retry-after')?.[1] }
    },

    async connect(to, signal) {
      if (to.url === null) throw new Error('a process that cannot be reached')
      return lineTo(new URL(to.url).origin).dial(signal)
    },

    close() {
      for (const line of lines.values()) line.close()
      resolver.close()
    },
  }
}
