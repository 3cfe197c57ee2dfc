import { type CacheRule, cacheRule } from '../../domain/pages/cache.ts'
import type { Call } from '../../domain/call.ts'
import type { Capability, Order } from '../../domain/pages/capture.ts'
import type { DeriveOrder } from '../../domain/pages/derivation.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type FeatureGates, isOn } from '../../domain/teams/feature-gates.ts'
import { languagesOf } from '../../domain/fetching/location.ts'
import { assertSelectors, type PlacedSelector } from '../../content/selectors/selectors.ts'
import type { ReadOptions } from '../../domain/pages/reading.ts'
import { needsOf } from '../../formats/index.ts'
import { isModelled } from '../../formats/material.ts'
import type { Model } from '../../domain/model.ts'
import { tracksFields } from '../../formats/tracking.ts'
import type { Format, FormatOf } from '../../spec/formats.ts'
import { retentionOf, type ScrapeRequest } from '../../spec/scrape.ts'

/** Everything that is decided before anything is done. */
export interface Plan {
  readonly request: ScrapeRequest
  readonly cache: CacheRule
  readonly order: Order
  /** Capabilities that the engine needs. */
  readonly needs: readonly Capability[]
  readonly derive: DeriveOrder
  readonly retention: Call['retention']
  /** How to compare the page with its previous version; null if it is not tracked. */
  readonly tracking: FormatOf<'changeTracking'> | null
  /** Whether the page is only known from before: its crawl did not find it. */
  readonly hidden?: boolean
  /** Whether a page that the basic tier does not get is tried again in the enhanced one. */
  readonly escalates: boolean
  /** Whether templates are learned from the model's answers: for pages of jobs. */
  readonly learns?: true
  /** Name of the wall that a site may put before this page and others; absent for a single page. */
  readonly wall?: string
}

/** What this service can do, and which teams have which features. */
export interface Abilities {
  readonly features: ReadonlySet<Capability>
  readonly gates: FeatureGates
  /** The configured language model; without one, rules do its work where possible. */
  readonly model?: Pick<Model, 'id'> | null
  /** Names the text recognition of this process; null without any. */
  readonly ocr?: string | null
}

/** What to configure for each missing capability. */
const missing: Readonly<Record<Capability, string>> = {
  javascript: 'waiting on a page (waitFor) needs the browser engine, which this process does not have',
  actions: 'actions need the browser engine, which this process does not have',
  screenshot: 'screenshots need the browser engine, which this process does not have',
  mobile: 'mobile emulation needs the browser engine, which this process does not have',
  profile: 'profiles need the browser engine, which this process does not have',
  'enhanced-proxy': 'proxy enhanced needs the browser engine, which this process does not have',
  model: 'json without a schema (as a format, or as a mode of changeTracking) needs a language model (TRAWL_LLM_BASE_URL and TRAWL_LLM_MODEL)',
  pdf: 'this process does not read PDF files; parsers: [] returns the file as base64',
  media: 'audio and video need a store, which this process does not have',
  'change-tracking': 'change tracking needs a store, which this process does not have',
  branding: 'branding needs the browser engine, which this process does not have',
}

/** Throws `FEATURE_NOT_CONFIGURED` for the first capability that is needed and missing. */
export function assertAble(needs: readonly Capability[], features: ReadonlySet<Capability>): void {
  const lacking = needs.find((need) => !features.has(need))
  if (lacking !== undefined) throw new ServiceError('FEATURE_NOT_CONFIGURED', `Not configured: ${missing[lacking]}.`, { details: { feature: lacking } })
}

/** Capabilities of engines; the others belong to later steps. */
const byEngine: ReadonlySet<Capability> = new Set(['javascript', 'actions', 'screenshot', 'mobile', 'profile', 'enhanced-proxy', 'branding'])

/** Capabilities that a request's options need beyond its formats. */
function wishesOf(request: ScrapeRequest): readonly Capability[] {
  const wishes: readonly (readonly [Capability, boolean])[] = [
    ['javascript', request.waitFor > 0],
    ['actions', (request.actions?.length ?? 0) > 0],
    ['mobile', request.mobile],
    ['profile', request.profile !== undefined],
    ['enhanced-proxy', request.proxy === 'enhanced'],
    // A schema can be looked up in the page; a prompt must be understood.
    ['model', request.formats.some((format) => (format.type === 'json' || tracksFields(format)) && format.schema === undefined)],
  ]
  return wishes.filter(([, wanted]) => wanted).map(([need]) => need)
}

/** The formats of a request; block positions in the markdown mean nothing without it. */
function formatsOf({ formats }: ScrapeRequest): readonly Format[] {
  const grounded = formats.some((format) => format.type === 'json' && format.grounding) && !formats.some((format) => format.type === 'markdown')
  return grounded ? [...formats, { type: 'markdown' }] : formats
}

/** What a language model does for these formats. */
function partOfModel(request: ScrapeRequest, model: Abilities['model']): Pick<DeriveOrder, 'model' | 'clean'> {
  const formats = formatsOf(request)
  const cleans = request.onlyCleanContent && formats.some((format) => format.type === 'markdown')
  if (!model || !(cleans || formats.some((format) => isModelled(format.type) || tracksFields(format) || format.type === 'branding'))) return {}
  return { model: model.id, ...(cleans ? { clean: true } : {}) }
}

/** The CSS selectors of a request by their path; an empty optional one counts as absent (contract §1.3). */
function selectorsOf({ includeTags = [], excludeTags = [], formats }: ScrapeRequest): readonly PlacedSelector[] {
  const listed = (key: string, list: readonly string[]): PlacedSelector[] => list.map((selector, i) => ({ selector, path: [key, i] })).filter(({ selector }) => selector !== '')
  const queried = formats.flatMap((format, i) => (format.type === 'attributes' ? format.selectors.map(({ selector }, j) => ({ selector, path: ['formats', i, 'selectors', j, 'selector'] })) : []))
  return [...listed('includeTags', includeTags), ...listed('excludeTags', excludeTags), ...queried]
}

/** How to fetch the page. */
function orderOf(request: ScrapeRequest): Order {
  return {
    url: request.url,
    headers: request.headers ?? {},
    languages: languagesOf(request.location),
    skipTlsVerification: request.skipTlsVerification,
    waitFor: request.waitFor,
    mobile: request.mobile,
    tier: request.proxy === 'enhanced' ? 'enhanced' : 'basic',
    country: request.location?.country,
    blockAds: request.blockAds,
    screenshot: request.formats.find((format) => format.type === 'screenshot'),
    ...(request.formats.some((format) => format.type === 'branding') ? { look: true as const } : {}),
    ...(request.actions !== undefined && request.actions.length > 0 ? { actions: request.actions } : {}),
  }
}

/** How to read the page; without a model, rules find boilerplate. */
function readOptionsOf({ onlyMainContent, includeTags = [], excludeTags = [], removeBase64Images, blockAds, onlyCleanContent }: ScrapeRequest, model: Abilities['model']): ReadOptions {
  const named = (selectors: readonly string[]): readonly string[] => selectors.filter((selector) => selector !== '')
  return { onlyMainContent, includeTags: named(includeTags), excludeTags: named(excludeTags), removeBase64Images, blockAds, ...(onlyCleanContent && !model ? { onlyCleanContent } : {}) }
}

/** Decides what a request needs and whether it is allowed. Throws `FEATURE_NOT_CONFIGURED`, `FORBIDDEN`, `BAD_REQUEST` (selectors). */
export function plan(request: ScrapeRequest, abilities: Abilities, team: string, now: number): Plan {
  const needs = [...needsOf(request.formats), ...wishesOf(request)]
  assertAble(needs, abilities.model ? new Set([...abilities.features, 'model']) : abilities.features)
  if (request.zeroDataRetention && !isOn(abilities.gates.zeroRetention, team)) {
    throw new ServiceError('FORBIDDEN', 'Zero data retention is not enabled for this team (TRAWL_ZDR_TEAMS).')
  }
  assertSelectors(selectorsOf(request))
  const cache = cacheRule(request, now)
  const order = orderOf(request)
  return {
    request,
    cache,
    order,
    needs: [...new Set(needs)].filter((need) => byEngine.has(need)),
    derive: {
      formats: formatsOf(request),
      parsers: request.parsers,
      ...(abilities.ocr && request.parsers.length > 0 ? { ocr: abilities.ocr } : {}),
      explain: request.explain,
      // What is not cached is not searchable either (contract §15.16).
      ...(cache.write ? { index: true } : {}),
      ...partOfModel(request, abilities.model),
      read: readOptionsOf(request, abilities.model),
    },
    retention: retentionOf(request),
    tracking: request.formats.find((format) => format.type === 'changeTracking') ?? null,
    // A second try would repeat the actions.
    escalates: request.proxy === 'auto' && order.actions === undefined && abilities.features.has('enhanced-proxy'),
  }
}
