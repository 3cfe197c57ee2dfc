/** Crawling rules of a host, after RFC 9309 (Robots Exclusion Protocol). */
import { absolute } from './address.ts'

/** How much of a robots.txt is read (RFC 9309 §2.5 asks for at least this). */
export const maxRobotsBytes = 500 * 1024

/** One `Allow` or `Disallow` line. */
export interface RobotsRule {
  readonly allow: boolean
  /** Normalised; `*` stands for any characters. */
  readonly pattern: string
  /** The pattern ended in `$`: it has to reach the end of the address. */
  readonly anchored: boolean
}

interface Group {
  /** Product tokens in lower case; `*` for everybody. */
  readonly agents: readonly string[]
  readonly rules: readonly RobotsRule[]
}

/** A robots.txt as read: plain data. */
export interface Robots {
  readonly groups: readonly Group[]
  /** Seconds by product token. Not part of the RFC, so kept beside the groups: such a line must not divide them (§2.2.4). */
  readonly delays: readonly { readonly agents: readonly string[]; readonly seconds: number }[]
  /** Absolute http and https addresses, each once. They hold for everybody. */
  readonly sitemaps: readonly string[]
}

/** What a robots.txt says to one crawler. */
export interface RobotsPolicy {
  /** The most specific first; `Allow` before `Disallow` among equals. */
  readonly rules: readonly RobotsRule[]
  /** `Crawl-delay` in seconds as given, not capped; null when none is. */
  readonly crawlDelay: number | null
}

/** The rules of a host that says nothing. */
export const allowAll: Robots = { groups: [], delays: [], sitemaps: [] }
/** The rules of a host whose robots.txt cannot be had. */
export const disallowAll: Robots = { groups: [{ agents: ['*'], rules: [{ allow: false, pattern: '/', anchored: false }] }], delays: [], sitemaps: [] }

/**
 * What the status of a robots.txt says about the host (RFC 9309 §2.3.1): 2xx is parsed; 4xx, and 3xx after five redirects, mean
 * that there are no rules; 5xx and an unreachable host (null) mean that nothing may be fetched.
 */
export function robotsAccess(status: number | null): 'parse' | 'allow-all' | 'disallow-all' {
  if (status === null || status < 200 || status >= 500) return 'disallow-all'
  return status < 300 ? 'parse' : 'allow-all'
}

type Key = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay'

/** Names of lines without white space, hyphens and underscores, with the misspellings that large crawlers forgive. */
const keys: ReadonlyMap<string, Key> = new Map([
  ['useragent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['sitemap', 'sitemap'],
  ['crawldelay', 'crawl-delay'],
])

/** Reads a robots.txt that came from `url`. Linear; whatever is no rule is passed over; never throws. */
export function parseRobots(body: Uint8Array, url: string): Robots {
  const reader = new Reader(url)
  const text = new TextDecoder(encodingOf(body)).decode(body.subarray(0, maxRobotsBytes))
  const lines = text.split(/\r\n|\r|\n/)
  // Half a line may say much more than the whole: `Disallow: /` instead of `Disallow: /private`. Who fetches may have cut it, too.
  if (body.length >= maxRobotsBytes) lines.pop()
  for (const line of lines) {
    const content = line.split('#', 1)[0]?.trim() ?? ''
    const at = content.search(/[:\s]/)
    const colon = content.indexOf(':')
    // A space in place of the colon is forgiven where there are two words.
    const end = colon >= 0 ? colon : at
    const key = end < 1 || end > 20 ? undefined : keys.get(content.slice(0, end).toLowerCase().replace(/[\s_-]/g, ''))
    if (key !== undefined) reader.take(key, content.slice(end + 1).trim())
  }
  return { groups: reader.groups, delays: reader.delays, sitemaps: [...reader.sitemaps] }
}

/** UTF-8, as the RFC asks, but for what some editors write and mark as UTF-16: read as UTF-8 it would forbid nothing. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

class Reader {
  readonly #url: string
  readonly groups: { agents: string[]; rules: RobotsRule[] }[] = []
  readonly delays: { agents: string[]; seconds: number }[] = []
  readonly sitemaps = new Set<string>()
  /** Whom a `Crawl-delay` line speaks to. */
  #delayed: string[] = []
  #afterRule = true
  #afterRuleOrDelay = true

  constructor(url: string) {
    this.#url = url
  }

  take(key: Key, value: string): void {
    if (key === 'user-agent') this.#agent(value)
    else if (key === 'crawl-delay') this.#delay(value)
    else if (key === 'sitemap') this.#sitemap(value)
    else this.#rule(key === 'allow', value)
  }

  #agent(value: string): void {
    const agent = /^\*(?:\s|$)/.test(value) ? '*' : token(value)
    if (this.#afterRule) this.groups.push({ agents: [], rules: [] })
    if (this.#afterRuleOrDelay) this.#delayed = []
    this.#afterRule = false
    this.#afterRuleOrDelay = false
    if (agent === '') return
    this.groups.at(-1)?.agents.push(agent)
    this.#delayed.push(agent)
  }

  #rule(allow: boolean, value: string): void {
    this.#afterRule = true
    this.#afterRuleOrDelay = true
    // An empty pattern matches nothing; lines before the first agent speak to nobody.
    if (value !== '') this.groups.at(-1)?.rules.push(ruleOf(allow, value))
  }

  #delay(value: string): void {
    this.#afterRuleOrDelay = true
    const seconds = Number.parseFloat(/^\d+(?:\.\d+)?/.exec(value)?.[0] ?? '')
    if (Number.isFinite(seconds)) this.delays.push({ agents: this.#delayed, seconds })
  }

  #sitemap(value: string): void {
    const url = absolute(value, this.#url)
    if (url !== undefined) this.sitemaps.add(url)
  }
}

function ruleOf(allow: boolean, value: string): RobotsRule {
  const anchored = value.endsWith('$')
  const pattern = normalised(anchored ? value.slice(0, -1) : value, true).replace(/\*+/g, '*')
  return { allow, pattern, anchored }
}

/** The name part of a line or of a crawler's identification: `Examplebot/1.2 (+https://…)` is `examplebot`. */
function token(text: string): string {
  return /^[\w-]*/.exec(text)?.[0].toLowerCase() ?? ''
}

/** The product token of a user agent; browsers' strings carry it after `compatible;`. */
function productToken(userAgent: string): string {
  const compatible = /\bcompatible; ?([\w-]+)/i.exec(userAgent)?.[1]
  return compatible?.toLowerCase() ?? token(userAgent.trim())
}

/**
 * What `robots` says to a crawler: the rules of all groups that name its product token, else of those for everybody (RFC 9309
 * §2.2.1). The longest of several delays counts.
 */
export function robotsPolicy(robots: Robots, userAgent: string): RobotsPolicy {
  const own = productToken(userAgent)
  const agent = robots.groups.some((group) => group.agents.includes(own)) ? own : '*'
  const rules = robots.groups.filter((group) => group.agents.includes(agent)).flatMap((group) => group.rules)
  const delays = robots.delays.filter((delay) => delay.agents.includes(agent)).map((delay) => delay.seconds)
  return {
    rules: rules.sort((a, b) => weight(b) - weight(a) || Number(b.allow) - Number(a.allow)),
    crawlDelay: delays.reduce<number | null>((longest, seconds) => Math.max(longest ?? 0, seconds), null),
  }
}

/** Octets of the pattern as written (RFC 9309 §2.2.2). */
function weight(rule: RobotsRule): number {
  return rule.pattern.length + (rule.anchored ? 1 : 0)
}

/** Comparisons spent on one address; a robots.txt that asks for more was written to be slow, and gets what it asks others to do: nothing. */
const maxSteps = 2_000_000

/** Whether the address may be fetched: the most specific rule decides, no rule allows, `/robots.txt` is always allowed. */
export function isAllowed(policy: RobotsPolicy, url: string): boolean {
  if (policy.rules.length === 0) return true
  const { pathname, search } = new URL(url)
  if (pathname === '/robots.txt') return true
  const path = normalised(pathname + search, false)
  const budget = { steps: maxSteps }
  const rule = policy.rules.find((one) => matches(one, path, budget))
  return budget.steps > 0 && (rule?.allow ?? true)
}

/** Greedy search with one point of return, which is enough for `*`: at worst the product of the lengths, and never beyond the budget. */
function matches({ pattern, anchored }: RobotsRule, path: string, budget: { steps: number }): boolean {
  if (!anchored && !pattern.includes('*')) return path.startsWith(pattern)
  let p = 0
  let star = -1
  let from = 0
  let t = 0
  while (t <= path.length) {
    if (budget.steps-- <= 0) return false
    if (p === pattern.length && (!anchored || t === path.length)) return true
    if (p < pattern.length && pattern[p] === '*') {
      star = p++
      from = t
    } else if (p < pattern.length && t < path.length && pattern[p] === path[t]) {
      p++
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++from
    } else return false
  }
  return false
}

/**
 * Address and pattern in one notation (RFC 9309 §2.2.2): unreserved characters plain, others in percent notation with capital
 * digits. `:`, and `/` in a query, mean the same either way, as in the RFC's second example. `*` and `$` of an address are literal
 * and so in percent notation; in a pattern `*` stays.
 */
function normalised(text: string, isPattern: boolean): string {
  const query = text.indexOf('?')
  return text.replace(/%([\da-f]{2})|[^\x21-\x7e]+|["<>\\^`{|}*$]/gi, (found: string, digits: string | undefined, at: number) => {
    if (found === '*' && isPattern) return found
    if (digits === undefined) return encoded(found)
    const character = String.fromCharCode(Number.parseInt(digits, 16))
    if (/[\w.~:-]/.test(character)) return character
    return character === '/' && query >= 0 && at > query ? character : found.toUpperCase()
  })
}

function encoded(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}
