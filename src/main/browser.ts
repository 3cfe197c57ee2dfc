import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserPool, Search } from '../browser/index.ts'
import type { Engine } from '../domain/capture.ts'
import type { Clock } from '../domain/clock.ts'
import { browserEngine } from '../engines/index.ts'
import type { Log } from '../http/ports.ts'
import { type Gate, type OwnEndpoints, tunnel } from '../net/index.ts'
import { type Config, ConfigError, environment } from './config.ts'

export interface BrowserOptions {
  readonly config: Config
  readonly gate: Gate
  readonly own: OwnEndpoints
  readonly clock: Clock
  readonly log: Log
  /** Fetches what turns out to be a file. */
  readonly files: Engine
  readonly maxBytes: number
}

/** The browser engine, of which nothing is loaded or started before the first page needs it. */
export interface Browser {
  readonly engine: Engine
  /** What was found to render with, and why other candidates were passed over. */
  search(): Promise<Search>
  close(): Promise<void>
}

function concurrencyOf({ TRAWL_BROWSER_CONCURRENCY: text }: Config): number | undefined {
  if (text === null) return undefined
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1 || number > 1_000) throw new ConfigError('TRAWL_BROWSER_CONCURRENCY must be a whole number from 1 to 1000.')
  return number
}

/** Where the packaged Chromium is unpacked: the user's own cache, shared by all services of that user. */
function cacheDirOf(): string {
  const { XDG_CACHE_HOME } = environment()
  return join(XDG_CACHE_HOME || join(homedir() || tmpdir(), '.cache'), 'trawl')
}

/** Makes the engine as the settings say. Throws `ConfigError` for a setting that cannot be used. */
export function browser({ config, gate, own, clock, log, files, maxBytes }: BrowserOptions): Browser {
  const concurrency = concurrencyOf(config)
  let pool: Promise<BrowserPool> | null = null

  async function open(): Promise<BrowserPool> {
    const { browserPool } = await import('../browser/index.ts')
    const { PATH = '' } = environment()
    const find = { path: config.TRAWL_CHROMIUM_PATH, cdpUrl: config.TRAWL_CDP_URL, cacheDir: cacheDirOf(), searchPath: PATH.split(':').filter((folder) => folder !== ''), home: homedir() }
    return browserPool({ find, tunnel: await tunnel(gate, own), clock, say: (event, fields) => log('info', event, fields), concurrency })
  }

  const ready = (): Promise<BrowserPool> => (pool ??= open())
  return {
    engine: browserEngine({ use: async (terms, work, call) => (await ready()).use(terms, work, call) }, { clock, maxBytes, files }),
    search: async () => (await ready()).search(),
    close: async () => {
      if (pool !== null) await (await pool).stop()
    },
  }
}
