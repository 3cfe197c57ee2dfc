import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Store } from '../../src/domain/store.ts'
import { openStore } from '../../src/store/index.ts'
import { trawlCommand } from '../command.ts'
import { jobTo } from '../fake-outbox.ts'
import { startTrawl } from '../service.ts'

/** Opens the store in that folder, as a separate process would. */
async function withStore<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ kind: 'sqlite', dataDir })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** A folder whose store holds two jobs, with one delivery given up and one waiting. */
async function folderWithDeliveries(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trawl-webhooks-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  await withStore(dataDir, async (store) => {
    await store.accounts.ensureTeam('team', null, 0)
    const later = Date.now() + 3_600_000
    for (const id of ['job-dead', 'job-slow']) {
      const job = { ...jobTo(`http://user:hush@127.0.0.1:1/${id}?token=hush`, { headers: { 'X-Key': 'hush' } }), id, seeding: true }
      await store.jobs.create(job, { pages: [], skipped: [], eventId: `event-of-${id}`, seed: null })
    }
    for (const delivery of await store.outbox.take({ worker: 'w', limit: 2, perReceiver: 2, leaseMs: 1_000 }, Date.now())) {
      const outcome = delivery.job.id === 'job-dead' ? ({ kind: 'given-up', reason: 'No answer.' } as const) : ({ kind: 'again', runAt: later, reason: 'Too slow.' } as const)
      await store.outbox.attempted(delivery, outcome, Date.now())
    }
  })
  return dataDir
}

const table = (text: string): string[][] => text.trim().split('\n').map((line) => line.split('\t'))

describe('trawl webhooks list', () => {
  it('shows deliveries, newest first, without secrets', async () => {
    const TRAWL_DATA_DIR = await folderWithDeliveries()
    const { stdout, code } = await trawlCommand(['webhooks', 'list'], { TRAWL_DATA_DIR })
    const [head, ...rows] = table(stdout)
    expect([code, head]).toEqual([0, ['ID', 'TEAM', 'JOB', 'EVENT', 'STATE', 'ATTEMPTS', 'NEXT', 'RECEIVER', 'REASON']])
    expect(rows).toEqual([
      ['event-of-job-slow', 'team', 'job-slow', 'started', 'waiting', '1', expect.stringMatching(/^\d{4}-.*Z$/), 'http://127.0.0.1:1/job-slow', 'Too slow.'],
      ['event-of-job-dead', 'team', 'job-dead', 'started', 'given-up', '1', '-', 'http://127.0.0.1:1/job-dead', 'No answer.'],
    ])
    expect(stdout).not.toContain('hush')
    const idsOf = async (...args: string[]): Promise<string[]> => table((await trawlCommand(['webhooks', 'list', ...args], { TRAWL_DATA_DIR })).stdout).slice(1).map(([id]) => id ?? '')
    expect(await idsOf('--job', 'job-dead')).toEqual(['event-of-job-dead'])
    expect(await idsOf('--state', 'waiting')).toEqual(['event-of-job-slow'])
    expect(await idsOf('--limit', '1')).toEqual(['event-of-job-slow'])
    expect(await idsOf('--job', 'job-dead', '--state', 'delivered')).toEqual([])
  })

  it('works while a service is running', async () => {
    const trawl = await startTrawl()
    const { stdout, stderr, code } = await trawlCommand(['webhooks', 'list'], { TRAWL_DATA_DIR: trawl.dataDir })
    expect([code, stderr, table(stdout)[0]?.[0]]).toEqual([0, '', 'ID'])
    await trawl.stop()
  })

  it.each([[['--state', 'lost'], /Allowed choices are waiting, delivered, given-up, stopped/], [['--limit', '0'], /--limit must be a number/]])('refuses %j', async (args, said) => {
    const ended = await trawlCommand(['webhooks', 'list', ...args], { TRAWL_DATA_DIR: join(tmpdir(), 'trawl-never') })
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(said)
  })
})

describe('trawl webhooks redeliver', () => {
  it('makes one delivery due again, and resets its attempts', async () => {
    const TRAWL_DATA_DIR = await folderWithDeliveries()
    const { stdout } = await trawlCommand(['webhooks', 'redeliver', 'event-of-job-dead'], { TRAWL_DATA_DIR })
    expect(stdout).toBe('One delivery is due again.\n')
    expect(await withStore(TRAWL_DATA_DIR, (store) => store.outbox.list({ job: 'job-dead', limit: 9 }))).toMatchObject([{ id: 'event-of-job-dead', state: 'waiting', attempts: 0, reason: null }])
  })

  it('makes all undelivered events of a job due again', async () => {
    const TRAWL_DATA_DIR = await folderWithDeliveries()
    const { stdout } = await trawlCommand(['webhooks', 'redeliver', '--job', 'job-slow'], { TRAWL_DATA_DIR })
    expect(stdout).toBe('One delivery is due again.\n')
    const next = await withStore(TRAWL_DATA_DIR, (store) => store.outbox.next())
    expect(next).toBeLessThanOrEqual(Date.now())
  })

  it('reports in one sentence what does not exist', async () => {
    const TRAWL_DATA_DIR = await folderWithDeliveries()
    const said = async (...args: string[]): Promise<unknown> => {
      const { code, stderr } = await trawlCommand(['webhooks', 'redeliver', ...args], { TRAWL_DATA_DIR })
      return [code, stderr]
    }
    expect(await said('nobody')).toEqual([1, 'No delivery has the id nobody; "trawl webhooks list" shows them.\n'])
    expect(await said('--job', 'none')).toEqual([1, 'Job none has no delivery that did not arrive.\n'])
    expect(await said()).toEqual([1, 'Name one delivery by its id, or a job with --job.\n'])
    expect(await said('a', '--job', 'b')).toEqual([1, 'Name one delivery by its id, or a job with --job.\n'])
  })
})
