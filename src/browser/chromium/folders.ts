import { randomUUID } from 'node:crypto'
import { chmod, chown, lstat, mkdir, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isAlive, killNow, type ProcessId, startOf } from './processes.ts'

/** The folder of a running browser; it is deleted with the browser. */
export interface RunFolder {
  readonly path: string
  /** The only place where the browser may write. */
  readonly profile: string
  /** The file into which the starter writes the browser's process id. */
  readonly pidFile: string
  /** The id in that file; null before the start. */
  pid(): Promise<number | null>
  remove(): Promise<void>
}

const ownerFile = 'owner.json'
const pidName = 'pid'

async function json(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'))
}

/** Whether other users can traverse a folder and all its parents. */
export async function isPassable(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  // A missing folder will be created by us, traversable.
  if (found !== null && (found.mode & 0o001) === 0) return false
  return dirname(path) === path || isPassable(dirname(path))
}

/** A folder for short-lived files that the browser's user can traverse. */
async function parentFor(uid: number | null, wanted: string): Promise<string> {
  if (uid === null) return wanted
  for (const folder of [wanted, '/tmp', '/var/tmp']) if (await isPassable(folder)) return folder
  return wanted
}

/** The parent of all browser folders of this user. Throws when somebody else created it first. */
async function baseFolder(parent: string): Promise<string> {
  const path = join(parent, `trawl-browsers-${process.getuid?.() ?? 0}`)
  await mkdir(path, { recursive: true, mode: 0o711 })
  const found = await lstat(path)
  if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) throw new Error('The folder for browser profiles belongs to another user.')
  // The browser may run as another user: it can traverse the folder, but not list it.
  await chmod(path, 0o711)
  return path
}

/** Creates the folder of a browser that is to run as `uid` (null: as our user). */
export async function runFolder(uid: number | null, parent = tmpdir()): Promise<RunFolder> {
  const path = join(await baseFolder(await parentFor(uid, parent)), randomUUID())
  await mkdir(path, { mode: 0o711 })
  const owner: ProcessId = { pid: process.pid, started: startOf(process.pid) ?? '' }
  await writeFile(join(path, ownerFile), JSON.stringify(owner), { mode: 0o600 })
  const profile = join(path, 'profile')
  await mkdir(profile, { mode: 0o700 })
  if (uid !== null) await chown(profile, uid, uid)
  return {
    path,
    profile,
    pidFile: join(path, pidName),
    pid: async () => Number(await readFile(join(path, pidName), 'latin1').catch(() => '')) || null,
    // A dying process may still write; only the last attempt's failure counts.
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}

function isProcessId(value: unknown): value is ProcessId {
  return typeof value === 'object' && value !== null && 'pid' in value && typeof value.pid === 'number' && 'started' in value && typeof value.started === 'string'
}

/** Whether the folder's owner is dead. An unreadable note counts as dead once it is old, because it is written at once. */
async function isOrphan(folder: string): Promise<boolean> {
  const owner = await json(join(folder, ownerFile)).catch(() => null)
  if (isProcessId(owner)) return !isAlive(owner)
  const { mtimeMs } = await stat(folder)
  return Date.now() - mtimeMs > 60_000
}

/**
 * Kills the browser that a folder names, if that process still lives: it must not have started before the folder was made.
 */
async function endBrowser(folder: string): Promise<void> {
  const note = await stat(join(folder, pidName)).catch(() => null)
  const pid = Number(await readFile(join(folder, pidName), 'latin1').catch(() => ''))
  if (note === null || !(pid > 1)) return
  const cmdline = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')
  // The id may belong to another program by now; the profile's path on the command line is unique to this browser.
  if (cmdline.includes(join(folder, 'profile'))) killNow(-pid)
}

/** Removes the processes and folders of dead services' browsers (R13). Returns how many there were. */
export async function sweepRuns(uid: number | null, wanted = tmpdir()): Promise<number> {
  const parent = await parentFor(uid, wanted)
  const base = await baseFolder(parent)
  let swept = 0
  for (const name of await readdir(base)) {
    const folder = join(base, name)
    if (!(await isOrphan(folder).catch(() => false))) continue
    await endBrowser(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    swept++
  }
  await sweepDriverFolders(parent)
  return swept
}

/** Removes empty folders that the driver creates although we do not use them, and that a kill leaves behind. */
async function sweepDriverFolders(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith('playwright_chromiumdev_profile-'))
  for (const name of names) {
    const path = join(parent, name)
    const found = await stat(path).catch(() => null)
    // Another program's folder would be filled soon; only old and empty ones are removed.
    if (found !== null && found.uid === process.getuid?.() && Date.now() - found.mtimeMs > 60_000) await rmdir(path).catch(() => undefined)
  }
}
