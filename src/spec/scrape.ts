import { z } from 'zod'
import { Action, plannedWait } from './actions.ts'
import { Branding } from './branding.ts'
import { ChangeTracking } from './changes.ts'
import { Location, ProfileName, TargetUrl, telemetry, TimeLimit } from './common.ts'
import { type Format, FormatInput, uniqueFormats } from './formats.ts'
import { SiteHeaders } from './headers.ts'
import { limits } from './limits.ts'
import { ActionResults, Explanation, PdfBlocks, PdfPage } from './scrape-parts.ts'

const selectors = z.array(z.string().max(limits.selectorLength)).max(limits.selectors)
const age = z.int().min(0).max(limits.milliseconds)

const PdfParser = z
  .strictObject({
    type: z.literal('pdf'),
    mode: z.enum(['fast', 'auto', 'ocr']).default('auto').describe('How pages without embedded text are handled: `fast` reads embedded text only and fails if there is none; `auto` uses text recognition (OCR) where it is installed and warns where it is not; `ocr` uses text recognition for every page.'),
    maxPages: z.int().min(1).max(limits.pdfPages).optional().describe('Read only the first pages, this many.'),
    pages: z.boolean().optional().describe('Also return the markdown page by page in `pages`.'),
    pageMarkdown: z.boolean().optional().describe('Same as `pages`.'),
    blocks: z.boolean().default(false).describe('Also return the blocks of each page in `blocks`: kind, markdown, position in the markdown, reading order.'),
    pageMarkers: z.boolean().default(false).describe('Separate pages by a horizontal rule and a comment with the page number.'),
  })
  .describe('Convert PDF files.')

const parserName = z.enum(['pdf', 'image']).transform((type) => (type === 'pdf' ? PdfParser.parse({ type }) : { type }))
const Parser = z.union([parserName, PdfParser, z.strictObject({ type: z.literal('image') }).describe('Read the text in pictures, where text recognition (OCR) is installed.')]).meta({ id: 'Parser' })

/** The scrape options of the specification with contract §2; used at top level of scrape and batch, and as `scrapeOptions`. */
export const scrapeOptionShape = {
  formats: z.array(FormatInput).max(limits.formats).default([{ type: 'markdown' }]).describe('What to return: names of formats, or objects with a `type` and options; of several of a type, the last counts.'),
  onlyMainContent: z.boolean().default(true).describe('Return only the main content, without headers, navigation and footers.'),
  onlyCleanContent: z.boolean().default(false).describe('Remove boilerplate that is left in the markdown, by rules and a language model if there is one; not allowed with zero data retention or `lockdown`.'),
  includeTags: selectors.optional().describe('CSS selectors; only matching elements are returned.'),
  excludeTags: selectors.optional().describe('CSS selectors; matching elements are removed.'),
  maxAge: age.optional().describe('Accept a cached page younger than this, in milliseconds; default two days, with `lockdown` two years. 0 always fetches it anew.'),
  minAge: age.optional().describe('Answer from the cache only, with a page of at least this age, in milliseconds; 1 accepts any.'),
  headers: SiteHeaders.optional().describe('Headers sent to the site; the page is then neither read from the cache nor stored in it. Headers of the connection, such as Host and Content-Length, are refused.'),
  waitFor: z.int().min(0).max(limits.waitForMax).default(0).describe('Milliseconds to wait on the page before its content is taken; if `timeout` leaves less, `warning` says so.'),
  mobile: z.boolean().default(false).describe('Emulate a mobile device.'),
  skipTlsVerification: z.boolean().default(true).describe('Accept invalid TLS certificates; `metadata.tlsVerified` is then `false`.'),
  // Optional rather than with a default: the rule on `waitFor` holds only where both were given.
  timeout: TimeLimit.optional()
    .meta({ default: limits.timeoutDefault })
    .describe('Time limit of the request, in milliseconds, waiting included. In a batch or crawl it is the limit of each page, without the time that the page waits for others.'),
  parsers: z.array(Parser).max(10).default([PdfParser.parse({ type: 'pdf' })]).describe('File types to convert; of two entries of a type, the last counts. An empty array returns a PDF as base64 and in no other format.'),
  actions: z.array(Action).max(limits.actions).optional().describe('Actions to perform on the page, in order, before its content is taken.'),
  location: Location.optional(),
  removeBase64Images: z.boolean().default(true).describe('Replace base64 images in the markdown by a placeholder.'),
  blockAds: z.boolean().default(true).describe('Block advertisements and cookie pop-ups.'),
  proxy: z
    .enum(['basic', 'enhanced', 'stealth', 'auto'])
    .transform((proxy) => (proxy === 'stealth' ? 'enhanced' : proxy))
    .default('auto')
    .describe('How the page is fetched: `basic`; `enhanced` for sites that block `basic`, also called `stealth`; `auto` tries `basic` first.'),
  storeInCache: z.boolean().default(true).describe('Store the page in the cache.'),
  lockdown: z.boolean().default(false).describe('Answer from the cache only: nothing is sent to the site, and nothing is logged or stored.'),
  profile: z
    .strictObject({ name: ProfileName, saveChanges: z.boolean().default(true).describe('Save cookies and storage when done; `false` only reads the profile, which any number may do at the same time.') })
    .optional()
    .describe('Cookies, localStorage and IndexedDB, kept under a name between scrapes and sessions of the team. Only one may write at a time.'),
  zeroDataRetention: z.boolean().default(false).describe('Store nothing of page and result; only for teams that are allowed to.'),
  strict: z.boolean().default(false).describe('Answer `SCRAPE_SITE_ERROR` if the page is a bot challenge, a login wall, a consent wall, a soft 404 or an empty shell.'),
}

interface Options {
  readonly formats: readonly { readonly type: string; readonly viewport?: { readonly width: number; readonly height: number } | undefined }[]
  readonly mobile: boolean
  readonly timeout?: number | undefined
  readonly waitFor: number
  readonly actions?: readonly Action[] | undefined
  readonly profile?: { readonly saveChanges: boolean } | undefined
  readonly onlyCleanContent: boolean
  readonly zeroDataRetention: boolean
  readonly lockdown: boolean
}

/** Whether anything of a page and its result may be kept. */
export const retentionOf = ({ zeroDataRetention, lockdown }: Pick<Options, 'zeroDataRetention' | 'lockdown'>): 'normal' | 'zero' => (zeroDataRetention || lockdown ? 'zero' : 'normal')

/** Rules between options; each entry: what is wrong, where. */
const optionRules: readonly { readonly broken: (o: Options) => boolean; readonly path: string; readonly message: string }[] = [
  { broken: (o) => o.timeout !== undefined && o.waitFor > o.timeout / 2, path: 'waitFor', message: 'waitFor must be at most half of timeout' },
  {
    broken: (o) => o.waitFor + plannedWait(o.actions ?? []) > limits.actionWaitTotal,
    path: 'actions',
    message: `waitFor and the waits of all actions must be at most ${limits.actionWaitTotal} together`,
  },
  {
    broken: (o) => o.formats.filter((format) => format.type === 'screenshot').length > 1,
    path: 'formats',
    message: 'At most one screenshot',
  },
  {
    broken: (o) => o.mobile && [...o.formats, ...(o.actions ?? [])].some((one) => 'viewport' in one && Math.max(one.viewport?.width ?? 0, one.viewport?.height ?? 0) > limits.mobileViewportSide),
    path: 'mobile',
    message: `With mobile, the viewport of a screenshot is at most ${limits.mobileViewportSide} pixels wide and high`,
  },
  {
    broken: (o) => o.formats.some((f) => f.type === 'changeTracking') && !o.formats.some((f) => f.type === 'markdown'),
    path: 'formats',
    message: 'changeTracking needs markdown in the same list',
  },
  {
    broken: (o) => retentionOf(o) === 'zero' && o.formats.some((f) => f.type === 'changeTracking'),
    path: 'formats',
    message: 'changeTracking keeps each version of the page, which zero data retention and lockdown forbid',
  },
  {
    broken: (o) => o.profile?.saveChanges === true && o.zeroDataRetention,
    path: 'profile',
    message: 'A profile cannot be saved with zero data retention; give saveChanges: false',
  },
  {
    broken: (o) => o.onlyCleanContent && retentionOf(o) === 'zero',
    path: 'onlyCleanContent',
    message: 'onlyCleanContent is not supported with zero data retention, which lockdown is too',
  },
]

/** Adds the issues of the rules between options; for `superRefine`. */
export function checkOptions(options: Options, context: z.core.$RefinementCtx): void {
  for (const rule of optionRules.filter((r) => r.broken(options))) {
    context.addIssue({ code: 'custom', path: [rule.path], message: rule.message })
  }
}

/** Adds the issues that options have only because the request around them asks for zero retention; for `superRefine`. */
export function checkUnderRetention(options: Options, path: readonly string[], context: z.core.$RefinementCtx): void {
  for (const rule of optionRules.filter(({ broken }) => !broken(options) && broken({ ...options, zeroDataRetention: true }))) {
    context.addIssue({ code: 'custom', path: [...path, rule.path], message: rule.message })
  }
}

/** Options with what follows from others filled in: one format of each type, a timeout. For `transform`. */
export function settled<T extends { readonly formats: readonly Format[]; readonly timeout?: number | undefined }>(options: T): T & { formats: readonly Format[]; timeout: number } {
  return { ...options, formats: uniqueFormats(options.formats), timeout: options.timeout ?? limits.timeoutDefault }
}

/** Body of POST /v2/scrape. */
export const ScrapeRequest = z
  .strictObject({
    url: TargetUrl.describe('URL of the page; `http://` is assumed where the scheme is missing.'),
    ...scrapeOptionShape,
    explain: z.boolean().default(false).describe('Describe in `explain` how the page was fetched and read.'),
    ...telemetry,
  })
  .superRefine(checkOptions)
  .transform(settled)
  .meta({ id: 'ScrapeRequest' })
export type ScrapeRequest = z.output<typeof ScrapeRequest>

/** What kind of page was read: the page asked for, or why it is not. */
export const pageVerdicts = ['ok', 'challenge', 'login', 'soft-404', 'empty', 'consent'] as const

const metadataShape = {
  scrapeId: z.uuid().describe('Id of this scrape.'),
  sourceURL: z.string().describe('The requested URL.'),
  url: z.string().describe('The final URL, after redirects.'),
  statusCode: z.int().min(0).max(999),
  contentType: z.string().optional(),
  error: z.string().optional().describe('Set if the site answered with an error status or the page is not the one requested.'),
  verdict: z.enum(pageVerdicts).describe('What kind of page this is: `ok` for content, otherwise why it is not the requested content.'),
  contentConfidence: z.number().min(0).max(1).optional().describe('How certain the detection of the main content is.'),
  proxyUsed: z.enum(['basic', 'stealth']).describe('`stealth` if the page was fetched with the enhanced proxy tier.'),
  tlsVerified: z.boolean().optional().describe('`false` if the TLS certificate of the page, or of a redirect to it, is invalid.'),
  timezone: z.string().optional().describe('Time zone of the browser, if the page was rendered.'),
  cacheState: z.enum(['hit', 'miss']).optional().describe('Absent if the cache was not consulted.'),
  cachedAt: z.iso.datetime().optional(),
  creditsUsed: z.number().min(0),
  modelCallsSaved: z.int().min(1).max(1).optional().describe('1 if no call of a language model was needed because the template of the page was known.'),
  concurrencyLimited: z.boolean().optional(),
  concurrencyQueueDurationMs: z.int().min(0).max(limits.milliseconds).optional(),
  sourceFile: z.string().optional().describe('Name of the uploaded file.'),
  numPages: z.int().min(0).max(limits.milliseconds).optional().describe('Number of pages of the PDF that were read.'),
  totalPages: z.int().min(0).max(limits.milliseconds).optional().describe('Number of pages of the PDF.'),
  title: z.string().optional(),
  description: z.string().optional(),
  language: z.string().optional(),
  keywords: z.string().optional(),
  ogLocaleAlternate: z.array(z.string()).optional(),
}

/** Metadata of a scraped page: the named fields, and further string values found on the page. */
export const ScrapeMetadata = z.looseObject(metadataShape).meta({ id: 'ScrapeMetadata' })
export type ScrapeMetadata = z.output<typeof ScrapeMetadata>

const Price = z.strictObject({ amount: z.number(), currency: z.string().optional() })

/** A product as the page's structured data describes it. */
const Product = z
  .strictObject({
    title: z.string(),
    brand: z.string().optional(),
    category: z.string().optional(),
    url: z.string(),
    description: z.string().optional(),
    variants: z.array(
      z.strictObject({
        sku: z.string().optional(),
        title: z.string().optional(),
        values: z.record(z.string(), z.string()).optional().describe('Properties such as colour or size.'),
        price: Price.optional(),
        availability: z.strictObject({ inStock: z.boolean(), text: z.string().optional() }).optional(),
        images: z.array(z.strictObject({ url: z.string() })).optional(),
      }),
    ),
  })
  .meta({ id: 'Product' })

/** A scraped page: `metadata` always, the rest as asked for. */
export const ScrapeData = z
  .strictObject({
    markdown: z.string().optional(),
    html: z.string().optional(),
    rawHtml: z.string().optional(),
    screenshot: z.string().optional().describe('URL of the screenshot, valid for as long as results are kept, counted from when it was taken; a data URI with zero data retention.'),
    rawBase64: z.string().optional().describe('The file as base64, with `parsers: []`.'),
    pages: z.array(PdfPage).optional().describe('The pages of a PDF, with the parser option `pages`.'),
    blocks: z.array(PdfBlocks).optional().describe('The blocks of each page of a PDF, with the parser option `blocks`.'),
    actions: ActionResults.optional().describe('Results of the actions, each kind in the order of the actions.'),
    links: z.array(z.string()).optional(),
    images: z.array(z.string()).optional(),
    attributes: z.array(z.strictObject({ selector: z.string(), attribute: z.string(), values: z.array(z.string()) })).optional(),
    json: z.unknown().optional().describe('Result of the json format. It conforms to the schema; what was not found on the page is null.'),
    grounding: z
      .record(z.string(), z.strictObject({ start: z.int().min(0).max(limits.milliseconds), end: z.int().min(0).max(limits.milliseconds) }))
      .optional()
      .describe('Where each value of `json` was found in the markdown, by JSON pointer; offsets in UTF-16 code units.'),
    summary: z.string().optional(),
    answer: z.string().optional().describe('Answer to the formats question and query.'),
    highlights: z.string().optional().describe('Passages of the page, verbatim.'),
    product: Product.optional(),
    changeTracking: ChangeTracking.optional(),
    audio: z.string().optional().describe('URL of the audio file, valid for an hour; a data URI with zero data retention.'),
    video: z.string().optional().describe('URL of the video file, valid for an hour; a data URI with zero data retention.'),
    branding: Branding.optional(),
    warning: z.string().optional(),
    explain: Explanation.optional().describe('How the page was got and read, with `explain: true`.'),
    metadata: ScrapeMetadata,
  })
  .meta({ id: 'ScrapeData' })
export type ScrapeData = z.output<typeof ScrapeData>

/** Answer of POST /v2/scrape and GET /v2/scrape/{jobId}. */
export const ScrapeAnswer = z
  .strictObject({ success: z.literal(true), data: ScrapeData })
  .meta({ id: 'ScrapeAnswer' })
export type ScrapeAnswer = z.output<typeof ScrapeAnswer>
