import type { Page } from 'playwright-core'
import type { Call } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { LiveBrowsers, LiveTerms } from '../../domain/sessions/live-browser.ts'
import type { ProxyTier } from '../../domain/fetching/proxies.ts'
import { untilAborted } from '../../lib/deadline.ts'
import type { Egress } from '../../net/index.ts'
import type { Launched, Say } from '../chromium/launch.ts'
import { gauges as machineGauges, type Gauges, weighed } from '../chromium/memory.ts'
import type { VisitOptions } from '../page/visit.ts'
import type { Source } from '../chromium/source.ts'
import type { ConnectionLimits } from './connection-state.ts'
import { type Prepared, prepared, type SessionBrowser, sessionBrowser, unprepared } from './session.ts'
import { whileItLives } from './while-it-lives.ts'

/** Which proxies a session uses. */
export interface SessionWay {
  readonly tier: ProxyTier
  readonly country: string | undefined
  readonly team: string
}

export interface SessionBrowsersLimits {
  /** Most concurrent sessions in this process. */
  readonly sessions: number
  /** Memory that a browser may use before its session ends, in bytes. */
  readonly bytes: number
  /** Memory that one of its pages may use before it is killed, in bytes. */
  readonly rendererBytes: number
  /** Share of the machine's memory in use above which no browser is started. */
  readonly memoryLoad: number
  /** How long a spare browser is kept after the last session began. */
  readonly spareMs: number
}

const sessionLimits: SessionBrowsersLimits = { sessions: 50, bytes: 2 * 1024 ** 3, rendererBytes: 1024 ** 3, memoryLoad: 0.8, spareMs: 60_000 }

export interface SessionBrowsersOptions {
  readonly source: Source
  readonly visiting: VisitOptions
  readonly say: Say
  /** The egress guard of sessions, and that of a single one when it differs. */
  readonly egress: Egress
  readonly egressFor?: (way: SessionWay) => Egress
  readonly limits?: Partial<SessionBrowsersLimits>
  readonly connectionLimits?: Partial<ConnectionLimits>
  readonly gauges?: Gauges
}

/** Browsers for sessions, with the driver's pages. */
export type SessionBrowsers = LiveBrowsers<Page>

const lookMs = 500
/** How long preparing a browser may take that has started. */
const prepareMs = 15_000
// The session that was just opened loads its first page: two starts at once would be slower for both.
const spareDelayMs = 1_000

/**
 * A browser that is prepared ahead of the next session, on the terms of the last one: starting a browser takes longer than
 * all the rest of opening a session.
 */
interface Spare {
  readonly terms: string
  readonly ready: Promise<Ready>
}

/** A browser for a session; its way out is set once the owner is known. */
interface Ready {
  readonly all: Prepared
  lead(through: Egress | undefined): void
}

/** The terms that a browser must be created with. */
function formOf({ languages, country, mobile, tier, skipTlsVerification, headers = {} }: LiveTerms): LiveTerms {
  return { languages, country, mobile, tier, skipTlsVerification, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() === 'user-agent')) }
}

async function getReady({ source, visiting, connectionLimits }: SessionBrowsersOptions, launched: Launched, terms: LiveTerms): Promise<Ready> {
  let egress: Egress | undefined
  const way = (): Egress => {
    if (egress === undefined) throw new ServiceError('FORBIDDEN', 'The session has not begun.')
    return egress
  }
  const tunnel = source.contextTunnel()
  const late: Egress = { vet: async (...asked) => way().vet(...asked), dial: async (...asked) => way().dial(...asked) }
  const grant = tunnel?.grant(late, 'all') ?? null
  try {
    const all = await whileItLives(launched.browser, prepared({ launched, tunnel, grant, visiting, limits: connectionLimits }, terms), prepareMs)
    return { all, lead: (through) => void (egress = through) }
  } catch (error) {
    grant?.revoke()
    await launched.close().catch(() => launched.kill())
    throw error
  }
}

function spareBrowser(options: SessionBrowsersOptions, limits: SessionBrowsersLimits, gauges: Gauges) {
  const { source, say } = options
  let spare: Spare | null = null
  let timer: NodeJS.Timeout | undefined
  let soon: NodeJS.Timeout | undefined

  function start(terms: LiveTerms): void {
    if (spare !== null || gauges.load() > limits.memoryLoad) return
    const ready = source.launch().then((launched) => getReady(options, launched, terms))
    // Whoever needs one starts it again, and gets the error.
    ready.catch(() => undefined)
    spare = { terms: JSON.stringify(terms), ready }
  }
  function rest(): Spare | null {
    const last = spare
    spare = null
    clearTimeout(timer)
    clearTimeout(soon)
    return last
  }

  return {
    async end(): Promise<void> {
      const ready = await rest()?.ready.catch(() => null)
      ready?.all.parts.grant?.revoke()
      await ready?.all.parts.launched.close().catch((error: unknown) => say('browser-end-failed', { reason: String(error) }))
    },
    async take(terms: LiveTerms): Promise<Ready> {
      const last = rest()
      const ready = await last?.ready.catch(() => null)
      if (ready?.all.parts.launched.browser.isConnected() !== true) return getReady(options, await source.launch(), terms)
      if (last?.terms === JSON.stringify(terms)) return ready
      const { launched } = ready.all.parts
      const isFree = await whileItLives(launched.browser, unprepared(ready.all), prepareMs).then(() => true, () => false)
      if (isFree) return getReady(options, launched, terms)
      await launched.close().catch(() => launched.kill())
      return getReady(options, await source.launch(), terms)
    },
    make(terms: LiveTerms): void {
      clearTimeout(timer)
      clearTimeout(soon)
      timer = setTimeout(() => void this.end(), limits.spareMs).unref()
      soon = setTimeout(start, spareDelayMs, terms).unref()
    },
  }
}

/** Opens a browser in processes of its own for each session. */
export function sessionBrowsers(options: SessionBrowsersOptions): SessionBrowsers {
  const { say, egressFor, egress, gauges = machineGauges } = options
  const limits = { ...sessionLimits, ...options.limits }
  const open = new Map<SessionBrowser, number | null>()
  const ending = new Set<Promise<unknown>>()
  const spare = spareBrowser(options, limits, gauges)
  let opening = 0
  let stopped = false
  let look: NodeJS.Timeout | undefined

  function watch(): void {
    for (const [one, pid] of open) if (pid !== null && weighed(pid, limits.rendererBytes, { gauges, say }) > limits.bytes) void one.close('memory')
    if (open.size > 0) return
    clearInterval(look)
    look = undefined
  }

  function note(one: SessionBrowser, pid: number | null): void {
    open.set(one, pid)
    ending.add(one.closed)
    void one.closed.then((why) => {
      open.delete(one)
      ending.delete(one.closed)
      say('session-browser-ended', { why })
    })
    look ??= setInterval(watch, lookMs).unref()
  }

  async function begin(terms: LiveTerms, call: Call): Promise<SessionBrowser> {
    const began = performance.now()
    const form = formOf(terms)
    const { all, lead } = await spare.take(form)
    const { launched, grant } = all.parts
    try {
      lead(egressFor?.({ tier: terms.tier ?? 'basic', country: terms.country, team: call.team }) ?? egress)
      const one = await sessionBrowser(all, terms.state)
      note(one, launched.pid)
      say('session-browser-opened', { ms: Math.round(performance.now() - began) })
      if (stopped) await one.close('shutdown')
      else spare.make(form)
      return one
    } catch (error) {
      grant?.revoke()
      await launched.close().catch(() => launched.kill())
      throw error
    }
  }

  return {
    get size() {
      return open.size
    },
    async open(terms, call) {
      if (stopped) throw new ServiceError('SHUTTING_DOWN')
      if (open.size + opening >= limits.sessions) throw new ServiceError('OVERLOADED', 'This process has as many browser sessions as it may have.', { retryAfterSeconds: 30 })
      if (gauges.load() > limits.memoryLoad) throw new ServiceError('OVERLOADED', 'The memory of the machine does not allow another browser.', { retryAfterSeconds: 5 })
      opening++
      const beginning = begin(terms, call).finally(() => opening--)
      // The caller may have left by then.
      const left = beginning.then((one) => (call.signal.aborted ? one.close() : undefined), () => undefined)
      ending.add(left)
      void left.then(() => ending.delete(left))
      return untilAborted(beginning, call.signal)
    },
    async stop() {
      stopped = true
      clearInterval(look)
      await spare.end()
      await Promise.all([...open.keys()].map((one) => one.close('shutdown')))
      while (ending.size > 0) await Promise.all(ending)
    },
  }
}
