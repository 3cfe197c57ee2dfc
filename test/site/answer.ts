import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Answer, Headers } from './page.ts'

/** The common part of HTTP/1.1 and HTTP/2 requests. */
export interface IncomingLike extends AsyncIterable<Uint8Array> {
  readonly url?: string | undefined
  readonly method?: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: string[]
  readonly httpVersion: string
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/** The common part of their responses. */
export interface OutgoingLike {
  readonly destroyed: boolean
  readonly socket: Socket | null
  sendDate: boolean
  writeHead(status: number, headers: Record<string, string | string[]>): unknown
  write(chunk: string | Uint8Array): boolean
  end(chunk?: string | Uint8Array): unknown
  once(event: 'drain' | 'close', listener: () => void): unknown
  off(event: 'drain' | 'close', listener: () => void): unknown
  destroy(): unknown
}

/** Wraps the response to a request. */
export function answerOver(response: OutgoingLike): Answer {
  // The answers of the site do not depend on the time.
  response.sendDate = false
  function head(status: number, headers: Headers): void {
    const plain = Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]] as const)
    response.writeHead(status, Object.fromEntries(plain))
  }
  return {
    head,
    send(status, headers, body) {
      const length: Headers = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      head(status, { ...length, ...headers })
      response.end(body)
    },
    write: async (chunk) => {
      if (response.destroyed) return false
      if (!response.write(chunk)) await drained(response)
      return !response.destroyed
    },
    end: () => void response.end(),
    raw(bytes) {
      response.socket?.end(bytes)
    },
    cut() {
      // Only bare TCP sockets can be reset: TLS sockets refuse it.
      if (response.socket === null || 'encrypted' in response.socket) response.destroy()
      else response.socket.resetAndDestroy()
    },
  }
}

function drained(response: OutgoingLike): Promise<void> {
  return new Promise((resolve) => {
    function done(): void {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.once('drain', done)
    response.once('close', done)
  })
}
