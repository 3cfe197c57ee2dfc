import { describe, expect, it } from 'vitest'
import { readDefaults } from '../../domain/pages/reading.ts'
import { read } from '../reading.ts'
import { liftedBy, tracesOf } from './rules.ts'

const places = (html: string) =>
  read(
    { url: 'http://a.test/', requestedUrl: 'http://a.test/', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), truncated: false, tlsVerified: true, engine: 'http', proxy: 'basic', at: 0 },
    readDefaults,
  ).places()
const lamp = (name: string, price: string, day: string): string => `<h1>${name}</h1><p class="price">${price}</p><p class="by">by ${name} &amp; Sons, Ltd</p><ul><li>Made <b>${day}</b></li><li>Sold <b>never</b></li></ul><p style="display:none">${name}</p>`

describe('rules of a template', () => {
  it('return the values at the same places of another page', () => {
    const traces = tracesOf(places(lamp('Aida', '€ 1.234,50', '3 March 2024')), { name: 'aida', price: 1234.5, day: '2024-03-03', none: null, absent: 'nowhere' })
    expect([traces['none'], traces['absent']]).toEqual([[], []])
    const rules = Object.fromEntries(Object.entries(traces).filter(([, list]) => list.length > 0).map(([name, list]) => [name, list.filter(({ label }) => label === null || label === 'Made').slice(0, 1)]))
    expect(liftedBy(places(lamp('Bela', '€ 7,25', '9 May 2025')), rules)).toEqual({ name: 'Bela', price: 7.25, day: '2025-05-09' })
    expect(rules['day']?.[0]).toMatchObject({ label: 'Made', form: 'date' })
  })

  it.each([
    ['is not there', '<h1>Bela</h1>'],
    ['is there twice', lamp('B', '€ 7,25', '1 May 2025') + '<p class="price">€ 8</p>'],
    ['holds several numbers', lamp('B', '7,25 or 8', '1 May 2025')],
    ['may mean two numbers', lamp('B', '1.234', '1 May 2025')],
    ['is not seen', lamp('B', '5', '1 May 2025').replace('class="price"', 'class="price" hidden')],
  ])('return nothing if their place %s', (_, html) => {
    const { price = [] } = tracesOf(places(lamp('Aida', '€ 1.234,50', '3 March 2024')), { price: 1234.5 })
    expect(price.length).toBeGreaterThan(0)
    expect(liftedBy(places(html), { price })).toEqual({ price: null })
  })

  const shelf = (goods: readonly (readonly [string, string | null])[], more = ''): string => `<h1>Shelf</h1><table class="head"><tr class="row"><th>Name</th></tr></table><ul class="goods">${goods.map(([name, price]) => `<li class="good"><b class="name">${name}</b><div>${price === null ? '' : `<i class="price">€ ${price}</i>`}</div></li>`).join('')}</ul>${more}`
  const goods = [{ name: 'Rope', price: 8 }, { name: 'Lamp', price: null }, { name: 'Sail', price: 90.5 }]

  it('return lists of entries with their fields', () => {
    const { all = [], names = [] } = tracesOf(places(shelf([['Rope', '8'], ['Lamp', null], ['Sail', '90,50']])), { all: goods, names: ['Rope', 'Lamp', 'Sail'] })
    const other = places(shelf([['Oar', null], ['Net', '3']]))
    expect(liftedBy(other, { all, names })).toEqual({ all: [{ name: 'Oar', price: null }, { name: 'Net', price: 3 }], names: ['Oar', 'Net'] })
    expect(liftedBy(places(shelf([])), { all, names })).toEqual({ all: null, names: null })
  })

  it.each([
    ['an entry lacks what all have', shelf([['Oar', '2']], '<ul class="goods"><li class="good"><div><i class="price">€ 7</i></div></li></ul>')],
    ['an entry has it twice', shelf([['Oar</b><b class="name">Paddle', '2']])],
    ['a number is none', shelf([['Oar', 'on request']])],
  ])('return no list if %s', (_, html) => {
    const { all = [] } = tracesOf(places(shelf([['Rope', '8'], ['Lamp', null], ['Sail', '90,50']])), { all: goods })
    expect(all.length).toBeGreaterThan(0)
    expect(liftedBy(places(html), { all })).toEqual({ all: null })
  })

  it('are not made from a list that is not found in one place', () => {
    expect(tracesOf(places(shelf([['Rope', '8'], ['Lamp', null], ['Sail', '90,50']])), { all: goods.slice(0, 2), names: ['Rope', 'Sail'] })).toEqual({ all: [], names: [] })
  })

  it('take linear time on any page', () => {
    const began = process.cpuUsage()
    for (const html of ['<div class="a">'.repeat(20_000), '<p>x</p>'.repeat(30_000), `<b>${'1 '.repeat(30_000)}</b>`.repeat(3)]) {
      const all = places(html)
      liftedBy(all, tracesOf(all, { a: 'x', b: 1, c: Array.from({ length: 200 }, () => 'x'), d: Array.from({ length: 200 }, () => ({ e: 'x', f: 1 })) }))
    }
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(6_000)
  })
})
