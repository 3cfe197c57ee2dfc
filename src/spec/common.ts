import { z } from 'zod'
import { once } from '../lib/once.ts'
import { isWeb, urlOf } from '../lib/url-of.ts'
import { limits } from './limits.ts'

const hostWithDot = /^(?=.{1,253}$)([^.]{1,63}\.)+[^.]{2,63}\.?$/u
const tooLong = `URL is longer than ${limits.urlLength} characters`
const ipv4 = /^\d{1,3}(\.\d{1,3}){3}$/

/** A text as a target URL, or why it is none (contract §1.7). `text` has its scheme already. */
function parsedOf(text: string): URL | string {
  if (text.length > limits.urlLength) return tooLong
  const url = urlOf(text)
  return url === null ? 'Invalid URL' : (faultOf(url) ?? url)
}

function faultOf(url: URL): string | null {
  // Letters of other scripts take more room in percent notation.
  if (url.href.length > limits.urlLength) return tooLong
  if (!isWeb(url)) return 'URL must use http or https'
  if (url.username !== '' || url.password !== '') return 'URL must not carry a user name or password; send an Authorization header instead'
  if (url.hostname.startsWith('[') || ipv4.test(url.hostname)) return null
  return hostWithDot.test(url.hostname) ? null : 'URL must have a host with a top-level domain, or an IP address'
}

/** The text with `http://` in front when it has no scheme. */
function withScheme(text: string): string {
  const trimmed = text.trim()
  // `example.com:8080/x` parses as scheme `example.com:`, hence the look at what follows the colon.
  return /^[a-z][a-z0-9+.-]*:(?!\d+(\/|\?|#|$))/iu.test(trimmed) ? trimmed : `http://${trimmed.replace(/^\/\//, '')}`
}

/** A text as the target that it names, in the caller's spelling but for a missing scheme, and parsed; else what is wrong with it. */
export function targetUrlOf(text: string): { readonly url: string; readonly parsed: URL } | { readonly fault: string } {
  if (text.length > limits.urlLength) return { fault: tooLong }
  const url = withScheme(text)
  const parsed = parsedOf(url)
  return typeof parsed === 'string' ? { fault: parsed } : { url, parsed }
}

/** A page to fetch; keeps the caller's spelling but for a missing scheme. */
export const TargetUrl = z
  .string()
  .max(limits.urlLength, tooLong)
  .transform((text, context) => {
    const target = targetUrlOf(text)
    if ('url' in target) return target.url
    context.addIssue({ code: 'custom', message: target.fault })
    return z.NEVER
  })

/** Made when first needed: loading the names of regions takes longer than reading a page. */
const regionNames = once(() => new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }))
const notCountries = new Set(['EU', 'EZ', 'UN', 'ZZ', 'XA', 'XB', 'QO'])

/**
 * The ISO 3166-1 alpha-2 code that a text means, in any case; null when it means no country. Of a code that the standard
 * reserves or has withdrawn it is the one that replaces it: sites and search providers know no "UK".
 */
export function countryOf(text: string): string | null {
  const code = text.toUpperCase()
  if (!/^[A-Z]{2}$/.test(code) || notCountries.has(code) || regionNames().of(code) === undefined) return null
  return new Intl.Locale(`und-${code}`).region ?? null
}

/** Longer tags are none that anybody uses (RFC 5646 §4.4), and sites refuse the header that they would make. */
const tagLength = 100

function isLanguageTag(tag: string): boolean {
  try {
    return tag.length <= tagLength && Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** Where the page should believe its visitor is (specification, scrape options). */
export const Location = z
  .strictObject({
    country: z
      .string()
      .transform((text, context) => {
        const country = countryOf(text)
        if (country !== null) return country
        context.addIssue({ code: 'custom', message: 'Unknown country; give an ISO 3166-1 alpha-2 code' })
        return z.NEVER
      })
      .default('US')
      .describe('ISO 3166-1 alpha-2 code of the country, in any case.'),
    languages: z
      .array(z.string().refine(isLanguageTag, 'Not a language tag (BCP 47)'))
      .max(20)
      .optional()
      .describe('Language tags in order of preference; default: the languages of the country.'),
  })
  .meta({ id: 'Location' })

/** Text of so many characters, counted as people and other languages do: a character outside the basic plane is one. */
export function characters(max: number, min = 1): z.ZodType<string> {
  return z
    .string()
    .min(min)
    .superRefine((text, context) => {
      // Twice as many units at most, so that nothing longer is ever counted.
      if (text.length <= max || (text.length <= 2 * max && Array.from(text).length <= max)) return
      context.addIssue({ code: 'too_big', origin: 'string', maximum: max, inclusive: true, message: `Too long: at most ${max} characters` })
    })
    .meta({ minLength: min, maxLength: max })
}

/** The time limit of a request, in milliseconds, and says so: many clients count it in seconds. */
export const TimeLimit = z
  .int()
  .min(limits.timeoutMin, `Too small: expected milliseconds, at least ${limits.timeoutMin}`)
  .max(limits.timeoutMax, `Too big: expected milliseconds, at most ${limits.timeoutMax}`)

/** A text without a letter, as forms send a field that nobody filled in, is not given. */
export const unlessBlank = (text: string): string | undefined => (text.trim() === '' ? undefined : text)

/** Labels that official clients send with every request; for telemetry only. */
export const telemetry = {
  origin: z.string().optional().describe('Name of the calling client; has no effect.'),
  integration: z.string().optional().describe('Name of the calling integration; has no effect.'),
}

/** Query of routes that take none: an unknown key may be one that the caller counts on. */
export const NoQuery = z.strictObject({})

/** What a team calls a profile. */
export const ProfileName = z
  .string()
  .min(1)
  .max(limits.profileNameLength)
  // Clients drop a path's parts `.` and `..`, so that nobody could delete profiles of that name.
  .refine((name) => !/^\s*$|^\.\.?$|[\p{Cc}\p{Surrogate}]/u.test(name), 'Not a name: blank, "." or "..", or with control characters')
  .describe('Name of the profile, 1 to 128 characters; profiles are private to the team.')

/** Id of a job as callers give it: some languages write it in capitals (RFC 9562 §4 takes either). */
export const JobId = z.uuid().toLowerCase()

/** Id of a job in a path. */
export const JobPath = z.strictObject({ jobId: JobId.describe('Id of the job.') })

/** A whole number in the query of a URL. */
export function queryInt(min: number, max: number): z.ZodType<number> {
  return z
    .string()
    .regex(/^\d{1,16}$/, 'Not a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max })
}

/** Yes or no in the query of a URL. */
export const queryFlag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ type: 'boolean', enum: undefined })

/** What every error answer looks like (contract §1.2). */
export const ErrorAnswer = z
  .strictObject({
    success: z.literal(false),
    code: z.string().describe('Error code; see the table of errors.'),
    error: z.string().describe('What went wrong, for people.'),
    details: z.unknown().optional().describe('With code `BAD_REQUEST` an array of {code, path, message}, one for each problem; an object with other codes.'),
    requestId: z.string().describe('Id of the request in the log of the service.'),
  })
  .meta({ id: 'Error' })
