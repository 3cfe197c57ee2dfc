import { looksGzipped, looksLikePage, protocolLimits, type SitemapEntry, sitemapReader } from '../../content/sitemap.ts'
import type { Call } from '../../domain/call.ts'
import { header } from '../../domain/capture.ts'
import { LedAstray, ServiceError } from '../../domain/errors.ts'
import type { FetchAnswer } from '../../domain/fetcher.ts'
import { retryAfter } from '../../domain/politeness.ts'
import { mainDomain } from '../../domain/site-url.ts'
import { anySignal } from '../../lib/any-signal.ts'
import { untilAborted } from '../../lib/deadline.ts'
import { withoutCredentials } from '../../lib/url-of.ts'
import { unzipped } from './gunzip.ts'
import { fetchedOnceMore } from './once-more.ts'
import type { SitePorts } from './ports.ts'
import type { HostRules } from './robots-shelf.ts'
import { maxFailures, maxFiles, maxForeign, maxLevels, type SitemapLimit, type SitemapReport } from './sitemap-report.ts'

/** Files on the way at once; they are read in order all the same. */
const ahead = 6
/** What comes early has to be kept until its turn: a larger file is fetched once more then. */
const earlyBytes = 10 * 2 ** 20
const sliceBytes = 64 * 1024
const timeoutMs = 60_000
/** Whoever watches the same deadline with another timer may be so much earlier: then the time is up, and no file is to blame. */
const earlyMs = 50
/** A file of a site that has too much to do is asked for so often again, when it says so, where that is not longer off. */
const maxAgain = 2
const patienceMs = 30_000
const notNow: ReadonlySet<number> = new Set([429, 503])
/** Bodies up to this size are in nobody's books. */
const smallBytes = 2 ** 20

/** Where reading begins, and whose files these are: files of other sites are read in few cases only. */
export interface SitemapRoots {
  readonly urls: readonly string[]
  /** Addresses of the site. */
  readonly sites: readonly string[]
  /** Where to look, unasked, if none of `urls` is there. */
  readonly usual?: string | undefined
  /** robots.txt names `urls`: they are asked to be read, and so is what they name or lead to at the same host. */
  readonly asked?: boolean
  /** Whether robots.txt lets us fetch a file that nobody asks to be read; where that is absent, any. Of those of `urls` the caller has seen to that. */
  readonly allows?: (url: string) => Promise<boolean>
  /** Of the files of an index those first that changed last, for who takes some pages of many; else in their order. */
  readonly newestFirst?: boolean
}

interface File {
  readonly url: string
  readonly level: number
  /** The site asks for it to be read. */
  readonly asked: boolean
}

type Allows = NonNullable<SitemapRoots['allows']>

/** A file as it came; `missing`: the site says that there is none, or shows a page in its place. */
type Fetched = FetchAnswer | 'missing' | 'failed'

interface Coming {
  readonly file: File
  readonly answer: Promise<Fetched>
}

/** What became of a file: `cut` by a limit, `broken` before its end. */
type Outcome = 'whole' | 'cut' | 'broken'

/** In how many milliseconds a file is to be asked for again; null where it is not. */
function againIn(answer: FetchAnswer, asked: number, now: number): number | null {
  if (!notNow.has(answer.status) || asked > maxAgain) return null
  const ms = retryAfter(header(answer, 'retry-after'), now) || 1_000 * 2 ** (asked - 1)
  return ms <= patienceMs ? ms : null
}

const sameHost = (a: string, b: string): boolean => new URL(a).hostname === new URL(b).hostname

/** Ends a fetch that is led to what robots.txt bars. */
function bounds({ url, asked }: File, allows: Allows): (to: string) => Promise<void> {
  return async (to) => {
    if (!(asked && sameHost(url, to)) && !(await allows(to))) throw new LedAstray('robots.txt does not allow where the sitemap leads.')
  }
}

/** A file, up to so many bytes. */
async function fetched(file: File, maxBytes: number, { allows, ...site }: SitePorts & { readonly allows: Allows }, { clock: _itsClock, ...call }: Call): Promise<Fetched> {
  const { url } = file
  const { now, sleep } = site
  const signal = anySignal(call.signal, AbortSignal.timeout(timeoutMs))
  const own: Call = { ...call, signal, deadline: Math.min(call.deadline, now() + timeoutMs) }
  try {
    const ask = (): Promise<FetchAnswer> => fetchedOnceMore({ url, headers: {}, languages: ['en'], skipTlsVerification: true, maxBytes, onRedirect: bounds(file, allows) }, site, own)
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
    // That it failed is reported; the caller's own end is seen by who waits.
    return 'failed'
  }
}

/** A body in slices that hold nobody up; answers whether that was all of it. */
async function* slices(body: Uint8Array): AsyncGenerator<Uint8Array, boolean> {
  if (looksGzipped(body)) return yield* unzipped(body)
  for (let at = 0; at < body.length; at += sliceBytes) yield body.subarray(at, at + sliceBytes)
  return true
}

/** What a file names, as it is read. */
async function* entriesOf({ url, body, truncated }: FetchAnswer, { breathe }: SitePorts): AsyncGenerator<readonly SitemapEntry[], Outcome> {
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
  if (truncated || end.truncated) return 'cut'
  return readable && !end.broken ? 'whole' : 'broken'
}

/** Which files a site may name: any of its own domain, and a few of others, since any site could send us anywhere. */
function doorkeeper(): (url: string, from: readonly string[]) => Promise<boolean> {
  let foreign = 0
  return async (url, from) => {
    const there = new URL(url).hostname
    for (const here of from.map((one) => new URL(one).hostname)) {
      if (there === here || (await mainDomain(there)) === (await mainDomain(here))) return true
    }
    return foreign++ < maxForeign
  }
}

/** A fragment is never sent, and neither are credentials: the file is the same. */
const asSent = (url: string): string => withoutCredentials(url.replace(/#.*/s, ''))

/** The files that wait, each once, and those that are on their way. */
function line(ports: SitePorts & { readonly allows: Allows }, call: Call) {
  const seen = new Set<string>()
  const waiting: File[] = []
  const coming: Coming[] = []
  const limits = new Set<SitemapLimit>()
  const mayEnter = doorkeeper()
  const add = async ({ url, ...rest }: File, from: readonly string[]): Promise<void> => {
    const file: File = { url: asSent(url), ...rest }
    if (seen.has(file.url)) return
    if (file.level > maxLevels) limits.add('levels')
    else if (seen.size >= maxFiles) limits.add('files')
    else if (!(await mayEnter(file.url, from))) limits.add('foreign')
    else if (file.level > 1 && !file.asked && !(await ports.allows(file.url))) limits.add('robots')
    else {
      seen.add(file.url)
      waiting.push(file)
    }
  }
  return {
    add,
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
      if (typeof early === 'string' || !early.truncated) return { file: first.file, answer: early }
      giveBack(early, call)
      return { file: first.file, answer: await untilAborted(fetched(first.file, protocolLimits.bytes + 1, ports, call), call.signal) }
    },
  }
}

function giveBack({ body }: FetchAnswer, call: Call): void {
  if (body.length > smallBytes) call.room?.give(body.buffer.byteLength)
}

/** Files of an index by when they changed last. Those that do not say stay behind, in their order. */
const byChange = (files: readonly SitemapEntry[]): readonly SitemapEntry[] => files.toSorted((a, b) => (b.lastModified ?? '').localeCompare(a.lastModified ?? ''))

/** The pages that one file names; the files that it names join the line. */
async function* pagesOf(file: File, answer: FetchAnswer, { files, newestFirst, ports, call }: { readonly files: ReturnType<typeof line>; readonly newestFirst: boolean; readonly ports: SitePorts; readonly call: Call }): AsyncGenerator<readonly SitemapEntry[], Outcome> {
  const pieces = entriesOf(answer, ports)
  // Which files of an index changed last is known at its end: the last of a long one may be the newest.
  const further: SitemapEntry[] = []
  const join = async (): Promise<void> => {
    const inTurn = newestFirst ? byChange(further) : further
    for (const { url } of inTurn) await files.add({ url, level: file.level + 1, asked: file.asked && sameHost(url, file.url) }, [file.url])
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
 * What sitemaps name as pages, with what leads nowhere in its place, file by file, indexes followed (sitemaps.org protocol). A file that cannot be read is
 * reported, not thrown; throws only the reason of the call's signal, and `SCRAPE_TIMEOUT` where its time is up. Return from it, and what is on its way is given up.
 */
export async function* sitemapNames(roots: SitemapRoots, ports: SitePorts, call: Call): AsyncGenerator<readonly SitemapEntry[], SitemapReport> {
  const named = yield* namesIn(roots, ports, call)
  if (roots.usual === undefined || named.missing < named.files) return named
  const more = yield* namesIn({ ...roots, urls: [roots.usual], asked: false }, ports, call)
  // Nobody has said that it is there.
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
    for (const url of roots.urls) await files.add({ url, level: 1, asked }, roots.sites)
    for (let next = await files.next(); next !== null; next = await files.next()) {
      const { file, answer } = next
      if (failures === maxFailures) {
        files.limits.add('failures')
        break
      }
      read += 1
      if (typeof answer === 'string') {
        if (ports.now() >= own.deadline - earlyMs) throw new ServiceError('SCRAPE_TIMEOUT')
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

/** As `sitemapNames`, and nothing but pages. */
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
 * Where the sitemaps of a site are: where its robots.txt says, else, or where that leads nowhere, at the usual place. `at`: where that robots.txt answered from.
 * Those that it names it asks to be read; where one is looked for unasked, it is a file like any other, of which `mayFetch` says whether it may be.
 */
export function sitemapRoots(origin: string, { robots, at }: Pick<HostRules, 'robots' | 'at'>, mayFetch: (url: string) => boolean): SitemapRoots {
  const named = robots.sitemaps
  const place = `${origin}/sitemap.xml`
  const usual = !named.includes(place) && mayFetch(place) ? place : undefined
  const sites = at === undefined ? [origin] : [origin, at]
  return named.length === 0 ? { urls: usual === undefined ? [] : [usual], sites } : { urls: named, sites, usual, asked: true }
}
