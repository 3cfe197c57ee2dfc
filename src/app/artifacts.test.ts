import { expect, it } from 'vitest'
import { memoryBlobs } from '../../test/fakes.ts'
import type { Artifact } from '../domain/pages/results.ts'
import { storedArtifact } from './artifacts.ts'

it('the file of an answer is served until the moment it expires, and then no more, though it has not been swept', async () => {
  const blobs = memoryBlobs()
  const artifact: Artifact = { token: 't', team: 'a', blob: await blobs.put(Buffer.from('picture')), media: 'image/png', expiresAt: 5_000 }
  const rows: Readonly<Record<string, Artifact>> = { t: artifact, lost: { ...artifact, token: 'lost', blob: 'gone' } }
  const results = { settle: async () => 'settled' as const, find: async () => null, artifact: async (token: string) => rows[token] ?? null }
  const served = (token: string, at: number): Promise<unknown> =>
    storedArtifact(token, { results, blobs, ledger: { find: async () => null }, retentionMs: 1, now: () => at })
      .then(({ media, bytes }) => [media, Buffer.from(bytes).toString()], (error: unknown) => Object(error).code)
  expect([await served('t', 4_999), await served('t', 5_000)]).toEqual([['image/png', 'picture'], 'JOB_EXPIRED'])
  expect([await served('unknown', 0), await served('lost', 0)]).toEqual(['NOT_FOUND', 'JOB_EXPIRED'])
})
