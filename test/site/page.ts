import type { IncomingHttpHeaders } from 'node:http'

/** A request as the site received it. */
export interface SeenRequest {
  readonly method: string
  /** Path with query, as sent. */
  readonly url: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Names and values in their original order and case. */
  readonly rawHeaders: readonly string[]
  readonly body: string
  /** The client's address. */
  readonly from: string
  readonly httpVersion: string
}

/** A request with what a page needs to answer it. */
export interface Visit extends SeenRequest {
  /** Scheme, host and port by which this site can be reached. */
  readonly origin: string
  readonly port: number
  /** The number of requests for this path since the last reset, including this one. */
  readonly count: number
  /** A number in the query, or `otherwise` if it is missing. */
  number(name: string, otherwise: number): number
  /** Waits, but not longer than until the site closes. */
  later(ms: number): Promise<void>
}

/** Header names with one value or several. */
export type Headers = Readonly<Record<string, string | readonly string[]>>

/** The operations of a page on its response. */
export interface Answer {
  /** Sends a complete response. */
  send(status: number, headers: Headers, body?: string | Uint8Array): void
  head(status: number, headers: Headers): void
  /** Waits while the client is slow; returns false when the client has left. */
  write(chunk: string | Uint8Array): Promise<boolean>
  end(): void
  /** Sends bytes without the HTTP library (HTTP/1.1 only), then ends the connection. */
  raw(bytes: string | Uint8Array): void
  /** Breaks off the connection; over plain TCP with a reset. */
  cut(): void
}

/** A page of the site: answers a request. */
export type Page = (visit: Visit, answer: Answer) => void | Promise<void>

/** Pages by path. A path that ends in `*` matches every path with that prefix. */
export type Pages = Readonly<Record<string, Page>>

export const htmlType = 'text/html; charset=utf-8'

/** A page that always returns the same HTML. */
export function page(body: string, headers: Headers = {}, status = 200): Page {
  return (_visit, answer) => answer.send(status, { 'content-type': htmlType, ...headers }, body)
}

/** A file with its content type. */
export function file(type: string, body: string | Uint8Array): Page {
  return (_visit, answer) => answer.send(200, { 'content-type': type }, body)
}

/** An HTML document with this title and body. */
export function document(title: string, body: string, head = ''): string {
  return `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>${title}</title>\n${head}</head>\n<body>\n${body}\n</body>\n</html>\n`
}

/** Escapes text for element content and attributes. */
export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
