import { describe, expect, it } from 'vitest'
import type { Capture } from '../../domain/pages/capture.ts'
import type { PageVerdict } from '../../domain/pages/reading.ts'
import { ScrapeRequest } from '../../spec/scrape.ts'
import type { Acquired } from './acquire.ts'
import { frameOf } from './answer.ts'
import type { PageFacts } from '../../domain/pages/derivation.ts'
import { plan } from './plan.ts'

const url = 'https://site.test/page'
const planOf = (options: object): ReturnType<typeof plan> => plan(ScrapeRequest.parse({ url, ...options }), { features: new Set(), gates: { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] } }, 'a', 0)
const page: PageFacts = { metadata: {}, verdict: 'ok', scriptDemand: null, confidence: null, removals: [], warnings: [] }
const facts = { scrapeId: 'one', credits: 0, queuedMs: 0, warnings: [] }
const scripted = { scriptDemand: 'the page is an empty shell' }

function acquiredOf(capture: Partial<Capture>, bytes: number | null): Acquired {
  const whole: Capture = { requestedUrl: url, url, status: 200, headers: [], body: new Uint8Array(9), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0, ...capture }
  const entry = { id: 'e', team: 'a', key: 'k', fetchedAt: 0, head: '{}', blob: 'b', bytes: bytes ?? 0 }
  const confirmed = bytes === null ? null : { kind: 'found' as const, entry, capture: whole, memo: null, shot: null }
  return { capture: whole, found: null, confirmed, consulted: true, tried: [], reason: '', warnings: [] }
}

/** The errors of a page, in the metadata and as a warning. */
function said(verdict: PageVerdict, of: { readonly capture?: Partial<Capture>; readonly page?: Partial<PageFacts>; readonly bytes?: number | null; readonly sourceFile?: string }): readonly (string | undefined)[] {
  const { metadata, warning } = frameOf(planOf({}), acquiredOf(of.capture ?? {}, of.bytes ?? null), { ...page, verdict, ...of.page }, { ...facts, sourceFile: of.sourceFile })
  return [metadata?.error, warning]
}

describe('an answer', () => {
  it.each([
    ['a 204', { capture: { status: 204, body: new Uint8Array() } }, 'The site answered with an empty body (status 204).'],
    ['a 404 without a body', { capture: { status: 404, body: new Uint8Array() } }, 'The site answered with an empty body (status 404).'],
    ['an empty file that was sent along', { capture: { body: new Uint8Array() }, sourceFile: 'empty.html' }, 'The file is empty.'],
    ['a page without content and scripts', {}, 'The page has no content.'],
    ['a page whose scripts did not run', { page: scripted }, 'The page has no content without running its scripts.'],
    ['a page whose scripts ran for nothing', { page: scripted, capture: { engine: 'browser' } }, 'The page has no content.'],
    ['a page that is not modified, whose body is not read again', { page: scripted, capture: { body: new Uint8Array() }, bytes: 9 }, 'The page has no content without running its scripts.'],
  ] as [string, Parameters<typeof said>[1], string][])('states the facts about %s', (_name, of, text) => {
    expect(said('empty', of)).toEqual([text, text])
  })

  it('says what was missing when a page was read', () => {
    expect(said('ok', { capture: { missing: ['frame', 'script'] } })).toEqual([undefined, 'A frame of the page did not load in time; what it shows is missing. A script of the page does not end: it was stopped, and the page was read as it was.'])
    expect(said('ok', { capture: { missing: ['content'] } })).toEqual([undefined, 'The page still said that it was loading when it was read; content may be missing.'])
  })

  it('reports nothing but the status of a normal page', () => {
    expect(said('ok', {})).toEqual([undefined, undefined])
    expect(said('ok', { capture: { status: 404 } })).toEqual(['The site answered with status 404.', undefined])
  })

  it.each([
    ['of the country asked for', { location: { country: 'JP' } }, 'browser', 'Asia/Tokyo'],
    ['of the US where none is', {}, 'browser', 'America/New_York'],
    ['not where no script could ask for it', { location: { country: 'JP' } }, 'http', undefined],
  ] as const)('tells the time zone in which a page was drawn, %s', (_name, options, engine, zone) => {
    expect(frameOf(planOf(options), acquiredOf({ engine }, null), { ...page, metadata: { timezone: 'of the page' } }, facts).metadata?.['timezone']).toBe(zone)
  })

  it('tells where a page came from, how it was fetched, and what it cost', () => {
    const metadataOf = (of: { readonly capture?: Partial<Capture>; readonly page?: Partial<PageFacts>; readonly facts?: Partial<Parameters<typeof frameOf>[3]>; readonly acquired?: Partial<Acquired> }) =>
      frameOf(planOf({}), { ...acquiredOf({ url: 'https://site.test/led', ...of.capture }, null), ...of.acquired }, { ...page, ...of.page }, { ...facts, credits: 5, ...of.facts }).metadata
    const told = { scrapeId: 'one', sourceURL: url, url: 'https://site.test/led', statusCode: 200, verdict: 'ok', proxyUsed: 'basic', cacheState: 'miss', creditsUsed: 5 }
    expect(metadataOf({})).toEqual(told)
    expect(metadataOf({ capture: { proxy: 'enhanced', tlsVerified: false, headers: [['content-type', 'text/html']] } })).toEqual({ ...told, proxyUsed: 'stealth', tlsVerified: false, contentType: 'text/html' })
    expect(metadataOf({ facts: { queuedMs: 1_500, sourceFile: 'a.html' } })).toEqual({ ...told, concurrencyLimited: true, concurrencyQueueDurationMs: 1_500, sourceFile: 'a.html' })
    expect(metadataOf({ page: { confidence: 0.5, modelCallSaved: true, metadata: { title: 'T', creditsUsed: '0', verdict: 'fine' } } })).toEqual({ ...told, contentConfidence: 0.5, modelCallsSaved: 1, title: 'T' })
    const { confirmed } = acquiredOf({}, 9)
    expect(metadataOf({ capture: { at: 60_000 }, acquired: { found: confirmed } })).toEqual({ ...told, cacheState: 'hit', cachedAt: '1970-01-01T00:01:00.000Z' })
    const { cacheState: _, ...uncached } = told
    expect(metadataOf({ acquired: { consulted: false } })).toEqual(uncached)
  })

  it('explains itself on request, and says that a page was cut', () => {
    const explained = (more: Partial<Acquired>, options: object = { explain: true }) => frameOf(planOf(options), { ...acquiredOf({}, null), reason: 'asked for', tried: [{ engine: 'http', outcome: 'captured', ms: 3 }], ...more }, { ...page, removals: [{ step: 'nav', count: 2 }] }, facts).explain
    const explain = { engine: 'http', reason: 'asked for', cache: 'miss', tried: [{ engine: 'http', outcome: 'captured', ms: 3 }], removals: [{ step: 'nav', count: 2 }] }
    expect([explained({}), explained({ found: acquiredOf({}, 9).confirmed }), explained({}, { explain: true, headers: { a: 'b' } })]).toEqual([explain, { ...explain, cache: 'hit' }, { ...explain, cache: 'skipped' }])
    expect(explained({}, {})).toBeUndefined()
    expect(said('ok', { capture: { truncated: true } })).toEqual([undefined, 'The page is larger than what is read, or its site broke off; its end is missing.'])
    expect(frameOf(planOf({}), acquiredOf({ waitedMs: 400.7 }, null), page, { ...facts, warnings: ['One.', 'One.'] }).warning).toBe('waitFor: the page was read after 400 of 0 milliseconds, as `timeout` left no more. One.')
  })
})
