import { expect, it } from 'vitest'
import type { Call } from '../../domain/call.ts'
import { pack } from '../../domain/pages/packed.ts'
import type { Version } from '../../domain/pages/versions.ts'
import type { Acquired } from '../scrape/acquire.ts'
import type { Plan } from '../scrape/plan.ts'
import { comparedName, type PreviousPorts } from './previous.ts'
import { isWithheld, track, type TrackedPage } from './track.ts'

it.each([[{}, false], [{ late: true }, true], [{ busy: true }, true]] as const)('a page of which is known %j is not there to be compared: %s', (facts, withheld) => {
  const capture: Acquired['capture'] = { requestedUrl: 'https://site.test/scan.pdf', url: 'https://site.test/scan.pdf', status: 200, headers: [], body: new Uint8Array(), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }
  const page = pack({ fields: {}, metadata: {}, verdict: 'ok', scriptDemand: null, confidence: null, removals: [], warnings: [], ...facts })
  expect(isWithheld({ acquired: { capture, found: null, confirmed: null, consulted: false, tried: [], reason: '', warnings: [] }, page })).toBe(withheld)
})

it('takes a field for absent in the version before although every object inherits something of its name', async () => {
  const derive = { formats: [{ type: 'changeTracking', modes: ['json'], prompt: 'Who builds it?' }], read: {}, parsers: [], explain: false, model: 'small' }
  const plan = { request: { url: 'https://site.example/' }, tracking: derive.formats[0], derive } as unknown as Plan // part of a plan
  const page = (value: object) => pack({ fields: { markdown: 'Text.' }, metadata: {}, verdict: 'ok', scriptDemand: null, confidence: null, removals: [], warnings: [], tracked: { value, sources: {}, missing: [], done: true } })
  const previous = { at: 0, status: 'new', blob: 'before', head: JSON.stringify({ headers: [] }), compared: comparedName(plan.derive, { headers: [] }) } as Version // what is compared of one
  const ports = { versions: { latest: () => Promise.resolve(previous) }, blobs: { get: () => Promise.resolve(page({ year: 1999 }).bytes()) } } as unknown as PreviousPorts // those that are asked
  const now = { id: 'now', plan, acquired: { capture: { status: 200, headers: [], engine: 'http', truncated: false } }, page: page({ year: 1999, constructor: 'Tidewater' }) } as unknown as TrackedPage // part of a page
  const { said } = await track(now, ports, { team: 'one' } as Call) // its team
  expect(said).toMatchObject({ changeStatus: 'changed', json: { constructor: { previous: null, current: 'Tidewater' } } })
})
