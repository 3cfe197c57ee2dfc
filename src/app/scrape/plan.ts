import { type CacheRule, cacheRule } from '../../domain/cache.ts'
import type { Call } from '../../domain/call.ts'
import type { Capability, Order } from '../../domain/capture.ts'
import type { DeriveOrder } from '../../domain/derivation.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type FeatureGates, isOn } from '../../domain/feature-gates.ts'
import { languagesOf } from '../../domain/location.ts'
import { assertSelectors, type PlacedSelector } from '../../content/selectors.ts'
import type { ReadOptions } from '../../domain/reading.ts'
import { needsOf } from '../../formats/index.ts'
import { isModelled } from '../../formats/material.ts'
import type { Model } from '../../domain/model.ts'
import { tracksFields } from '../../formats/tracking.ts'
import type { Format, FormatOf } from '../../spec/formats.ts'
import type { ScrapeRequest } from '../../spec/scrape.ts'

/** Everything that is decided before anything is done. */
export interface Plan {
  readonly request: ScrapeRequest
  readonly cache: CacheRule
  readonly order: Order
  /** What the engine must be able to do. */
  readonly needs: readonly Capability[]
  readonly derive: DeriveOrder
  readonly retention: Call['retention']
  /** How the page is compared with its version before; null where it is not tracked. */
  readonly tracking: FormatOf<'changeTracking'> | null
  /** Whether the page is known from before alone: its crawl did not find it. */
  readonly hidden?: boolean
  /** Whether a page that the basic tier does not get is tried once more in the enhanced one. */
  readonly escalates: boolean
  /** Whether templates are learned from a model's answers: for pages of jobs. */
  readonly learns?: true
  /** Name of the wall that a site may put before this page and others; absent where the page is wanted by itself. */
  readonly wall?: string
}

/** What the running service can do, and for whom. */
export interface Abilities {
  readonly features: ReadonlySet<Capability>
  readonly gates: FeatureGates
  /** The language model of the settings; without one what it would do is done without, where that is possible. */
  readonly model?: Pick<Model, 'id'> | null
}

/** How to ask for what is missing, by capability. */
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

/** Throws `FEATURE_NOT_CONFIGURED` naming the first capability that is needed and not there. */
export function assertAble(needs: readonly Capability[], features: ReadonlySet<Capability>): void {
  const lacking = needs.find((need) => !features.has(need))
  if (lacking !== undefined) throw new ServiceError('FEATURE_NOT_CONFIGURED', `Not configured: ${missing[lacking]}.`, { details: { feature: lacking } })
}

/** Capabilities that an engine has or has not; the others are the business of what comes after it. */
const byEngine: ReadonlySet<Capability> = new Set(['javascript', 'actions', 'screenshot', 'mobile', 'profile', 'enhanced-proxy', 'branding'])

/** What the options of a request ask for beyond its formats. */
function wishesOf(request: ScrapeRequest): readonly Capability[] {
  const wishes: readonly (readonly [Capability, boolean])[] = [
    ['javascript', request.waitFor > 0],
    ['actions', (request.actions?.length ?? 0) > 0],
    ['mobile', request.mobile],
    ['profile', request.profile !== undefined],
    ['enhanced-proxy', request.proxy === 'enhanced'],
    // What a schema asks for can be looked up; what a prompt asks for must be understood.
    ['model', request.formats.some((format) => (format.type === 'json' || tracksFields(format)) && format.schema === undefined)],
  ]
  return wishes.filter(([, wanted]) => wanted).map(([need]) => need)
}

/** The formats of a request; places in the markdown mean nothing without it. */
function formatsOf({ formats }: ScrapeRequest): readonly Format[] {
  const grounded = formats.some((format) => format.type === 'json' && format.grounding) && !formats.some((format) => format.type === 'markdown')
  return grounded ? [...formats, { type: 'markdown' }] : formats
}

/** Which part a language model has in what is made of the page. */
function partOfModel({ formats, onlyCleanContent }: ScrapeRequest, model: Abilities['model']): Pick<DeriveOrder, 'model' | 'clean'> {
  const cleans = onlyCleanContent && formats.some((format) => format.type === 'markdown')
  if (!model || !(cleans || formats.some((format) => isModelled(format.type) || tracksFields(format) || format.type === 'branding'))) return {}
  return { model: model.id, ...(cleans ? { clean: true } : {}) }
}

/** The CSS selectors of a request by their places in it; an empty one counts as absent where those are optional (contract §1.3). */
function selectorsOf({ includeTags = [], excludeTags = [], formats }: ScrapeRequest): readonly PlacedSelector[] {
  const listed = (key: string, list: readonly string[]): PlacedSelector[] => list.map((selector, i) => ({ selector, path: [key, i] })).filter(({ selector }) => selector !== '')
  const queried = formats.flatMap((format, i) => (format.type === 'attributes' ? format.selectors.map(({ selector }, j) => ({ selector, path: ['formats', i, 'selectors', j, 'selector'] })) : []))
  return [...listed('includeTags', includeTags), ...listed('excludeTags', excludeTags), ...queried]
}

/** How a page is to be fetched. */
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

/** How a page is to be read; without a model, rules find what boilerplate is. */
function readOptionsOf({ onlyMainContent, includeTags = [], excludeTags = [], removeBase64Images, blockAds, onlyCleanContent }: ScrapeRequest, model: Abilities['model']): ReadOptions {
  const named = (selectors: readonly string[]): readonly string[] => selectors.filter((selector) => selector !== '')
  return { onlyMainContent, includeTags: named(includeTags), excludeTags: named(excludeTags), removeBase64Images, blockAds, ...(onlyCleanContent && !model ? { onlyCleanContent } : {}) }
}

/** Decides what a request needs and may have. Throws `FEATURE_NOT_CONFIGURED`, `FORBIDDEN`, `BAD_REQUEST` (selectors). */
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
      explain: request.explain,
      // What is kept out of the cache is not to be found either (contract §15.16).
      ...(cache.write ? { index: true } : {}),
      ...partOfModel(request, abilities.model),
      read: readOptionsOf(request, abilities.model),
    },
    retention: request.zeroDataRetention || request.lockdown ? 'zero' : 'normal',
    tracking: request.formats.find((format) => format.type === 'changeTracking') ?? null,
    // What was done on a page would be done twice.
    escalates: request.proxy === 'auto' && order.actions === undefined && abilities.features.has('enhanced-proxy'),
  }
}
