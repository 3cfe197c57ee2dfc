import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../test/cpu.ts'
import { type Rankable, ranking } from './rank.ts'

/** The documents in the order of their ranking. */
const rank = <T extends Rankable>(query: string, documents: readonly T[]): readonly T[] => {
  const ranked = ranking<T>(query)
  for (const document of documents) ranked.add(document)
  return ranked.order()
}

const page = (path: string, title?: string, description?: string): Rankable => ({ url: `https://site.example${path}`, title, description })
const order = (query: string, ...pages: readonly Rankable[]): string[] => rank(query, pages).map(({ url }) => url.replace('https://site.example', ''))
/** Which of these pages stand before one that fits nothing. */
const fits = (query: string, ...pages: readonly Rankable[]): string[] => {
  const ranked = order(query, page('/zzz'), ...pages)
  return ranked.slice(0, ranked.indexOf('/zzz'))
}

describe('order by relevance', () => {
  it('pages that fit come first, others follow in their order', () => {
    expect(order('pricing', page('/b'), page('/a'), page('/pricing'), page('/c'))).toEqual(['/pricing', '/b', '/a', '/c'])
  })

  it('the title outweighs the address, the address the description', () => {
    expect(order('billing', page('/x1', 'Some thing', 'billing thing'), page('/billing', 'Some thing', 'other thing'), page('/x2', 'Billing thing', 'other thing'))).toEqual(['/x2', '/billing', '/x1'])
  })

  it('a rare word outweighs a common one', () => {
    const common = Array.from({ length: 20 }, (_, i) => page(`/docs/${i}`, 'Docs'))
    expect(order('docs webhooks', ...common, page('/webhook', 'Other'))[0]).toBe('/webhook')
  })

  it('more words of the query are better, a short text is better than a long one', () => {
    expect(order('rate limits', page('/rate'), page('/rate/limits'), page('/some/very/long/path/about/rate/limits'))).toEqual(['/rate/limits', '/some/very/long/path/about/rate/limits', '/rate'])
  })

  it.each([
    ['sm2', page('/sm2'), [page('/sm1'), page('/sm/2'), page('/sm-1', 'Page 2 of SM 2', 'sm sm 2 2'), page('/2/sm')]],
    ['sm2', page('/x', 'Some words before SM2 comes'), [page('/sm/1', 'SM 1'), page('/sm/2', 'SM 2')]],
    ['getUserById', page('/api/getuserbyid'), [page('/user/by/id', 'Get user'), page('/get-user', 'By id')]],
    ['iphone15', page('/iPhone15'), [page('/iphone/15', 'iPhone 15'), page('/iphone-14')]],
    ['éa1', page('/%C3%89A1'), [page('/éa/1', 'éa 1')]],
  ])('%s as a whole outweighs its parts', (query, whole, parts) => {
    expect(rank(query, [...parts, whole])[0]).toBe(whole)
  })

  it('the parts of a word together are worth one word', () => {
    expect(order('getUserById tariff', page('/get/id'), page('/tariff'), page('/x'))).toEqual(['/tariff', '/get/id', '/x'])
  })

  it('repeats do not win by number', () => {
    expect(order('a1 tiger lion', page('/x', 'tiger tiger tiger tiger tiger tiger'), page('/y', 'tiger lion'))[0]).toBe('/y')
  })

  it('equals keep their order, and nothing is lost or doubled', () => {
    const pages = Array.from({ length: 50 }, (_, i) => page(`/${i % 2 === 0 ? 'blog' : 'news'}/${i}`))
    const ranked = rank('blog', pages)
    expect(ranked).toEqual([...pages.filter((_, i) => i % 2 === 0), ...pages.filter((_, i) => i % 2 === 1)])
  })

  it.each([
    ['user id', ['/getUserByID']],
    ['javascript', ['/JavaScript']],
    ['JavaScript', ['/javascript']],
    ['iphone15', ['/iphone-15']],
    ['getUserById', ['/get-user']],
    ['v2', ['/api/v2/x']],
    ['iphone 15', ['/iPhone15']],
    ['http server', ['/HTTPServer']],
    ['price', ['/prices']],
    ['policies', ['/policy']],
    ['cafe', ['/caf%C3%A9']],
    ['Über uns', ['/ueber', '/uber'].slice(1)],
    ['strasse', ['/Stra%C3%9Fe']],
    ['ΑΘΉΝΑ', ['/%CE%B1%CE%B8%CE%AE%CE%BD%CE%B1']],
    ['製品', ['/%E8%A3%BD%E5%93%81%E6%83%85%E5%A0%B1']],
    ['москва', ['/Москва']],
    ['Łódź', ['/lodz', '/ŁÓDŹ']],
    ['da nang', ['/Đà_Nẵng']],
    ['Tromsø', ['/tromso']],
    ['İstanbul ışıkları', ['/istanbul-isiklari']],
  ])('%s is found in %s', (query, paths) => expect(fits(query, ...paths.map((path) => page(path)))).toEqual(paths))

  it.each([
    ['rice', '/price'],
    ['sm2', '/sms'],
    ['m2', '/sm12'],
    ['doc', '/documentation'],
    ['https', '/x'],
    ['bu', '/bus'],
    ['a', '/%ff%zz'],
    ['', '/x'],
    ['!?', '/x'],
    ['constructor', '/toString'],
  ])('%j is not found in %s', (query, path) => expect(fits(query, page(path))).toEqual([]))

  it('of nothing is nothing', () => expect(rank('x', [])).toEqual([]))

  it('100,000 pages take about a second', () => {
    const pages = Array.from({ length: 100_000 }, (_, i) => page(`/products/category-${i % 50}/item-${i}-blue`, `Item ${i} of the blue collection`, i % 10 === 0 ? 'A description with some more words in it' : undefined))
    let first: string | undefined
    expect(cpuMs(() => (first = rank('blue item 777', pages)[0]?.url))).toBeLessThan(5_000)
    expect(first).toBe('https://site.example/products/category-27/item-777-blue')
  })

  it('long texts and queries are linear and cut', () => {
    const pages = [page(`/${'a'.repeat(100_000)}`, 'A'.repeat(100_000), 'aB'.repeat(100_000)), page('/%'.repeat(50_000), 'é'.repeat(100_000))]
    expect(cpuMs(() => void rank(Array.from({ length: 50_000 }, (_, i) => `w${i}`).join(' '), pages))).toBeLessThan(1_000)
  })
})
