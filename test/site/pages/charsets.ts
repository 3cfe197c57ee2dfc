import { type Page, type Pages } from '../page.ts'

function bytesPage(type: string, ...parts: readonly (string | readonly number[])[]): Page {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))
  return (_visit, answer) => answer.send(200, { 'content-type': type }, body)
}

/** “Café” — 5 €, in windows-1252 */
const western = [0x93, 0x43, 0x61, 0x66, 0xe9, 0x94, 0x20, 0x97, 0x20, 0x35, 0x20, 0x80]
/** こんにちは, in Shift_JIS and in EUC-JP */
const shiftJis = [0x82, 0xb1, 0x82, 0xf1, 0x82, 0xc9, 0x82, 0xbf, 0x82, 0xcd]
const eucJp = [0xa4, 0xb3, 0xa4, 0xf3, 0xa4, 0xcb, 0xa4, 0xc1, 0xa4, 0xcf]
/** 你好, in GBK */
const gbk = [0xc4, 0xe3, 0xba, 0xc3]
/** Привет, in windows-1251 */
const cyrillic = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]

function around(meta: string): readonly [string, string] {
  return [`<!doctype html><html><head>${meta}<title>Charset</title></head><body><main><h1>`, '</h1><p>Text of the page.</p></main></body></html>']
}

const [bare, tail] = around('')

function withMeta(charset: string, bytes: readonly number[]): Page {
  return bytesPage('text/html', around(`<meta charset="${charset}">`)[0], bytes, tail)
}

/** Character encodings declared by header, meta element or byte order mark; the heading must be decoded correctly. */
export const charsets: Pages = {
  '/charset/windows-1252': bytesPage('text/html; charset=windows-1252', bare, western, tail),
  /** The standard maps this label to windows-1252. */
  '/charset/iso-8859-1': bytesPage('text/html; charset=ISO-8859-1', bare, western, tail),
  '/charset/windows-1252-meta': withMeta('windows-1252', western),
  '/charset/shift-jis': bytesPage('text/html; charset=Shift_JIS', bare, shiftJis, tail),
  '/charset/shift-jis-meta': withMeta('shift_jis', shiftJis),
  '/charset/euc-jp': bytesPage('text/html; charset=EUC-JP', bare, eucJp, tail),
  '/charset/gbk-http-equiv': bytesPage('text/html', around('<meta http-equiv="Content-Type" content="text/html; charset=gb2312">')[0], gbk, tail),
  '/charset/windows-1251': bytesPage('text/html; charset=windows-1251', bare, cyrillic, tail),
  /** A link with non-ASCII characters in its query. */
  '/charset/query': bytesPage('text/html; charset=windows-1251', bare, cyrillic, '</h1><p>Text of the page.</p><a href="/search?q=', cyrillic, '">a</a></main></body></html>'),
  /** The header wins over the meta element. */
  '/charset/header-over-meta': bytesPage('text/html; charset=windows-1252', around('<meta charset="utf-8">')[0], western, tail),
  /** The byte order mark wins over both. */
  '/charset/utf-8-mark': bytesPage('text/html; charset=windows-1252', [0xef, 0xbb, 0xbf], bare, [...Buffer.from('Café')], tail),
  '/charset/utf-16-mark': bytesPage('text/html', [0xff, 0xfe], [...Buffer.from(`${bare}Café${tail}`, 'utf16le')]),
  '/charset/utf-8-undeclared': bytesPage('text/html', bare, [...Buffer.from('Café – naïve façade')], tail),
  '/charset/unknown': bytesPage('text/html; charset=x-tide-9', bare, [...Buffer.from('Café')], tail),
  '/charset/broken-utf-8': bytesPage('text/html; charset=utf-8', bare, [0x43, 0x61, 0x66, 0xe9, 0x21, 0xc3], tail),
}
