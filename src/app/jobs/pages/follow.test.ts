import { expect, it } from 'vitest'
import { crawlRules } from '../../../domain/crawl/rules.ts'
import { CrawlRequest } from '../../../spec/crawl.ts'
import { remember, sorted } from './follow.ts'
import { toldShelf } from './told.ts'

const start = 'http://harbour.test/'
const rules = crawlRules(CrawlRequest.parse({ url: start, maxDiscoveryDepth: 2 }), { url: new URL(start), domain: 'harbour.test', allowedByRobots: () => true })

/** The links of a crawl. */
function crawl() {
  const told = toldShelf(1_000).open()
  // Of the crawl nothing but its rules is asked here.
  const known = { told, crawl: { rules: () => rules } } as unknown as Parameters<typeof sorted>[2]
  const found = (links: readonly string[], depth: number, external = false, follows = true): readonly string[] => {
    const part = sorted(links, { depth, external, followed: follows }, known)
    remember(told, part)
    return [...part.pages.map(({ url }) => url), ...part.skipped.map(({ url, reason }) => `${reason}: ${url}`)]
  }
  return { told, found }
}

it('judges a link once, however often it is found', () => {
  const { found } = crawl()
  const links = ['http://harbour.test/a/', 'https://other.test/b']
  expect([found(links, 0), found(links, 0), found(links, 1)]).toEqual([['http://harbour.test/a/', 'external: https://other.test/b'], [], []])
})

it('accepts a link from a page that is not too deep after one from a page that is', () => {
  const { found } = crawl()
  const links = ['http://harbour.test/deep']
  expect([found(links, 2), found(links, 0)]).toEqual([['depth: http://harbour.test/deep'], ['http://harbour.test/deep']])
})

it('reports a page to the store again if a shorter path leads to it', () => {
  const { found } = crawl()
  const links = ['http://harbour.test/deep']
  expect([found(links, 1), found(links, 1), found(links, 0), found(links, 1), found(links, 0)]).toEqual([links, [], links, [], []])
})

it('tells the store that depth is limited, and says of a skipped link by which code', () => {
  const found = (options: object) => {
    const rules = crawlRules(CrawlRequest.parse({ url: start, allowExternalLinks: true, ...options }), { url: new URL(start), domain: 'harbour.test' })
    const known = { told: toldShelf(1_000).open(), crawl: { rules: () => rules } } as unknown as Parameters<typeof sorted>[2] // only the rules of the crawl are used
    return sorted([`${start}a`, 'https://other.test/'], { depth: 0, external: false, followed: true }, known)
  }
  const skipped = [expect.objectContaining({ url: 'https://other.test/', reason: 'external', code: 'EXTERNAL_LINK' })]
  const page = { url: `${start}a`, depth: 1 }
  expect(found({ maxDiscoveryDepth: 2 })).toMatchObject({ pages: [{ ...page, depthLimited: true }], skipped })
  expect(found({})).toMatchObject({ pages: [expect.not.objectContaining({ depthLimited: true })], skipped })
})

it('accepts a link from a page of the site after one from another site', () => {
  const { found } = crawl()
  const links = ['http://harbour.test/linked']
  expect([found(links, 0, true), found(links, 0)]).toEqual([['external: http://harbour.test/linked'], ['http://harbour.test/linked']])
})

it('gives the reason by a page of the site after one by another site', () => {
  const { found } = crawl()
  const links = ['http://harbour.test/logo.png']
  expect([found(links, 0, true), found(links, 0), found(links, 1, true)]).toEqual([['external: http://harbour.test/logo.png'], ['excluded: http://harbour.test/logo.png'], []])
})

it('reports each spelling of a page to the store once, and no link of another site to a page of the frontier', () => {
  const { found } = crawl()
  const [plain, slash, index] = ['http://harbour.test/a', 'http://harbour.test/a/', 'https://harbour.test/a/index.html']
  expect([found([plain, slash, `${plain}#top`, `${slash}?utm_source=x`], 0), found([slash, plain, index], 1), found([plain, slash], 1, true)]).toEqual([[plain, slash], [index], []])
})

it('reports a link of a page whose links are not followed as not included, until another page leads to it', () => {
  const { found } = crawl()
  const links = ['http://harbour.test/linked', 'http://harbour.test/logo.png', 'https://other.test/b']
  expect(found(links, 0, false, false)).toEqual(['not-included: http://harbour.test/linked', 'excluded: http://harbour.test/logo.png', 'external: https://other.test/b'])
  expect([found(links, 0, false, false), found(links, 1)]).toEqual([[], ['http://harbour.test/linked']])
})

it('reports to the store how likely a link is a variant of a page, and that a sitemap also names it', () => {
  const told = toldShelf(1_000).open()
  const rules = crawlRules(CrawlRequest.parse({ url: start }), { url: new URL(start), domain: 'harbour.test' })
  const known = { told, crawl: { rules: () => rules } } as unknown as Parameters<typeof sorted>[2] // only the rules of the crawl are used
  const found = (link: string, from: Parameters<typeof sorted>[1]) => {
    const part = sorted([link], from, known)
    remember(told, part)
    return part.pages.map(({ rank, variantOf }) => ({ rank, variantOf }))
  }
  const page = { depth: 0, external: false, followed: true }
  expect(found(`${start}a?sort=name`, page)).toEqual([{ rank: 4, variantOf: undefined }])
  const link = `${start}ships/?id=4`
  expect([found(link, page), found(link, page), found(link, null), found(link, null), found(link, page)]).toEqual([[{ rank: 1, variantOf: `${start}ships` }], [], [{ rank: undefined, variantOf: undefined }], [], []])
})

it('ranks pages lower whose links the site does not want followed, or which add to the page with the link, until another link leads to them', () => {
  const told = toldShelf(1_000).open()
  const rules = crawlRules(CrawlRequest.parse({ url: start, allowExternalLinks: true }), { url: new URL(start), domain: 'harbour.test' })
  const known = { told, crawl: { rules: () => rules } } as unknown as Parameters<typeof sorted>[2] // only the rules of the crawl are used
  const found = (link: string, marked: boolean, page = start) => {
    const part = sorted([link], { depth: 0, external: false, followed: true, url: new URL(page), unfollowed: new Set(marked ? [link] : []) }, known)
    remember(told, part)
    return part.pages.map(({ rank }) => rank ?? 0)
  }
  const link = `${start}signs`
  expect([found(link, true), found(link, true), found(link, false), found(link, true), found(link, false)]).toEqual([[4], [], [0], [], []])
  const view = `${start}w?id=a&x=1`
  expect([found(view, false, `${start}w?id=a`), found(view, false, `${start}w?id=b`), found(view, true)]).toEqual([[4], [2], []])
  expect([found('https://other.test/page', true), found(`${start}doc.zip`, true)]).toEqual([[0], []])
})

it('brings a page nearer that a link not to be followed has named, where depth is limited', () => {
  const { told } = crawl()
  const known = { told, crawl: { rules: () => rules } } as unknown as Parameters<typeof sorted>[2] // only the rules of the crawl are used
  const link = `${start}signs`
  const found = (depth: number, marked: boolean) => {
    const part = sorted([link], { depth, external: false, followed: true, unfollowed: new Set(marked ? [link] : []) }, known)
    remember(told, part)
    return [...part.pages.map((page) => [page.depth, page.rank ?? 0]), ...part.skipped.map(({ reason }) => reason)]
  }
  expect([found(1, true), found(1, true), found(2, true), found(0, true), found(0, false), found(0, true), found(2, false)]).toEqual([[[2, 4]], [], [], [[1, 4]], [[1, 0]], [], []])
})
