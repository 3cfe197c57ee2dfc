/** Crawling rules of a host, by RFC 9309 (Robots Exclusion Protocol). */
import { absolute } from '../html/address.ts'

/** How many bytes of a robots.txt are read (RFC 9309 §2.5 asks for at least this). */
export const maxRobotsBytes = 500 * 1024

/** An `Allow` or `Disallow` line. */
export interface RobotsRule {
  readonly allow: boolean
  /** Normalised; `*` matches any characters. */
  readonly pattern: string
  /** The pattern ended in `$`: it must match to the end of the address. */
  readonly anchored: boolean
}

interface Group {
  /** Product tokens in lower case; `*` for everybody. */
  readonly agents: readonly string[]
  readonly rules: readonly RobotsRule[]
}

/** A parsed robots.txt, as plain data. */
export interface Robots {
  readonly groups: readonly Group[]
  /**
   * Seconds by product token. Not part of the RFC, so kept outside the groups: such a line must not split them (§2.2.4).
   */
  readonly delays: readonly { readonly agents: readonly string[]; readonly seconds: number }[]
  /** Absolute http and https addresses, each once; they apply to everybody. */
  readonly sitemaps: readonly string[]
}

/** The rules of a robots.txt for one crawler. */
export interface RobotsPolicy {
  /** The most specific first; at a tie, `Allow` before `Disallow`. */
  readonly rules: readonly RobotsRule[]
  /** `Crawl-delay` in seconds as written, without a limit; null without one. */
  readonly crawlDelay: number | null
}

/** The rules of a host without a robots.txt. */
export const allowAll: Robots = { groups: [], delays: [], sitemaps: [] }
/** The rules of a host whose robots.txt cannot be fetched. */
export const disallowAll: Robots = { groups: [{ agents: ['*'], rules: [{ allow: false, pattern: '/', anchored: false }] }], delays: [], sitemaps: [] }

/**
 * What the status of a robots.txt means (RFC 9309 §2.3.1): parse it for 2xx; allow all for 4xx, and for 3xx after five
 * redirects; disallow all for 5xx and an unreachable host (null).
 */
export function robotsAccess(status: number | null): 'parse' | 'allow-all' | 'disallow-all' {
  if (status === null || status < 200 || status >= 500) return 'disallow-all'
  return status < 300 ? 'parse' : 'allow-all'
}

type Key = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay'

/** Line names without white space, hyphens and underscores, including misspellings that large crawlers accept. */
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

/** Parses a robots.txt that was fetched from `url`. Linear; ignores anything that is no rule; never throws. */
export function parseRobots(body: Uint8Array, url: string): Robots {
  const reader = new Reader(url)
  const text = new TextDecoder(encodingOf(body)).decode(body.subarray(0, maxRobotsBytes))
  const lines = text.split(/\r\n|\r|\n/)
  // A cut line may forbid much more than the whole: `Disallow: /` instead of `Disallow: /private`. The fetch may have cut
  // it, too.
  if (body.length >= maxRobotsBytes) lines.pop()
  for (const line of lines) {
    const content = line.split('#', 1)[0]?.trim() ?? ''
    const at = content.search(/[:\s]/)
    const colon = content.indexOf(':')
    // A space in place of the colon is accepted between two words.
    const end = colon >= 0 ? colon : at
    const key = end < 1 || end > 20 ? undefined : keys.get(content.slice(0, end).toLowerCase().replace(/[\s_-]/g, ''))
    if (key !== undefined) reader.take(key, content.slice(end + 1).trim())
  }
  return { groups: reader.groups, delays: reader.delays, sitemaps: [...reader.sitemaps] }
}

/**
 * UTF-8, as the RFC asks, unless a byte order mark says UTF-16, as some editors write it: read as UTF-8 it would forbid
 * nothing.
 */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

class Reader {
  readonly #url: string
  readonly groups: { agents: string[]; rules: RobotsRule[] }[] = []
  readonly delays: { agents: string[]; seconds: number }[] = []
  readonly sitemaps = new Set<string>()
  /** The agents of the current `Crawl-delay` lines. */
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
    // An empty pattern matches nothing; lines before the first agent apply to nobody.
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

/** The name part of a line or of a crawler's identification: `examplebot` for `Examplebot/1.2 (+https://…)`. */
function token(text: string): string {
  return /^[\w-]*/.exec(text)?.[0].toLowerCase() ?? ''
}

/** The product token of a user agent; browser-like ones have it after `compatible;`. */
function productToken(userAgent: string): string {
  const compatible = /\bcompatible; ?([\w-]+)/i.exec(userAgent)?.[1]
  return compatible?.toLowerCase() ?? token(userAgent.trim())
}

/**
 * The rules for a crawler: those of all groups that name its product token, otherwise those for everybody (RFC 9309
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

/** The length of the pattern in octets (RFC 9309 §2.2.2). */
function weight(rule: RobotsRule): number {
  return rule.pattern.length + (rule.anchored ? 1 : 0)
}

/** Budget of characters looked at per address. A robots.txt that needs more was written to be slow; then nothing is allowed. */
const maxSteps = 2_000_000
/** What a search costs besides the characters that it passes. */
const perSearch = 50

/**
 * Rules as they are looked up: a site may have tens of thousands, and each link of its pages is asked about. The end of an
 * address is written `$`, which otherwise occurs in neither addresses nor patterns, so all patterns are beginnings.
 */
interface Index {
  /** Patterns without `*`, and what they say; their lengths, longest first. */
  readonly plain: ReadonlyMap<string, boolean>
  readonly lengths: readonly number[]
  /** The others, the most specific first, with the texts between their `*`. */
  readonly wild: readonly { readonly weight: number; readonly allow: boolean; readonly parts: readonly string[] }[]
}

const indices = new WeakMap<RobotsPolicy, Index>()

function indexed(policy: RobotsPolicy): Index {
  const known = indices.get(policy)
  if (known !== undefined) return known
  const plain = new Map<string, boolean>()
  const wild: Index['wild'][number][] = []
  for (const rule of policy.rules) {
    const text = rule.anchored ? `${rule.pattern}$` : rule.pattern
    if (text.includes('*')) wild.push({ weight: weight(rule), allow: rule.allow, parts: text.split('*') })
    // Of the same pattern, `Allow` comes first.
    else if (!plain.has(text)) plain.set(text, rule.allow)
  }
  const index = { plain, lengths: [...new Set([...plain.keys()].map((text) => text.length))].sort((x, y) => y - x), wild }
  indices.set(policy, index)
  return index
}

/**
 * Whether an address may be fetched. The most specific rule decides; without a matching rule it may. `/robots.txt` is
 * always allowed.
 */
export function isAllowed(policy: RobotsPolicy, url: string): boolean {
  if (policy.rules.length === 0) return true
  const { pathname, search } = new URL(url)
  if (pathname === '/robots.txt') return true
  const path = `${normalised(pathname + search, false)}$`
  const { plain, lengths, wild } = indexed(policy)
  const length = lengths.find((one) => one <= path.length && plain.has(path.slice(0, one))) ?? 0
  const otherwise = plain.get(path.slice(0, length)) ?? true
  const budget = { steps: maxSteps }
  for (const { weight: own, allow, parts } of wild) {
    // Less specific than the one that matches; of two alike, `Allow` decides.
    if (own < length || (own === length && (otherwise || !allow))) break
    if (matches(parts, path, budget)) return allow
    if (budget.steps <= 0) return false
  }
  return otherwise
}

/** Each text between two `*` is taken where it comes first, which leaves most room for the next. */
function matches(parts: readonly string[], path: string, budget: { steps: number }): boolean {
  const first = parts[0] ?? ''
  budget.steps -= perSearch
  if (!path.startsWith(first)) return false
  let at = first.length
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i] ?? ''
    const found = path.indexOf(part, at)
    budget.steps -= perSearch + (found < 0 ? path.length : found + part.length) - at
    if (found < 0 || budget.steps <= 0) return false
    at = found + part.length
  }
  return true
}

/**
 * Address and pattern in one notation (RFC 9309 §2.2.2): unreserved characters plain, others percent-encoded in upper case.
 * `:`, and `/` in a query, mean the same either way, as in the RFC's second example. `*` and `$` in an address are literal,
 * so they are encoded; in a pattern `*` stays.
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
