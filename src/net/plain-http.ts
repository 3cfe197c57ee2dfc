import { validateHeaderName, validateHeaderValue } from 'node:http'
import { untilAborted } from '../lib/deadline.ts'
import { endpointOf } from '../lib/endpoint-of.ts'
import { type Body, lengthOf, readBody } from './body.ts'
import { contentCoding, decodable, decoded, withoutCoding } from './coding.ts'
import { siteFailure } from './failures.ts'
import type { Egress } from './egress.ts'
import { type HopAnswer, type HopRequest, maxDiscarded, type Transport } from './hop.ts'
import type { AnswerBody } from './http1/body.ts'
import type { Answer } from './http1/connection.ts'
import { Malformed } from './http1/head.ts'
import { connectionPool } from './http1/pool.ts'
import { lenientHttp } from './lenient-http.ts'

/**
 * `http:` over sockets of the egress guard, with reused connections. When a server violates RFC 9112, the request is
 * repeated with a lenient parser.
 */
export function plainHttp(egress: Egress): Transport {
  const pool = connectionPool()
  const lenient = lenientHttp(egress)
  return {
    async send(request) {
      const { url, signal } = request
      const { host, port } = endpointOf(url)
      try {
        return answerOf(await pool.ask({ origin: url.host, dial: () => egress.dial(host, port, { signal }), request: textOf(request), signal }), request)
      } catch (error) {
        if (error instanceof Malformed && !signal.aborted) return lenient.send(request)
        throw siteFailure(error, signal)
      }
    },
    async close() {
      pool.close()
      await lenient.close()
    },
  }
}

/** The text of a request. Throws for an invalid header name or value, such as one with a line break. */
function textOf({ url, headers }: HopRequest): string {
  const lines = [`GET ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`, 'Connection: keep-alive']
  for (const [name, value] of headers) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    lines.push(`${name}: ${value}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}

function answerOf({ head: { status, headers }, body }: Answer, { signal, until }: HopRequest): HopAnswer {
  return {
    status,
    headers: withoutCoding(headers),
    tlsVerified: true,
    async read(maxBytes, room, wants) {
      try {
        const coding = contentCoding(headers, decodable)
        const reader = { room, signal, length: lengthOf(headers), until, wants }
        const whole = async (): Promise<Body> => {
          const { chunks, checked } = decoded(body, coding)
          return checked(await readBody(chunks, maxBytes, reader))
        }
        return await untilAborted(whole(), signal)
      } catch (error) {
        throw siteFailure(error, signal)
      } finally {
        body.leave()
      }
    },
    discard: () => discard(body),
  }
}

function discard(body: AnswerBody): void {
  const timer = setTimeout(() => body.leave(), maxDiscarded.ms)
  const drain = async (): Promise<void> => {
    let length = 0
    for await (const chunk of body) if ((length += chunk.byteLength) > maxDiscarded.bytes) return
  }
  // Nobody waits for this body, nor for its failure.
  drain()
    .catch(() => {})
    .finally(() => clearTimeout(timer))
}
