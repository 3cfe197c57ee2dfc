import { describe, expect, it } from 'vitest'
import { urlReader } from './plain-url.ts'

const parts = ['href', 'protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'] as const
const pick = (url: Readonly<Record<(typeof parts)[number], string>>) => Object.fromEntries(parts.map((part) => [part, url[part]]))

describe('the parser of plain URLs', () => {
  it('returns what URL returns, whatever the text', () => {
    const read = urlReader((text) => new URL(text))
    const origins = ['http://a.example', 'https://a.example', 'http://a.example:80', 'http://a.example:8080', 'http://A.example', 'http://u:p@a.example', 'http://127.0.0.1', 'http://127.1', 'http://bücher.example', 'ftp://a.example']
    const pieces = ['/', '//', 'a', 'b.html', '.', '..', '%61', '%2e', '~x_y-z', '?', '?a=b', '#', '#/r', ' ', '\\', '\t', 'ü', '@', ':', '.a', 'c.']
    let at = 7
    const next = (count: number): number => (at = (at * 48_271) % 2_147_483_647) % count
    for (let i = 0; i < 20_000; i++) {
      const origin = origins[next(origins.length)] ?? ''
      // Twice per origin, because the second URL is parsed by its characters.
      for (let twice = 0; twice < 2; twice++) {
        const text = origin + Array.from({ length: next(5) }, () => pieces[next(pieces.length)]).join('')
        let expected: URL
        try {
          expected = new URL(text)
        } catch {
          expect(() => read(text)).toThrow(TypeError)
          continue
        }
        expect({ text, ...pick(read(text)) }).toEqual({ text, ...pick(expected) })
      }
    }
  })

  it('does not parse simple paths at a known origin', () => {
    const asked: string[] = []
    const read = urlReader((text) => (asked.push(text), new URL(text)))
    for (const text of ['http://a.example/', 'http://a.example/b/c.html', 'http://a.example/b?d', 'http://a.example.evil.example/b']) read(text)
    expect(asked).toEqual(['http://a.example/', 'http://a.example/b?d', 'http://a.example.evil.example/b'])
  })
})
