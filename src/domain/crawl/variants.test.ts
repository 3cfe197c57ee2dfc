import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { addsTo, maxRank, variance } from './variants.ts'

const rankOf = (link: string): number => {
  const url = new URL(link, 'https://site.example')
  return variance(url, url.hash).rank
}

describe('the rank of an address', () => {
  it.each([
    [0, ['/', '/p/12', '/docs/page-2/', '/a?', '/specials/offer', '/events/2026/summer-fair', '/2026/11/24/storm', '/reports/2026', '/calendar']],
    [1, ['/viewtopic.php?t=5', '/?p=12', '/index.php?id=4', '/search?q=tide', '/viewtopic.php?t=5#top']],
    [2, ['/calendar/2031/05', '/events/month/2026-11/', '/events/2026-11-24', '/2026/11/', '/blog/2026/11/24/', '/c/shoes?page=2', '/blog/page/3/', '/index.php?option=content&id=4', '/viewforum.php?f=1&t=2', '/a?b=1&c=2']],
    [3, ['/c/shoes?color=red', '/c?filter[size]=m', '/c?filter%5Bsize%5D=m', '/c?min_price=4', '/c?price-max=9', '/viewforum.php?f=1&start=25']],
    [4, ['/c/shoes?sort=price', '/p/1?share=x', '/wiki/Special:Random', '/c?view=grid', '/c?Order=asc', '/issues.atom', '/news/feed/', '/c?q=']],
    [5, ['/viewtopic.php?p=77#p77', '/showthread.php?pid=7#pid7', '/viewtopic.php?t=4&view=print', '/index.php?title=A&oldid=4']],
    [3, ['/doku.php?id=a&do=index', '/doku.php?id=a&idx=b']],
    [5, ['/doku.php?id=a&do=revisions', '/doku.php?id=a&do=', '/doku.php?id=a&tab_files=search', '/projects?id=4&jump=news', '/news?a=1&format=atom']],
    [7, ['/c/shoes?color=red&sort=name']],
    [maxRank, ['/c?sort=a&dir=b&view=grid&color=red&size=m&page=2']],
  ])('is %i: %j', (rank, links) => expect(links.map((link) => [link, rankOf(link)])).toEqual(links.map((link) => [link, rank])))

  it('is uncertain if a parameter says nothing', () => {
    const doubtful = (search: string): boolean => variance({ pathname: '/c', search }, '').doubtful
    expect(['', '?id=1', '?page=2', '?sort=a', '?id=1&sort=a'].map(doubtful)).toEqual([false, true, false, false, true])
  })

  it('is that of an addition if the link keeps all that the query of its page says', () => {
    const adds = (link: string, page: string): boolean => addsTo(new URL(link, 'https://site.example'), new URL(page, 'https://site.example'))
    expect([adds('/w?id=a&x=1', '/w?id=a'), adds('/w?x=1&id=a', '/w?id=a'), adds('/w?id=b&x=1', '/w?id=a'), adds('/v?id=a&x=1', '/w?id=a'), adds('/w?id=a', '/w?id=a'), adds('/w?id=a', '/w'), adds('/w?id=a&page=2', '/w?id=a')]).toEqual([true, true, false, false, false, false, false])
  })

  it('is determined quickly', () => {
    const search = `?${'a=1&'.repeat(2_000)}`
    expect(cpuMs(() => Array.from({ length: 200 }, () => variance({ pathname: '/c', search }, `#${'1'.repeat(4_000)}`)))).toBeLessThan(2_000)
  })
})
