import { expect, it } from 'vitest'
import { urlOf, withoutCredentials } from './url-of.ts'

it('answers the URL, or null', () => {
  expect([urlOf('http://a.example/b?c#d')?.href, urlOf('/b', 'http://a.example/x')?.href, urlOf('/b'), urlOf(''), urlOf('http://')]).toEqual(['http://a.example/b?c#d', 'http://a.example/b', null, null, null])
})

it('knows hosts with umlauts and accents, however often it was asked', () => {
  // As they come in bodies of requests: in one piece, a byte a letter.
  const [plain, umlaut] = JSON.parse('["http://example.com/","http://b\\u00fccher.example/"]') as [string, string] // the text before
  const lost = Array.from({ length: 20_000 }, () => urlOf(plain) !== null && urlOf(umlaut)?.hostname).filter((host) => host !== 'xn--bcher-kva.example')
  expect(lost).toEqual([])
})

it('takes credentials out of an address, and leaves any other text as it is', () => {
  const written = ['http://user:secret@site.example/a?b#c', 'HTTPS://user@site.example', 'https:\\\\user:secret@site.example/a', 'https://:secret@site.example/']
  expect(written.map(withoutCredentials)).toEqual(['http://site.example/a?b#c', 'https://site.example/', 'https://site.example/a', 'https://site.example/'])
  for (const text of ['http://site.example/@a', 'http://site.example?a@b', 'http://site.example/a b', 'mailto:user@site.example', 'http://a@[', '']) expect(withoutCredentials(text)).toBe(text)
})
