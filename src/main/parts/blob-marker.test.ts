import { describe, expect, it } from 'vitest'
import type { BlobMarker } from '../../domain/blobs.ts'
import { apartBecause, markPlace } from './blob-marker.ts'

function marker(): BlobMarker {
  let key: string | null = null
  return {
    find: async () => key,
    replace: async (instead, next) => {
      if (key === instead) key = next
      return key ?? next
    },
  }
}

function place(): { put(bytes: Uint8Array): Promise<string>; get(key: string): Promise<Uint8Array | null> } {
  const blobs = new Map<string, Uint8Array>()
  return {
    put: async (bytes) => {
      const key = Buffer.from(bytes).toString('hex')
      blobs.set(key, bytes)
      return key
    },
    get: async (key) => blobs.get(key) ?? null,
  }
}

describe('the location of blobs', () => {
  const said: string[] = []
  const log = (level: string, event: string): void => void said.push(`${level} ${event}`)

  it('is marked by the first process, and recognized by those that share it', async () => {
    const [shared, one] = [place(), marker()]
    expect(await apartBecause(one, shared)).toBeNull()
    await Promise.all([markPlace(one, shared, log), markPlace(one, shared, log)])
    await markPlace(one, shared, log)
    expect([said, await apartBecause(one, shared)]).toEqual([[], null])
  })

  it('is reported as different from that of the others, once if it was moved', async () => {
    const [before, after, one] = [place(), place(), marker()]
    await markPlace(one, before, log)
    expect(await apartBecause(one, after)).toContain('TRAWL_BLOB_URL')
    await markPlace(one, after, log)
    expect(said).toEqual(['warn blobs-apart'])
    await markPlace(one, after, log)
    expect(said).toHaveLength(1)
  })

  it('is reported as different from that of another process that starts at the same time', async () => {
    said.length = 0
    const one = marker()
    await Promise.all([markPlace(one, place(), log), markPlace(one, place(), log)])
    expect(said).toEqual(['warn blobs-apart'])
  })
})
