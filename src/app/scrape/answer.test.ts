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
})
