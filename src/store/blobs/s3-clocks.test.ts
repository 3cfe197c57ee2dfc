import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BlobPlace } from '../../domain/blobs.ts'
import { nameResolver, operatorHttp, type OperatorHttp, ownEndpoints } from '../../net/index.ts'
import { s3Credentials, type S3Server, startS3 } from '../../../test/s3-server.ts'
import { s3Blobs } from './s3.ts'
import { s3Place } from './s3-place.ts'

const noise = new Uint8Array(randomBytes(200_000))
const nothing = async (): Promise<ReadonlySet<string>> => new Set<string>()
const hour = 3_600_000

describe('blobs in an object store', () => {
  let server: S3Server
  let http: OperatorHttp
  let blobs: BlobPlace
  beforeEach(async () => {
    server = await startS3()
    const place = s3Place(server.url)
    http = operatorHttp(place.origin, { resolver: nameResolver({ servers: [], clock: { now: Date.now } }), own: ownEndpoints() })
    blobs = s3Blobs(place, s3Credentials, http)
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    http.close()
    await server.close()
  })

  it('use the clock of the store', async () => {
    const key = await blobs.put(noise)
    server.fault = () => undefined
    const day = 24 * hour
    // A store whose clock is a day ahead would date the object like this.
    const stored = server.objects.get(`some/prefix/blobs/${key}`)
    if (stored !== undefined) stored.at += day
    server.dateOffset = day
    server.seen.splice(0)
    await blobs.put(noise)
    expect(server.seen.map(({ method }) => method)).toEqual(['HEAD'])
    expect(await blobs.sweep(nothing, hour)).toBe(0)
    if (stored !== undefined) stored.at -= 2 * hour
    expect(await blobs.sweep(nothing, hour)).toBe(1)
  })

  it.each([['the time of day', Date], ['the steady clock', performance]] as const)('are not removed after a copy during which the process was suspended for long by %s, whatever the other clock says', async (_, clock) => {
    const key = await blobs.put(noise)
    for (const stored of server.objects.values()) stored.at -= hour + 1_000
    const real = clock.now.bind(clock)
    server.fault = ({ method, path }) => {
      if (method === 'PUT' && path.includes('/retired/')) vi.spyOn(clock, 'now').mockImplementation(() => real() + hour)
      return undefined
    }
    expect(await blobs.sweep(nothing, hour)).toBe(0)
    expect(server.objects.has(`some/prefix/blobs/${key}`)).toBe(true)
  })
})
