import { expect, it } from 'vitest'
import { readDefaults } from '../../domain/pages/reading.ts'
import { ScrapeRequest } from '../../spec/scrape.ts'
import { comparedName } from '../changes/previous.ts'
import { plan } from './plan.ts'
import { memoName } from './shelf.ts'

it('a page is read with the defaults if the request sets no options', () => {
  const request = ScrapeRequest.parse({ url: 'https://site.example/' })
  const gates = { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] }
  expect(plan(request, { features: new Set(), gates }, 't', 0).derive.read).toEqual(readDefaults)
})

it('text recognition is part of how files are read, so that no reading without it stands for one with it', () => {
  const names = [null, 'eng', 'eng+deu'].map((ocr) => {
    const { derive } = plan(ScrapeRequest.parse({ url: 'https://site.example/scan.pdf' }), { features: new Set(), gates: { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] }, ocr }, 't', 0)
    return [memoName(derive), comparedName(derive)]
  })
  expect(new Set(names.flat()).size).toBe(6)
  const { derive } = plan(ScrapeRequest.parse({ url: 'https://site.example/scan.pdf', parsers: [] }), { features: new Set(), gates: { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] }, ocr: 'eng' }, 't', 0)
  expect(derive.ocr).toBeUndefined()
})
