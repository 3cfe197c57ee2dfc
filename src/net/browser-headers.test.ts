import { describe, expect, it } from 'vitest'
import { callerHeaders, requestHeaders } from './browser-headers.ts'

describe('Accept-Language', () => {
  it.each([
    [['en-US'], 'en-US,en;q=0.9'],
    [['en'], 'en'],
    [['de-DE', 'en'], 'de-DE,de;q=0.9,en;q=0.8'],
    [['en-GB', 'en-US', 'fr'], 'en-GB,en-US;q=0.9,en;q=0.8,fr;q=0.7'],
    [['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'], 'a,b;q=0.9,c;q=0.8,d;q=0.7,e;q=0.6,f;q=0.5,g;q=0.4,h;q=0.3,i;q=0.2,j;q=0.1'],
  ])('turns %j into %s', (languages, expected) => expect(requestHeaders(new URL('http://a.test/'), languages, [], '')).toContainEqual(['Accept-Language', expected]))
})

describe('callerHeaders', () => {
  it('removes headers of the connection, in any case', () => {
    const headers = { Host: 'x', 'content-length': '3', 'Transfer-Encoding': 'chunked', CONNECTION: 'close', 'Proxy-Authorization': 'x', 'X-A': ' 1 ' }
    expect(callerHeaders(headers)).toEqual([['X-A', '1']])
  })

  it.each<[string, string]>([['a b', ''], ['', ''], ['a:', ''], ['a\r\nb', ''], ['ä', ''], ['a', 'x\r\ny: z'], ['a', 'x\ny'], ['a', 'x\0'], ['a', '\u0001'], ['a', '☃']])(
    'refuses %j: %j',
    (name, value) => expect(() => callerHeaders({ [name]: value })).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' })),
  )
})

describe('requestHeaders', () => {
  const names = (url: string, caller: Record<string, string> = {}) => requestHeaders(new URL(url), ['en'], callerHeaders(caller), '').map(([name]) => name)

  it('are those of a browser over http', () => {
    expect(requestHeaders(new URL('http://a.test/'), ['en-US'], [], 'a=1')).toEqual([
      ['Upgrade-Insecure-Requests', '1'],
      ['User-Agent', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Safari/537.36'],
      ['Accept', expect.stringContaining('text/html,application/xhtml+xml')],
      ['Accept-Encoding', 'gzip, deflate'],
      ['Accept-Language', 'en-US,en;q=0.9'],
      ['Cookie', 'a=1'],
    ])
  })

  it('include client hints and fetch metadata over https and on loopback', () => {
    for (const url of ['https://a.test/', 'http://127.0.0.1/', 'http://localhost/', 'http://[::1]/']) {
      expect(names(url)).toEqual(expect.arrayContaining(['sec-ch-ua', 'Sec-Fetch-Mode']))
    }
  })

  it("contain the caller's values in their usual positions, and the caller's other headers after them", () => {
    expect(names('http://a.test/', { 'X-A': '1', accept: '*/*', 'user-agent': 'me' })).toEqual([
      'Upgrade-Insecure-Requests', 'user-agent', 'accept', 'Accept-Encoding', 'Accept-Language', 'X-A',
    ])
  })

  it("do not contradict the caller's user agent, and omit what the caller empties", () => {
    expect(names('https://a.test/', { 'User-Agent': 'me', accept: '' })).toEqual([
      'Upgrade-Insecure-Requests', 'User-Agent', 'Sec-Fetch-Site', 'Sec-Fetch-Mode', 'Sec-Fetch-User', 'Sec-Fetch-Dest', 'Accept-Encoding',
      'Accept-Language', 'Priority',
    ])
  })
})
