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
    const compared = (type: string): string => comparedName(derive, { headers: [['content-type', type]] })
    return { file: [memoName(derive), compared('application/pdf')], text: compared('text/html; charset=utf-8') }
  })
  expect(new Set(names.flatMap(({ file }) => file)).size).toBe(6)
  // A page that is text is compared as before.
  expect(new Set(names.map(({ text }) => text)).size).toBe(1)
  const { derive } = plan(ScrapeRequest.parse({ url: 'https://site.example/scan.pdf', parsers: [] }), { features: new Set(), gates: { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] }, ocr: 'eng' }, 't', 0)
  expect(derive.ocr).toBeUndefined()
})
