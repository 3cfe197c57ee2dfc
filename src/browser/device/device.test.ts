import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestPages, testPages } from '../../../test/pages.ts'
import { type Site, startSite } from '../../../test/site/index.ts'
import { tiers } from '../../../test/tiers.ts'
import type { Order } from '../../domain/pages/capture.ts'
import { placeOf } from '../../domain/fetching/places.ts'
import { countryOf } from '../../spec/common.ts'
import { visit } from '../page/visit.ts'
import { contextTerms } from './terms.ts'
import { identity } from './user-agent.ts'
import { deviceFor } from './device.ts'

interface Brand {
  readonly brand: string
  readonly version: string
}
/** What `/scripts/report` reports for one context. */
interface Seen {
  readonly [key: string]: unknown
  readonly userAgent: string
  readonly languages: readonly string[]
  readonly hints: { readonly brands: readonly Brand[]; readonly mobile: boolean; readonly platform: string }
  readonly entropy: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly screen: { readonly width: number; readonly height: number; readonly availWidth: number; readonly availHeight: number; readonly depth: number; readonly orientation: string }
  readonly window: { readonly innerWidth: number; readonly innerHeight: number; readonly outerWidth: number; readonly outerHeight: number; readonly devicePixelRatio: number; readonly dppx: boolean }
}
interface Report {
  readonly navigation: Readonly<Record<string, string>>
  readonly fetched: Readonly<Record<string, string>>
  readonly main: Seen
  readonly frames: readonly Seen[]
  readonly worker: Seen
  readonly place: readonly [number, number] | number | null
}

const base: Order = { url: '', headers: {}, languages: ['en-US', 'en'], skipTlsVerification: true }

const told = ({ userAgent, appVersion, platform, languages, language, hardwareConcurrency, deviceMemory, timeZone, locale, offset, number, hints, entropy }: Seen): unknown =>
  ({ userAgent, appVersion, platform, languages, language, hardwareConcurrency, deviceMemory, timeZone, locale, offset, number, hints, entropy })

const brandHeader = (brands: readonly Brand[]): string => brands.map(({ brand, version }) => `"${brand}";v="${version}"`).join(', ')

/** The contradictions in a report, by name. */
function contradictions({ navigation, fetched, main, frames, worker }: Report): readonly string[] {
  const major = /Chrome\/(\d+)\./.exec(main.userAgent)?.[1]
  const { hints, screen, window } = main
  const weights = main.languages.map((tag, at) => (at === 0 ? tag : `${tag};q=${(1 - at / 10).toFixed(1)}`)).join(',')
  const isPhone = /Android/.test(main.userAgent)
  const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
  const requests = [navigation, fetched, ...frames.map((frame) => frame.headers)]
  const checks: readonly (readonly [string, boolean])[] = [
    ['main and frames', frames.every((frame) => same(told(frame), told(main)) && frame['webdriver'] === main['webdriver'] && same(frame['plugins'], main['plugins']) && same(frame.screen, main.screen))],
    ['main and worker', same(told(worker), told(main))],
    ['user agent header', requests.every((headers) => headers['user-agent'] === main.userAgent)],
    ['language header', requests.every((headers) => headers['accept-language'] === weights)],
    ['brand header', requests.every((headers) => headers['sec-ch-ua'] === brandHeader(hints.brands))],
    ['platform header', requests.every((headers) => headers['sec-ch-ua-platform'] === `"${hints.platform}"` && headers['sec-ch-ua-mobile'] === (hints.mobile ? '?1' : '?0'))],
    ['full version header', fetched['sec-ch-ua-full-version-list'] === undefined || same(fetched['sec-ch-ua-full-version-list'], brandHeader(main.entropy['fullVersionList'] as readonly Brand[]))], // in the browser's format
    ['brand versions', hints.brands.filter(({ brand }) => brand !== hints.brands.find((one) => one.brand.startsWith('Not'))?.brand).every(({ version }) => version === major) && hints.brands.length === 3],
    ['headless', !/headless/i.test(JSON.stringify([main, navigation, fetched, worker]))],
    ['app version', main.userAgent === `Mozilla/${String(main['appVersion'])}`],
    ['language', main['language'] === main.languages[0]],
    ['locale', String(main['locale']).split('-')[0] === main.languages[0]?.split('-')[0]],
    ['webdriver', main['webdriver'] === false],
    ['mobile', hints.mobile === isPhone && (Number(main['maxTouchPoints']) > 0) === isPhone && main['touchEvents'] === isPhone && main['hover'] === !isPhone && same(main['pointer'], [isPhone ? 'coarse' : 'fine'])],
    ['model', (main.entropy['model'] !== '') === isPhone && same(main.entropy['formFactors'], [isPhone ? 'Mobile' : 'Desktop'])],
    ['system', isPhone ? hints.platform === 'Android' && /armv8/.test(String(main['platform'])) : main.userAgent.includes(String(main['platform']).split(' ')[0] ?? '?') && main.userAgent.includes(hints.platform)],
    ['screen', window.innerWidth <= window.outerWidth && window.innerHeight <= window.outerHeight && window.outerWidth <= screen.availWidth && window.outerHeight <= screen.availHeight && screen.availWidth <= screen.width && screen.availHeight <= screen.height && screen.depth === 24],
    ['orientation', screen.orientation.startsWith(screen.width < screen.height ? 'portrait' : 'landscape')],
    ['pixels', window.dppx],
    ['plugins', isPhone ? same(main['plugins'], []) : main['pdfViewerEnabled'] === true && (main['plugins'] as readonly string[]).length === 5 && (main['mimeTypes'] as readonly string[]).length === 2], // lists of names
    ['plugin kind', main['pluginKind'] === '[object PluginArray]' && same(main['pluginsOwn'], [])],
    ['chrome object', main['chrome'] === 'object'],
    ['vendor', main['vendor'] === 'Google Inc.'],
    ['notifications', main['notification'] === (main['notifications'] === 'prompt' ? 'default' : main['notifications'])],
  ]
  return checks.filter(([, holds]) => !holds).map(([name]) => name)
}

describe.each(tiers)('what a page sees of its visitor in the %s tier', (tier) => {
  let site: Site
  let pages: TestPages
  beforeAll(async () => {
    ;[site, pages] = await Promise.all([startSite(), testPages()])
  })
  afterAll(async () => {
    await pages.close()
    await site.close()
  })

  async function bodyOf(path: string, more: Partial<Order>): Promise<string> {
    const order = { ...base, url: site.url(path), tier, ...more }
    const terms = contextTerms(order)
    const call = { id: '', team: '', signal: AbortSignal.timeout(20_000), deadline: Date.now() + 20_000, retention: 'normal', log: () => undefined } as const
    const visited = await pages.use({ ...terms, quiet: tier === 'enhanced' }, (page) => visit(page, { order, terms }, { clock: { now: Date.now }, maxBytes: 1e7 }, call))
    if (visited.kind !== 'captured') throw new Error('not captured')
    return Buffer.from(visited.capture.body).toString()
  }
  async function reportOf<T>(path: string, more: Partial<Order>): Promise<T> {
    const text = /<pre id="report">(.*?)<\/pre>/s.exec(await bodyOf(path, more))?.[1] ?? ''
    return JSON.parse(text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')) as T // the format of the page of the test site
  }
  const reportFor = (more: Partial<Order>): Promise<Report> => reportOf('/scripts/report', more)

  const visitors = [
    ['a desktop', {}, 'America/New_York', ['en-US', 'en']],
    ['a phone', { mobile: true }, 'America/New_York', ['en-US', 'en']],
    ['a desktop in Germany', { country: 'DE', languages: ['de-DE', 'de', 'en'] }, 'Europe/Berlin', ['de-DE', 'de', 'en']],
    ['a phone in Japan', { country: 'JP', languages: ['ja-JP', 'ja', 'en'], mobile: true }, 'Asia/Tokyo', ['ja-JP', 'ja', 'en']],
    ['a desktop in Brazil', { country: 'BR', languages: ['pt-BR'] }, 'America/Sao_Paulo', ['pt-BR', 'pt']],
  ] as const

  it.each(visitors)('is consistent: %s', async (_name, order, timeZone, languages) => {
    const report = await reportFor(order)
    expect({ contradictions: contradictions(report), timeZone: report.main['timeZone'], languages: report.main.languages }).toEqual({ contradictions: [], timeZone, languages })
  })

  it.each(visitors)('is the same in workers of all kinds, frames of other sites and popups: %s', async (_name, order) => {
    const { main, ...others } = await reportOf<Readonly<Record<string, Seen>>>('/walls/everywhere', order)
    const phone = 'mobile' in order
    const window = { ...main, width: phone ? 412 : 1920, webdriver: false, chrome: 'object', plugins: phone ? 0 : 5 }
    expect(others).toEqual({ worker: main, nested: main, shared: main, frame: window, window })
  })

  it(`${tier === 'basic' ? 'reveals' : 'does not reveal'} that a client listens to its scripts`, async () => {
    const body = await bodyOf('/walls/driver', {})
    expect([/<p>.*?Found: ([^<]*)/.exec(body)?.[1], /<title>(.*?)</.exec(body)?.[1]]).toEqual(tier === 'basic' ? ['stack, worker stack', 'Just a moment...'] : [undefined, 'Tide tables'])
  })

  it('has the requested country, and no location if none was requested', async () => {
    const place = placeOf('DE')
    expect((await reportFor({ country: 'DE' })).place).toEqual([place?.latitude, place?.longitude])
    expect((await reportFor({})).place).not.toEqual(expect.any(Array))
  })

  it("uses the caller's user agent, without anything that contradicts it", async () => {
    const { main, navigation } = await reportFor({ headers: { 'User-Agent': 'Harbour/1.0' } })
    expect([main.userAgent, navigation['user-agent'], navigation['sec-ch-ua'] ?? '', JSON.stringify(main.hints?.brands ?? [])]).toEqual(['Harbour/1.0', 'Harbour/1.0', '', '[]'])
  })
})

describe('the identity of a device', () => {
  it('has brands in the order and with the filler of that version of Chromium', () => {
    expect(identity('HeadlessChrome/151.0.7700.3', deviceFor(false)).metadata.brands).toEqual([
      { brand: 'Not=A?Brand', version: '99' },
      { brand: 'Google Chrome', version: '151' },
      { brand: 'Chromium', version: '151' },
    ])
    expect(identity('156.0.8078.79', deviceFor(false)).metadata.fullVersionList).toEqual([
      { brand: 'Not:A-Brand', version: '8.0.0.0' },
      { brand: 'Chromium', version: '156.0.8078.79' },
      { brand: 'Google Chrome', version: '156.0.8078.79' },
    ])
  })
})

describe('locations', () => {
  it('have an existing time zone and a position for every country that requests may name', () => {
    const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
    const unknown = ['EU', 'EZ', 'UN', 'ZZ', 'XA', 'XB', 'QO']
    const codes = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => names.of(code) !== undefined && !unknown.includes(code))
    const bad = codes.filter((code) => {
      const place = placeOf(countryOf(code) ?? '')
      if (place === undefined || !(Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180)) return true
      return new Intl.DateTimeFormat('en', { timeZone: place.timeZone }).resolvedOptions().timeZone === ''
    })
    expect([codes.length > 240, bad]).toEqual([true, []])
  })
})
