import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ModelServer, startModelServer } from '../model-server.ts'
import { startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let model: ModelServer
let trawl: TestService
/** The same service with a language model. */
let wise: TestService

beforeAll(async () => {
  ;[site, model] = await Promise.all([startSite(), startModelServer()])
  const shared = { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port},127.0.0.1:${model.port}` }
  ;[trawl, wise] = await Promise.all([startTrawl({ settings: shared }), startTrawl({ settings: { ...shared, TRAWL_LLM_BASE_URL: model.url, TRAWL_LLM_MODEL: 'small' } })])
})
afterAll(async () => {
  await Promise.all([trawl.stop(), wise.stop()])
  await Promise.all([site.close(), model.close()])
})

// eslint-disable-next-line @typescript-eslint/no-explicit-any
const look = async (path: string, service = trawl): Promise<any> => (await service.scrape({ url: site.url(path), formats: ['branding'], maxAge: 0 })).json.data

describe('branding', () => {
  it('fills every field for a page that has them all, also for the official client', async () => {
    const client = new Firecrawl({ apiKey: testKey, apiUrl: trawl.base })
    const { branding } = await client.scrape(site.url('/brands/harbour'), { formats: ['branding'] })
    const drawn = expect.stringMatching(/^data:image\/svg\+xml;utf8,%3Csvg/)
    const stack = ['Inter', 'Segoe UI', 'sans-serif']
    expect(branding).toEqual({
      colorScheme: 'light',
      brandName: 'Harbour',
      logo: drawn,
      colors: { primary: '#1d4ed8', accent: '#f59e0b', background: '#ffffff', textPrimary: '#111827', textSecondary: '#6b7280', link: '#1d4ed8', success: '#16a34a', error: '#dc2626' },
      fonts: [{ family: 'Inter' }, { family: 'Poppins' }, { family: expect.any(String) }],
      typography: {
        fontFamilies: { primary: 'Inter', heading: 'Poppins' },
        fontStacks: { primary: stack, heading: ['Poppins', 'sans-serif'], body: stack, paragraph: stack },
        fontSizes: { h1: '48px', h2: '32px', h3: '18.72px', body: '16px' },
        fontWeights: { regular: 400, medium: 500, bold: expect.any(Number), h1: 700, h2: 600, body: 400 },
        lineHeights: { heading: 1.1, body: 1.6 },
      },
      spacing: { baseUnit: 8, borderRadius: '8px', gridGutter: 24, padding: { buttonVertical: 12, buttonHorizontal: 24, inputVertical: 8, inputHorizontal: 16, sectionVertical: 32, sectionHorizontal: 0 }, margins: { headingTop: 0, headingBottom: 16, paragraphTop: 0, paragraphBottom: 16 } },
      components: {
        buttonPrimary: { background: '#1d4ed8', textColor: '#ffffff', borderRadius: '8px', shadow: 'rgba(0, 0, 0, 0.2) 0px 1px 2px 0px' },
        buttonSecondary: { textColor: '#1d4ed8', borderColor: '#1d4ed8', borderRadius: '8px' },
        input: { background: '#ffffff', textColor: '#111827', borderColor: '#d1d5db', focusBorderColor: '#1d4ed8', borderRadius: '8px' },
      },
      icons: { style: 'outline', primaryColor: '#1d4ed8' },
      images: { logo: drawn, logoHref: site.url('/'), logoAlt: 'Harbour', favicon: site.url('/icon.svg'), ogImage: site.url('/og.png') },
      animations: { transitionDuration: '0.2s', easing: 'ease-in-out' },
      layout: { grid: { columns: 3, maxWidth: '1120px' }, headerHeight: '72px', footerHeight: '160px' },
    })
  })

  it('of a dark page uses the roles of its dark colours', async () => {
    const { branding } = await look('/brands/terminal')
    expect(branding).toMatchObject({ colorScheme: 'dark', colors: { primary: '#238636', secondary: '#21262d', accent: '#58a6ff', background: '#0d1117', textPrimary: '#c9d1d9', textSecondary: '#8b949e', link: '#58a6ff' }, typography: { fontFamilies: { primary: 'JetBrains Mono', code: 'Fira Code' } } })
  })

  it('of a paper without buttons contains neither button nor input', async () => {
    const { branding } = await look('/brands/paper')
    expect(branding.colors).toEqual({ primary: '#a3182f', background: '#fffdf7', textPrimary: '#121212', link: '#a3182f' })
    expect([branding.components, branding.icons, branding.images, branding.logo, branding.personality]).toEqual([undefined, undefined, undefined, undefined, undefined])
  })

  it("of a bare page contains no brand colour, because the colour of its links is the browser's", async () => {
    const { branding } = await look('/brands/bare')
    expect(branding.colors).toEqual({ background: '#ffffff', textPrimary: '#000000', link: '#0000ee' })
  })

  it("is measured independently of the page's own scripts", async () => {
    const { branding } = await look('/brands/traps')
    expect(branding).toMatchObject({ colors: { primary: '#c80000' }, components: { buttonPrimary: { background: '#c80000', textColor: '#ffffff' } } })
    expect(branding.colors.success).toBeUndefined()
  })

  it('costs nothing extra, and is cached with its page', async () => {
    const body = { url: site.url('/brands/paper'), formats: ['branding'] }
    const first = (await trawl.scrape(body)).json.data
    const second = (await trawl.scrape(body)).json.data
    expect([first.metadata.creditsUsed, second.metadata.cacheState]).toEqual([1, 'hit'])
    expect(second.branding).toEqual(first.branding)
    expect((await trawl.scrape({ ...body, formats: ['markdown'] })).json.data.metadata.cacheState).toBe('miss')
  })

  it('is missing for a file, with a warning', async () => {
    const data = await look('/files/report.pdf')
    expect([data.branding, data.warning]).toEqual([undefined, expect.stringContaining('branding:')])
  })

  it('has a counterpart in video: one that only scripts add to the page is found in the browser', async () => {
    const data = (await trawl.scrape({ url: site.url('/media/made'), formats: ['video'], explain: true, maxAge: 0 })).json.data
    expect(data.explain.tried.map(({ engine, outcome }: { engine: string; outcome: string }) => [engine, outcome])).toEqual([['http', 'its HTML names no audio or video'], ['browser', 'captured']])
    expect((await fetch(data.video)).headers.get('content-type')).toBe('video/mp4')
  })

  it('contains tone and personality only with a language model', async () => {
    const personality = { tone: 'minimalist', energy: 'low', targetAudience: 'People at harbours' }
    model.answers(() => JSON.stringify({ tone: { voice: 'calm and dry', emojiUsage: 'none' }, personality }))
    const { branding } = await look('/brands/paper', wise)
    expect(branding).toMatchObject({ personality, tone: { voice: 'calm and dry', emojiUsage: 'none' }, colors: { background: '#fffdf7' } })
    model.answers(() => JSON.stringify({ tone: { voice: 'x' }, personality: { tone: 'evil', energy: 'low' } }))
    const refused = await look('/brands/paper', wise)
    expect([refused.branding.personality, refused.branding.colors.background, refused.warning]).toEqual([undefined, '#fffdf7', expect.stringContaining('branding: no tone')])
  })
})
