import { looksGzipped, looksLikePage, protocolLimits, type SitemapEntry, sitemapReader } from '../../content/site/sitemap/index.ts'
import type { Call } from '../../domain/call.ts'
import { header } from '../../domain/pages/capture.ts'
import { LedAstray, ServiceError } from '../../domain/errors.ts'
import type { FetchAnswer } from '../../domain/fetching/fetcher.ts'
import { retryAfter } from '../../domain/fetching/politeness.ts'
import { anySignal } from '../../lib/any-signal.ts'
import { isUp, timeLeft, timeLimit, untilAborted } from '../../lib/deadline.ts'
import { withoutCredentials } from '../../lib/url-of.ts'
import { doorkeeper } from './doorkeeper.ts'
import { unzipped } from './gunzip.ts'
import { fetchedOnceMore } from './once-more.ts'
import type { SitePorts } from './ports.ts'
import type { HostRules } from './robots-shelf.ts'
import { maxFailures, maxFiles, maxLevels, type SitemapLimit, type SitemapReport } from './sitemap-report.ts'

/** How many files to fetch at once; they are parsed in order nevertheless. */
const ahead = 6
/** A file fetched early must be kept until its turn: a larger one is fetched again then. */
const earlyBytes = 10 * 2 ** 20
const sliceBytes = 64 * 1024
/** How many of the files that another names are examined at once, without yielding the thread. */
const examinedAtOnce = 50
const timeoutMs = 60_000
/** When a body that does not end is cut, to be used as far as it came: after so long, or so much of the time that is left. */
const cut = { ms: 50_000, share: 0.8 }
/** How often to retry a file of an overloaded site, after the pause that it asks for, unless that is too long. */
const maxAgain = 2
const patienceMs = 30_000
const notNow: ReadonlySet<number> = new Set([429, 503])
/** Bodies up to this size are not counted. */
const smallBytes = 2 ** 20

/** Where to start, and whose files these are: files of other sites are read only in a few cases. */
export interface SitemapRoots {
  readonly urls: readonly string[]
  /** URLs of the site. */
  readonly sites: readonly string[]
  /** The usual place to look at, if none of `urls` exists. */
  readonly usual?: string | undefined
  /** robots.txt names `urls`: the site asks us to read them, and what they name or redirect to on the same host. */
  readonly asked?: boolean
  /**
   * Whether robots.txt allows fetching a file that the site does not ask us to read; absent: any is allowed. The caller has
   * already checked `urls`.
   */
  readonly allows?: (url: string) => Promise<boolean>
  /** Read the most recently changed files of an index first, for callers that take only some pages. */
  readonly newestFirst?: boolean
}

interface File {
  readonly url: string
  readonly level: number
  /** The site asks us to read it. */
  readonly asked: boolean
}

type Allows = NonNullable<SitemapRoots['allows']>

/** A fetched file; `missing`: it does not exist, or the site returns a page instead. */
type Fetched = FetchAnswer | 'missing' | 'failed'

interface Coming {
  readonly file: File
  readonly answer: Promise<Fetched>
}

/** How reading a file ended: `cut` by a limit, `broken` before its end. */
type Outcome = 'whole' | 'cut' | 'broken'

/** Milliseconds after which to retry a file; null when it should not be retried. */
function againIn(answer: FetchAnswer, asked: number, now: number): number | null {
  if (!notNow.has(answer.status) || asked > maxAgain) return null
  const ms = retryAfter(header(answer, 'retry-after'), now) || 1_000 * 2 ** (asked - 1)
  return ms <= patienceMs ? ms : null
}

const sameHost = (a: string, b: string): boolean => new URL(a).hostname === new URL(b).hostname

/** Ends a fetch that is redirected to a URL that robots.txt forbids. */
function bounds({ url, asked }: File, allows: Allows): (to: string) => Promise<void> {
  return async (to) => {
    if (!(asked && sameHost(url, to)) && !(await allows(to))) throw new LedAstray('robots.txt does not allow where the sitemap leads.')
  }
}

/** Fetches a file, up to `maxBytes`. */
async function fetched(file: File, maxBytes: number, { allows, ...site }: SitePorts & { readonly allows: Allows }, { clock: _itsClock, ...call }: Call): Promise<Fetched> {
  const { url } = file
  const { now, sleep } = site
  const signal = anySignal(call.signal, AbortSignal.timeout(timeoutMs))
  const own: Call = { ...call, signal, deadline: Math.min(call.deadline, now() + timeoutMs) }
  const until = timeLimit(Math.min(cut.ms, timeLeft(call, now()) * cut.share))
  try {
    const ask = (): Promise<FetchAnswer> => fetchedOnceMore({ url, headers: {}, languages: ['en'], skipTlsVerification: true, maxBytes, until, onRedirect: bounds(file, allows) }, site, own)
    let answer = await ask()
    for (let asked = 1, ms = againIn(answer, asked, now()); ms !== null; ms = againIn(answer, ++asked, now())) {
      giveBack(answer, call)
      await sleep(ms, signal)
      answer = await ask()
    }
    const isThere = answer.status >= 200 && answer.status <= 299
    if (isThere && !looksLikePage(answer.body)) return answer
    giveBack(answer, call)
    return isThere || answer.status === 404 || answer.status === 410 ? 'missing' : 'failed'
  } catch {
    // The failure is reported; whoever waits notices the end of the call.
    return 'failed'
  }
}

/** A body in slices that do not block the thread; returns whether the body was complete. */
async function* slices(body: Uint8Array): AsyncGenerator<Uint8Array, boolean> {
  if (looksGzipped(body)) return yield* unzipped(body)
  for (let at = 0; at < body.length; at += sliceBytes) yield body.subarray(at, at + sliceBytes)
  return true
}

/** The entries of a file, as it is parsed. */
async function* entriesOf({ url, body, truncated, late }: FetchAnswer, { breathe }: SitePorts): AsyncGenerator<readonly SitemapEntry[], Outcome> {
  const reader = sitemapReader(url)
  const parts = slices(body)
  let readable = true
  for (let part = await parts.next(); !reader.full(); part = await parts.next()) {
    if (part.done) {
      readable = part.value
      break
    }
    const found = reader.write(part.value)
    if (found.length > 0) yield found
    await breathe()
  }
  await parts.return(true)
  const end = reader.end()
  if (end.entries.length > 0) yield end.entries
  if (late) return 'broken'
  if (truncated || end.truncated) return 'cut'
  return readable && !end.broken ? 'whole' : 'broken'
}

/** Fragments and credentials are not sent: the file is the same without them. */
const asSent = (url: string): string => withoutCredentials(url.replace(/#.*/s, ''))

/** The files that wait, without duplicates, and those being fetched. */
function line(ports: SitePorts & { readonly allows: Allows }, call: Call) {
  const seen = new Set<string>()
  const waiting: File[] = []
  const coming: Coming[] = []
  const limits = new Set<SitemapLimit>()
  const mayEnter = doorkeeper()
  return {
    async add(urls: Iterable<string>, as: (url: string) => File, from: readonly string[]): Promise<void> {
      let examined = 0
      for (const url of urls) {
        if (++examined % examinedAtOnce === 0) await ports.breathe()
        const file: File = { ...as(url), url: asSent(url) }
        if (seen.has(file.url)) continue
        if (file.level > maxLevels) limits.add('levels')
        else if (seen.size >= maxFiles) limits.add('files')
        else {
          // What may not be read costs time as well, and a site may name any number of such files.
          seen.add(file.url)
          if (!(await mayEnter(file.url, from))) limits.add('foreign')
          else if (file.level > 1 && !file.asked && !(await ports.allows(file.url))) limits.add('robots')
          else waiting.push(file)
        }
      }
    },
    limits,
    async next(): Promise<{ readonly file: File; readonly answer: Fetched } | null> {
      while (coming.length < ahead) {
        const file = waiting.shift()
        if (file === undefined) break
        coming.push({ file, answer: fetched(file, earlyBytes, ports, call) })
      }
      const first = coming.shift()
      if (first === undefined) return null
      const early = await untilAborted(first.answer, call.signal)
      if (typeof early === 'string' || !early.truncated || early.late) return { file: first.file, answer: early }
      giveBack(early, call)
      return { file: first.file, answer: await untilAborted(fetched(first.file, protocolLimits.bytes + 1, ports, call), call.signal) }
    },
  }
}

function giveBack({ body }: FetchAnswer, call: Call): void {
  if (body.length > smallBytes) call.room?.give(body.buffer.byteLength)
}

/** The files of an index, most recently changed first. Those without a date come last, in their order. */
const byChange = (files: readonly SitemapEntry[]): readonly SitemapEntry[] => files.toSorted((a, b) => (b.lastModified ?? '').localeCompare(a.lastModified ?? ''))

/** The pages that one file names; the files that it names are added to the queue. */
async function* pagesOf(file: File, answer: FetchAnswer, { files, newestFirst, ports, call }: { readonly files: ReturnType<typeof line>; readonly newestFirst: boolean; readonly ports: SitePorts; readonly call: Call }): AsyncGenerator<readonly SitemapEntry[], Outcome> {
  const pieces = entriesOf(answer, ports)
  // Which files of an index changed last is known at its end: the last of a long one may be the newest.
  const further: SitemapEntry[] = []
  const join = async (): Promise<void> => {
    const inTurn = newestFirst ? byChange(further) : further
    await files.add(inTurn.map(({ url }) => url), (url) => ({ url, level: file.level + 1, asked: file.asked && sameHost(url, file.url) }), [file.url])
    further.length = 0
  }
  for (let piece = await pieces.next(); ; piece = await pieces.next()) {
    call.signal.throwIfAborted()
    if (piece.done) {
      await join()
      return piece.value
    }
    const pages = piece.value.filter(({ sitemap }) => !sitemap)
    for (const entry of piece.value) if (entry.sitemap) further.push(entry)
    if (!newestFirst) await join()
    if (pages.length > 0) yield pages
  }
}

/**
 * The pages that sitemaps name, and entries that lead nowhere, file by file, following indexes (sitemaps.org protocol). A
 * file that cannot be read is reported, not thrown; throws only the reason of the call's signal, and `SCRAPE_TIMEOUT` when
 * its time is up. Returning from the generator cancels running fetches.
 */
export async function* sitemapNames(roots: SitemapRoots, ports: SitePorts, call: Call): AsyncGenerator<readonly SitemapEntry[], SitemapReport> {
  const named = yield* namesIn(roots, ports, call)
  if (roots.usual === undefined || named.missing < named.files) return named
  const more = yield* namesIn({ ...roots, urls: [roots.usual], asked: false }, ports, call)
  // Nobody said that it exists.
  if (more.missing > 0) return named
  return { files: named.files + more.files, troubled: more.troubled, missing: named.missing, limits: [...named.limits, ...more.limits] }
}

async function* namesIn(roots: SitemapRoots, ports: SitePorts, call: Call): AsyncGenerator<readonly SitemapEntry[], SitemapReport> {
  const left = new AbortController()
  const own: Call = { ...call, signal: anySignal(call.signal, left.signal) }
  const { asked = false, allows = async () => true } = roots
  const files = line({ ...ports, allows }, own)
  let read = 0
  let troubled = 0
  let missing = 0
  let failures = 0
  try {
    await files.add(roots.urls, (url) => ({ url, level: 1, asked }), roots.sites)
    for (let next = await files.next(); next !== null; next = await files.next()) {
      const { file, answer } = next
      if (failures === maxFailures) {
        files.limits.add('failures')
        break
      }
      read += 1
      if (typeof answer === 'string') {
        // Then the file is not at fault.
        if (isUp(own, ports.now())) throw new ServiceError('SCRAPE_TIMEOUT')
        failures += 1
        if (answer === 'missing' && file.level === 1) missing += 1
        else troubled += 1
        continue
      }
      failures = 0
      const outcome = yield* pagesOf(file, answer, { files, newestFirst: roots.newestFirst === true, ports, call: own })
      if (outcome === 'cut') files.limits.add('size')
      if (outcome === 'broken') troubled += 1
      giveBack(answer, own)
    }
    return { files: read, troubled, missing, limits: [...files.limits] }
  } finally {
    left.abort(new Error('nobody reads on'))
  }
}

/** Like `sitemapNames`, but yields only pages. */
export async function* sitemapPages(...[roots, ports, call]: Parameters<typeof sitemapNames>): ReturnType<typeof sitemapNames> {
  const pieces = sitemapNames(roots, ports, call)
  try {
    for (let piece = await pieces.next(); ; piece = await pieces.next()) {
      if (piece.done) return piece.value
      const pages = piece.value.filter(({ nowhere }) => nowhere !== true)
      if (pages.length > 0) yield pages
    }
  } finally {
    await pieces.return({ files: 0, troubled: 0, missing: 0, limits: [] })
  }
}

/**
 * The sitemaps of a site: those named in its robots.txt; without any, or if none exists, the usual place. `at` is the URL
 * of that robots.txt. The site asks us to read those that it names; the usual place is read only if `mayFetch` allows it.
 */
export function sitemapRoots(origin: string, { robots, at }: Pick<HostRules, 'robots' | 'at'>, mayFetch: (url: string) => boolean): SitemapRoots {
  const named = robots.sitemaps
  const place = `${origin}/sitemap.xml`
  const usual = !named.includes(place) && mayFetch(place) ? place : undefined
  const sites = at === undefined ? [origin] : [origin, at]
  return named.length === 0 ? { urls: usual === undefined ? [] : [usual], sites } : { urls: named, sites, usual, asked: true }
}
