import { createServer } from 'node:net'
import { Pool } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { StoreAway } from '../../domain/errors.ts'
import { all } from '../op.ts'
import { sql } from '../sql.ts'
import { poolRunner } from './runner.ts'

/** A message of the server: its kind, its length, its content. */
function message(kind: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(kind)
  head.writeInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}

it('a connection that the server ends as it grants it fails what asked for it, and not the process', async () => {
  const granted = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]
  const ended = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'))
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(Buffer.concat([...granted, ended])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number } // of a port, not of a pipe
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
