import { describe, expect, it } from 'vitest'
import { chainCookies } from './cookies.ts'

/** The cookie header for `to` after `from` has set `cookies`. */
async function sent(from: string, cookies: readonly string[], to: string, base = ''): Promise<string> {
  const jar = chainCookies()
  await jar.store(new URL(from), cookies, 1_000)
  return jar.header(new URL(to), base, 1_000)
}

describe('cookies of a redirect chain', () => {
  it.each([
    ['to the host that set them', 'http://a.test/', ['x=1', 'y="2"; HttpOnly'], 'http://a.test/p', 'x=1; y="2"'],
    ['not to another host', 'http://a.test/', ['x=1'], 'http://b.test/', ''],
    ['not to a subdomain without a domain', 'http://a.test/', ['x=1'], 'http://www.a.test/', ''],
    ['to subdomains with a domain', 'http://www.example.com/', ['x=1; Domain=.example.com'], 'http://shop.example.com/', 'x=1'],
    ['not for a foreign domain', 'http://a.test/', ['x=1; Domain=b.test'], 'http://b.test/', ''],
    ['not for a public suffix', 'http://evil.co.uk/', ['x=1; Domain=co.uk'], 'http://bank.co.uk/', ''],
    ['of a suffix to that host itself', 'http://localhost/', ['x=1; Domain=localhost'], 'http://localhost/', 'x=1'],
    ['of a suffix not to hosts under it', 'http://github.io/', ['x=1; Domain=github.io'], 'http://a.github.io/', ''],
    ['not for a private suffix', 'http://evil.github.io/', ['x=1; Domain=github.io'], 'http://other.github.io/', ''],
    ['not for a part of an address', 'http://10.0.0.1/', ['x=1; Domain=0.0.1'], 'http://10.0.0.1/', ''],
    ['to another port, as browsers do', 'http://a.test:1/', ['x=1'], 'http://a.test:2/', 'x=1'],
    ['under their path', 'http://a.test/', ['x=1; Path=/p'], 'http://a.test/p/q', 'x=1'],
    ['not beside their path', 'http://a.test/', ['x=1; Path=/p'], 'http://a.test/pq', ''],
    ['under the folder of the page by default', 'http://a.test/p/page', ['x=1'], 'http://a.test/p/other', 'x=1'],
    ['not outside that folder', 'http://a.test/p/page', ['x=1'], 'http://a.test/q', ''],
    ['not secure ones in the clear', 'https://a.test/', ['x=1; Secure'], 'http://a.test/', ''],
    ['not secure ones set in the clear', 'http://a.test/', ['x=1; Secure'], 'https://a.test/', ''],
    ['not expired ones', 'http://a.test/', ['x=1; Max-Age=0', 'y=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'z=1; Max-Age=9'], 'http://a.test/', 'z=1'],
    ['the last of one name', 'http://a.test/', ['x=1', 'x=2'], 'http://a.test/', 'x=2'],
    ['not deleted ones', 'http://a.test/', ['x=1', 'x=; Max-Age=-1'], 'http://a.test/', ''],
    ['longer paths first', 'http://a.test/p/', ['x=1; Path=/', 'x=2; Path=/p'], 'http://a.test/p/', 'x=2; x=1'],
    ['nothing malformed', 'http://a.test/', ['', '=1', 'x', 'x=a\u0001b', `x=${'y'.repeat(5_000)}`], 'http://a.test/', ''],
  ])('are sent %s', async (_what, from, cookies, to, expected) => expect(await sent(from, cookies, to)).toBe(expected))

  it('replace pairs of the same name in the cookie header of the caller', async () => {
    expect(await sent('http://a.test/', ['x=new'], 'http://a.test/', 'a=1;x=old; b=2')).toBe('a=1; b=2; x=new')
  })

  it('are limited to a hundred', async () => {
    const many = Array.from({ length: 300 }, (_, at) => `c${at}=1`)
    expect((await sent('http://a.test/', many, 'http://a.test/')).split('; ')).toHaveLength(100)
  })
})
