import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { readDefaults } from '../../domain/pages/reading.ts'
import { read } from '../reading.ts'

function linksOf(references: readonly string[], encoding: string): readonly string[] {
  const html = `<meta charset="${encoding}">${references.map((href) => `<a href="${href}">x</a>`).join('')}`
  const capture = { requestedUrl: 'https://site.example/a', url: 'https://site.example/a', status: 200, headers: [['content-type', 'text/html']], body: iconv.encode(html, encoding), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 } as const
  return read(capture, readDefaults).links()
}

describe('the queries of addresses', () => {
  it.each([
    ['windows-1251', '/поиск?q=кот #часть', 'https://site.example/%D0%BF%D0%BE%D0%B8%D1%81%D0%BA?q=%EA%EE%F2%20#%D1%87%D0%B0%D1%81%D1%82%D1%8C'],
    ['windows-1251', '?q=кот&amp;p=%E2', 'https://site.example/a?q=%EA%EE%F2&p=%E2'],
    ['gbk', '/s?wd=手机', 'https://site.example/s?wd=%CA%D6%BB%FA'],
    ['shift_jis', '/s?q=表&amp;x=1', 'https://site.example/s?q=%95%5C&x=1'],
    ['euc-kr', '/s?q=가', 'https://site.example/s?q=%B0%A1'],
    ['windows-1252', '/s?q=é&#x436;', 'https://site.example/s?q=%E9%26%231078%3B'],
    ['utf-8', '/s?q=кот', 'https://site.example/s?q=%D0%BA%D0%BE%D1%82'],
  ])('of a page in %s are encoded in its bytes: %s', (encoding, href, url) => {
    expect(linksOf([href], encoding)).toEqual([url])
  })
})
