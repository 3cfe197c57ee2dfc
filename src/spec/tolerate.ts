import { actionObjects } from './actions.ts'
import { countedAs, formatObjects } from './formats.ts'
import { viewport } from './screenshot.ts'
import { limits } from './limits.ts'
import { isObject } from '../lib/is-object.ts'
import { nearest } from '../lib/nearest.ts'

/** A body made fit for its strict schema, and what the caller is to be told about it. */
export interface Tolerated {
  readonly body: unknown
  readonly warnings: readonly string[]
}

/**
 * Keys of the official clients that mean nothing here (contract §11.4): accepted, named in `warning`. Not so where they are
 * `false`: that is what the caller gets, and what the Python client adds to all options.
 */
const unsupportedScrapeKeys = [
  'fastMode', 'useMock', 'redactPII', 'threatProtection', 'auditMetadata', 'safeMode', 'domainTools', 'toolDetail', 'checkPromptInjection',
] as const

/** Names that options had in the version before, and the options that say the same now. */
export const formerKeys: ReadonlyMap<string, string> = new Map([
  ['maxDepth', 'maxDiscoveryDepth'],
  ['ignoreSitemap', 'sitemap'],
  ['allowBackwardLinks', 'crawlEntireDomain'],
  ['allowBackwardCrawling', 'crawlEntireDomain'],
  ['sitemapOnly', 'sitemap'],
  ['parsePDF', 'parsers'],
  ['extract', 'formats'],
  ['jsonOptions', 'formats'],
  ['changeTrackingOptions', 'formats'],
])

/** Keys of the official clients that need no word at all. */
const silentKey = /^(__searchPreviewToken|__experimental_.*)$/

/** Free-form objects: what is inside belongs to the caller. */
const opaque: ReadonlySet<string> = new Set(['schema', 'metadata', 'headers'])

type Json = Record<string, unknown>

/** More keys than any object of the contract has: what is beyond is not looked at, as enough is wrong before it. */
const maxKeys = 1_000

/** Drops keys whose value is null: for an optional key that means absent (contract §1.3). */
function withoutNulls(value: unknown, depth: number): unknown {
  if (depth === 0) return value
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, depth - 1))
  if (!isObject(value)) return value
  const kept = Object.entries(value).slice(0, maxKeys).filter(([, item]) => item !== null)
  return Object.fromEntries(kept.map(([key, item]) => [key, opaque.has(key) ? item : withoutNulls(item, depth - 1)]))
}

const shapes: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(actionObjects).map(([type, schema]) => [type, new Set(Object.keys(schema.shape))]),
)
const screenshotKeys: ReadonlySet<string> = new Set(Object.keys(formatObjects.screenshot.shape))

const viewportKeys: ReadonlySet<string> = new Set(Object.keys(viewport.shape))

/** How many ignored keys are named. */
const maxNamed = 50

function unknownIn(value: unknown, where: string, known: ReadonlySet<string> | undefined): string[] {
  if (!isObject(value) || known === undefined) return []
  return Object.keys(value).filter((key) => !known.has(key)).slice(0, maxNamed + 1).map((key) => {
    const near = nearest(key, [...known])
    return `${where}.${key}${near === null ? '' : ` (did you mean ${near}?)`}`
  })
}

/** The keys of a screenshot or an action that are not known, those of its viewport included. */
function unknownWithin(value: unknown, where: string, known: ReadonlySet<string> | undefined): string[] {
  const viewport = isObject(value) && known?.has('viewport') === true ? value['viewport'] : undefined
  return [...unknownIn(value, where, known), ...unknownIn(viewport, `${where}.viewport`, viewportKeys)]
}

const formatOf = (format: unknown): Json => (isObject(format) ? format : format === 'screenshot@fullPage' ? { type: 'screenshot', fullPage: true } : { type: format })

/** The formats that a later one replaces, which fills the same field and asks for something else. */
function replacedIn(formats: readonly unknown[], where: string): readonly string[] {
  const told = formats.map((format) => {
    const { type, checkPromptInjection: _, ...options } = formatOf(format)
    return { kind: typeof type === 'string' ? countedAs(type) : type, options: JSON.stringify(options) }
  })
  const last = new Map(told.map(({ kind, options }) => [kind, options]))
  return told.flatMap(({ kind, options }, at) => (last.get(kind) === options ? [] : [`${where}formats[${at}]`]))
}

/** The names of keys and entries, of many the first. */
const listed = (names: readonly string[]): string => `${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ', …' : ''}`

const typeOf = (value: unknown): string => (isObject(value) && typeof value['type'] === 'string' ? value['type'] : '')

/** An empty selector in an action means none (contract §1.3). */
function withoutEmptySelector(action: unknown): unknown {
  if (!isObject(action) || action['selector'] !== '') return action
  const { selector: _, ...rest } = action
  return rest
}

/** What the n8n node sends is merged with its own form, whose fields say the same: a location still has the form's `settings`. */
function withoutForm(location: unknown): unknown {
  if (!isObject(location) || !isObject(location['settings']) || location['country'] === undefined) return location
  const { settings: _, ...rest } = location
  return rest
}

/** A list that nobody filled in comes as the form itself, without fields. */
const isUnfilledForm = (list: unknown): boolean => isObject(list) && Object.keys(list).length === 0

/** And the formats of its crawls stand beside the `scrapeOptions`, in which the form's are left, or the default of the node. */
function withFormats(crawl: Json): Json {
  const { formats, scrapeOptions, ...rest } = crawl
  if (!Array.isArray(formats) || !isObject(scrapeOptions)) return crawl
  if (isObject(scrapeOptions['formats'])) return { ...rest, scrapeOptions: { ...scrapeOptions, formats } }
  return formats.length === 0 ? { ...rest, scrapeOptions } : crawl
}

function tolerateOptions(options: Json, where: string, meaningless: readonly string[]): { options: Json; ignored: string[]; replaced: readonly string[] } {
  const ignored: string[] = []
  const kept: Json = {}
  for (const [key, value] of Object.entries(options)) {
    if (meaningless.includes(key)) {
      if (value !== false || !unsupportedScrapeKeys.some((one) => one === key)) ignored.push(where + key)
    } else if (!silentKey.test(key)) kept[key] = value
  }
  // A schema looks at every entry before it counts them: one too many is enough for it to refuse.
  if (isObject(kept['headers'])) kept['headers'] = Object.fromEntries(Object.entries(kept['headers']).slice(0, limits.requestHeaders + 1))
  if ('location' in kept) kept['location'] = withoutForm(kept['location'])
  if (isUnfilledForm(kept['actions'])) delete kept['actions']
  const formats = Array.isArray(kept['formats']) ? kept['formats'] : []
  formats.forEach((format, i) => {
    if (typeOf(format) === 'screenshot') ignored.push(...unknownWithin(format, `${where}formats[${i}]`, screenshotKeys))
    // Pages are fenced off from every question in any case.
    if (isObject(format) && format['checkPromptInjection'] === true) ignored.push(`${where}formats[${i}].checkPromptInjection`)
  })
  if (Array.isArray(kept['actions'])) {
    kept['actions'].forEach((action, i) => ignored.push(...unknownWithin(action, `${where}actions[${i}]`, shapes.get(typeOf(action) === 'generatePDF' ? 'pdf' : typeOf(action)))))
    kept['actions'] = kept['actions'].map(withoutEmptySelector)
  }
  return { options: kept, ignored, replaced: replacedIn(formats, where) }
}

/** Prepares a request body that carries scrape options at top level or in `scrapeOptions` (contract §1.3, §15.3); `more` are further keys that mean nothing at its top. */
export function tolerate(raw: unknown, more: readonly string[] = []): Tolerated {
  const clean = withoutNulls(raw, 8)
  if (!isObject(clean)) return { body: clean, warnings: [] }
  const top = tolerateOptions(withFormats(clean), '', [...unsupportedScrapeKeys, ...more])
  const inner = top.options['scrapeOptions']
  const nested = isObject(inner) ? tolerateOptions(inner, 'scrapeOptions.', unsupportedScrapeKeys) : null
  const ignored = [...top.ignored, ...(nested?.ignored ?? [])]
  const replaced = [...top.replaced, ...(nested?.replaced ?? [])]
  return {
    body: nested === null ? top.options : { ...top.options, scrapeOptions: nested.options },
    warnings: [
      ...(ignored.length === 0 ? [] : [`Ignored, not supported here: ${listed(ignored)}.`]),
      ...(replaced.length === 0 ? [] : [`Of several formats that fill the same field the last counts; left out: ${listed(replaced)}.`]),
    ],
  }
}
