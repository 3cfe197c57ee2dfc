import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoreAway } from '../../domain/errors.ts'
import type { BlobPlace } from '../../domain/blobs.ts'
import { nameResolver, operatorHttp, type OperatorHttp, ownEndpoints } from '../../net/index.ts'
import { expectedSignature, type Fault, s3Credentials, type S3Server, startS3 } from '../../../test/s3-server.ts'
import { nameServer } from '../../../test/net/servers.ts'
import { blobsContract } from '../contract/blobs.contract.ts'
import { s3Blobs } from './s3.ts'
import { s3Place } from './s3-place.ts'

let server: S3Server
const clients: OperatorHttp[] = []

function blobsAt(url: string, credentials = s3Credentials, { servers = [], ...more }: { readonly servers?: readonly string[]; readonly quietMs?: number } = {}): BlobPlace {
  const place = s3Place(url)
  const http = operatorHttp(place.origin, { resolver: nameResolver({ servers, clock: { now: Date.now } }), own: ownEndpoints(), ...more })
  clients.push(http)
  return s3Blobs(place, credentials, http)
}

async function close(): Promise<void> {
  for (const client of clients.splice(0)) client.close()
  await server.close()
}

const age = async (ms: number): Promise<void> => {
  for (const stored of server.objects.values()) stored.at -= ms
}

blobsContract('an object store', {
  async open() {
    server = await startS3()
    server.pageSize = 60
    return blobsAt(server.url)
  },
  another: () => blobsAt(server.url),
  age,
  async damage(key, change) {
    const stored = server.objects.get(`some/prefix/blobs/${key}`)
    if (stored === undefined) throw new Error('no such object')
    stored.bytes = change(stored.bytes)
  },
  close,
})

const text = (words: string): Uint8Array => new TextEncoder().encode(words)
const html = text('<li class="row"><a href="/x">word</a></li>\n'.repeat(1_000))
const noise = new Uint8Array(randomBytes(200_000))
const is = (bytes: Uint8Array) => (found: Uint8Array | null) => found !== null && Buffer.compare(found, bytes) === 0
const keyOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const nothing = async (): Promise<ReadonlySet<string>> => new Set<string>()
const hour = 3_600_000
const methods = (): readonly string[] => server.seen.splice(0).map(({ method }) => method)

/** Makes the next `times` requests fail, only those of a method if one is given. */
const failing = (times: number, fault: Fault, only?: string): void => {
  server.fault = ({ method }) => ((only === undefined || only === method) && times-- > 0 ? fault : undefined)
}

describe('blobs in an object store', () => {
  let blobs: BlobPlace
  beforeEach(async () => {
    server = await startS3()
    blobs = blobsAt(server.url)
  })
  afterEach(close)

  it('compress compressible content, below the prefix', async () => {
    const [small, large] = [await blobs.put(html), await blobs.put(noise)]
    expect([...server.objects.keys()].sort()).toEqual([`some/prefix/blobs/${small}`, `some/prefix/blobs/${large}`].sort())
    expect(server.objects.get(`some/prefix/blobs/${small}`)?.bytes.length).toBeLessThan(html.length / 10)
    expect(server.objects.get(`some/prefix/blobs/${large}`)?.bytes.length).toBe(noise.length + 7)
  })

  it('check before they upload large content, and do not upload what exists and is young', async () => {
    await blobs.put(noise)
    expect(methods()).toEqual(['HEAD', 'PUT'])
    await blobs.put(noise)
    expect(methods()).toEqual(['HEAD'])
    await age(hour / 2)
    await blobs.put(noise)
    expect(methods()).toEqual(['HEAD', 'PUT'])
    await blobs.put(html)
    expect(methods()).toEqual(['PUT'])
  })

  it('refresh a blob without transferring its bytes, unless it is young', async () => {
    const key = await blobs.put(html)
    await blobs.keep(key)
    expect(methods()).toEqual(['PUT', 'HEAD'])
    await age(hour / 2)
    await blobs.keep(key)
    const seen = server.seen.splice(0)
    expect(seen.map(({ method, body }) => [method, body.length])).toEqual([['HEAD', 0], ['PUT', 0]])
    expect(Date.now() - (server.objects.get(`some/prefix/blobs/${key}`)?.at ?? 0)).toBeLessThan(hour / 4)
  })

  it('reuse connections', async () => {
    for (let i = 0; i < 20; i++) await blobs.put(text(String(i)))
    expect(server.connections()).toBe(1)
  })

  it('open a limited number of connections', async () => {
    const keys = await Promise.all(Array.from({ length: 200 }, (_, i) => blobs.put(text(String(i)))))
    expect(new Set(keys).size).toBe(200)
    expect(server.connections()).toBeLessThanOrEqual(32)
  })

  it.each<[string, Fault, string?]>([
    ['an overloaded store', { kind: 'answer', status: 503, code: 'SlowDown' }],
    ['a gateway that fails', { kind: 'answer', status: 502 }],
    ['a gateway that does not find the store for reads', { kind: 'answer', status: 404 }, 'GET'],
    ['a gateway that does not find the store for writes', { kind: 'answer', status: 404 }, 'PUT'],
    ['a connection that is reset', { kind: 'reset-before' }],
    ['an answer that is lost', { kind: 'reset-after' }],
    ['an answer that is cut short', { kind: 'cut' }],
    ['an upload that the store found too slow', { kind: 'answer', status: 400, code: 'RequestTimeout' }, 'PUT'],
    ['a copy that fails after its status was sent', { kind: 'answer', status: 200, code: 'InternalError' }, 'PUT'],
  ])('recover from %s', async (_, fault, only) => {
    failing(2, fault, only)
    const key = await blobs.put(noise)
    await age(hour / 2)
    failing(2, fault, only)
    expect(await blobs.keep(key)).toBe(true)
    failing(2, fault, only)
    expect(await blobs.get(key)).toSatisfy(is(noise))
    await age(2 * hour)
    failing(2, fault, only)
    expect(await blobs.sweep(nothing, hour)).toBe(1)
    expect([...server.objects.keys()].filter((name) => name.includes('/blobs/'))).toEqual([])
  })

  it.each<[string, Fault, string]>([
    ['a store that stays overloaded', { kind: 'answer', status: 503, code: 'SlowDown' }, 'The blob store answered 503 SlowDown.'],
    ['a store that cannot be reached', { kind: 'reset-before' }, 'The blob store cannot be reached.'],
    ['a gateway that does not find the store', { kind: 'answer', status: 404 }, 'The blob store answered 404.'],
  ])('give up on %s after five tries', async (_, fault, message) => {
    failing(1_000, fault)
    const error: unknown = await blobs.put(html).catch((thrown: unknown) => thrown)
    expect([error instanceof StoreAway, error instanceof Error && error.message]).toEqual([true, message])
    expect(server.seen.length).toBe(5)
  })

  it('do not mistake a gateway that does not find the store for a missing blob', async () => {
    const key = await blobs.put(html)
    failing(1_000, { kind: 'answer', status: 404 }, 'GET')
    await expect(blobs.get(key)).rejects.toThrow(new StoreAway(new Error('The blob store answered 404.')))
  })

  it('give up on a store that is silent after two tries, since each of them takes long', async () => {
    server.fault = () => ({ kind: 'silence' })
    const error: unknown = await blobsAt(server.url, s3Credentials, { quietMs: 100 }).put(html).catch((thrown: unknown) => thrown)
    expect([error instanceof StoreAway, error instanceof Error && error.message]).toEqual([true, 'The blob store does not answer.'])
    expect(server.seen.length).toBe(2)
  })

  it.each<[string, Fault, string]>([
    ['a refusal', { kind: 'answer', status: 403, code: 'AccessDenied' }, 'The blob store answered 403 AccessDenied.'],
    ['a bucket that is not there', { kind: 'answer', status: 404, code: 'NoSuchBucket' }, 'The blob store answered 404 NoSuchBucket.'],
    ['a redirect', { kind: 'answer', status: 301, code: 'PermanentRedirect', headers: { location: 'http://127.0.0.1:1/' } }, 'The blob store answered 301 PermanentRedirect.'],
  ])('do not mistake %s for a missing blob, and do not retry', async (_, fault, message) => {
    failing(1_000, fault)
    for (const work of [() => blobs.put(html), () => blobs.get(keyOf(html)), () => blobs.sweep(nothing, hour)]) {
      await expect(work()).rejects.toThrow(new StoreAway(new Error(message)))
      expect(server.seen.splice(0).length).toBe(1)
    }
  })

  it('do not reveal address, bucket and secret on failure', async () => {
    for (const fault of [{ kind: 'reset-before' }, { kind: 'answer', status: 403, code: 'AccessDenied' }] satisfies Fault[]) {
      failing(1_000, fault)
      const error: unknown = await blobs.put(html).catch((thrown: unknown) => thrown)
      const shown = error instanceof Error ? `${error.stack} ${String(error.cause)} ${JSON.stringify(error)}` : ''
      expect(shown).toContain('The blob store')
      for (const secret of [String(server.port), '127.0.0.1', 'test-bucket', s3Credentials.accessKeyId, s3Credentials.secretAccessKey]) expect(shown).not.toContain(secret)
    }
  })

  it('use virtual-hosted addresses if the store requires them', async () => {
    const names = await nameServer({ 'test-bucket.store.test': [['127.0.0.1']] })
    const other = blobsAt(`${server.url.replace('127.0.0.1', 'store.test')}&pathStyle=false`, s3Credentials, { servers: [names.address] })
    const key = await other.put(html)
    expect(server.seen.map(({ headers, path }) => [headers.host, path])).toEqual([[`test-bucket.store.test:${server.port}`, `/some/prefix/blobs/${key}`]])
    await age(2 * hour)
    expect(await other.keep(key)).toBe(true)
    await age(2 * hour)
    expect(await other.sweep(nothing, hour)).toBe(1)
    expect(await other.get(key)).toSatisfy(is(html))
  })

  it('are refused with a wrong secret', async () => {
    const stranger = blobsAt(server.url, { ...s3Credentials, secretAccessKey: 'wrong' })
    await expect(stranger.put(html)).rejects.toThrow('The blob store answered 403 SignatureDoesNotMatch.')
    expect(server.objects.size).toBe(0)
  })

  it('download again if bytes were corrupted in transit', async () => {
    const key = await blobs.put(html)
    failing(1, { kind: 'spoil', change: (bytes) => bytes.fill(0, 20, 30) })
    expect(await blobs.get(key)).toSatisfy(is(html))
    failing(1_000, { kind: 'spoil', change: (bytes) => bytes.fill(0, 20, 30) })
    expect(await blobs.get(key)).toBeNull()
  })

  it('do not accept a truncated or endless listing as complete', async () => {
    await blobs.put(html)
    for (const body of ['<ListBucketResult><IsTruncated>false</IsTruncated>', '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>', '<html></html>', '']) {
      server.fault = ({ query }) => (query.has('list-type') ? { kind: 'spoil', change: () => Buffer.from(body) } : undefined)
      await expect(blobs.sweep(nothing, hour)).rejects.toThrow('listing')
      await expect(blobs.get(keyOf(Buffer.from('unknown')))).rejects.toBeInstanceOf(StoreAway)
    }
    expect(server.objects.size).toBe(1)
  })

  it('leave foreign objects alone', async () => {
    const key = keyOf(html)
    for (const name of ['other', 'some/prefix/other', `some/prefix/blobs/${key}.old`, `some/prefix/blobs/x/${key}`, `some/prefix-of-another/blobs/${key}`, 'some/prefix/retired/x/y', `blobs/${key}`]) {
      server.objects.set(name, { bytes: Buffer.from('mine'), at: 0 })
    }
    const before = [...server.objects.keys()]
    expect(await blobs.sweep(nothing, hour)).toBe(0)
    expect([...server.objects.keys()]).toEqual(before)
    expect(await blobs.keep(key)).toBe(false)
  })

  it('keep a blob that was put between the two steps of a removal, even when the removal is repeated', async () => {
    const key = await blobs.put(html)
    await age(2 * hour)
    let losses = 0
    server.fault = ({ method }) => {
      if (method !== 'DELETE' || losses++ > 0) return undefined
      return { kind: 'reset-after' }
    }
    const other = blobsAt(server.url)
    let put: Promise<string> | null = null
    const [fault] = [server.fault]
    server.fault = (seen) => {
      // The repeated DELETE waits until the blob was put again.
      if (seen.method === 'DELETE' && losses > 0) return { kind: 'wait', until: (put ??= other.put(html)) }
      return fault(seen)
    }
    expect(await blobs.sweep(nothing, hour)).toBe(1)
    expect(await put).toBe(key)
    expect(server.objects.has(`some/prefix/blobs/${key}`)).toBe(false)
    expect(await blobs.get(key)).toSatisfy(is(html))
    expect(await blobs.keep(key)).toBe(true)
    expect(server.objects.has(`some/prefix/blobs/${key}`)).toBe(true)
    await age(2 * hour)
    await blobs.sweep(async () => new Set([key]), hour)
    expect([...server.objects.keys()]).toEqual([`some/prefix/blobs/${key}`])
  })

  it('keep only used blobs when a removal is repeated', async () => {
    const [gone, used] = [await blobs.put(html), await blobs.put(noise)]
    await age(hour + 1_000)
    expect(await blobs.remove([gone, used], nothing, hour)).toBe(2)
    const aside = (): readonly (string | undefined)[] => [...server.objects.keys()].map((name) => /^some\/prefix\/retired\/([0-9a-f]+)\//.exec(name)?.[1]).sort()
    await blobs.remove([gone, used], nothing, hour)
    expect(aside()).toEqual([gone, used].sort())
    await age(hour + 1_000)
    await blobs.remove([gone, used], async () => new Set([used]), hour)
    expect(aside()).toEqual([used])
    expect(await blobs.get(used)).toSatisfy(is(noise))
  })
})

describe('the URL of an object store', () => {
  const shown = (url: string): unknown => {
    const { origin, path, prefix, bucket, region } = s3Place(url)
    return [origin.href, path, prefix, bucket, region]
  }

  it.each([
    ['s3://bucket', ['https://bucket.s3.us-east-1.amazonaws.com/', '/', '', 'bucket', 'us-east-1']],
    ['s3://bucket/a/b/?region=eu-west-1', ['https://bucket.s3.eu-west-1.amazonaws.com/', '/a/b/', 'a/b/', 'bucket', 'eu-west-1']],
    ['s3://bucket/a?endpoint=http://127.0.0.1:9000', ['http://127.0.0.1:9000/', '/bucket/a/', 'a/', 'bucket', 'us-east-1']],
    ['s3://bucket/a?endpoint=https%3A%2F%2Fstore.test&pathStyle=false', ['https://bucket.store.test/', '/a/', 'a/', 'bucket', 'us-east-1']],
    ['s3://bucket?region=auto&pathStyle=true', ['https://s3.auto.amazonaws.com/', '/bucket/', '', 'bucket', 'auto']],
  ])('is parsed: %s', (url, wanted) => expect(shown(url)).toEqual(wanted))

  it.each([
    's3:bucket', 's3://', 's3://b', 's3://Bucket', 's3://key:secret@bucket', 's3://bucket/a b', 's3://bucket/a%2Fb', 's3://bucket#x', 's3://bucket?endpoint=store', 's3://bucket?endpoint=ftp://store.test',
    's3://bucket?endpoint=http://store.test/path', 's3://bucket?endpoint=http://user:secret@store.test', 's3://bucket?region=a%0Ab', 's3://bucket?region=a&region=b', 's3://bucket?pathStyle=maybe', 's3://bucket?acl=public',
    's3://bucket?endpoint=http://127.0.0.1:9000&pathStyle=false', 's3://bucket:9000/a',
  ])('is refused without repeating its text: %s', (url) => {
    let message = ''
    try {
      s3Place(url)
    } catch (error) {
      message = error instanceof Error ? error.message : ''
    }
    expect(message).not.toBe('')
    expect(message).not.toContain('secret@')
  })
})

it('the test server computes the signature of the example in the description of the algorithm', () => {
  const empty = createHash('sha256').digest('hex')
  const headers = { host: 'examplebucket.s3.amazonaws.com', range: 'bytes=0-9', 'x-amz-content-sha256': empty, 'x-amz-date': '20130524T000000Z' }
  const request = { method: 'GET', path: '/test.txt', query: new URLSearchParams(), headers }
  const signature = expectedSignature(request, Object.keys(headers), '20130524/us-east-1/s3/aws4_request', ['wJalrXUtnFEMI', 'K7MDENG', 'bPxRfiCYEXAMPLEKEY'].join('/'))
  expect(signature).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
})
