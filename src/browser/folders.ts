import { randomUUID } from 'node:crypto'
import { chmod, chown, lstat, mkdir, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isAlive, killNow, type ProcessId, startOf } from './processes.ts'

/** The folder of one running browser, gone with it. */
export interface RunFolder {
  readonly path: string
  /** The only place where the browser may write. */
  readonly profile: string
  /** The file into which the starting shell writes the number of the browser's process. */
  readonly pidFile: string
  /** The number in that file; null before the start. */
  pid(): Promise<number | null>
  remove(): Promise<void>
}

const ownerFile = 'owner.json'
const pidName = 'pid'

async function json(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'))
}

/** Whether another user can pass through a folder and all above it. */
export async function isPassable(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  // What is not there yet will be made by us, passable.
  if (found !== null && (found.mode & 0o001) === 0) return false
  return dirname(path) === path || isPassable(dirname(path))
}

/** A folder for short-lived files that the browser's user can pass through. */
async function parentFor(uid: number | null, wanted: string): Promise<string> {
  if (uid === null) return wanted
  for (const folder of [wanted, '/tmp', '/var/tmp']) if (await isPassable(folder)) return folder
  return wanted
}

/** The folder below which all browsers of this user keep theirs. Throws when somebody else made it first. */
async function baseFolder(parent: string): Promise<string> {
  const path = join(parent, `trawl-browsers-${process.getuid?.() ?? 0}`)
  await mkdir(path, { recursive: true, mode: 0o711 })
  const found = await lstat(path)
  if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) throw new Error('The folder for browser profiles belongs to another user.')
  // The browser may run as another user: it passes through, but sees no names.
  await chmod(path, 0o711)
  return path
}

/** Makes the folder of one browser, which is to run as `uid` (null: as us). */
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
    // A dying process may still write; the last attempt's failure counts.
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}

function isProcessId(value: unknown): value is ProcessId {
  return typeof value === 'object' && value !== null && 'pid' in value && typeof value.pid === 'number' && 'started' in value && typeof value.started === 'string'
}

/** Whether the folder's owner is gone; an unreadable note counts as gone once it is old, for it is written at once. */
async function isOrphan(folder: string): Promise<boolean> {
  const owner = await json(join(folder, ownerFile)).catch(() => null)
  if (isProcessId(owner)) return !isAlive(owner)
  const { mtimeMs } = await stat(folder)
  return Date.now() - mtimeMs > 60_000
}

/** Ends the browser that a folder names, if that very process still lives: its start time must not be before the folder's. */
async function endBrowser(folder: string): Promise<void> {
  const note = await stat(join(folder, pidName)).catch(() => null)
  const pid = Number(await readFile(join(folder, pidName), 'latin1').catch(() => ''))
  if (note === null || !(pid > 1)) return
  const cmdline = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')
  // The number may be another program's by now; the profile's path on the command line is this browser's alone.
  if (cmdline.includes(join(folder, 'profile'))) killNow(-pid)
}

/** Removes what browsers of dead services left: processes and folders (R13). Answers how many there were. */
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

/** The driver makes a folder that we do not use and that a kill leaves behind, empty. */
async function sweepDriverFolders(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith('playwright_chromiumdev_profile-'))
  for (const name of names) {
    const path = join(parent, name)
    const found = await stat(path).catch(() => null)
    // Another program's folder is filled within moments; only an old and empty one goes.
    if (found !== null && found.uid === process.getuid?.() && Date.now() - found.mtimeMs > 60_000) await rmdir(path).catch(() => undefined)
  }
}
