import { numbersIn, sameNumber } from '../../../content/evidence/index.ts'
import type { Call } from '../../../domain/call.ts'
import { fitted, understood } from '../../../domain/crawl/wish.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { faultText, type Model } from '../../../domain/model.ts'
import { compilePatterns } from '../../../domain/urls/patterns.ts'
import { isObject } from '../../../lib/is-object.ts'
import { CrawlWish } from '../../../spec/crawl.ts'

/** What turning words into crawl options needs. */
export interface CrawlOptionsPorts {
  /** Null if no model is configured: the rules decide alone. */
  readonly model: Model | null
}

/** A crawl described in words. */
export interface WishedCrawl {
  readonly url: string
  readonly prompt: string
}

/** The options, and warnings for the caller. */
export interface MadeOptions {
  readonly options: CrawlWish
  readonly warnings: readonly string[]
}

const system = `You turn a description of a crawl into its options, for a program. Answer with one JSON object. Leave out (or set to null) every option that the description does not ask for; when it asks for none, answer {}.
includePaths, excludePaths: regular expressions (RE2, no look-around), searched in the path of each URL, like "^/blog(/|$)".
maxDiscoveryDepth: links from the start. limit: pages at most. delay: seconds between pages. Use only numbers that the description names.
sitemap: "skip", "include" or "only". crawlEntireDomain: also pages beside and above the start. allowSubdomains, allowExternalLinks, ignoreQueryParameters, deduplicateSimilarURLs: true or false.`

const nullable = (type: object): object => ({ anyOf: [type, { type: 'null' }] })
const list = nullable({ type: 'array', items: { type: 'string' } })
const yesNo = nullable({ type: 'boolean' })
const schema = {
  type: 'object',
  properties: {
    includePaths: list, excludePaths: list, maxDiscoveryDepth: nullable({ type: 'integer' }), limit: nullable({ type: 'integer' }), delay: nullable({ type: 'number' }), sitemap: nullable({ enum: ['skip', 'include', 'only'] }),
    crawlEntireDomain: yesNo, allowSubdomains: yesNo, allowExternalLinks: yesNo, ignoreQueryParameters: yesNo, deduplicateSimilarURLs: yesNo,
  },
}

function isPattern(pattern: string): boolean {
  try {
    compilePatterns([pattern], 'includePaths')
    return true
  } catch {
    return false
  }
}

/** What a number in a prompt counts or measures, if it is neither pages, levels nor seconds. */
const otherUnits = /^[\s-]{0,2}(?:days?|weeks?|months?|years?|hours?|tage?n?|wochen?|monate?n?|jahre?n?|jours?|semaines?|mois|ans?|días?|semanas?|meses|años?|%|percent|[€$£¥]|euros?|dollars?|stars?|people|persons?|characters?|words?)(?![\p{L}])/iu
const seconds = /^[\s-]{0,2}(?:ms|milli\p{L}*|s|sec(?:ond)?s?|min(?:ute)?s?|sekunden?|minuten|secondes?|segundos?|minutos?)(?![\p{L}])/iu
const counts = /^[\s-]{0,2}(?:pages?|urls?|documents?|results?|levels?|links?|clicks?|hops?)(?![\p{L}])/iu
const price = /[€$£¥]\s?$/u

/** Whether a number in the model's answer comes from the prompt, where it may mean that option; a delay may be given in minutes or milliseconds. */
function isNamed(key: string, value: number, prompt: string): boolean {
  const ways = key === 'delay' ? [value, value / 60, value * 1_000] : [value]
  const wrong = key === 'delay' ? counts : seconds
  return numbersIn(prompt).some(({ value: said, start, end }) => ways.some((way) => sameNumber(said, way)) && !price.test(prompt.slice(0, start)) && !otherUnits.test(prompt.slice(end)) && !wrong.test(prompt.slice(end)))
}

/** The known options in a model's answer that have valid values. */
function accepted(answer: unknown, prompt: string): { readonly options: CrawlWish; readonly dropped: readonly string[] } {
  const dropped: string[] = []
  const entries = isObject(answer) ? Object.entries(answer) : []
  const good = entries.filter(([, value]) => value !== null).flatMap(([key, value]): [string, unknown][] => {
    const sound = Array.isArray(value) ? value.filter((one) => typeof one === 'string' && isPattern(one)) : value
    const fits = Object.hasOwn(CrawlWish.shape, key) && CrawlWish.safeParse({ [key]: sound }).success && (typeof sound !== 'number' || isNamed(key, sound, prompt))
    const whole = !Array.isArray(value) || (Array.isArray(sound) && sound.length === value.length)
    if (!fits || !whole) dropped.push(key.slice(0, 50))
    if (!fits || (Array.isArray(sound) && sound.length === 0)) return []
    return [[key, sound]]
  })
  return { options: CrawlWish.parse(Object.fromEntries(good)), dropped }
}

const isEmpty = (options: CrawlWish): boolean => Object.keys(options).length === 0

/** The options with what the schema makes of them. Throws `BAD_REQUEST` that names those beyond their bounds: they were understood, and another reader of the words would help nobody. */
function withinBounds(options: CrawlWish): CrawlWish {
  const sound = CrawlWish.safeParse(options)
  if (sound.success) return sound.data
  const details = sound.error.issues.map(({ code, path, message }) => ({ code, path: ['prompt'], message: `prompt: ${path.join('.')}: ${message}` }))
  throw new ServiceError('BAD_REQUEST', `Bad Request: ${details[0]?.message ?? 'prompt'}`, { details })
}

/** The options that rules derive. Throws if they understand nothing, or what cannot be. */
function byRules({ url, prompt }: WishedCrawl, why: string | null): MadeOptions {
  const { options, rest } = understood(prompt)
  const sound = withinBounds(options)
  if (isEmpty(options)) {
    if (why === null) throw new ServiceError('FEATURE_NOT_CONFIGURED', 'Not configured: this crawl prompt needs a language model (TRAWL_LLM_BASE_URL and TRAWL_LLM_MODEL); without one only numbers, paths and names of usual parts of sites are understood.', { details: { feature: 'model' } })
    throw new ServiceError('BAD_REQUEST', `Bad Request: prompt: no options could be made from it (${why})`)
  }
  const missed = rest.length === 0 ? [] : [`prompt: understood by rules, without a language model; not understood: ${rest.join(' ').slice(0, 300)}.`]
  return { options: fitted(sound, new URL(url)), warnings: [...(why === null ? [] : [`prompt: ${why}; it was understood by rules.`]), ...missed] }
}

/** Fills in what the rules read in the prompt: numbers that the model got wrong, and the limit also if it left that out, since a crawl without one is long. */
function withNumbers(options: CrawlWish, dropped: readonly string[], prompt: string): CrawlWish {
  const { limit, delay, maxDiscoveryDepth } = understood(prompt).options
  const spare = { limit, ...(dropped.includes('delay') ? { delay } : {}), ...(dropped.includes('maxDiscoveryDepth') ? { maxDiscoveryDepth } : {}) }
  const sound = Object.entries(spare).flatMap(([key, value]) => {
    const one = CrawlWish.safeParse({ [key]: value })
    return one.success && value !== undefined ? Object.entries(one.data) : []
  })
  return { ...Object.fromEntries(sound), ...options }
}

/**
 * Turns words into crawl options. From a model's answer only known options with valid values are taken, and only numbers that occur in the
 * prompt; without a model, or if it fails, rules decide. Throws `FEATURE_NOT_CONFIGURED` (no model) or `BAD_REQUEST` (with one) if nothing is
 * understood (contract §15.24), and `BAD_REQUEST` if the rules understand what is out of bounds.
 */
export async function crawlOptions(wished: WishedCrawl, { model }: CrawlOptionsPorts, call: Call): Promise<MadeOptions> {
  if (model === null) return byRules(wished, null)
  const { url, prompt } = wished
  const answer = await model.structured({ purpose: 'crawl-prompt', system, prompt: `The crawl starts at ${url}\nThe description: ${prompt}`, schema }, call)
  if (!answer.ok || answer.cut) return byRules(wished, faultText[answer.ok ? 'unusable' : answer.fault])
  const { options: given, dropped } = accepted(answer.value, prompt)
  const options = withNumbers(given, dropped, prompt)
  if (dropped.includes('includePaths') && options.includePaths === undefined) return byRules(wished, 'the language model gave no usable patterns')
  if (isEmpty(given)) return byRules(wished, 'the language model understood nothing')
  const warnings = dropped.length === 0 ? [] : [`prompt: the language model gave options that are none, or numbers that the prompt does not name; they were left out: ${dropped.slice(0, 20).join(', ')}.`]
  return { options: fitted(options, new URL(url)), warnings }
}
