import { ServiceError } from '../../domain/errors.ts'
import type { Tunnel } from '../../net/index.ts'
import { findChromium, type FindOptions, noneHint, type Search } from './find.ts'
import { sweepRuns } from './folders.ts'
import { connect, type Launched, type Launcher, launcher, type Say } from './launch.ts'
import type { ContextTunnel } from '../pool/rooms.ts'
import { urlOf } from '../../lib/url-of.ts'

/** What a source of browsers needs. */
export interface SourceOptions {
  readonly find: FindOptions
  /** The first search for a Chromium, when somebody else has started it already; by default its own. */
  readonly look?: () => Promise<Search>
  /** The browsers' only way out. */
  readonly tunnel: Tunnel
  readonly say: Say
  /** Parent of the browsers' folders; by default the system's temporary folder. */
  readonly parent?: string | undefined
}

/** Starts browsers. */
export interface Source {
  /** The Chromium that was found; the first call searches for it. */
  search(): Promise<Search>
  /** Throws `BROWSER_NOT_CONFIGURED` (no Chromium), `SCRAPE_ALL_ENGINES_FAILED` (it does not start). */
  launch(): Promise<Launched>
  /** The tunnel as contexts of these browsers use it. */
  contextTunnel(): ContextTunnel
  /** Whether Chromium's own sandbox is on; null before the first start. */
  sandbox(): boolean | null
}

/** How long it is believed that no Chromium starts: looking is expensive, but on a machine that is short of memory, processes or open files the best one does not start. */
const believedMs = 60_000

/** Starts the Chromium that the search found, or the next best when that does not start. */
export function source({ find, look, tunnel, say, parent }: SourceOptions): Source {
  const broken = new Set<string>()
  let searching: Promise<Search> | null = look?.() ?? null
  let searchedAt = performance.now()
  let starter: Launcher | null = null
  let reachable: ContextTunnel = tunnel
  let swept: Promise<unknown> | null = null
  const search = (): Promise<Search> => {
    if (searching === null) searchedAt = performance.now()
    return (searching ??= findChromium(find, broken))
  }

  /** The error when there is none. One that did not start may start later, for example when memory is free again. */
  function none(passedOver: readonly string[]): ServiceError {
    // When nothing was found, the next request searches again; when one exists but fails, a later one.
    if (passedOver.length === 0) searching = null
    if (broken.size === 0) return new ServiceError('BROWSER_NOT_CONFIGURED', `The request needs a browser, and ${noneHint(find)}.`)
    broken.clear()
    searching = null
    return notStarting()
  }

  async function launch(failed: ReadonlySet<string> = new Set()): Promise<Launched> {
    if ((await search()).found === null && performance.now() - searchedAt > believedMs) searching = null
    const { found, passedOver } = await search()
    if (found === null) throw none(passedOver)
    if (found.kind === 'remote') {
      reachable = isLocal(found.url) ? tunnel : null
      return connect(found.url).catch((error: unknown) => {
        say('browser-start-failed', { source: found.source, reason: error instanceof Error ? error.message : String(error) })
        throw new ServiceError('SCRAPE_ALL_ENGINES_FAILED', `The request needs a browser, and the one of ${found.source} does not answer.`, { cause: error })
      })
    }
    swept ??= sweepRuns(found.confinement.users[0] ?? null, parent).catch((error: unknown) => say('browser-sweep-failed', { reason: String(error) }))
    await swept
    const again = broken.has(found.path) || failed.has(found.path)
    // Another start may fail at the same time, and replace it.
    const own = (starter ??= launcher({ found, proxy: tunnel, parent, say }))
    try {
      return await own.launch()
    } catch (error) {
      say('browser-start-failed', { source: found.source, reason: error instanceof Error ? error.message.slice(0, 2_000) : String(error) })
      if (own.sandbox() !== null || again) throw notStarting(error)
      // It reports its version but does not work, like an incomplete installation: try the next one.
      broken.add(found.path)
      if (starter === own) [starter, searching] = [null, null]
      return launch(new Set([...failed, found.path]))
    }
  }

  return { search, launch, contextTunnel: () => reachable, sandbox: () => starter?.sandbox() ?? null }
}

function notStarting(cause?: unknown): ServiceError {
  return new ServiceError('SCRAPE_ALL_ENGINES_FAILED', 'The request needs a browser, and none that was found starts; "trawl doctor" says more.', { cause })
}

function isLocal(url: string): boolean {
  return /^(127\.|localhost$|\[::1\]$)/.test(urlOf(url)?.hostname ?? '')
}
