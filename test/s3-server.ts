import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A stored object. */
export interface Stored {
  bytes: Buffer
  at: number
}

/** A request as it arrived. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** What happens to a request instead of normal handling; undefined handles it normally. */
export type Fault =
  | { readonly kind: 'answer'; readonly status: number; readonly code?: string; readonly headers?: Readonly<Record<string, string>> }
  /** Handles the request, then resets the connection instead of answering. */
  | { readonly kind: 'reset-after' }
  | { readonly kind: 'reset-before' }
  /** Sends part of the answer, then resets the connection. */
  | { readonly kind: 'cut' }
  /** Never answers. */
  | { readonly kind: 'silence' }
  | { readonly kind: 'spoil'; readonly change: (bytes: Buffer) => Buffer }
  /** Waits before it handles the request. */
  | { readonly kind: 'wait'; readonly until: Promise<unknown> }
  /** Handles the request, then waits before it answers. */
  | { readonly kind: 'wait-after'; readonly until: Promise<unknown> }

/**
 * An object store on loopback that implements enough of S3, verifies every signature with its own computation, and
 * fails on demand.
 */
export interface S3Server {
  readonly port: number
  readonly url: string
  /** Objects by name, without the bucket; tests may change them. */
  readonly objects: Map<string, Stored>
  readonly seen: Seen[]
  /** The number of connections so far. */
  connections(): number
  /** Called before each request with a valid signature. */
  fault: (seen: Seen) => Fault | undefined
  /** The page size of listings. */
  pageSize: number
  /** How far the clock of the store is ahead, in milliseconds. */
  dateOffset: number
  close(): Promise<void>
}

export const s3Credentials = { accessKeyId: 'TESTACCESSKEY', secretAccessKey: 'test/Secret+Key=0123456789' }
export const s3Region = 'test-region-1'
export const s3Bucket = 'test-bucket'

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex')
const encode = (text: string): string => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

export interface SignedRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The signature (version 4) that the request should have, computed from the published description of the algorithm. */
export function expectedSignature({ method, path, query, headers }: SignedRequest, signed: readonly string[], scope: string, secret: string): string {
  const canonical = [
    method,
    path.split('/').map((part) => encode(decodeURIComponent(part))).join('/'),
    [...query].map(([key, value]) => `${encode(key)}=${encode(value)}`).sort().join('&'),
    ...signed.map((name) => `${name}:${String(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signed.join(';'),
    String(headers['x-amz-content-sha256']),
  ].join('\n')
  const [date = '', region = '', service = '', end = ''] = scope.split('/')
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, date), region), service), end)
  return hmac(key, ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n')).toString('hex')
}

/** The error code for a request that is refused; null when it is accepted. */
function refusal(seen: Seen): string | null {
  const { headers, body } = seen
  const match = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? '')
  const [, accessKey, scope = '', names = '', signature = ''] = match ?? []
  if (match === null) return 'AccessDenied'
  if (accessKey !== s3Credentials.accessKeyId) return 'InvalidAccessKeyId'
  const date = String(headers['x-amz-date'])
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - at) < 15 * 60_000)) return 'RequestTimeTooSkewed'
  if (scope !== `${date.slice(0, 8)}/${s3Region}/s3/aws4_request`) return 'AuthorizationHeaderMalformed'
  const signed = names.split(';')
  const unsigned = Object.keys(headers).find((name) => (name === 'host' || name.startsWith('x-amz-')) && !signed.includes(name))
  if (unsigned !== undefined || [...signed].sort().join(';') !== names) return 'SignatureDoesNotMatch'
  if (!timingSafeEqual(Buffer.from(expectedSignature(seen, signed, scope, s3Credentials.secretAccessKey)), Buffer.from(signature))) return 'SignatureDoesNotMatch'
  return headers['x-amz-content-sha256'] === sha256(body) ? null : 'XAmzContentSHA256Mismatch'
}

const escaped = (text: string): string => text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`)
const xml = (response: ServerResponse, status: number, text: string): void => void response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`)
const problem = (response: ServerResponse, status: number, code: string): void => xml(response, status, `<Error><Code>${code}</Code><Message>It failed.</Message><RequestId>1</RequestId></Error>`)

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

function list(server: S3Server, { query }: Seen, response: ServerResponse): void {
  const prefix = query.get('prefix') ?? ''
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString()
  const names = [...server.objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort()
  const page = names.slice(0, Math.min(server.pageSize, Number(query.get('max-keys') ?? 1_000)))
  const more = names.length > page.length
  const contents = page.map((name) => {
    const { bytes, at } = server.objects.get(name) ?? { bytes: Buffer.alloc(0), at: 0 }
    return `<Contents><Key>${escaped(name)}</Key><LastModified>${new Date(at).toISOString()}</LastModified><ETag>&quot;${md5(bytes)}&quot;</ETag><Size>${bytes.length}</Size><Owner><ID>1</ID></Owner></Contents>`
  })
  const token = more ? `<NextContinuationToken>${Buffer.from(page.at(-1) ?? '').toString('base64')}</NextContinuationToken>` : ''
  xml(response, 200, `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${s3Bucket}</Name><Prefix>${escaped(prefix)}</Prefix><IsTruncated>${more}</IsTruncated>${token}${contents.join('\n')}</ListBucketResult>`)
}

function copy(server: S3Server, name: string, { headers }: Seen, response: ServerResponse): void {
  const source = decodeURIComponent(String(headers['x-amz-copy-source'])).replace(new RegExp(`^/?${s3Bucket}/`), '')
  const found = server.objects.get(source)
  if (found === undefined) return problem(response, 404, 'NoSuchKey')
  if (source === name && headers['x-amz-metadata-directive'] !== 'REPLACE') return problem(response, 400, 'InvalidRequest')
  const limit = headers['x-amz-copy-source-if-unmodified-since']
  if (limit !== undefined && found.at > Date.parse(String(limit)) + 999) return problem(response, 412, 'PreconditionFailed')
  server.objects.set(name, { bytes: found.bytes, at: Date.now() })
  xml(response, 200, `<CopyObjectResult><ETag>&quot;${md5(found.bytes)}&quot;</ETag><LastModified>${new Date().toISOString()}</LastModified></CopyObjectResult>`)
}

function serve(server: S3Server, seen: Seen, response: ServerResponse): void {
  // The bucket is part of the host name or of the path.
  const path = seen.headers.host?.startsWith(`${s3Bucket}.`) === true ? `/${s3Bucket}${seen.path}` : seen.path
  const [, bucket = '', ...rest] = path.split('/')
  const name = decodeURIComponent(rest.join('/'))
  if (bucket !== s3Bucket) return problem(response, 404, 'NoSuchBucket')
  if (name === '') return seen.method === 'GET' && seen.query.get('list-type') === '2' ? list(server, seen, response) : problem(response, 405, 'MethodNotAllowed')
  if (seen.method === 'PUT' && seen.headers['x-amz-copy-source'] !== undefined) return copy(server, name, seen, response)
  if (seen.method === 'PUT') {
    server.objects.set(name, { bytes: seen.body, at: Date.now() })
    return void response.writeHead(200, { etag: `"${md5(seen.body)}"` }).end()
  }
  if (seen.method === 'DELETE') {
    server.objects.delete(name)
    return void response.writeHead(204).end()
  }
  const found = server.objects.get(name)
  if (found === undefined) return problem(response, 404, 'NoSuchKey')
  response.writeHead(200, { etag: `"${md5(found.bytes)}"`, 'last-modified': new Date(found.at).toUTCString(), 'content-length': found.bytes.length })
  response.end(seen.method === 'HEAD' ? undefined : found.bytes)
}

/** Runs `work`, but withholds its answer: the answer is changed, delayed or cut, or the connection is reset. */
function serveWith(fault: Fault, work: (response: ServerResponse) => void, { method }: Seen, response: ServerResponse): void {
  const real = response.end.bind(response)
  const end = (body?: unknown): ServerResponse => {
    if (fault.kind === 'reset-after') response.socket?.resetAndDestroy()
    else if (fault.kind === 'spoil') real(method === 'GET' ? fault.change(Buffer.from(Buffer.isBuffer(body) ? body : String(body))) : body)
    else if (fault.kind === 'wait-after') void fault.until.then(() => real(body))
    else response.write(Buffer.from(Buffer.isBuffer(body) ? body : String(body ?? '')).subarray(0, 40), () => response.socket?.resetAndDestroy())
    return response
  }
  Object.assign(response, { end })
  work(response)
}

async function handle(server: S3Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://store.test')
  const seen: Seen = { method: request.method ?? '', path: url.pathname, query: url.searchParams, headers: request.headers, body: await bodyOf(request) }
  server.seen.push(seen)
  response.setHeader('date', new Date(Date.now() + server.dateOffset).toUTCString())
  const refused = refusal(seen)
  if (refused !== null) return problem(response, refused === 'XAmzContentSHA256Mismatch' ? 400 : 403, refused)
  const fault = server.fault(seen)
  if (fault === undefined) return serve(server, seen, response)
  if (fault.kind === 'silence') return
  if (fault.kind === 'reset-before') return void request.socket.resetAndDestroy()
  if (fault.kind === 'answer') {
    for (const [name, value] of Object.entries(fault.headers ?? {})) response.setHeader(name, value)
    return fault.code === undefined ? void response.writeHead(fault.status).end() : problem(response, fault.status, fault.code)
  }
  if (fault.kind === 'wait') {
    await fault.until
    return serve(server, seen, response)
  }
  serveWith(fault, (into) => serve(server, seen, into), seen, response)
}

/** Starts a store with one empty bucket. */
export async function startS3(): Promise<S3Server> {
  let opened = 0
  const listener = createServer((request, response) => void handle(server, request, response).catch(() => response.destroy()))
  listener.on('connection', () => opened++)
  await new Promise<void>((done) => void listener.listen(0, '127.0.0.1', done))
  const { port } = listener.address() as AddressInfo // a listening TCP server
  const server: S3Server = {
    port,
    url: `s3://${s3Bucket}/some/prefix?endpoint=http://127.0.0.1:${port}&region=${s3Region}`,
    objects: new Map(),
    seen: [],
    connections: () => opened,
    fault: () => undefined,
    pageSize: 1_000,
    dateOffset: 0,
    close: () =>
      new Promise((done) => {
        listener.close(() => done())
        listener.closeAllConnections()
      }),
  }
  return server
}
