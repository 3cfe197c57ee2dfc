import { collect } from '../../app/scrape/collect.ts'
import { plan } from '../../app/scrape/plan.ts'
import { compute } from '../../compute/index.ts'
import type { Call } from '../../domain/call.ts'
import type { Capability } from '../../domain/pages/capture.ts'
import { ServiceError } from '../../domain/errors.ts'
import { forTerminal } from '../../lib/visible.ts'
import { validate } from '../../http/request/validate.ts'
import { fileParsers } from '../../parsers/index.ts'
import { limits } from '../../spec/limits.ts'
import { ScrapeRequest } from '../../spec/scrape.ts'
import type { Config } from '../settings/config.ts'
import { gatesOf } from '../settings/options.ts'
import { noLog } from '../log.ts'
import { type Outbound, outbound } from '../parts/outbound.ts'

/** The options of `trawl scrape`. */
export interface OnceOptions {
  readonly format: string
  readonly wholePage?: boolean
  readonly timeout: string
}

const printable = ['markdown', 'html', 'rawHtml', 'links', 'images'] as const

function requestOf(url: string, options: OnceOptions): ScrapeRequest {
  if (!(printable as readonly string[]).includes(options.format)) throw new ServiceError('BAD_REQUEST', `--format must be one of ${printable.join(', ')}.`) // membership test
  if (!/^\d{1,9}$/.test(options.timeout)) throw new ServiceError('BAD_REQUEST', `--timeout must be a number of milliseconds, from ${limits.timeoutMin} to ${limits.timeoutMax}.`)
  return validate(ScrapeRequest, { url, formats: [options.format], onlyMainContent: options.wholePage !== true, timeout: Number(options.timeout), maxAge: 0 })
}

/** Fetches and reads a page without a store. Throws as a scrape does. */
export async function pageOnce(request: ScrapeRequest, config: Config, out: Outbound): Promise<Awaited<ReturnType<typeof collect>>> {
  const reader = compute()
  const files = fileParsers()
  const signal = new AbortController()
  const timer = setTimeout(() => signal.abort(new ServiceError('SCRAPE_TIMEOUT')), request.timeout)
  const call: Call = { id: 'cli', team: 'cli', signal: signal.signal, deadline: Date.now() + request.timeout, retention: 'zero', log: () => undefined }
  const ports = { shelf: null, engines: out.engines, compute: reader, analyse: reader.analyse, pdf: files, documents: files, features: new Set<Capability>(['pdf', 'javascript', 'enhanced-proxy']), pools: out.pools, now: Date.now, lessons: null, background: () => undefined }
  try {
    return await collect(plan(request, { features: ports.features, gates: gatesOf(config) }, call.team, Date.now()), ports, call)
  } finally {
    clearTimeout(timer)
    await Promise.all([reader.close(), files.close()])
  }
}

/** `trawl scrape URL`: prints the page; warnings go to standard error. */
export async function scrapeOnce(url: string, options: OnceOptions, config: Config): Promise<void> {
  const request = requestOf(url, options)
  // Filter lists would be compiled into the data folder; this command leaves nothing behind, so the built-in list must do.
  const out = outbound({ ...config, TRAWL_FILTER_LISTS: 'off' }, { now: Date.now }, noLog)
  try {
    const { page, acquired } = await pageOnce(request, config, out)
    for (const warning of page.facts.warnings) console.error(forTerminal(warning))
    if (acquired.capture.status >= 400) console.error(`The site answered with status ${acquired.capture.status}.`)
    if (page.facts.verdict !== 'ok') console.error(`This is not the page asked for: ${page.facts.verdict}.`)
    const value = Object.entries(page.fields()).find(([key]) => key === options.format)?.[1]
    const text = Array.isArray(value) ? `${value.join('\n')}\n` : `${String(value ?? '').trimEnd()}\n`
    // A file gets the page as it is; a terminal would obey what it says.
    process.stdout.write(process.stdout.isTTY ? forTerminal(text) : text)
  } finally {
    await out.close()
  }
}
