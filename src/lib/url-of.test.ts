import { expect, it } from 'vitest'
import { urlOf, withoutCredentials } from './url-of.ts'

it('urlOf returns the URL, or null', () => {
  expect([urlOf('http://a.example/b?c#d')?.href, urlOf('/b', 'http://a.example/x')?.href, urlOf('/b'), urlOf(''), urlOf('http://')]).toEqual(['http://a.example/b?c#d', 'http://a.example/b', null, null, null])
})

it('urlOf accepts international host names, however often it is called', () => {
  // As in request bodies: a flat one-byte string.
  const [plain, umlaut] = JSON.parse('["http://example.com/","http://b\\u00fccher.example/"]') as [string, string] // the text before
  const lost = Array.from({ length: 20_000 }, () => urlOf(plain) !== null && urlOf(umlaut)?.hostname).filter((host) => host !== 'xn--bcher-kva.example')
  expect(lost).toEqual([])
})

it('credentials are removed from an address, and other text is unchanged', () => {
  const written = ['http://user:secret@site.example/a?b#c', 'HTTPS://user@site.example', 'https:\\\\user:secret@site.example/a', 'https://:secret@site.example/']
  expect(written.map(withoutCredentials)).toEqual(['http://site.example/a?b#c', 'https://site.example/', 'https://site.example/a', 'https://site.example/'])
  for (const text of ['http://site.example/@a', 'http://site.example?a@b', 'http://site.example/a b', 'mailto:user@site.example', 'http://a@[', '']) expect(withoutCredentials(text)).toBe(text)
})
