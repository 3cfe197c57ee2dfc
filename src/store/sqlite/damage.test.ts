import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { StoreAway, StoreDamaged } from '../../domain/errors.ts'
import { first } from '../op.ts'
import { sql } from '../sql.ts'
import { readingConnection } from './connection.ts'
import { sqliteStore } from './store.ts'
import { decodeError, encodeError } from './wire.ts'

const pageBytes = 4096

async function emptyStore(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-damage-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await (await sqliteStore({ dataDir: folder })).close()
  return folder
}

/** Overwrites the first page of a table, or of an index. */
function overwrite(folder: string, name: string): void {
  const reading = readingConnection(join(folder, 'trawl.db'))
  const root = reading.execute(first<{ rootpage: number }>(sql`select rootpage from sqlite_schema where name = ${name}`))
  reading.close()
  const file = openSync(join(folder, 'trawl.db'), 'r+')
  writeSync(file, Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, ((root?.rootpage ?? 0) - 1) * pageBytes)
  closeSync(file)
}

const failureOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => 'nothing failed', (error: unknown) => error)

it('a damaged page fails what reads or writes it, saying what to do, and what does not need it goes on', async () => {
  const folder = await emptyStore()
  overwrite(folder, 'keys')
  const store = await sqliteStore({ dataDir: folder })
  onTestFinished(() => store.close())
  expect(store.isDamaged()).toBe(false)
  await store.accounts.ensureTeam('team', null, 1)
  const failures = [await failureOf(store.accounts.keys()), await failureOf(store.accounts.addKey({ id: 'key_1', hash: '0'.repeat(64), team: 'team', prefix: 'fc-', name: '', createdAt: 1 }))]
  for (const error of failures) {
    expect(error).toBeInstanceOf(StoreDamaged)
    expect(error).toBeInstanceOf(StoreAway)
    expect(String(error)).toBe('StoreDamaged: database disk image is malformed. What is stored is damaged: with the service stopped, restore a backup or save what can be read ("Damage" in docs/operating.md)')
    expect((error as Error).stack).toContain('docs/operating.md')
    expect(decodeError(encodeError(error))).toEqual(error)
  }
  expect(store.isDamaged()).toBe(true)
  await expect(store.ping()).resolves.toBeUndefined()
})

it('damage where the store looks first stops the start with the same words', async () => {
  const folder = await emptyStore()
  overwrite(folder, 'slots')
  await expect(sqliteStore({ dataDir: folder })).rejects.toThrow(/^database disk image is malformed\. What is stored is damaged: .+restore a backup/)
})
