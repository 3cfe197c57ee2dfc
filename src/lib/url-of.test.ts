import { expect, it } from 'vitest'
import { urlOf } from './url-of.ts'

it('answers the URL, or null', () => {
  expect([urlOf('http://a.example/b?c#d')?.href, urlOf('/b', 'http://a.example/x')?.href, urlOf('/b'), urlOf(''), urlOf('http://')]).toEqual(['http://a.example/b?c#d', 'http://a.example/b', null, null, null])
})

it('knows hosts with umlauts and accents, however often it was asked', () => {
  // As they come in bodies of requests: in one piece, a byte a letter.
  const [plain, umlaut] = JSON.parse('["http://example.com/","http://b\\u00fccher.example/"]') as [string, string] // the text before
  const lost = Array.from({ length: 20_000 }, () => urlOf(plain) !== null && urlOf(umlaut)?.hostname).filter((host) => host !== 'xn--bcher-kva.example')
  expect(lost).toEqual([])
})
