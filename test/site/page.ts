import type { IncomingHttpHeaders } from 'node:http'

/** A request as the site saw it. */
export interface SeenRequest {
  readonly method: string
  /** Path with query, as sent. */
  readonly url: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Names and values in the order and case in which they came. */
  readonly rawHeaders: readonly string[]
  readonly body: string
  /** Address of who asks. */
  readonly from: string
  readonly httpVersion: string
}

/** A request on its way to a page. */
export interface Visit extends SeenRequest {
  /** Scheme, host and port by which this site can be reached. */
  readonly origin: string
  readonly port: number
  /** How often this path has been asked for since the last reset, this time included. */
  readonly count: number
  /** A number of the query, or what to take when it is not given. */
  number(name: string, otherwise: number): number
  /** Waits, but not beyond the closing of the site. */
  later(ms: number): Promise<void>
}

/** Header names with one value or several. */
export type Headers = Readonly<Record<string, string | readonly string[]>>

/** What a page may do with the connection. */
export interface Answer {
  /** Sends everything at once. */
  send(status: number, headers: Headers, body?: string | Uint8Array): void
  head(status: number, headers: Headers): void
  /** Waits while the reader is slow; false when the reader has gone. */
  write(chunk: string | Uint8Array): Promise<boolean>
  end(): void
  /** Sends bytes past the HTTP library (HTTP/1.1 only), then ends the connection. */
  raw(bytes: string | Uint8Array): void
  /** Cuts the connection off, with a reset over plain TCP. */
  cut(): void
}

/** A page of the site. */
export type Page = (visit: Visit, answer: Answer) => void | Promise<void>

/** Pages by path. A path that ends in `*` answers for every path that begins like it. */
export type Pages = Readonly<Record<string, Page>>

export const htmlType = 'text/html; charset=utf-8'

/** A page that is the same for everyone. */
export function page(body: string, headers: Headers = {}, status = 200): Page {
  return (_visit, answer) => answer.send(status, { 'content-type': htmlType, ...headers }, body)
}

/** A file with its type. */
export function file(type: string, body: string | Uint8Array): Page {
  return (_visit, answer) => answer.send(200, { 'content-type': type }, body)
}

/** A whole document around the inside of its body. */
export function document(title: string, body: string, head = ''): string {
  return `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>${title}</title>\n${head}</head>\n<body>\n${body}\n</body>\n</html>\n`
}

/** Text that is safe between tags and in attributes. */
export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
