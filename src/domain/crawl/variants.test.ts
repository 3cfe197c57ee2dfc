import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { maxRank, variance } from './variants.ts'

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
    [4, ['/c/shoes?sort=price', '/p/1?share=x', '/wiki/Special:Random', '/c?view=grid', '/c?Order=asc']],
    [5, ['/viewtopic.php?p=77#p77', '/showthread.php?pid=7#pid7', '/viewtopic.php?t=4&view=print', '/index.php?title=A&oldid=4']],
    [7, ['/c/shoes?color=red&sort=name']],
    [maxRank, ['/c?sort=a&dir=b&view=grid&color=red&size=m&page=2']],
  ])('is %i: %j', (rank, links) => expect(links.map((link) => [link, rankOf(link)])).toEqual(links.map((link) => [link, rank])))

  it('is uncertain if a parameter says nothing', () => {
    const doubtful = (search: string): boolean => variance({ pathname: '/c', search }, '').doubtful
    expect(['', '?id=1', '?page=2', '?sort=a', '?id=1&sort=a'].map(doubtful)).toEqual([false, true, false, false, true])
  })

  it('is determined quickly', () => {
    const search = `?${'a=1&'.repeat(2_000)}`
    expect(cpuMs(() => Array.from({ length: 200 }, () => variance({ pathname: '/c', search }, `#${'1'.repeat(4_000)}`)))).toBeLessThan(2_000)
  })
})
