import type { Page, Request } from 'playwright-core'
import { isGreeting, whyUnreached } from '../../browser/index.ts'
import { type Command, done, Misuse, type Said } from './command.ts'

/** Longest message or address that is shown whole. */
const longest = 2_000
const short = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)
const listed = (rows: readonly unknown[], lines: readonly string[], none: string): Said => ({ text: rows.length === 0 ? none : lines.join('\n'), data: rows })

// The driver keeps the last messages, errors and requests of each tab in any case, so that nothing begins to be recorded here.

const consoleCommand: Command = {
  use: 'console [--clear]',
  most: 0,
  options: ['--clear'],
  async run({ options }, { page }) {
    if (options.has('--clear')) return page.clearConsoleMessages().then(() => done)
    const rows = (await page.consoleMessages({ filter: 'all' })).map((one) => ({ type: one.type(), text: short(one.text()), url: short(one.location().url) }))
    return listed(rows, rows.map(({ type, text }) => `[${type}] ${text}`), '(no messages)')
  },
}

const errors: Command = {
  use: 'errors [--clear]',
  most: 0,
  options: ['--clear'],
  async run({ options }, { page }) {
    if (options.has('--clear')) return page.clearPageErrors().then(() => done)
    const rows = (await page.pageErrors({ filter: 'all' })).map((error) => ({ message: short(String(error)), stack: short(error.stack ?? '') }))
    return listed(rows, rows.map(({ message }) => message), '(no errors)')
  },
}

/** The last request when a tab's list was cleared. */
const cleared = new WeakMap<Page, Request>()

/** What became of a request: the site's status, or why there is none. */
function outcomeOf(request: Request, page: Page): { readonly status: number | null; readonly failure: string | null } {
  const status = request.existingResponse()?.status() ?? null
  const failure = request.failure()?.errorText ?? null
  // Of what this service did not connect, the browser knows nothing but that there is a proxy.
  const why = failure === null || failure === 'net::ERR_ABORTED' ? null : whyUnreached(page.context(), request.url())
  if (why !== null) return { status, failure: why.code === 'FORBIDDEN' ? 'refused by this service' : 'not reached' }
  return { status, failure }
}

const network: Command = {
  use: 'network requests [--filter <text>] [--clear]',
  most: 2,
  options: ['--filter=', '--clear'],
  async run({ words: [what, extra], options }, { page }) {
    if (what === 'route' || what === 'unroute') throw new Misuse('requests are not changed by commands; code in node does that with page.route')
    if (what !== 'requests' || extra !== undefined) throw new Misuse('it is network requests')
    const all = (await page.requests()).filter((request) => !isGreeting(request.url()))
    const last = all.at(-1)
    if (options.has('--clear')) {
      if (last !== undefined) cleared.set(page, last)
      return done
    }
    const before = cleared.get(page)
    const filter = options.get('--filter') ?? ''
    const rows = all
      .slice(before === undefined ? 0 : all.indexOf(before) + 1)
      .filter((request) => request.url().includes(filter))
      .map((request) => ({ method: request.method(), url: short(request.url()), type: request.resourceType(), ...outcomeOf(request, page) }))
    return listed(rows, rows.map(({ method, url, type, status, failure }) => `${method} ${url} (${type}) ${[status, failure].filter((one) => one !== null).join(' ') || 'no answer yet'}`), '(no requests)')
  },
}

/** Commands for what a tab has said, and asked the network for. */
export const recordCommands = { console: consoleCommand, errors, network } satisfies Readonly<Record<string, Command>>
