import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { BrowserPool, FilterLists, FindOptions, Found, Search, SessionBrowsers } from '../../browser/index.ts'
import type { Call, LogFields } from '../../domain/call.ts'
import type { Engine } from '../../domain/pages/capture.ts'
import type { Clock } from '../../domain/clock.ts'
import { browserEngine } from '../../engines/index.ts'
import type { Log } from '../../http/ports.ts'
import { type Egress, type OwnEndpoints, type Routes, tunnel } from '../../net/index.ts'
import { once } from '../../lib/once.ts'
import { type Config, ConfigError, environment, homeOf, searchPath } from '../settings/config.ts'
import { listSources, refreshLists } from '../filter-refresh.ts'

export interface BrowserOptions {
  readonly config: Config
  readonly egress: Egress
  /** The routes out; each visit uses one. */
  readonly ways: Pick<Routes, 'egressFor'>
  readonly own: OwnEndpoints
  readonly clock: Clock
  readonly log: Log
  /** Fetches addresses that turn out to be files. */
  readonly files: Engine
  readonly maxBytes: number
}

/** The browser engine. Nothing of it is loaded or started before the first page needs it. */
export interface Browser {
  readonly engine: Engine
  /** Browsers for sessions. */
  readonly sessions: Omit<SessionBrowsers, 'stop'>
  /** The Chromium that was found, and why other candidates were skipped. */
  search(): Promise<Search>
  /** Whether that Chromium can be reached, if it is one that was not started here. */
  answers(found: Found): Promise<boolean>
  /**
   * Starts a browser and returns whether Chromium's own sandbox confines its pages; null for a remote browser. Rejects when
   * none starts.
   */
  confined(call: Call): Promise<boolean | null>
  /** Loads what every browser needs, before anybody waits for it. */
  load(): Promise<void>
  close(): Promise<void>
}

/** Throws `ConfigError` for lists that are not there. */
export function assertLists({ TRAWL_FILTER_LISTS: lists }: Config): void {
  if (lists === 'auto' || lists === 'off' || statSync(lists, { throwIfNoEntry: false })?.isDirectory() === true) return
  throw new ConfigError('TRAWL_FILTER_LISTS must be auto, off or a folder that is there.')
}

/** Where to look for a Chromium on this machine. */
export function findOptions(config: Config): FindOptions {
  const { XDG_CACHE_HOME } = environment()
  const home = homeOf()
  // The packaged Chromium is unpacked in the user's cache, shared by all services of that user.
  const cacheDir = join(XDG_CACHE_HOME || join(home ?? tmpdir(), '.cache'), 'trawl')
  return { path: config.TRAWL_CHROMIUM_PATH, cdpUrl: config.TRAWL_CDP_URL, cacheDir, searchPath: searchPath(), home }
}

/** A service that runs for months must notice that the week has passed. */
const lookEveryMs = 86_400_000

/** Creates the engine for the settings. Throws `ConfigError` for an unusable setting. */
export function browser({ config, egress, ways, own, clock, log, files, maxBytes }: BrowserOptions): Browser {
  assertLists(config)
  let opened: Promise<Opened> | null = null
  const look = once(async () => (await import('../../browser/index.ts')).findChromium(findOptions(config)))

  const folder = join(resolve(config.TRAWL_DATA_DIR), 'filters')
  const say = (event: string, fields?: LogFields): void => log('info', event, fields)
  let lookedAt = Number.NEGATIVE_INFINITY
  // In the background, for the next start: nobody waits for a list.
  const refresh = (): void => {
    if (config.TRAWL_FILTER_LISTS !== 'auto' || clock.now() - lookedAt < lookEveryMs) return
    lookedAt = clock.now()
    void refreshLists({ sources: listSources, folder, engine: files, now: () => clock.now(), log: say })
  }

  async function open(): Promise<Opened> {
    const { browserPool, filterLists, sessionBrowsers, source } = await import('../../browser/index.ts')
    const way = await tunnel(egress, own)
    const lists = filterLists({ lists: config.TRAWL_FILTER_LISTS, folder, log: say })
    const from = source({ find: findOptions(config), look, tunnel: way, say })
    const visiting = { clock, maxBytes, matcher: () => lists.matcher() }
    return {
      lists,
      pool: browserPool({ find: findOptions(config), tunnel: way, clock, say, concurrency: config.TRAWL_BROWSER_CONCURRENCY ?? undefined, source: from }),
      // The same proxy for everything that a team's sessions visit: otherwise a site would see its visitor's address
      // change.
      sessions: sessionBrowsers({ source: from, visiting, say, egress, egressFor: (wish) => ways.egressFor({ ...wish, host: '' }) }),
      close: () => way.close(),
    }
  }

  let lists: FilterLists | null = null
  let sessions: SessionBrowsers | null = null
  const ready = async (): Promise<Opened> => {
    // What failed is tried again for the next page.
    opened ??= open().catch((error: unknown) => {
      opened = null
      throw error
    })
    const all = await opened
    lists = all.lists
    sessions = all.sessions
    return all
  }
  return {
    engine: browserEngine(
      {
        async use({ wish, context, quiet, shared, repeatable }, work, call) {
          refresh()
          return (await ready()).pool.use({ context, quiet, repeatable, through: ways.egressFor(wish), ...(shared === undefined ? {} : { shared }) }, work, call)
        },
      },
      { clock, maxBytes, files, matcher: () => lists?.matcher() ?? null },
    ),
    sessions: {
      open: async (terms, call) => {
        refresh()
        return (await ready()).sessions.open(terms, call)
      },
      get size() {
        return sessions?.size ?? 0
      },
    },
    search: look,
    answers: async (found) => found.kind !== 'remote' || (await import('../../browser/index.ts')).isAnswering(found.url, answerMs),
    async confined(call) {
      const { pool } = await ready()
      await pool.use({ context: {} }, async () => null, call)
      return pool.state().sandbox
    },
    load: async () => (await import('../../browser/index.ts')).loadDriver(),
    async close() {
      if (opened === null) return
      const all = await opened
      await Promise.all([all.pool.stop(), all.sessions.stop()])
      await Promise.all([all.lists.close(), all.close()])
    },
  }
}

/** A Chromium elsewhere that is slower than this is taken for one that is not there. */
const answerMs = 10_000

// Do not delay the start itself.
const lookAfterMs = 2_000

/**
 * Searches for a browser once the start is over, so that the first page does not wait for that and the log tells what was
 * found.
 */
export function lookForBrowser({ search, answers }: Pick<Browser, 'search' | 'answers'>, { TRAWL_CHROMIUM_PATH: path }: Pick<Config, 'TRAWL_CHROMIUM_PATH'>, log: Log): void {
  const tell = async ({ found, passedOver }: Search): Promise<void> => {
    const version = found?.kind === 'program' ? { version: found.version } : {}
    if (found === null) log('warn', 'browser-missing', { hint: `${(await import('../../browser/index.ts')).noneHint({ path })}; requests for a browser are refused, pages come without running their scripts`, passedOver: passedOver.join('; ') })
    else if (!(await answers(found))) log('warn', 'browser-silent', { source: found.source, hint: 'requests for a browser fail until it answers' })
    else log('info', 'browser-found', { source: found.source, ...version })
  }
  setTimeout(() => void search().then(tell, (error: unknown) => log('error', 'browser-look-failed', { reason: String(error) })), lookAfterMs).unref()
}

/** What the first page that needs it creates. */
interface Opened {
  readonly pool: BrowserPool
  readonly sessions: SessionBrowsers
  readonly lists: FilterLists
  /** Closes the browsers' way out. */
  close(): Promise<void>
}
