import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Readable, Writable } from 'node:stream'
import type { Browser, BrowserType } from 'playwright-core'
import { once } from '../lib/once.ts'
import { withPipes } from '../lib/with-pipes.ts'
import { withTimeout } from '../lib/with-timeout.ts'
import type { FoundProgram } from './find.ts'
import { flags, type ProxyAddress } from './flags.ts'
import { runFolder, type RunFolder } from './folders.ts'
import { pipe, remotePipe } from './pipe.ts'
import { groupEnded, killNow } from './processes.ts'
import { rememberWire, wire } from './wire.ts'

/** A Chromium that runs and that we talk to. */
export interface Launched {
  readonly browser: Browser
  /** Its first process; null when it is somebody else's. */
  readonly pid: number | null
  /** Ends it in an orderly way. */
  close(): Promise<void>
  /** Ends it at once, all its processes. */
  kill(): void
}

/** What a launcher tells about itself. */
export type Say = (event: string, fields?: Readonly<Record<string, string | number | boolean>>) => void

// The driver is heavy: only who renders pays for it. It is required and not imported, which would have all of it read once more for the names that it exports.
const driver = once((): { readonly chromium: BrowserType } => createRequire(import.meta.url)('playwright-core'))

/** Loads the driver, for which the process stands still: for those who must not be late later. */
export function loadDriver(): void {
  driver()
}

const startMs = 15_000
const closeMs = 3_000
const lastWordMs = 500

/** How a program ends that has a fault. */
const faults: ReadonlySet<NodeJS.Signals> = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGTRAP', 'SIGABRT'])
class StartCrashed extends Error {}

/** Writes down its own number, then becomes the browser (exec keeps the number). */
const starter = ['-c', 'echo $$ > "$0" && exec "$@"']

interface Start {
  readonly found: FoundProgram
  readonly proxy: ProxyAddress
  readonly sandbox: boolean
}

/** Runs a program that speaks the protocol over its third and fourth descriptor, in a process group of its own. */
export async function startChromium(command: readonly string[], env: Readonly<Record<string, string>>, artifactsDir: string): Promise<Omit<Launched, 'close'> & { readonly gone: Promise<void> }> {
  const [program = '', ...args] = command
  const child = withPipes(spawn(program, args, { detached: true, env, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] }))
  const said = lastWords(child)
  const kill = (): void => void (child.pid !== undefined && killNow(-child.pid))
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve())).then(() => groupEnded(child.pid))
  const [to, from] = [child.stdio[3] as Writable, child.stdio[4] as Readable] // as asked for
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
    // What it says on its way out says more than that the line is dead; if it is on its way.
    const why = await withTimeout(died.catch((last: unknown) => last), lastWordMs, () => null)
    kill()
    await gone
    if (why instanceof Error) why.cause = error
    throw why ?? error
  }
}

/** The end of what a process writes to standard error; the rest is read and forgotten. */
function lastWords({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr?.setEncoding('utf8').on('data', (part: string) => void (text = (text + part).slice(-8_000)))
  return () => text.trim()
}

async function start({ found, proxy, sandbox }: Start, folder: RunFolder): Promise<Launched> {
  const { confinement, path, env } = found
  // Nothing of our environment: it holds secrets.
  const ownEnv = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', HOME: folder.profile, TMPDIR: folder.profile, XDG_CACHE_HOME: folder.profile, XDG_CONFIG_HOME: folder.profile, ...env }
  const { gone, ...launched } = await startChromium(['/bin/sh', ...starter, folder.pidFile, ...confinement.command, path, ...flags(proxy, folder.profile, sandbox)], ownEnv, folder.path)
  return {
    ...launched,
    async close() {
      const timer = setTimeout(launched.kill, closeMs)
      // Chromium ends with its line.
      await launched.browser.close().catch(launched.kill)
      await gone
      clearTimeout(timer)
      await folder.remove()
    },
  }
}

/** Whether a failed start says that this machine lets no sandbox be built. */
function lacksSandbox(error: unknown): boolean {
  return error instanceof Error && /no usable sandbox|without --no-sandbox|zygote_host|failed to move to new namespace|sandbox_host_linux|credentials\.cc/i.test(error.message)
}

/** Starts browsers from one Chromium. Each has a folder of its own, which is removed when it ends, however it ends. */
export interface Launcher {
  launch(): Promise<Launched>
  /** Whether pages are confined by Chromium's own sandbox; null before the first start. */
  sandbox(): boolean | null
}

export interface LauncherOptions {
  readonly found: FoundProgram
  readonly proxy: ProxyAddress
  /** Parent of the browsers' folders; default: the system's folder for temporary files. */
  readonly parent?: string | undefined
  readonly say: Say
}

/** A launcher that keeps Chromium's sandbox on, and says so once where this machine does not allow it. */
export function launcher({ found, proxy, parent, say }: LauncherOptions): Launcher {
  let sandbox: boolean | null = null

  async function attempt(wanted: boolean): Promise<Launched> {
    const folder = await runFolder(found.confinement.uid, parent)
    try {
      const launched = await start({ found, proxy, sandbox: wanted }, folder)
      sandbox = wanted
      launched.browser.once('disconnected', () => {
        launched.kill()
        folder.remove().catch((error: unknown) => say('browser-folder-left', { reason: String(error) }))
      })
      return launched
    } catch (error) {
      await folder.remove()
      throw error
    }
  }

  /** Of some hundreds of starts of Chromium one crashes, for no reason that the next would meet. */
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

/** Talks to a Chromium of the operator's. It cannot be killed, only left; whether it sends its traffic past our proxy is the operator's care. */
export async function connect(url: string): Promise<Launched> {
  const line = wire(await remotePipe(url, startMs))
  const browser = await driver().chromium.connectOverCDP(line.transport, { timeout: startMs })
  rememberWire(browser, line)
  const leave = async (): Promise<void> => browser.close()
  return { browser, pid: null, close: leave, kill: () => void leave().catch(() => undefined) }
}
