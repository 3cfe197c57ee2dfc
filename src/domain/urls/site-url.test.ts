import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { mainDomain, relation, type UrlRules, urlKey } from './site-url.ts'

const plain: UrlRules = { ignoreQueryParameters: false, deduplicateSimilarURLs: false }
const similar: UrlRules = { ...plain, deduplicateSimilarURLs: true }
const noQuery: UrlRules = { ...plain, ignoreQueryParameters: true }

describe('the key of a URL within a job', () => {
  it.each([
    ['HTTP://Site.EXAMPLE:80/a/../b', 'http://site.example/b'],
    ['https://site.example:443', 'https://site.example/'],
    ['https://site.example:8443/', 'https://site.example:8443/'],
    ['https://site.example./a', 'https://site.example/a'],
    ['https://user:secret@site.example/', 'https://site.example/'],
    ['https://site.example/a#part', 'https://site.example/a'],
    ['https://site.example/a#', 'https://site.example/a'],
    ['https://site.example/#!/route', 'https://site.example/#!/route'],
    ['https://site.example/#/route', 'https://site.example/#/route'],
    ['https://site.example/a?', 'https://site.example/a'],
    ['https://site.example/a?b=2&a=1', 'https://site.example/a?b=2&a=1'],
    ['https://site.example/a?x=%7E&y=a+b&z', 'https://site.example/a?x=%7E&y=a+b&z'],
    ['https://site.example/a?utm_source=x&UTM_Medium=y&id=1&gclid=z&fbclid', 'https://site.example/a?id=1'],
    ['https://site.example/a?mc_eid=1&mc_cid=2&msclkid=3', 'https://site.example/a'],
    ['https://site.example/a?ref=1&source=2&xutm_source=3&gclid2=4', 'https://site.example/a?ref=1&source=2&xutm_source=3&gclid2=4'],
    ['https://site.example/t.php?t=4&sid=0123456789abcdef0123456789abcdef', 'https://site.example/t.php?t=4'],
    ['https://site.example/?s=0123456789abcdef0123456789abcdef&PHPSESSID=q1', 'https://site.example/'],
    ['https://site.example/?sid=12&s=shoes&session=4', 'https://site.example/?sid=12&s=shoes&session=4'],
    ['https://site.example/p?pr_prod_strat=use&pr_rec_id=1&pr_seq=uniform&srsltid=A', 'https://site.example/p'],
    ['https://site.example/post/?replytocom=7#respond', 'https://site.example/post/'],
    ['https://site.example/pub/?C=M;O=D', 'https://site.example/pub/'],
    ['https://site.example/?C=X;O=D&C=N', 'https://site.example/?C=X;O=D&C=N'],
    ['https://site.example/list.do;jsessionid=0A1B.node1?p=2', 'https://site.example/list.do?p=2'],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
    ['https://www.site.example/index.html', 'https://www.site.example/index.html'],
    ['https://site.example/a/', 'https://site.example/a/'],
    ['http://[2001:DB8::0:1]/', 'http://[2001:db8::1]/'],
  ])('of %s is %s', (url, key) => expect(urlKey(url, plain)).toBe(key))

  it.each([
    ['https://site.example/a?b=1#/route', 'https://site.example/a#/route'],
    ['https://site.example/a?', 'https://site.example/a'],
  ])('of %s without its query is %s', (url, key) => expect(urlKey(url, noQuery)).toBe(key))

  it.each([
    ['https://www.site.example/a/', 'http://site.example/a'],
    ['https://site.example/', 'http://site.example/'],
    ['https://site.example//', 'http://site.example/'],
    ['https://site.example/index.html', 'http://site.example/'],
    ['https://site.example/a/INDEX.PHP?x=1', 'http://site.example/a?x=1'],
    ['https://site.example/a/index.htm', 'http://site.example/a'],
    ['https://www.www.site.example/a/index.aspx//index.html/', 'http://site.example/a'],
    ['https://site.example/a/myindex.html', 'http://site.example/a/myindex.html'],
    ['https://site.example/index.html.bak', 'http://site.example/index.html.bak'],
    ['https://site.example/%7euser/%c3%bc%2f?q=%2a%41', 'http://site.example/~user/%C3%BC%2F?q=*A'],
    ['https://site.example/wiki/Foo_%28bar%29%27s%3A_%5B1%5D%2C%7Cx', "http://site.example/wiki/Foo_(bar)'s:_[1],|x"],
    ['https://site.example/?f%5b0%5d=a%3Ab%2Cc%26d%3De%2B%3B%23%25', 'http://site.example/?f[0]=a:b,c%26d%3De%2B%3B%23%25'],
    ["https://site.example/{a}'?b='c'", "http://site.example/{a}'?b='c'"],
    ['https://site.example:8443/a/', 'https://site.example:8443/a'],
    ['http://www.site.example:8080/', 'http://site.example:8080/'],
    ['https://www.example/', 'http://www.example/'],
    ['https://www2.site.example/', 'http://www2.site.example/'],
    ['https://site.example/A', 'http://site.example/A'],
    ['https://site.example/%2e%2e/%', 'http://site.example/%'],
  ])('of %s with similar URLs folded is %s', (url, key) => expect(urlKey(url, similar)).toBe(key))

  it('is its own key', () => {
    const urls = ['https://www.www.site.example/a/index.php/index.html/?utm_x=1&&b=%25%37%45#!x', 'http://site.example/%2569ndex.html', 'https://a.example/;a=b/./%2e/?%3d', 'https://a.example/%7b%27%7D^`?%27%7b%60|[']
    for (const rules of [plain, noQuery, similar]) expect(urls.map((url) => urlKey(urlKey(url, rules), rules))).toEqual(urls.map((url) => urlKey(url, rules)))
  })

  it('is computed in linear time', () => {
    const urls = ['/'.repeat(8_000), `${'/'.repeat(8_000)}x`, `?${'&'.repeat(8_000)}`, '%2'.repeat(4_000)].map((path) => `https://site.example/${path}`)
    for (const url of urls) expect(cpuMs(() => void Array.from({ length: 100 }, () => urlKey(url, similar)))).toBeLessThan(2_000)
  })
})

describe('sites', () => {
  it.each([
    ['docs.site.example.co.uk', 'example.co.uk'],
    ['example.com', 'example.com'],
    ['a.b.example.com.', 'example.com'],
    ['user.github.io', 'user.github.io'],
    ['deep.user.github.io', 'user.github.io'],
    ['github.io', 'github.io'],
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ])('the main domain of %s is %s', async (host, domain) => expect(await mainDomain(host)).toBe(domain))

  it.each([
    ['https://docs.example.com/', 'https://docs.example.com/a', 'same'],
    ['https://docs.example.com/', 'http://docs.example.com/a', 'same'],
    ['https://docs.example.com/', 'https://www.docs.example.com/a', 'same'],
    ['https://www.example.com/', 'https://example.com./a', 'same'],
    ['https://docs.example.com/', 'https://example.com/', 'subdomain'],
    ['https://docs.example.com/', 'https://blog.example.com/', 'subdomain'],
    ['https://example.com/', 'https://a.b.example.com/', 'subdomain'],
    ['https://example.com/', 'https://badexample.com/', 'external'],
    ['https://example.com/', 'https://example.com.evil.test/', 'external'],
    ['https://example.com/', 'https://example.com:8443/', 'external'],
    ['https://a.github.io/', 'https://b.github.io/', 'external'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000/x', 'same'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3001/x', 'external'],
    ['http://127.0.0.1/', 'http://1.127.0.0.1.nip.example/', 'external'],
    ['http://localhost:3000/', 'http://sub.localhost:3000/', 'subdomain'],
  ])('compared with %s, %s is %s', async (start, url, answer) => {
    const site = { url: new URL(start), domain: await mainDomain(new URL(start).hostname) }
    expect(relation(new URL(url), site)).toBe(answer)
  })

  it('have nothing below an address', () => {
    const site = { url: new URL('http://10.0.0.1/'), domain: '0.1' }
    expect(relation(new URL('http://10.9.0.1/'), site)).toBe('external')
  })
})
