import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Built, builtStore } from './contract/built.contract.ts'
import { crashWalk } from './contract/crash.contract.ts'
import { now, result, task } from './contract/fixtures.contract.ts'
import { hook, pageEnd, start, take, takeOne } from './contract/jobs-fixtures.contract.ts'
import { carriedContract } from './contract/store.contract.ts'

let built: Built
const folders: string[] = []
const children: ChildProcess[] = []
const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'trawl-store-'))
  folders.push(made)
  return made
}
beforeAll(async () => {
  built = await builtStore()
})
afterAll(async () => {
  await Promise.all(children.map(kill))
  await Promise.all(folders.map((path) => rm(path, { recursive: true })))
})

let dataDir = ''
carriedContract('sqlite with its writer thread', {
  open: async () => built.module.openStore({ kind: 'sqlite', dataDir: (dataDir = await folder()) }),
  another: () => built.module.openStore({ kind: 'sqlite', dataDir, admin: true }),
})

let crashDir = ''
crashWalk('sqlite', {
  url: () => built.url,
  fresh: async () => ({ kind: 'sqlite', dataDir: (crashDir = await folder()) }),
  reopen: () => built.module.openStore({ kind: 'sqlite', dataDir: crashDir }),
})

const preamble = (dir: string): string => `
  import { openStore } from ${JSON.stringify(built.url)}
  const store = await openStore({ kind: 'sqlite', dataDir: ${JSON.stringify(dir)} })
  const result = ${result.toString()}; const now = ${now}
`

/** Runs a program in a separate process; resolves once it has written so many lines, and passes all of them on. */
function running(program: string, count: number, onLine: (line: string) => void = () => {}): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  let [rest, seen] = ['', 0]
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The program ended after ${seen} of ${count} lines.`)))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line)
      seen += lines.length
      if (seen >= count) resolve(child)
    })
  })
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

describe('the embedded store', () => {
  it('has every row that was acknowledged before a kill -9', async () => {
    const dir = await folder()
    const acknowledged: string[] = []
    const child = await running(
      `${preamble(dir)}
      await store.accounts.ensureTeam('a', null, now)
      const write = async (lane) => { for (let i = 0; ; i++) {
        const id = lane + '-' + i
        await store.results.settle({ team: 'a', result: result(id), charge: { ref: id, kind: 'scrape', credits: 1, at: now }, cache: null })
        process.stdout.write(id + '\\n')
      } }
      await Promise.all(['x', 'y', 'z'].map(write))`,
      501,
      (line) => acknowledged.push(line),
    )
    await kill(child)
    const store = await built.module.openStore({ kind: 'sqlite', dataDir: dir })
    const missing: string[] = []
    for (const id of acknowledged) if (!(await store.results.find(id))) missing.push(id)
    expect(missing).toEqual([])
    expect((await store.ledger.balance('a', now)).used).toBeGreaterThanOrEqual(acknowledged.length)
    await store.close()
  })

  it('refuses a second process on the folder, and opens at once after the first was killed', async () => {
    const dir = await folder()
    const child = await running(`${preamble(dir)} console.log('ready'); setInterval(() => {}, 1000)`, 1)
    const open = (): ReturnType<typeof built.module.openStore> => built.module.openStore({ kind: 'sqlite', dataDir: dir })
    await expect(open()).rejects.toThrow('Another process is using this data folder; stop it first, or choose another folder.')
    await kill(child)
    await (await open()).close()
  })

  it('voids the leases of a killed process, and nothing else', async () => {
    const dir = await folder()
    const tasks = [task('t1'), task('t2', { maxAttempts: 1 }), task('t3')]
    const child = await running(
      `${preamble(dir)}
      await store.accounts.ensureTeam('a', 10, now)
      await store.queue.push(${JSON.stringify(tasks)})
      await store.queue.take('w', ['scrape'], 2, 9e9, now)
      await store.ledger.hold({ team: 'a', key: null }, 'h', 5, now + 9e9, now)
      await store.slots.acquire('a', 's', 1, now + 9e9, now)
      for (const scope of ['open', 'done']) await store.idempotency.claim(scope, 'b', 'a', now + 9e9, now)
      await store.idempotency.finish('done', 'b', 200, 'reply', now + 9e9)
      console.log('ready'); setInterval(() => {}, 1000)`,
      1,
    )
    await kill(child)
    const store = await built.module.openStore({ kind: 'sqlite', dataDir: dir })
    expect(await store.queue.depth()).toEqual({ waiting: 2, leased: 0 })
    expect(await store.queue.outcome('t2')).toEqual({ kind: 'failed', reason: 'The worker stopped before the task was done.' })
    expect((await store.queue.take('w', ['scrape'], 9, 100, now)).map(({ id, attempt }) => ({ id, attempt }))).toEqual([{ id: 't1', attempt: 2 }, { id: 't3', attempt: 1 }])
    expect(await store.ledger.balance('a', now)).toEqual({ granted: 10, used: 0, held: 0 })
    expect(await store.slots.inUse('a', now)).toBe(0)
    expect(await store.idempotency.claim('open', 'other', 'a', now + 1, now)).toMatchObject({ kind: 'fresh', again: false })
    expect(await store.idempotency.claim('done', 'b', 'a', now + 1, now)).toMatchObject({ kind: 'done', status: 200, blob: 'reply' })
    await store.close()
  })

  it('fails a page that has ended the process three times, and continues with the others', async () => {
    const dir = await folder()
    const open = (): ReturnType<typeof built.module.openStore> => built.module.openStore({ kind: 'sqlite', dataDir: dir })
    const attempts: unknown[] = []
    for (let i = 0; i < 3; i++) {
      const store = await open()
      if (i === 0) await start(store, 'j', { pages: ['poison', 'good'] })
      // The same name each time: a worker of a previous process is a different worker.
      attempts.push((await takeOne(store)).attempt)
      await store.close()
    }
    expect(attempts).toEqual([1, 2, 3])
    const store = await open()
    expect((await take(store, 9)).map(({ key, attempt }) => [key, attempt])).toEqual([['good', 1]])
    expect((await store.jobs.errors('j', { skip: 0, limit: 9 })).map(({ url, code }) => [url, code])).toEqual([['https://site/poison', 'SCRAPE_RETRY_LIMIT']])
    await store.close()
  })

  it('delivers at once what a previous process was delivering, before what comes after it', async () => {
    const dir = await folder()
    const before = await built.module.openStore({ kind: 'sqlite', dataDir: dir })
    await start(before, 'j', { pages: ['a', 'b'], job: { webhook: hook } })
    await before.jobs.settle(pageEnd(await takeOne(before)))
    const terms = { worker: 'w', limit: 9, perReceiver: 9, leaseMs: 9e9 }
    const [taken] = await before.outbox.take(terms, now)
    await before.close()
    const store = await built.module.openStore({ kind: 'sqlite', dataDir: dir })
    if (!taken) throw new Error('a delivery')
    expect(await store.outbox.attempted(taken, { kind: 'delivered', status: 200 }, now)).toBe(false)
    expect((await store.outbox.take(terms, Date.now())).map(({ id, attempt }) => [id, attempt])).toEqual([[taken.id, 1]])
    await store.close()
  })

  it('restricts its files to its owner and leaves nothing in the journal when closed', async () => {
    const dir = join(await folder(), 'data')
    const store = await built.module.openStore({ kind: 'sqlite', dataDir: dir })
    await store.accounts.ensureTeam('a', null, now)
    const modes = async (): Promise<Record<string, string>> =>
      Object.fromEntries(await Promise.all((await readdir(dir)).sort().map(async (name) => [name, ((await stat(join(dir, name))).mode & 0o777).toString(8)] as const)))
    expect(((await stat(dir)).mode & 0o777).toString(8)).toBe('700')
    expect(await modes()).toEqual({ 'lock.db': '600', 'lock.db-journal': '600', 'trawl.db': '600', 'trawl.db-shm': '600', 'trawl.db-wal': '600' })
    await store.close()
    expect(await modes()).not.toHaveProperty('lock.db-journal')
    expect(await stat(join(dir, 'trawl.db-wal')).then((found) => found.size, () => 0)).toBe(0)
  })

  it('restricts files that were put back from a backup that everybody could read', async () => {
    const dir = await folder()
    await (await built.module.openStore({ kind: 'sqlite', dataDir: dir })).close()
    await chmod(join(dir, 'trawl.db'), 0o644)
    const store = await built.module.openStore({ kind: 'sqlite', dataDir: dir })
    await store.accounts.ensureTeam('a', null, now)
    for (const name of ['trawl.db', 'trawl.db-wal', 'trawl.db-shm']) expect([name, (await stat(join(dir, name))).mode & 0o777]).toEqual([name, 0o600])
    await store.close()
  })

  it('lets an admin command read and write beside the service without voiding its leases', async () => {
    const dir = await folder()
    const service = await built.module.openStore({ kind: 'sqlite', dataDir: dir })
    await service.queue.push([task('t1')])
    await service.queue.take('w', ['scrape'], 1, 100, now)
    const admin = await built.module.openStore({ kind: 'sqlite', dataDir: dir, admin: true })
    await Promise.all([admin.accounts.ensureTeam('a', 7, now), service.accounts.ensureTeam('b', 8, now)])
    await admin.close()
    expect((await service.accounts.teams()).map((team) => team.id)).toEqual(['a', 'b'])
    expect(await service.queue.depth()).toEqual({ waiting: 0, leased: 1 })
    await service.close()
  })

  it('answers reads during a large write', async () => {
    const store = await built.module.openStore({ kind: 'sqlite', dataDir: await folder() })
    const order: string[] = []
    const write = store.queue.push(Array.from({ length: 5_000 }, (_, i) => task(`t${i}`))).then(() => order.push('written'))
    expect(await store.queue.depth()).toEqual({ waiting: 0, leased: 0 })
    order.push('read')
    await write
    expect(order).toEqual(['read', 'written'])
    expect(await store.queue.depth()).toEqual({ waiting: 5_000, leased: 0 })
    await store.close()
  })

  it('finishes pending writes when it is closed', async () => {
    const dir = await folder()
    const store = await built.module.openStore({ kind: 'sqlite', dataDir: dir })
    const writes = Array.from({ length: 400 }, (_, i) => store.accounts.ensureTeam(`t${i}`, null, now))
    await store.close()
    expect(await Promise.all(writes)).toHaveLength(400)
    const again = await built.module.openStore({ kind: 'sqlite', dataDir: dir })
    expect(await again.accounts.teams()).toHaveLength(400)
    await again.close()
  })

  it('rejects arguments that cannot be copied between threads, and continues', async () => {
    const store = await built.module.openStore({ kind: 'sqlite', dataDir: await folder() })
    const odd: { id: string; at: number }[] = [Object.assign({ id: 'k', at: now }, { method: () => undefined })]
    await expect(store.accounts.touchKeys(odd)).rejects.toThrow('could not be cloned')
    await store.ping()
    await store.close()
  })
})
