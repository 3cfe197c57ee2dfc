import { z } from 'zod'
import { isObject } from '../lib/is-object.ts'
import { telemetry, TimeLimit } from './common.ts'
import { FormatInput, type FormatType } from './formats.ts'
import { limits } from './limits.ts'
import { checkOptions, scrapeOptionShape, settled, type ScrapeRequest } from './scrape.ts'

/** Options of a scrape that mean nothing for a file, and are refused (contract §11.3). */
const pageOptions = ['waitFor', 'mobile', 'actions', 'location', 'maxAge', 'minAge', 'storeInCache', 'lockdown', 'profile'] as const

/** Options that the official clients may send with a file; they govern a fetch that does not happen. */
export const idleParseKeys = ['headers', 'skipTlsVerification'] as const

const pageFormats: ReadonlySet<FormatType> = new Set(['screenshot', 'changeTracking', 'branding', 'audio', 'video'])
const isPageFormat = (type: string): boolean => (pageFormats as ReadonlySet<string>).has(type.split('@', 1)[0] ?? '') // widened to test membership

const typeOf = (format: unknown): string => (typeof format === 'string' ? format : typeof format === 'object' && format !== null && 'type' in format && typeof format.type === 'string' ? format.type : '')

/** What a caller asks of a file that only a page can have, by name. */
export function unsupportedOptions(raw: unknown): readonly string[] {
  if (typeof raw !== 'object' || raw === null) return []
  const given = new Map<string, unknown>(Object.entries(raw))
  const formats = given.get('formats')
  const proxy = given.get('proxy')
  return [
    ...pageOptions.filter((key) => given.has(key)),
    ...(proxy === 'enhanced' || proxy === 'stealth' ? [`proxy ${proxy}`] : []),
    ...(Array.isArray(formats) ? formats.map(typeOf).filter(isPageFormat).map((type) => `format ${type}`) : []),
  ]
}

/** What a scrape asks for where nothing else is said, and a parse always: nothing is fetched, nothing is cached. */
const ofFiles = { waitFor: 0, mobile: false, maxAge: 0, storeInCache: false, lockdown: false, skipTlsVerification: true, proxy: 'basic' } as const

/**
 * The options of a file without those that ask for what it gets in any case: the Python client sends all options, at their
 * defaults.
 */
export function withoutIdle(raw: unknown): unknown {
  if (!isObject(raw)) return raw
  const idle = new Map<string, unknown>(Object.entries(ofFiles))
  return Object.fromEntries(Object.entries(raw).filter(([key, value]) => !(idle.has(key) && idle.get(key) === value) && !(key === 'actions' && Array.isArray(value) && value.length === 0)))
}

const { formats: _formats, waitFor: _waitFor, mobile: _mobile, actions: _actions, location: _location, maxAge: _maxAge, minAge: _minAge, storeInCache: _store, lockdown: _lockdown, profile: _profile, headers: _headers, skipTlsVerification: _tls, proxy: _proxy, timeout: _timeout, ...shared } = scrapeOptionShape

/** The `options` of a form sent to POST /v2/parse; what is left of the scrape options for a file. */
export const ParseOptions = z
  .strictObject({
    formats: z.array(FormatInput).max(limits.formats).default([{ type: 'markdown' }]).describe('As for a scrape, except screenshot, changeTracking, branding, audio and video.'),
    ...shared,
    proxy: z.enum(['basic', 'auto']).optional().describe('Accepted without effect, as nothing is fetched.'),
    timeout: TimeLimit.default(limits.parseTimeoutDefault).describe('Time limit of the request, in milliseconds, waiting included.'),
    explain: z.boolean().default(false).describe('Describe in `explain` how the file was read.'),
    ...telemetry,
  })
  .transform((options) => ({ ...options, ...ofFiles }))
  .superRefine(checkOptions)
  .transform(settled)
  .meta({ id: 'ParseOptions' })
export type ParseOptions = z.output<typeof ParseOptions>

/** The address under which a file that was sent stands in its answer. */
const addressOf = (name: string): string => `upload:${encodeURIComponent(name)}`

/** A parse as the scrape that it is. */
export const asScrape = (options: ParseOptions, name: string): ScrapeRequest => ({ ...options, url: addressOf(name) })
