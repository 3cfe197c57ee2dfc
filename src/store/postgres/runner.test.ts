import { createServer, type Server } from 'node:net'
import { Pool } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { StoreAway, StoreDamaged } from '../../domain/errors.ts'
import { all } from '../op.ts'
import { sql } from '../sql.ts'
import { poolRunner } from './runner.ts'

/** A server message with its type, length and content. */
function message(kind: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(kind)
  head.writeInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}

const granted = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))])
const commandDone = Buffer.concat([message('C', Buffer.from('BEGIN\0')), message('Z', Buffer.from('T'))])
const errorOf = (severity: string, code: string): Buffer => message('E', Buffer.from(`S${severity}\0V${severity}\0C${code}\0Mof the server\0\0`))

/** The timeout for a silent server, which applies once, not again for the rollback. */
const timeoutMs = 1_500

/**
 * A pool for a server that answers the startup and then each query with the next of these; it is silent when they are
 * used up.
 */
function poolOn(answers: readonly Buffer[]): Promise<Pool> {
  return poolTo(() => {
    const left = [...answers]
    return () => left.shift() ?? ''
  })
}

/** The same for a server that answers each connection in its own way. */
function poolTo(connected: () => (data: Buffer) => Buffer | string): Promise<Pool> {
  const server = createServer((socket) => {
    const answerTo = connected()
    socket.on('error', () => undefined).on('data', (data) => socket.write(answerTo(data)))
  })
  return poolOf(server)
}

async function poolOf(server: Server): Promise<Pool> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number } // a port, not a pipe
  const pool = new Pool({ host: '127.0.0.1', port, user: 'u', database: 'd', query_timeout: timeoutMs })
  pool.on('error', () => undefined)
  onTestFinished(async () => {
    await pool.end()
    server.close()
  })
  return pool
}

const select = () => all(sql`select 1`)

it.each([
  ['after the start', [granted]],
  ['in the middle of a transaction', [granted, commandDone]],
])('a server that falls silent %s is unavailable, and nothing more is awaited', async (_when, answers) => {
  const pool = await poolOn(answers)
  const started = performance.now()
  await expect(poolRunner(pool).transaction(select)).rejects.toBeInstanceOf(StoreAway)
  expect(performance.now() - started).toBeLessThan(timeoutMs * 1.8)
  // A connection that may still answer some day is discarded.
  expect(pool.totalCount).toBe(0)
})

it('a statement that the server cancels for its duration is not at fault; one that it rejects is; one that meets damaged data says so', async () => {
  const ready = message('Z', Buffer.from('E'))
  const faultOf = async (code: string): Promise<unknown> => poolRunner(await poolOn([granted, commandDone, Buffer.concat([errorOf('ERROR', code), ready]), commandDone])).transaction(select).catch((error: unknown) => error)
  expect(await faultOf('57014')).toBeInstanceOf(StoreAway)
  expect(await faultOf('42601')).not.toBeInstanceOf(StoreAway)
  expect(await faultOf('XX001')).toBeInstanceOf(StoreDamaged)
})

it('a transaction that is cancelled while it begins leaves no connection behind on which everything fails', async () => {
  const aborted = message('Z', Buffer.from('E'))
  let cancelling = true
  const pool = await poolTo(() => {
    let [isNew, failed] = [true, false]
    return (data) => {
      const text = data.toString('latin1')
      if (isNew) {
        isNew = false
        return granted
      }
      if (text.includes('rollback')) failed = false
      else if (failed) return Buffer.concat([errorOf('ERROR', '25P02'), aborted])
      else if (cancelling) {
        failed = true
        return Buffer.concat([errorOf('ERROR', '57014'), aborted])
      }
      return commandDone
    }
  })
  const runner = poolRunner(pool)
  await expect(runner.transaction(select)).rejects.toBeInstanceOf(StoreAway)
  cancelling = false
  await expect(runner.transaction(select)).resolves.toEqual([])
})

/** A pool whose connections break at the first statements that match, one connection for each; and the statements that the server heard. */
async function poolBreakingAt(broken: readonly RegExp[]): Promise<{ readonly pool: Pool; readonly heard: readonly string[] }> {
  const left = [...broken]
  const heard: string[] = []
  const server = createServer((socket) => {
    let isNew = true
    socket.on('error', () => undefined).on('data', (data) => {
      const text = data.toString('latin1')
      if (!isNew) heard.push(/begin|commit|rollback|select 1/.exec(text)?.[0] ?? '')
      if (!isNew && left[0]?.test(text) === true) {
        left.shift()
        return void socket.destroy()
      }
      socket.write(isNew ? granted : commandDone)
      isNew = false
    })
  })
  return { pool: await poolOf(server), heard }
}

it('a connection that breaks costs no operation, as long as nothing can be committed', async () => {
  const { pool, heard } = await poolBreakingAt([/begin/, /select 1/, /select 1/])
  await expect(poolRunner(pool).transaction(select)).resolves.toEqual([])
  expect(heard).toEqual(['begin', 'begin', 'select 1', 'begin', 'select 1', 'begin', 'select 1', 'commit'])
  const reads = await poolBreakingAt([/select 1/])
  await expect(poolRunner(reads.pool).read(select)).resolves.toEqual([])
  const once = await poolBreakingAt([/select 1/])
  await expect(poolRunner(once.pool).impatient(select)).resolves.toEqual([])
})

it('a transaction whose commit may have arrived is not repeated', async () => {
  const { pool, heard } = await poolBreakingAt([/^Q.{4}commit/s])
  await expect(poolRunner(pool).transaction(select)).rejects.toBeInstanceOf(StoreAway)
  expect(heard).toEqual(['begin', 'select 1', 'commit'])
})

it('a server that breaks every connection is given up', async () => {
  const { pool, heard } = await poolBreakingAt(Array.from({ length: 20 }, () => /select 1/))
  await expect(poolRunner(pool).transaction(select)).rejects.toBeInstanceOf(StoreAway)
  expect(heard).toHaveLength(10)
})

it('a read-only connection counts as unavailable, and is discarded', async () => {
  const pool = await poolOn([granted, commandDone, Buffer.concat([errorOf('ERROR', '25006'), message('Z', Buffer.from('E'))]), commandDone])
  await expect(poolRunner(pool).transaction(select)).rejects.toBeInstanceOf(StoreAway)
  expect(pool.totalCount).toBe(0)
})

it('a connection that the server closes as it grants it fails the call, but not the process', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(Buffer.concat([granted, errorOf('FATAL', '57P01')])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number } // a port, not a pipe
  const pool = new Pool({ host: '127.0.0.1', port, user: 'u', database: 'd' })
  onTestFinished(async () => {
    await pool.end()
    server.close()
  })
  pool.on('error', () => undefined)
  const faults: unknown[] = []
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => faults.push(error))
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException')
    for (const other of others) process.on('uncaughtException', other)
  })
  const read = poolRunner(pool).read(() => all(sql`select 1`))
  await expect(read).rejects.toBeInstanceOf(StoreAway)
  expect(faults).toEqual([])
})
