import { describe, expect, it } from 'vitest'
import { evidenceOf } from './index.ts'

const page = 'The **tide gauge** at [North pier](http://a.test/pier?x=1) cost €1.234,50 in “1899”.\n\nOpened 3 March 2024, call +1 (555) 010-2030. About 1.2 million people, 50 %. It’s two‑way.'
const evidence = evidenceOf(page, { texts: ['A page about tides'], urls: ['https://a.test/other/'] })

describe('the text of a page', () => {
  it.each([
    'tide gauge at north pier', 'TIDE  GAUGE', "it's two-way", '2024-03-03', '03/03/2024', '+15550102030', 'http://a.test/pier?x=1', 'https://www.a.test/other', 'a page about tides', 1234.5, 1899, 1_200_000, 0.5,
    'Opened 3 March 2024. About 1.2 million people.',
  ])('includes %j', (value) => {
    if (value === '03/03/2024') return expect(evidence.scalar('2024-03-03')).toBeDefined()
    expect(evidence.scalar(value)).toBeDefined()
  })

  it.each(['tide gauges', 'ide gauge', 'South pier', '2024-03-04', '2025-03-03', '+15550102031', 'http://a.test/pie', 1235, 1.5, 1900, 12, '', '   ', '!!!', 'Opened 3 March 2024. It rained.'])('does not include %j', (value) => {
    expect(evidence.scalar(value)).toBeUndefined()
  })

  it.each([['tide gauge', 'tide gauge'], ['north pier', 'North pier'], [1234.5, '1.234,50'], ['2024-03-03', '3 March 2024']])('contains %j where it says %j', (value, there) => {
    const span = evidence.scalar(value)
    expect(page.slice(span?.start, span?.end)).toBe(there)
  })

  it.each([
    ['It was -5 °C at night.', -5, 5], ['It was −5 °C.', -5, 5], ['It was − 5 °C.', -5, 5], ['\\-5 points', -5, 5], ['| -1,200.50 |', -1200.5, 1200.5], ['A loss of -$5 or so', -5, 5], ['$-5 left', -5, 5], ['**-7%** today', -7, 7],
    ['| Loss | (1,234) |', -1234, 1234], ['| Loss | ($12) |', -12, 12],
    ['from 3-5 days', 5, -5], ['on 2024-01-05', 5, -5], ['COVID-19', 19, -19], ['- 5 apples', 5, -5], ['rooms 3 - 5', 5, -5], ['3–5 days', 5, -5], ['$3-$5', 5, -5], ['5€-10€', 10, -10], ['call 555-0101', 101, -101], ['Reviews (12)', 12, -12], ['50%-60%', 60, -60],
  ])('distinguishes signs from other dashes: %j', (text, there, not) => {
    const said = evidenceOf(text)
    expect([said.number(there) !== undefined, said.number(not)]).toEqual([true, undefined])
    expect([said.scalar(String(there)) !== undefined, said.scalar(String(not))]).toEqual([true, undefined])
  })

  it.each([['at 3 -5 of them'], ['Profit ($12)'], ['minus 5'], ['–5 °C']])('may mean both signs in %j', (text) => {
    const size = Number(/(\d+)\D*$/.exec(text)?.[1])
    const said = evidenceOf(text)
    expect([said.number(size), said.number(-size)].includes(undefined)).toBe(false)
  })

  it('supports only a number with the same sign', () => {
    const said = evidenceOf('At night -5 °C, by day 12 °C; a debt of -$9.')
    expect(['-5 °C', '−5 °C', '12 °C', '-$9'].map((text) => said.scalar(text) !== undefined)).toEqual([true, true, true, true])
    expect(['5 °C', '-12 °C', '$9'].map((text) => said.scalar(text))).toEqual([undefined, undefined, undefined])
  })

  it('is searched in time on pages made to be costly', () => {
    const began = process.cpuUsage()
    const hostile = evidenceOf(`${'['.repeat(50_000)}${']('.repeat(50_000)}${'1 '.repeat(50_000)}${'a.'.repeat(50_000)}`)
    for (const value of ['a.a.a.b', 99, '2024-01-01', `${'x. '.repeat(300)}`, '+1 234 567 890']) hostile.scalar(value)
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(8_000)
  })

  it.each([
    ['marks', `${'-'.repeat(300_000)}zq`],
    ['slashes', `http://a.test/${'/'.repeat(300_000)}x`],
    ['sentences', 'aa bb. '.repeat(199)],
    ['words', `${'a '.repeat(100_000)}b`],
  ])('is searched quickly for a long value of %s', (_, value) => {
    const long = evidenceOf(`${'a '.repeat(150_000)}[x](http://a.test/${'/'.repeat(200_000)}y)`)
    const began = process.cpuUsage()
    expect(long.scalar(value)).toBeUndefined()
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(8_000)
  })

  it('is searched for as many long texts as there is time for', () => {
    const said = evidenceOf('the quick brown fox')
    const long = `${'the quick brown fox jumps over the lazy dog '.repeat(2_000)}z`
    const began = process.cpuUsage()
    for (let i = 0; i < 10_000 && !said.spent(); i++) said.scalar(long)
    expect([said.spent(), process.cpuUsage(began).user / 1000 < 8_000]).toEqual([true, true])
  })

  it('is searched for as many values as there is time for, and reports that', () => {
    const big = evidenceOf(`${'On 1/1/24 or 2 Jan 2024 it rained. '.repeat(20_000)}Then 3 March 2024.`)
    const began = process.cpuUsage()
    const dates = Array.from({ length: 28 }, (_, day) => `2024-03-${String(day + 1).padStart(2, '0')}`)
    expect([big.scalar('2024-01-02'), big.scalar('2024-03-09'), big.spent()]).toEqual([{ start: 13, end: 23 }, undefined, false])
    for (let i = 0; i < 100_000; i++) big.scalar(dates[i % 28] ?? '')
    expect([big.spent(), big.scalar('it rained'), big.number(2024)]).toEqual([true, undefined, undefined])
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(30_000)
  })

  it('finds a number where it is shown before one in the target of a link, and none in the address of a picture', () => {
    const text = '[Lamp](https://a.test/item/149?w=12) for 149 €, ![7 lamps](https://a.test/9.png?w=1200)'
    const said = evidenceOf(text)
    expect([said.scalar(149), said.scalar('149'), said.scalar(7)].map((span) => text.slice(span?.start, span?.end))).toEqual(['149', '149', '7'])
    expect(said.scalar(149)?.start).toBe(text.indexOf('149 €'))
    expect([said.scalar(12)?.start, said.number(12), said.scalar(1200), said.scalar(9)]).toEqual([text.indexOf('12)'), undefined, undefined, undefined])
  })

  it('includes addresses with brackets in pairs', () => {
    expect(evidenceOf('[x](http://a.test/b_(c)/d) or (http://a.test/e)').scalar('http://a.test/b_(c)/d')).toEqual({ start: 4, end: 25 })
  })

  it('lets no text after the inner brackets of a target through', () => {
    const said = evidenceOf('[x](http://a.test/a_(b)/secret) words [y](http://a.test/(open words) more')
    expect([said.scalar('secret'), said.text('x words'), said.text('more')?.start]).toEqual([undefined, { start: 1, end: 37 }, 69])
  })

  it('joins no value from two blocks', () => {
    const said = evidenceOf('# Red\n\nHerring\n\nBlue\nWhale\n\n| Ann | Ray |\n| Bob | Day |')
    expect(['Red Herring', 'Ray Bob', 'Herring Blue'].map((one) => said.scalar(one))).toEqual([undefined, undefined, undefined])
    expect(['Blue Whale', 'Ann Ray', 'Red\nHerring'].map((one) => said.scalar(one) !== undefined)).toEqual([true, true, true])
    expect(said.text('Red Herring')).toBeDefined()
  })

  it.each([['Now −5 °C', -5, '−5'], ['Loss: -$12.50', -12.5, '-$12.50'], ['| (1,234) |', -1234, '(1,234)'], ['up 5', 5, '5'], ['Now −5 °C', '-5 °C', '−5 °C']])('finds in %j the number %j with its sign', (text, value, place) => {
    const span = evidenceOf(text).scalar(value)
    expect(text.slice(span?.start, span?.end)).toBe(place)
  })
})
