import { chmod, mkdir, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '../../domain/store.ts'
import { composeStore } from '../compose.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import type { Op } from '../op.ts'
import { operation, operations, reads } from '../ops/index.ts'
import { wakeups } from '../wakeups.ts'
import { type Connection, readingConnection, writingConnection } from './connection.ts'
import { rollBack } from './commit-group.ts'
import { lockFolder, lockIfFree } from './lock.ts'
import { threadWriter } from './thread.ts'
import { type Writer, inlineWriter } from './writer.ts'

/** Where the embedded store lives and who opens it. */
export interface SqliteOptions {
  readonly dataDir: string
  /** For commands that run beside a service: no lock on the folder, nothing of the service's work is voided. */
  readonly admin?: boolean
  /** `thread` unless told otherwise; a thread needs the compiled file, so `inline` where the sources run as they are (unit tests). */
  readonly writer?: 'thread' | 'inline'
  /** For tests: the process dies after this many commits of work (see `crash.ts`). */
  readonly crashPoint?: number | undefined
  /** For tests: the time of the start. */
  readonly now?: number
  /** Called when the writer thread has died. Without it the error is thrown as an uncaught exception. */
  readonly onFatal?: (error: Error) => void
}

const fileIn = (folder: string): string => join(folder, 'trawl.db')

/** Whether there is a store in the folder; where the folder may not be looked into, opening it says so. */
export async function isStore(folder: string): Promise<boolean> {
  return stat(fileIn(folder)).then(() => true, (error: NodeJS.ErrnoException) => error.code !== 'ENOENT')
}

const compiled = import.meta.url.endsWith('.js')

/** Opens the embedded store. Throws with one sentence when another process has it, or its schema is not this program's. */
export async function sqliteStore(options: SqliteOptions): Promise<Store> {
  await ownFolder(options.dataDir)
  const file = fileIn(options.dataDir)
  const lockFile = join(options.dataDir, 'lock.db')
  for (const path of [file, lockFile]) await ownFile(path)
  const unlock = options.admin ? undefined : lockFolder(lockFile)
  try {
    if (options.admin) prepareBeside(file, lockFile)
    else prepare(file, options.now ?? Date.now())
    return await assemble(file, options, unlock)
  } catch (error) {
    unlock?.()
    throw error
  }
}

async function assemble(file: string, options: SqliteOptions, unlock: (() => void) | undefined): Promise<Store> {
  const writer = await openWriter(file, options)
  const reader = readingConnection(file)
  const outstanding = async (): Promise<boolean> => inTransaction(reader, 'begin', operations.upkeep.outstanding())
  let open = true
  return composeStore({
    name: 'sqlite',
    wakeups: wakeups(outstanding),
    run: async (name, args) => {
      if (!open) throw new Error('The store is closed.')
      return reads.has(name) ? inTransaction(reader, 'begin', operation(name, args)) : writer.run(name, args)
    },
    close: async () => {
      if (!open) return
      open = false
      // The reader first, so that the writer finds nobody in the way when it clears the journal.
      reader.close()
      await writer.close()
      unlock?.()
    },
  })
}

function openWriter(file: string, options: SqliteOptions): Promise<Writer> | Writer {
  const kind = options.admin ? 'inline' : (options.writer ?? (compiled ? 'thread' : 'inline'))
  if (kind === 'inline') return inlineWriter(file, options.crashPoint)
  return threadWriter(new URL('./writer-thread.js', import.meta.url), { file, crashPoint: options.crashPoint, onFatal: options.onFatal ?? throwAside })
}

/** A process without its store is of no use: by default it ends as by any other bug. */
function throwAside(error: Error): void {
  setImmediate(() => {
    throw error
  })
}

/** The folder is ours alone: the schema is brought up to date, and what a former process left under way is void. */
function prepare(file: string, now: number): void {
  withConnection(file, (connection) => {
    inTransaction(connection, 'begin immediate', migrate(migrations, { mayChange: true, now }))
    inTransaction(connection, 'begin immediate', operations.upkeep.forgetFormerProcess(now))
  })
}

/** A service may be running on the folder: only without one may the schema change. */
function prepareBeside(file: string, lockFile: string): void {
  const unlock = lockIfFree(lockFile)
  try {
    withConnection(file, (connection) => {
      inTransaction(connection, 'begin immediate', migrate(migrations, { mayChange: unlock !== undefined, now: Date.now() }))
    })
  } finally {
    unlock?.()
  }
}

function withConnection(file: string, use: (connection: Connection) => void): void {
  const connection = writingConnection(file)
  try {
    use(connection)
  } finally {
    connection.close()
  }
}

function inTransaction<T>(connection: Connection, begin: 'begin' | 'begin immediate', op: Op<T>): T {
  connection.exec(begin)
  try {
    const answer = connection.execute(op)
    connection.exec('commit')
    return answer
  } catch (error) {
    rollBack(connection)
    throw error
  }
}

/** Makes the folder, or takes the rights of others to it away where it is ours and not a shared one such as /tmp. */
async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { mode, uid } = await stat(folder)
  const shared = (mode & 0o1000) !== 0
  if (!shared && (mode & 0o077) !== 0 && uid === process.getuid?.()) await chmod(folder, 0o700)
}

/** Makes the file before SQLite does, which would leave it readable to all; its journals take over the file's mode. */
async function ownFile(path: string): Promise<void> {
  const handle = await open(path, 'a', 0o600)
  await handle.close()
}
