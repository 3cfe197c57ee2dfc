import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { type Rankable, ranking } from './rank.ts'

/** The documents, ranked. */
const rank = <T extends Rankable>(query: string, documents: readonly T[]): readonly T[] => {
  const ranked = ranking<T>(query)
  for (const document of documents) ranked.add(document)
  return ranked.order()
}

const page = (path: string, title?: string, description?: string): Rankable => ({ url: `https://site.example${path}`, title, description })
const order = (query: string, ...pages: readonly Rankable[]): string[] => rank(query, pages).map(({ url }) => url.replace('https://site.example', ''))
/** Which of these pages rank above one that does not match. */
const fits = (query: string, ...pages: readonly Rankable[]): string[] => {
  const ranked = order(query, page('/zzz'), ...pages)
  return ranked.slice(0, ranked.indexOf('/zzz'))
}

describe('ranking by relevance', () => {
  it('puts matching pages first, and the others after them in their order', () => {
    expect(order('pricing', page('/b'), page('/a'), page('/pricing'), page('/c'))).toEqual(['/pricing', '/b', '/a', '/c'])
  })

  it('weighs the title more than the address, and the address more than the description', () => {
    expect(order('billing', page('/x1', 'Some thing', 'billing thing'), page('/billing', 'Some thing', 'other thing'), page('/x2', 'Billing thing', 'other thing'))).toEqual(['/x2', '/billing', '/x1'])
  })

  it('weighs a rare word more than a common one', () => {
    const common = Array.from({ length: 20 }, (_, i) => page(`/docs/${i}`, 'Docs'))
    expect(order('docs webhooks', ...common, page('/webhook', 'Other'))[0]).toBe('/webhook')
  })

  it('prefers more words of the query, and shorter texts', () => {
    expect(order('rate limits', page('/rate'), page('/rate/limits'), page('/some/very/long/path/about/rate/limits'))).toEqual(['/rate/limits', '/some/very/long/path/about/rate/limits', '/rate'])
  })

  it.each([
    ['sm2', page('/sm2'), [page('/sm1'), page('/sm/2'), page('/sm-1', 'Page 2 of SM 2', 'sm sm 2 2'), page('/2/sm')]],
    ['sm2', page('/x', 'Some words before SM2 comes'), [page('/sm/1', 'SM 1'), page('/sm/2', 'SM 2')]],
    ['getUserById', page('/api/getuserbyid'), [page('/user/by/id', 'Get user'), page('/get-user', 'By id')]],
    ['iphone15', page('/iPhone15'), [page('/iphone/15', 'iPhone 15'), page('/iphone-14')]],
    ['éa1', page('/%C3%89A1'), [page('/éa/1', 'éa 1')]],
  ])('weighs %s as a whole more than its parts', (query, whole, parts) => {
    expect(rank(query, [...parts, whole])[0]).toBe(whole)
  })

  it('counts the parts of a word together as one word', () => {
    expect(order('getUserById tariff', page('/get/id'), page('/tariff'), page('/x'))).toEqual(['/tariff', '/get/id', '/x'])
  })

  it('is not won by repetition', () => {
    expect(order('a1 tiger lion', page('/x', 'tiger tiger tiger tiger tiger tiger'), page('/y', 'tiger lion'))[0]).toBe('/y')
  })

  it('keeps the order of equals, and neither loses nor duplicates any', () => {
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
  ])('finds %s in %s', (query, paths) => expect(fits(query, ...paths.map((path) => page(path)))).toEqual(paths))

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
  ])('does not find %j in %s', (query, path) => expect(fits(query, page(path))).toEqual([]))

  it.each([
    ['install', '/docs/installation'],
    ['price', '/pricing'],
    ['shipping', '/ship'],
    ['configure', '/configuration'],
    ['integrations', '/integrate'],
    ['locate', '/location'],
    ['deploy', '/deployments'],
  ])('finds for %s what is derived from it, %s, behind the word itself', (query, path) => {
    expect(fits(query, page(path))).toEqual([path])
    expect(order(query, page(path), page(`/${query}`))).toEqual([`/${query}`, path])
  })

  it.each([
    ['station', '/state'],
    ['custom', '/customer'],
    ['author', '/authorization'],
    ['sting', '/st'],
    ['general', '/generation'],
  ])('does not take %s for a form of %s', (query, path) => expect(fits(query, page(path))).toEqual([]))

  it('lets words that any sentence has decide last', () => {
    expect(order('How do I get this invoice?', page('/how-do-i-do-this'), page('/old/invoice/archive'))).toEqual(['/old/invoice/archive', '/how-do-i-do-this'])
    expect(order('how to', page('/x'), page('/how-to'))).toEqual(['/how-to', '/x'])
  })

  it('of nothing is empty', () => expect(rank('x', [])).toEqual([]))

  it('of 100,000 pages takes about a second', () => {
    const pages = Array.from({ length: 100_000 }, (_, i) => page(`/products/category-${i % 50}/item-${i}-blue`, `Item ${i} of the blue collection`, i % 10 === 0 ? 'A description with some more words in it' : undefined))
    let first: string | undefined
    expect(cpuMs(() => (first = rank('blue item 777', pages)[0]?.url))).toBeLessThan(5_000)
    expect(first).toBe('https://site.example/products/category-27/item-777-blue')
  })

  it('truncates long texts and queries, in linear time', () => {
    const pages = [page(`/${'a'.repeat(100_000)}`, 'A'.repeat(100_000), 'aB'.repeat(100_000)), page('/%'.repeat(50_000), 'é'.repeat(100_000))]
    expect(cpuMs(() => void rank(Array.from({ length: 50_000 }, (_, i) => `w${i}`).join(' '), pages))).toBeLessThan(1_000)
  })
})
