import { describe, expect, it } from 'vitest'
import { conditions, confirms, freshened, validatorsOf } from './validators.ts'

const at = Date.parse('Sun, 22 Nov 2026 00:00:00 GMT')
const url = 'https://site.test/page?q=1'
const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
const of = (...headers: [string, string][]) => validatorsOf({ url: `${url}#part`, headers, at })

describe('the validator of a page', () => {
  it.each([
    ['a strong tag', [['etag', '"a"']], { etag: '"a"' }],
    ['a weak tag', [['etag', 'W/"a,b"']], { etag: 'W/"a,b"' }],
    ['an empty tag', [['etag', '""']], { etag: '""' }],
    ['a date', [['last-modified', date]], { lastModified: date }],
    ['both', [['last-modified', date], ['etag', ' "a" ']], { etag: '"a"', lastModified: date }],
  ] as [string, [string, string][], object][])('is %s', (_name, headers, expected) => {
    expect(of(...headers)).toEqual({ url, etag: undefined, lastModified: undefined, ...expected })
  })

  it.each([
    ['nothing given', []],
    ['a tag that would match everything', [['etag', '*']]],
    ['a tag without quotes', [['etag', 'a']]],
    ['a list of tags', [['etag', '"a", "b"']]],
    ['two tags', [['etag', '"a"'], ['etag', '"b"']]],
    ['a tag with characters that no header may carry', [['etag', '"ä"']]],
    ['a tag that smuggles a header', [['etag', '"a"\r\nX: y']]],
    ['a tag of two kilobytes', [['etag', `"${'a'.repeat(2_048)}"`]]],
    ['a date to come', [['last-modified', 'Sun, 22 Nov 2026 00:00:01 GMT']]],
    ['a date in words', [['last-modified', 'yesterday']]],
    ['a day that does not exist', [['last-modified', 'Sat, 77 Nov 2026 10:00:00 GMT']]],
  ] as [string, [string, string][]][])('is not %s', (_name, headers) => expect(of(...headers)).toBeNull())

  it('is sent to the address that gave the page, whatever the fragment, and nowhere else', () => {
    const both = of(['etag', '"a"'], ['last-modified', date]) ?? undefined
    expect(conditions(both, `${url}#other`)).toEqual([['If-None-Match', '"a"'], ['If-Modified-Since', date]])
    expect(conditions(of(['last-modified', date]) ?? undefined, url)).toEqual([['If-Modified-Since', date]])
    expect([conditions(both, 'https://site.test/page'), conditions(both, 'http://site.test/page?q=1'), conditions(undefined, url)]).toEqual([[], [], []])
  })
})

describe('a 304 answer', () => {
  const says = (etag: string | null, stored: [string, string], from = url) =>
    confirms({ url: from, headers: etag === null ? [] : [['etag', etag]] }, { url, etag: undefined, lastModified: undefined, [stored[0]]: stored[1] })

  it.each([
    ['with the same tag', '"a"', ['etag', '"a"']],
    ['without a tag', null, ['etag', '"a"']],
    ['with the weak form of the tag', 'W/"a"', ['etag', '"a"']],
    ['with the strong form of the tag', '"a"', ['etag', 'W/"a"']],
    ['to a date', null, ['lastModified', date]],
  ] as [string, string | null, [string, string]][])('is believed %s', (_name, etag, stored) => expect(says(etag, stored)).toBe(true))

  it.each([
    ['with another tag', '"b"', ['etag', '"a"'], url],
    ['with a tag where none was asked about', '"b"', ['lastModified', date], url],
    ['from elsewhere', '"a"', ['etag', '"a"'], 'https://site.test/login'],
  ] as [string, string, [string, string], string][])('is not believed %s', (_name, etag, stored, from) => expect(says(etag, stored, from)).toBe(false))
})

it('updates the headers of the stored page, except those of the message and those that its bytes were read with', () => {
  const stored: [string, string][] = [['etag', '"a"'], ['set-cookie', 'a=1'], ['x-kept', '1'], ['content-type', 'text/html'], ['content-length', '900'], ['set-cookie', 'b=2']]
  const given: [string, string][] = [
    ['etag', 'W/"a"'], ['set-cookie', 'c=3'], ['date', 'now'], ['content-type', 'text/plain'], ['content-length', '0'], ['content-encoding', 'gzip'],
    ['connection', 'close, X-Hop'], ['x-hop', '1'], ['transfer-encoding', 'chunked'], ['keep-alive', 'timeout=5'],
  ]
  expect(freshened(stored, given)).toEqual([['x-kept', '1'], ['content-type', 'text/html'], ['content-length', '900'], ['etag', 'W/"a"'], ['set-cookie', 'c=3'], ['date', 'now']])
})

it('cannot make the headers of a stored page grow endlessly', () => {
  const many = (start: string): [string, string][] => Array.from({ length: 40 }, (_, at) => [`${start}-${at}`, 'x'.repeat(1_000)])
  expect(freshened([], many('a'))?.length).toBe(40)
  expect(freshened(many('a'), many('b'))).toBeNull()
})
