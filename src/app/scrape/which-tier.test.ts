import { expect, it } from 'vitest'
import type { Call } from '../../domain/call.ts'
import type { Capture, Engine } from '../../domain/pages/capture.ts'
import type { Derivation } from '../../domain/pages/derivation.ts'
import { pack } from '../../domain/pages/packed.ts'
import { ScrapeRequest } from '../../spec/scrape.ts'
import { plan } from './plan.ts'
import type { PagePorts } from './ports.ts'
import { fetchedAtWall } from './which-tier.ts'

const url = 'https://site.test/page'
const page: Derivation = { fields: {}, metadata: {}, verdict: 'ok', scriptDemand: null, confidence: null, removals: [], warnings: [] }
const unpaid = 'The enhanced tier was not tried: the credits do not cover it.'

/** The tiers that a page was asked through, and what it warns of, at a site that refuses the basic tier. */
async function asked(options: object, affordable: boolean): Promise<{ readonly tiers: readonly string[]; readonly warnings: readonly string[] }> {
  const tiers: string[] = []
  const engine: Engine = {
    name: 'http', can: new Set(['enhanced-proxy']), cost: 1,
    async fetch({ tier = 'basic' }) {
      tiers.push(tier)
      return { kind: 'captured', capture: { requestedUrl: url, url, status: tier === 'basic' ? 403 : 200, headers: [['content-type', 'text/html']], body: new TextEncoder().encode('<p>page</p>'), engine: 'http', proxy: tier, tlsVerified: true, truncated: false, at: 0 } }
    },
  }
  const features = new Set(['enhanced-proxy'] as const)
  const ports = {
    engines: [engine], features, shelf: null, lessons: null,
    compute: { derive: async ({ status }: Capture) => pack({ ...page, verdict: status === 403 ? 'challenge' : 'ok' }) },
    pools: { basic: [], enhanced: [{ country: null }] },
    afford: async () => affordable,
    background: () => undefined,
    now: () => 0,
  } as unknown as PagePorts // those that are used for a page without files
  const call: Call = { id: 'call', team: 'a', signal: new AbortController().signal, deadline: 60_000, retention: 'normal', log: () => undefined }
  const wanted = plan(ScrapeRequest.parse({ url, ...options }), { features, gates: { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] } }, 'a', 0)
  const { acquired } = await fetchedAtWall({ plan: wanted }, ports, call)
  return { tiers, warnings: acquired.warnings }
}

it('a page that the enhanced tier might get says so if the credits do not cover that tier', async () => {
  expect(await asked({ proxy: 'auto' }, false)).toEqual({ tiers: ['basic'], warnings: [unpaid] })
  expect(await asked({ proxy: 'auto' }, true)).toEqual({ tiers: ['basic', 'enhanced'], warnings: [] })
  expect(await asked({ proxy: 'basic' }, false)).toEqual({ tiers: ['basic'], warnings: [] })
})
