import { expect, it } from 'vitest'
import { newJob, newPage } from './contract/jobs-fixtures.contract.ts'
import { creating } from './creating.ts'
import type { Beginning, Part } from './ops/jobs/create.ts'

it('hands the pages of a large job over in parts, as text, and lets others run in between', async () => {
  const pages = Array.from({ length: 50_000 }, (_, i) => newPage(`p${i}`))
  const skipped = [{ url: 'https://site/x', reason: 'invalid' as const }] // `const`: of its type
  const begun: Beginning[] = []
  let turns = 0
  const count = (): void => {
    turns++
    again = setImmediate(count)
  }
  let again = setImmediate(count)
  await creating(async (_job, begin) => (begun.push(begin), true))(newJob('j'), { pages, skipped, eventId: 'e', seed: null })
  clearImmediate(again)
  const [{ parts = [], ...rest } = {}] = begun
  const read = parts.map((part): Part => JSON.parse(part))
  expect([parts.length, read.flatMap((part) => part.pages), read.flatMap((part) => part.skipped), rest]).toEqual([25, pages, skipped, { eventId: 'e', seed: null }])
  expect(turns).toBeGreaterThan(1)
})
