import type { Download, Page, Response } from 'playwright-core'
import type { ActionResults } from '../../domain/pages/actions.ts'
import type { Call } from '../../domain/call.ts'
import type { Capture, Missing, Order, Remembered } from '../../domain/pages/capture.ts'
import type { Clock } from '../../domain/clock.ts'
import { ServiceError } from '../../domain/errors.ts'
import { timeLeft, untilAborted } from '../../lib/deadline.ts'
import { sleep } from '../../lib/sleep.ts'
import { urlOf, withoutCredentials } from '../../lib/url-of.ts'
import { forbiddenAddress, refusalHeader } from '../../net/index.ts'
import { isHarmless, performActions } from '../actions/perform.ts'
import { dialogSigns, dismissConsent } from '../block/consent.ts'
import { limitRequests, type Matcher } from '../block/requests.ts'
import { stubbornDialogs } from '../block/stubborn-dialogs.ts'
import { dress } from '../device/dress.ts'
import { memoryOf } from '../profile/memory.ts'
import { whyUnreached } from '../protocol/proxy-auth.ts'
import type { ContextTerms } from '../device/terms.ts'
import { headersToSend, keepCookies } from './caller.ts'
import { missesFrame } from './late-frames.ts'
import { wakeFrames } from './lazy-frames.ts'
import { headersOf, isFile, navigate } from './navigate.ts'
import { type Onward, onward } from './onward.ts'
import { readPage } from './read-page.ts'
import { relieve } from './relief.ts'
import { type Tab, tabOf } from './tab.ts'
import { isArriving, type Settled, settle, stayingPatience, staysWaiting } from './wait.ts'

export interface VisitOptions {
  readonly clock: Clock
  /** Longest HTML that is kept, in bytes. */
  readonly maxBytes: number
  /** Filter lists beyond the built-in one; null until they are loaded. */
  readonly matcher?: () => Matcher | null
}

/** What to visit, and with which identity. */
export interface VisitWork {
  readonly order: Order
  readonly terms: ContextTerms
  /** Whether the page belongs to a session: it has its identity already, and stays open instead of being captured. */
  readonly stays?: boolean
}

/** The result of a visit: the rendered page, or that the address leads to a file. */
export type Visited =
  | { readonly kind: 'captured'; readonly capture: Capture }
  | { readonly kind: 'file'; readonly url: string; readonly cookies: string; readonly tlsVerified: boolean; readonly remembered?: Remembered | undefined }

// R2: as many as the HTTP client follows.
const maxRedirects = 10
// Together with `waitFor` (contract §2).
const actionWaitMs = 60_000
// Milliseconds reserved for the last steps when the deadline is near; of a short time limit, only this share.
const mostReservedMs = 2_500
const reservedShare = 0.25
// Frames that a visitor would have to scroll to are loaded by then, or left out.
const framesMs = 5_000
// How many windows and files opened by actions are listed.
const mostNamed = 5
// A cookie dialog that was not handled by then stays.
const dialogMs = 3_500
const stubborn = stubbornDialogs()

/**
 * Shows the page of an order in a fresh tab, waits until it is complete, and captures it. Throws `SCRAPE_TIMEOUT` and what
 * a navigation throws; rejects with the call's reason when that aborts.
 */
export async function visit(page: Page, work: VisitWork, options: VisitOptions, call: Call): Promise<Visited> {
  const { profile } = work.order
  if (profile === undefined) return shown(page, work, options, call)
  const left = (): number => timeLeft(call, options.clock.now())
  const memory = await untilAborted(memoryOf(page.context(), profile, () => left() / 2), call.signal)
  const visited = await shown(page, work, options, call)
  const remembered = await untilAborted(memory.after(() => left() - 500), call.signal)
  return visited.kind === 'file' ? { ...visited, remembered } : { kind: 'captured', capture: { ...visited.capture, remembered } }
}

function shown(page: Page, work: VisitWork, options: VisitOptions, call: Call): Promise<Visited> {
  const { mayGo, barred } = onward(work.order)
  return Promise.race([show(page, { ...work, mayGo }, options, call), barred])
}

async function show(page: Page, work: VisitWork & Pick<Onward, 'mayGo'>, options: VisitOptions, call: Call): Promise<Visited> {
  const { order } = work
  const left = (): number => timeLeft(call, options.clock.now())
  const reserveMs = Math.min(mostReservedMs, left() * reservedShare)
  const tab = await tabOf(page)
  const blockAds = order.blockAds ?? false
  const actions = order.actions ?? []
  await prepare(tab, work, options)

  const arrival = await navigate(tab, order.url, { limitMs: left(), signal: call.signal })
  assertReached(tab)
  if (redirectsOf(tab.traffic.main()) > maxRedirects) throw new ServiceError('SCRAPE_SITE_ERROR', 'The site redirects too often.')
  if (arrival.kind === 'file') return fileAt(tab, arrival.url, order)
  if (isFile(tab.traffic.main(), '')) return fileAt(tab, page.url(), order)
  if (arrival.kind === 'bare' && actions.length > 0) throw unreached(tab, order.url) ?? new ServiceError('SCRAPE_ACTIONS_NOT_SUPPORTED', `The site answered with status ${tab.traffic.main()?.status() ?? 0} and no page to act on.`)
  if (arrival.kind === 'bare') return { kind: 'captured', capture: await captureOf(tab, order, { ...nothing, url: page.url() }, options) }

  const waitFor = order.waitFor ?? 0
  const settled = await settle(tab, Math.max(500, left() - reserveMs - waitFor), call.signal, work.stays === true ? stayingPatience : undefined)
  assertReached(tab)
  if (settled.why === 'file' || isFile(tab.traffic.shown(), settled.look?.contentType ?? '')) return fileAt(tab, (settled.why === 'file' ? tab.traffic.main() : tab.traffic.shown())?.url() ?? page.url(), order)
  if (blockAds && settled.why !== 'stuck') await withoutDialog(tab, order, Math.min(dialogMs, left() - reserveMs), call)
  if (work.stays !== true && settled.why !== 'stuck' && (await wakeFrames(tab))) await settle(tab, Math.max(1, Math.min(framesMs, left() - reserveMs - waitFor)), call.signal)
  const waitMs = Math.min(waitFor, Math.max(0, left() - reserveMs))
  if (waitMs > 0) await sleep(waitMs, call.signal)
  call.log('page-settled', { why: settled.why, ms: Math.round(settled.ms), documents: tab.traffic.documents(), requests: tab.traffic.started() })

  const acted = actions.length === 0 ? undefined : await act(tab, order, { ...options, reserveMs }, call)
  const unfinished = isArriving(tab, acted?.settled?.look ?? settled.look)
  if (work.stays === true) return { kind: 'captured', capture: await captureOf(tab, order, { ...nothing, url: page.url() }, options) }
  const { taken, shots, look, moved } = await readPage(tab, { order, why: settled.why, maxBytes: options.maxBytes, reserveMs, left }, call)
  // Read as it was sent, there is more of it; but nobody acts on a file, or sees it.
  if (taken.faulty && shots === undefined && order.look !== true && actions.length === 0) return fileAt(tab, taken.url, order)
  const missing = await missingOf(tab, acted?.settled ?? settled, { ...taken, moved })
  const capture = await captureOf(tab, order, { ...taken, truncated: taken.truncated || taken.faulty || unfinished }, options)
  return { kind: 'captured', capture: { ...capture, ...(waitMs < waitFor ? { waitedMs: waitMs } : {}), ...(missing.length === 0 ? {} : { missing }), ...(shots === undefined ? {} : { shots }), ...(look === undefined ? {} : { look }), ...(acted === undefined ? {} : { actions: acted.results }) } }
}

/** Sets the identity of a fresh page, and what it may ask for. */
async function prepare(tab: Tab, { order, terms, stays, mayGo }: VisitWork & Pick<Onward, 'mayGo'>, { matcher }: VisitOptions): Promise<void> {
  const blockAds = order.blockAds ?? false
  // Pages that test their visitors may examine pictures, and a picture may have to be clicked.
  const visible = order.screenshot !== undefined || order.look === true || order.tier === 'enhanced' || (order.actions ?? []).length > 0
  if (order.skipTlsVerification) tab.trust.watch()
  // Nobody would be asked about the documents of windows that the page opens, and nobody sees them.
  if (mayGo !== null) tab.wire.isolate(tab.cdp.targetId)
  await Promise.all([
    stays === true ? null : dress(tab, terms),
    limitRequests(tab.cdp, { pageUrl: order.url, blockAds, visible, matcher: blockAds ? (matcher?.() ?? null) : null, headers: headersToSend(order), mayGo }, tab.page.context()),
    keepCookies(tab.page.context(), order),
    relieve(tab.cdp),
  ])
}

interface Acted {
  readonly results: ActionResults
  /** How the wait for their effects ended; null when they had none. */
  readonly settled: Settled | null
}

/** Performs the order's actions, and waits for their effects. Throws `FORBIDDEN` when they led to a refused address. */
async function act(tab: Tab, { actions = [], waitFor = 0 }: Order, { clock, maxBytes, reserveMs }: VisitOptions & { readonly reserveMs: number }, call: Call): Promise<Acted> {
  const left = (): number => timeLeft(call, clock.now()) - reserveMs
  const windows = new Set<string>()
  const downloads = new Set<string>()
  const note = (known: Set<string>, url: string): void => void (known.size < mostNamed && known.add(withoutCredentials(url).slice(0, 500)))
  const opened = ({ url }: { readonly url: string }): void => note(windows, url)
  const downloading = (download: Download): void => note(downloads, download.url())
  tab.cdp.on('Page.windowOpen', opened)
  tab.page.on('download', downloading)
  try {
    const results = await performActions(tab, actions, { left, waitMs: actionWaitMs - waitFor, maxBytes }, call)
    const settled = actions.every(isHarmless) ? null : await settle(tab, Math.max(500, left()), call.signal)
    assertReached(tab)
    const file = isFile(tab.traffic.shown(), settled?.look?.contentType ?? '') ? withoutCredentials(tab.page.url()).slice(0, 500) : undefined
    return { results: { ...results, ...(windows.size > 0 ? { windows: [...windows] } : {}), ...(downloads.size > 0 ? { downloads: [...downloads] } : {}), ...(file === undefined ? {} : { file }) }, settled }
  } catch (error) {
    call.signal.throwIfAborted()
    // That is why later actions could not be done.
    assertReached(tab)
    throw error
  } finally {
    tab.cdp.off('Page.windowOpen', opened)
    tab.page.off('download', downloading)
  }
}

/** What has not come, judged by how the last wait for the page ended. */
async function missingOf(tab: Tab, settled: Settled, taken: { readonly waits?: boolean; readonly short: boolean; readonly moved: boolean }): Promise<readonly Missing[]> {
  const content = await staysWaiting(tab, settled)
  const frame = taken.waits === true || (await missesFrame(tab))
  return [...(content ? ['content' as const] : []), ...(frame ? ['frame' as const] : []), ...(settled.why === 'stuck' ? ['script' as const] : []), ...(taken.short ? ['rows' as const] : []), ...(taken.moved ? ['picture' as const] : []), ...(settled.look?.drawn === true ? ['drawing' as const] : [])]
}

/** Throws `FORBIDDEN` when the page is our own refusal to load it, not the site's. */
function assertReached({ traffic }: Tab): void {
  if (refusalIn(traffic.shown()) === 'address') throw forbiddenAddress()
}

/** What our proxy says in a response of its own: `address` when it may not be reached, else `failure`; undefined for responses of sites. */
const refusalIn = (answer: Response | null): string | undefined => (answer?.url().startsWith('http:') === true ? answer.headers()[refusalHeader] : undefined)

/** Why no response came from the site, so that there is no page to act on; null when one came. */
function unreached({ traffic, page }: Tab, url: string): ServiceError | null {
  if (refusalIn(traffic.main()) === undefined) return null
  return whyUnreached(page.context(), url) ?? new ServiceError('SCRAPE_SITE_ERROR', 'The site did not answer as a web server should.')
}

/** Rejects cookies when the page asks about them, and waits for the effects. */
async function withoutDialog(tab: Tab, { screenshot: shot, look, actions = [] }: Order, limitMs: number, call: Call): Promise<void> {
  if (limitMs <= 0) return
  const { host = '' } = urlOf(tab.page.url()) ?? {}
  // In a picture, and for clicks, it is in the way each time; text is the same with it.
  const isInTheWay = shot !== undefined || look === true || actions.length > 0
  try {
    const before = await dialogSigns(tab, limitMs)
    if (before === 0 || !(isInTheWay || stubborn.isWorthIt(host))) return
    const dismissed = await dismissConsent(tab, limitMs, call.signal)
    if (dismissed) await settle(tab, limitMs, call.signal)
    stubborn.tried(host, dismissed && (await dialogSigns(tab, limitMs)) < before)
  } catch (error) {
    call.signal.throwIfAborted()
    // The dialog stays, but the page is there. If the page navigates or hangs meanwhile, the next step notices.
    call.log('dialog-left-alone', { why: error instanceof Error ? error.message : 'unknown' })
  }
}

/** The number of redirects that led to a response. */
function redirectsOf(response: Response | null): number {
  let count = 0
  for (let request = response?.request().redirectedFrom() ?? null; request !== null; request = request.redirectedFrom()) count++
  return count
}

const nothing = { html: '', truncated: false, unseen: null } as const

interface Taken {
  readonly html: string
  readonly truncated: boolean
  readonly url: string
  readonly unseen: readonly number[] | null
}

async function captureOf({ traffic, page, trust }: Tab, order: Order, taken: Taken, { clock, maxBytes }: VisitOptions): Promise<Capture> {
  const main = traffic.shown()
  const bytes = Buffer.from(taken.html)
  return {
    requestedUrl: order.url,
    url: withoutCredentials(/^https?:/.test(taken.url) ? taken.url : (main?.url() ?? page.url())),
    status: main?.status() ?? 200,
    headers: main === null ? [['content-type', 'text/html; charset=utf-8']] : await headersOf(main),
    body: bytes.length > maxBytes ? bytes.subarray(0, maxBytes) : bytes,
    engine: 'browser',
    proxy: 'basic',
    tlsVerified: trust.verified(),
    truncated: taken.truncated || bytes.length > maxBytes || traffic.brokeOff(),
    at: clock.now(),
    ...(taken.unseen === null ? {} : { unseen: taken.unseen }),
  }
}

async function fileAt(tab: Tab, address: string, { actions = [] }: Order): Promise<Visited> {
  const url = withoutCredentials(address)
  if (actions.length > 0) throw unreached(tab, url) ?? new ServiceError('SCRAPE_ACTIONS_NOT_SUPPORTED')
  const cookies = await tab.page.context().cookies(url)
  return { kind: 'file', url, cookies: cookies.map(({ name, value }) => `${name}=${value}`).join('; '), tlsVerified: tab.trust.verified() }
}
