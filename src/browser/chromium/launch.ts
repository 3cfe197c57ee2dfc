import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Readable, Writable } from 'node:stream'
import type { Browser, BrowserType } from 'playwright-core'
import { once } from '../../lib/once.ts'
import { userBook } from '../../lib/user-book.ts'
import { withPipes } from '../../lib/with-pipes.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import type { FoundProgram } from './find.ts'
import { flags, type ProxyAddress } from './flags.ts'
import { runFolder, type RunFolder } from './folders.ts'
import { pipe, remotePipe } from '../protocol/pipe.ts'
import { groupEnded, killNow } from './processes.ts'
import { rememberWire, wire } from '../protocol/wire.ts'

/** A running Chromium that we are connected to. */
export interface Launched {
  readonly browser: Browser
  /** Id of its first process; null when it is not ours. */
  readonly pid: number | null
  /** Ends it regularly. */
  close(): Promise<void>
  /** Kills all its processes at once. */
  kill(): void
}

/** Logs events of the launcher. */
export type Say = (event: string, fields?: Readonly<Record<string, string | number | boolean>>) => void

// The driver is large: only a service that renders pays for it. It is required rather than imported, because an import
// would read all of it again for the names that it exports.
const driver = once((): { readonly chromium: BrowserType } => createRequire(import.meta.url)('playwright-core'))

/** Loads the driver, which blocks the process: for callers that must not be late later. */
export function loadDriver(): void {
  driver()
}

const startMs = 15_000
const closeMs = 3_000
const lastWordMs = 500

/** Signals by which a faulty program ends. */
const faults: ReadonlySet<NodeJS.Signals> = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGTRAP', 'SIGABRT'])
class StartCrashed extends Error {}

/** Writes its own process id, then becomes the browser (`exec` keeps the id). */
const starter = ['-c', 'echo $$ > "$0" && exec "$@"']

interface Start {
  readonly found: FoundProgram
  readonly proxy: ProxyAddress
  readonly sandbox: boolean
  /** The unprivileged user to run as; null for our own. */
  readonly user: number | null
}

/** Starts a program that speaks the protocol over file descriptors 3 and 4, in its own process group. */
export async function startChromium(command: readonly string[], env: Readonly<Record<string, string>>, artifactsDir: string): Promise<Omit<Launched, 'close'> & { readonly gone: Promise<void> }> {
  const [program = '', ...args] = command
  const child = withPipes(spawn(program, args, { detached: true, env, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] }))
  const said = lastWords(child)
  const kill = (): void => void (child.pid !== undefined && killNow(-child.pid))
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve())).then(() => groupEnded(child.pid))
  const [to, from] = [child.stdio[3] as Writable, child.stdio[4] as Readable] // as requested
  const line = wire(pipe(to, from))
  const died = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => reject(new (signal !== null && faults.has(signal) ? StartCrashed : Error)(`Chromium ended with ${signal ?? code ?? 'nothing'}: ${said()}`)))
  })
  died.catch(() => undefined)
  try {
    const browser = await Promise.race([driver().chromium.connectOverCDP(line.transport, { artifactsDir, timeout: startMs }), died])
    rememberWire(browser, line)
    return { browser, pid: child.pid ?? null, kill, gone }
  } catch (error) {
    // Its last output says more than that the connection broke, if it comes in time.
    const why = await withTimeout(died.catch((last: unknown) => last), lastWordMs, () => null)
    kill()
    await gone
    if (why instanceof Error) why.cause = error
    throw why ?? error
  }
}

/** The end of a process's standard error; the rest is read and discarded. */
function lastWords({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr?.setEncoding('utf8').on('data', (part: string) => void (text = (text + part).slice(-8_000)))
  return () => text.trim()
}

async function start({ found, proxy, sandbox, user }: Start, folder: RunFolder): Promise<Launched & { readonly gone: Promise<void> }> {
  const { confinement, path, env } = found
  // Nothing of our environment, which contains secrets.
  const ownEnv = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', HOME: folder.profile, TMPDIR: folder.profile, XDG_CACHE_HOME: folder.profile, XDG_CONFIG_HOME: folder.profile, ...env }
  const { gone, ...launched } = await startChromium(['/bin/sh', ...starter, folder.pidFile, ...confinement.command(user), path, ...flags(proxy, folder.profile, sandbox)], ownEnv, folder.path)
  return {
    ...launched,
    gone,
    async close() {
      const timer = setTimeout(launched.kill, closeMs)
      // Chromium ends with its connection.
      await launched.browser.close().catch(launched.kill)
      await gone
      clearTimeout(timer)
      await folder.remove()
    },
  }
}

/** Whether a failed start means that this machine does not allow Chromium's sandbox. */
function lacksSandbox(error: unknown): boolean {
  return error instanceof Error && /no usable sandbox|without --no-sandbox|zygote_host|failed to move to new namespace|sandbox_host_linux|credentials\.cc/i.test(error.message)
}

/** Starts browsers from one Chromium. Each has its own folder, which is removed when the browser ends, however it ends. */
export interface Launcher {
  launch(): Promise<Launched>
  /** Whether Chromium's own sandbox confines pages; null before the first start. */
  sandbox(): boolean | null
}

export interface LauncherOptions {
  readonly found: FoundProgram
  readonly proxy: ProxyAddress
  /** Parent of the browsers' folders; by default the system's temporary folder. */
  readonly parent?: string | undefined
  readonly say: Say
}

/**
 * A launcher that keeps Chromium's sandbox on; when the machine does not allow it, it logs that once and starts without.
 */
export function launcher({ found, proxy, parent, say }: LauncherOptions): Launcher {
  let sandbox: boolean | null = null
  const { users } = found.confinement
  const book = users.length === 0 ? null : userBook(users)

  async function attempt(wanted: boolean): Promise<Launched> {
    const user = book?.take() ?? null
    const free = (): void => void (user !== null && book?.give(user))
    const folder = await runFolder(user, parent).catch((error: unknown) => {
      free()
      throw error
    })
    try {
      const launched = await start({ found, proxy, sandbox: wanted, user }, folder)
      void launched.gone.then(free)
      sandbox = wanted
      launched.browser.once('disconnected', () => {
        launched.kill()
        folder.remove().catch((error: unknown) => say('browser-folder-left', { reason: String(error) }))
      })
      return launched
    } catch (error) {
      free()
      await folder.remove()
      throw error
    }
  }

  /** Tries a start twice if it crashes: one in a few hundred starts of Chromium does, for no lasting reason. */
  async function tried(wanted: boolean): Promise<Launched> {
    try {
      return await attempt(wanted)
    } catch (error) {
      if (!(error instanceof StartCrashed) || lacksSandbox(error)) throw error
      say('browser-start-crashed', { reason: error.message })
      return attempt(wanted)
    }
  }

  return {
    sandbox: () => sandbox,
    async launch() {
      // Chromium's own sandbox refuses root.
      if (found.confinement.name === 'as root' || sandbox === false) {
        if (sandbox === null) say('browser-unconfined', { why: 'no way to start it as another user was found' })
        return tried(false)
      }
      try {
        return await tried(true)
      } catch (error) {
        if (!lacksSandbox(error)) throw error
        say('browser-unconfined', { why: 'this machine does not let its sandbox be built (user namespaces)' })
        return tried(false)
      }
    },
  }
}

/**
 * Connects to the operator's Chromium. It can be left but not killed; whether its traffic goes through our proxy is up to
 * the operator.
 */
export async function connect(url: string): Promise<Launched> {
  const line = wire(await remotePipe(url, startMs))
  const browser = await driver().chromium.connectOverCDP(line.transport, { timeout: startMs })
  rememberWire(browser, line)
  const leave = async (): Promise<void> => browser.close()
  return { browser, pid: null, close: leave, kill: () => void leave().catch(() => undefined) }
}
