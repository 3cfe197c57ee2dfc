import { Agent, type ClientRequestArgs, type IncomingMessage, request as httpRequest } from 'node:http'
import type { Duplex } from 'node:stream'
import { untilAborted } from '../lib/deadline.ts'
import { endpointOf } from '../lib/endpoint-of.ts'
import { type Body, lengthOf, readBody } from './body.ts'
import { contentCoding, decodable, decoded, withoutCoding } from './coding.ts'
import { siteFailure } from './failures.ts'
import type { Egress } from './egress.ts'
import { type HeaderList, headerText } from './headers.ts'
import { type HopAnswer, type HopRequest, maxHeadBytes, maxInformational, siteFaults, type Transport } from './hop.ts'

/**
 * `http:` for servers that violate HTTP, for example with bare line feeds. Accepting that can only harm the server's own
 * answer.
 */
export function lenientHttp(egress: Egress): Transport {
  const agent = new EgressAgent(egress)
  return {
    async send(request) {
      try {
        return answerOf(await responseTo(request, agent), request)
      } catch (error) {
        throw siteFailure(error, request.signal)
      }
    },
    close: async () => agent.destroy(),
  }
}

/** An agent whose sockets come from the egress guard. */
class EgressAgent extends Agent {
  readonly #egress: Egress

  constructor(egress: Egress) {
    super({ keepAlive: false })
    this.#egress = egress
  }

  override createConnection(options: ClientRequestArgs, done: (error: Error | null, socket?: Duplex) => void): undefined {
    const signal = options.signal ?? new AbortController().signal
    this.#egress.dial(options.host ?? '', Number(options.port), { signal }).then(
      (socket) => done(null, socket),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    )
  }
}

function responseTo({ url, headers, signal }: HopRequest, agent: Agent): Promise<IncomingMessage> {
  const request = httpRequest({
    ...endpointOf(url),
    path: url.pathname + url.search,
    headers: ['Host', url.host, 'Connection', 'close', ...headers.flat()],
    agent,
    signal,
    maxHeaderSize: maxHeadBytes,
    insecureHTTPParser: true,
  })
  let informational = 0
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', (answer) => {
      if ((answer.statusCode ?? 0) >= 200) return resolve(answer)
      answer.destroy()
      reject(new Error('no status of HTTP'))
    })
    request.on('error', reject)
    request.on('information', () => {
      if (++informational > maxInformational) request.destroy(siteFaults.informational())
    })
    request.on('upgrade', (_, socket: Duplex) => {
      socket.destroy()
      reject(siteFaults.protocol())
    })
  })
  request.end()
  return response
}

function headersOf(raw: readonly string[]): HeaderList {
  const list: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) list.push([(raw[at] ?? '').toLowerCase(), headerText(raw[at + 1] ?? '')])
  return list
}

function answerOf(response: IncomingMessage, { signal, until }: HopRequest): HopAnswer {
  const headers = headersOf(response.rawHeaders)
  return {
    status: response.statusCode ?? 0,
    headers: withoutCoding(headers),
    tlsVerified: true,
    async read(maxBytes, room, wants) {
      try {
        const coding = contentCoding(headers, decodable)
        const whole = async (): Promise<Body> => {
          const { chunks, checked } = decoded(response, coding)
          return checked(await readBody(chunks, maxBytes, { room, signal, length: lengthOf(headers), until, wants }))
        }
        return await untilAborted(whole(), signal)
      } catch (error) {
        throw siteFailure(error, signal)
      } finally {
        if (!response.complete) response.destroy()
      }
    },
    discard() {
      response.on('error', () => {})
      response.destroy()
    },
  }
}
