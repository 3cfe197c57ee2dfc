import { describe, expect, it } from 'vitest'
import { attributeValues } from './attributes.ts'
import { parse } from '../html/parse.ts'
import { assertSelectors, Matcher, type PlacedSelector } from './selectors.ts'

function matched(html: string, selector: string): string[] {
  return new Matcher(parse(html).document).select(selector).elements.map((element) => element.attribs['id'] ?? element.name)
}

const placed = (...selectors: readonly string[]): PlacedSelector[] => selectors.map((selector, i) => ({ selector, path: ['includeTags', i] }))

describe('selectors of a request', () => {
  it.each(['p', '.a', '#a', '[href^="x"]', 'main > p + p', 'h2 ~ p', 'li:nth-child(2n+1)', ':not(.a, .b)', ':is(h1, h2)', 'a:first-of-type', '*'])('accepts %s', (selector) => {
    expect(() => assertSelectors(placed(selector))).not.toThrow()
  })

  it.each([
    '#\\31 a', '.\\31 a', '.md\\:w-1\\/2', '.\\2F a', '.é', '.日本', '.😀', '.-a', '.--a', '-a', 'my-tag', ':is(h1, .a > b)', ':where(.a)', ':not(a[b])', '[a="b" i]', '[a=b i]', "[a='b'S]", '[a|=b]', '[|a]', '[ a ~= "]" ]', '[a="\\""]',
    'a,b', ' a , b ', 'a>b', 'a/* x */.b', '/* x */ a/* y */ > b', ':nth-child(2n + 1 of p, .a)', ':lang(de)', '.a.b#c[d]:not(.e,f>g):first-child', '*.a', 'a\n b',
  ])('accepts what CSS allows: %j', (selector) => {
    expect(() => assertSelectors(placed(selector))).not.toThrow()
  })

  it.each([
    '..x', 'a b >', 'a ~', 'a +', '> a', '123', '[x=]', '[x!=a]', 'a!b', '.1a', '#1a', '.-', '.-1', 'a?', 'a$b', 'a < b', ':not(a >)', ':is(a, ..x)', ':not(:is(123))', 'a/**/b', '[a=b x]', '[1a]', '[a="b" i i]', '.a/* x', '.\u0000', ':not(1)',
  ])('refuses what CSS does not: %j', (selector) => {
    expect(() => assertSelectors(placed(selector))).toThrow('is not a CSS selector')
  })

  it.each(['[data-id=12]', '[href=/a/b.html]', '[a=b i]', '.\\31 a', '[a="b" i]', '#größe', '.--x', 'a:not(.b):nth-child(2n + 1)'])('takes %j', (selector) => {
    expect(() => assertSelectors(placed(selector))).not.toThrow()
  })

  it('means what a frame shows by the name and address that the frame had', () => {
    const page = '<div data-frame="https://jobs.example/embed?for=us" id="jobs"><p>x</p></div><div id="other" data-frame="3"></div>'
    expect(['iframe', 'iframe[src*="jobs.example"]', '#jobs', '[src]', 'iframe p', 'div'].map((selector) => matched(page, selector))).toEqual([['jobs'], ['jobs'], ['jobs'], ['jobs'], ['p'], ['other']])
  })

  it('parses a long one once', () => {
    for (const selector of [':not('.repeat(199), '[a='.repeat(333), '/*'.repeat(500), `:nth-child(${'('.repeat(400)}`, '\\'.repeat(999)]) expect(() => assertSelectors(placed(selector))).toThrow('Invalid selector')
  })

  it.each([
    ['', 'Invalid selector: the selector "" is empty.'],
    ['p:', 'Invalid selector: the selector "p:" is not a CSS selector.'],
    ['>>>', 'Invalid selector: the selector ">>>" is not a CSS selector.'],
    ['a[', 'Invalid selector: the selector "a[" is not a CSS selector.'],
    ['p::before', 'Invalid selector: the selector "p::before" is not a CSS selector.'],
    [':unknown', 'Invalid selector: the selector ":unknown" is not a CSS selector.'],
    ['div:has(p)', 'Invalid selector: the selector "div:has(p)" uses :has, which is not supported.'],
    ['div:has(> p)', 'Invalid selector: the selector "div:has(> p)" uses :has, which is not supported.'],
    [':not(:is(p:contains("x")))', 'Invalid selector: the selector ":not(:is(p:contains(\\"x\\")))" uses :contains, which is not supported.'],
    ['a '.repeat(40), `Invalid selector: the selector ${JSON.stringify('a '.repeat(40))} has more than 64 parts.`],
    ['a'.repeat(1001), `Invalid selector: the selector "${'a'.repeat(100)}" is longer than 1000 characters.`],
  ])('refuses %j', (selector, message) => {
    expect(() => assertSelectors(placed('p', selector))).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message, details: [{ code: 'custom', path: ['includeTags', 1], message: message.slice(0, -1) }] }))
  })

  it('are all reported if they are invalid', () => {
    const details = [1, 2].map((i) => ({ code: 'custom', path: ['includeTags', i], message: `Invalid selector: the selector "p${':'.repeat(i)}" is not a CSS selector` }))
    expect(() => assertSelectors(placed('p', 'p:', 'p::'))).toThrow(expect.objectContaining({ details }))
  })

  it('are limited to 200', () => {
    expect(() => assertSelectors(placed(...Array.from({ length: 201 }, () => 'p')))).toThrow('more than 200 selectors')
  })
})

describe('matching', () => {
  it('returns elements in document order', () => {
    expect(matched('<p id=a></p><div><p id=b></p></div><p id=c></p>', 'p')).toEqual(['a', 'b', 'c'])
  })

  it('aborts a selector that costs too much and says so', () => {
    const deep = '<div>'.repeat(400) + '<p>x</p>'.repeat(200)
    const selection = new Matcher(parse(deep).document).select('i div div div div div div p')
    expect(selection).toEqual({ elements: [], complete: false })
  })

  it('aborts sibling searches that would be quadratic', () => {
    expect(new Matcher(parse('<p></p>'.repeat(5000)).document).select('i ~ p').complete).toBe(false)
  })

  it('returns attribute values of the whole page, as written, and no object internals', () => {
    const matcher = new Matcher(parse('<nav><a href="/x">1</a></nav><a href="y#z">2</a><a>3</a>').document)
    const queries = [{ selector: 'a', attribute: 'HREF' }, { selector: 'a', attribute: 'constructor' }, { selector: 'b', attribute: 'href' }]
    expect(attributeValues(matcher, queries)).toEqual([
      { selector: 'a', attribute: 'HREF', values: ['/x', 'y#z'] },
      { selector: 'a', attribute: 'constructor', values: [] },
      { selector: 'b', attribute: 'href', values: [] },
    ])
  })

  it('returns the address that a frame had', () => {
    const matcher = new Matcher(parse('<div data-frame="https://jobs.example/embed"><p>x</p></div><iframe src="/b"></iframe><div data-frame="3"></div>').document)
    expect(attributeValues(matcher, [{ selector: 'iframe', attribute: 'src' }])).toEqual([{ selector: 'iframe', attribute: 'src', values: ['https://jobs.example/embed', '/b'] }])
  })
})
