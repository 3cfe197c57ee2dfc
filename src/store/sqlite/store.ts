import { chmod, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '../../domain/store.ts'
import { composeStore } from '../compose.ts'
import { makeFolder } from '../make-folder.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import type { Op } from '../op.ts'
import { operation, operations, reads } from '../ops/index.ts'
import { wakeups } from '../wakeups.ts'
import { type Connection, readingConnection, writingConnection } from './connection.ts'
import { rollBack } from './commit-group.ts'
import { classified } from './faults.ts'
import { lockFolder, lockIfFree } from './lock.ts'
import { threadWriter } from './thread.ts'
import { type Writer, inlineWriter } from './writer.ts'

/** Where the embedded store lives and who opens it. */
export interface SqliteOptions {
  readonly dataDir: string
  /** For commands beside a running service: takes no lock on the folder and voids nothing of the service's work. */
  readonly admin?: boolean
  /** Default `thread`, which needs the compiled file; `inline` where sources run directly (unit tests). */
  readonly writer?: 'thread' | 'inline'
  /** For tests: the process dies after this many commits of work (see `crash.ts`). */
  readonly crashPoint?: number | undefined
  /** For tests: the time of the start. */
  readonly now?: number
  /** Called when the writer thread has died. Without it the error is thrown as an uncaught exception. */
  readonly onFatal?: (error: Error) => void
}

const fileIn = (folder: string): string => join(folder, 'trawl.db')

/** Whether the folder contains a store; a folder that cannot be read is reported when opening it. */
export async function isStore(folder: string): Promise<boolean> {
  return stat(fileIn(folder)).then(() => true, (error: NodeJS.ErrnoException) => error.code !== 'ENOENT')
}

const compiled = import.meta.url.endsWith('.js')

/** Opens the embedded store. Throws a one-sentence error if another process has it, or its schema is not this program's. */
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
    throw classified(error)
  }
}

async function assemble(file: string, options: SqliteOptions, unlock: (() => void) | undefined): Promise<Store> {
  const writer = await openWriter(file, options)
  const reader = readingConnection(file)
  const read = <T>(op: Op<T>): T => {
    try {
      return inTransaction(reader, 'begin', op)
    } catch (error) {
      throw classified(error)
    }
  }
  const outstanding = async (): Promise<boolean> => read(operations.upkeep.outstanding())
  let open = true
  return composeStore({
    name: 'sqlite',
    wakeups: wakeups(outstanding),
    run: async (name, args) => {
      if (!open) throw new Error('The store is closed.')
      return reads.has(name) ? read(operation(name, args)) : writer.run(name, args)
    },
    close: async () => {
      if (!open) return
      open = false
      // The reader first, so that the writer can clear the journal.
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

/** A process without its store is useless: by default it crashes as on any other bug. */
function throwAside(error: Error): void {
  setImmediate(() => {
    throw error
  })
}

/** Migrates the schema, and voids the leases and holds of a former process. The folder must be locked. */
function prepare(file: string, now: number): void {
  withConnection(file, (connection) => {
    inTransaction(connection, 'begin immediate', migrate(migrations, { mayChange: true, now }))
    inTransaction(connection, 'begin immediate', operations.upkeep.forgetFormerProcess(now))
  })
}

/** The same for a command beside a service: the schema is migrated only if no service runs on the folder. */
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

/** Creates the folder, or removes other users' access if it is ours and not a shared one such as /tmp. */
async function ownFolder(folder: string): Promise<void> {
  await makeFolder(folder, 0o700)
  const { mode, uid } = await stat(folder)
  const shared = (mode & 0o1000) !== 0
  if (!shared && (mode & 0o077) !== 0 && uid === process.getuid?.()) await chmod(folder, 0o700)
}

/**
 * Creates the file before SQLite would, world-readable, or removes other users' access if it is ours: a backup that was put
 * back has the mode of the copy. Its journals inherit the file's mode.
 */
async function ownFile(path: string): Promise<void> {
  const handle = await open(path, 'a', 0o600)
  try {
    const { mode, uid } = await handle.stat()
    if ((mode & 0o077) !== 0 && uid === process.getuid?.()) await handle.chmod(0o600)
  } finally {
    await handle.close()
  }
}
