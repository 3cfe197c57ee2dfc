import { expect, it } from 'vitest'
import type { Acquired } from '../scrape/acquire.ts'
import { pack } from '../../domain/pages/packed.ts'
import { isWithheld } from './track.ts'

it.each([[{}, false], [{ late: true }, true], [{ busy: true }, true]] as const)('a page of which is known %j is not there to be compared: %s', (facts, withheld) => {
  const capture: Acquired['capture'] = { requestedUrl: 'https://site.test/scan.pdf', url: 'https://site.test/scan.pdf', status: 200, headers: [], body: new Uint8Array(), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }
  const page = pack({ fields: {}, metadata: {}, verdict: 'ok', scriptDemand: null, confidence: null, removals: [], warnings: [], ...facts })
  expect(isWithheld({ acquired: { capture, found: null, confirmed: null, consulted: false, tried: [], reason: '', warnings: [] }, page })).toBe(withheld)
})
