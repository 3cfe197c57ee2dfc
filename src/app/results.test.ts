import { expect, it } from 'vitest'
import { memoryBlobs } from '../../test/fakes.ts'
import type { Charge } from '../domain/teams/ledger.ts'
import { storedAnswer } from './results.ts'

const retentionMs = 1_000

/** Which error a scrape has of which nothing is left but this charge. */
const codeFor = async (charge: Pick<Charge, 'kind' | 'at'> | null, at: number): Promise<unknown> => {
  const results = { settle: async () => 'settled' as const, find: async () => null, artifact: async () => null }
  const ledger = { find: async (team: string, ref: string) => (team === 'a' && ref === 'x' && charge !== null ? { ...charge, ref, credits: 1 } : null) }
  return storedAnswer('x', { results, blobs: memoryBlobs(), ledger, retentionMs, now: () => at }, 'a').catch((error: unknown) => Object(error).code)
}

it('a scrape whose row is gone has expired if its time had passed', async () => {
  const scrape = { kind: 'scrape', at: 5_000 }
  expect([await codeFor(scrape, 6_000), await codeFor({ kind: 'parse', at: 5_000 }, 7_000)]).toEqual(['JOB_EXPIRED', 'JOB_EXPIRED'])
  // Not kept at all, of another kind, or never there.
  expect([await codeFor(scrape, 5_999), await codeFor({ kind: 'search', at: 0 }, 6_000), await codeFor(null, 6_000)]).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'])
})
