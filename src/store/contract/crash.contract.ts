import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../domain/store.ts'
import type { StoreOptions } from '../index.ts'
import { now } from './fixtures.contract.ts'
import { counts, delivered, hook, newJob, newPage, pageEnd, take } from './jobs-fixtures.contract.ts'

/** How the suite accesses a store that another process crashes on. */
export interface CrashSubject {
  /** The URL of the compiled store. */
  url(): string
  /** The options of an empty store. */
  fresh(): Promise<StoreOptions>
  /** Opens the store of the last `fresh`. */
  reopen(): Promise<Store>
}

/**
 * The work of the process: a crawl of three pages with a webhook; the last page is found on the second. Reports each
 * completed step.
 */
const program = `
  const told = (step) => process.stdout.write(step + '\\n')
  const delivered = ({ key, team }) => {
    const result = { id: 'j/' + key, team, kind: 'scrape', blob: 'b', frame: '', request: '', createdAt: now, expiresAt: now }
    const settlement = { team, result, charge: { ref: key, kind: 'crawl', credits: 1, at: now }, cache: null }
    return { kind: 'delivered', settlement, bytes: 1, finalKey: key }
  }
  await store.accounts.ensureTeam('a', null, now)
  await store.jobs.beat('w', now + 1000, now)
  await store.jobs.create(job, { pages: [pages.a, pages.b], skipped: [], eventId: 'e0', seed: null })
  told('create')
  for (;;) {
    const [task] = await store.jobs.take({ worker: 'w', limit: 1, teamPlaces: 9, busyHosts: [], crowdedHosts: new Map(), running: {} }, now)
    if (!task) break
    told('take ' + task.key)
    const found = task.key === 'b' ? [pages.c] : []
    await store.jobs.settle({ task, outcome: delivered(task), pages: found, skipped: [], eventId: 'e' + task.key, endEventId: 'end' + task.key, now })
    told('settle ' + task.key)
  }
  const [delivery] = await store.outbox.take({ worker: 'w', limit: 1, perReceiver: 1, leaseMs: 1000 }, now)
  told('delivery')
  await store.outbox.attempted(delivery, { kind: 'delivered', status: 200 }, now)
  told('attempted')
  process.exit(0)
`
const steps = ['create', 'take a', 'settle a', 'take b', 'settle b', 'take c', 'settle c', 'delivery', 'attempted']

/**
 * Kills a process at each commit of its work in turn (R12): that commit was not reported, everything before it is
 * stored, and the work continues from there.
 */
export function crashWalk(name: string, subject: CrashSubject): void {
  describe(`a crash at the n-th commit on ${name}`, () => {
    it.each(steps.map((step, i) => [i + 1, step] as const))('loses and repeats nothing: %i, %s', async (n, step) => {
      const options = await subject.fresh()
      const { heard, signal } = await crash(subject.url(), { ...options, crashPoint: n })
      expect({ heard, signal }).toEqual({ heard: steps.slice(0, n - 1), signal: 'SIGKILL' })
      const store = await subject.reopen()
      const settled = steps.slice(0, n).filter((done) => done.startsWith('settle')).length
      expect(await counts(store, 'j')).toMatchObject({ completed: settled, creditsUsed: settled })
      await finish(store)
      const rows = await store.jobs.results('j', { skip: 0, limit: 9, maxBytes: 9_000 })
      expect(rows.map(({ seq, url }) => [seq, url])).toEqual([[1, 'https://site/a'], [2, 'https://site/b'], [3, 'https://site/c']])
      expect((await store.jobs.events('j', 0, 9)).map((e) => e.type)).toEqual(['started', 'page', 'page', 'page', 'completed'])
      expect((await store.ledger.balance('a', now)).used).toBe(3)
      const sent = (await store.outbox.list({ limit: 9 })).map(({ type, state }) => `${type} ${state}`)
      expect(sent).toEqual(['completed waiting', 'page waiting', 'page waiting', 'page waiting', `started ${step === 'attempted' ? 'delivered' : 'waiting'}`])
      await store.close()
    })

    it('happens after all of the work if there are fewer commits', async () => {
      expect(await crash(subject.url(), { ...(await subject.fresh()), crashPoint: steps.length + 1 })).toEqual({ heard: steps, signal: null })
    })
  })
}

async function finish(store: Store): Promise<void> {
  for (;;) {
    // Later than the lease of the dead worker.
    const tasks = await take(store, 9, { worker: 'heir' }, now + 2_000)
    if (tasks.length === 0) return
    for (const task of tasks) await store.jobs.settle(pageEnd(task, delivered(task), { pages: task.key === 'b' ? [newPage('c')] : [] }))
  }
}

function crash(url: string, options: StoreOptions): Promise<{ readonly heard: readonly string[]; readonly signal: string | null }> {
  const data = { options, job: newJob('j', { webhook: hook }), pages: { a: newPage('a'), b: newPage('b'), c: newPage('c') } }
  const source = `import { openStore } from ${JSON.stringify(url)}
    const { options, job, pages } = ${JSON.stringify(data)}
    const now = ${now}
    const store = await openStore(options)
    ${program}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  let heard = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text))
  return new Promise((resolve) => child.once('close', (_code, signal) => resolve({ heard: heard.split('\n').slice(0, -1), signal })))
}
