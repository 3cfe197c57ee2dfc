import { expect, it } from 'vitest'
import { readDefaults } from '../../domain/pages/reading.ts'
import { ScrapeRequest } from '../../spec/scrape.ts'
import { plan } from './plan.ts'

it('a page is read with the defaults if the request sets no options', () => {
  const request = ScrapeRequest.parse({ url: 'https://site.example/' })
  const gates = { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] }
  expect(plan(request, { features: new Set(), gates }, 't', 0).derive.read).toEqual(readDefaults)
})
