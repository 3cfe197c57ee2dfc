import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fileKind, textType } from './file-kind.ts'

const text = (body: string): Uint8Array => Buffer.from(body)
const file = (type: string, body: Uint8Array, url = 'https://example.com/file'): Parameters<typeof fileKind>[0] => ({ headers: type === '' ? [] : [['content-type', type]], body, url })
/** The start of an archive whose first file has that name. */
const archive = (name: string): Uint8Array => Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(22), Buffer.from([name.length, 0, 0, 0]), Buffer.from(name)])

describe('the kind of a file', () => {
  it.each([
    ['text/html; charset=utf-8', text('<p>'), 'page'],
    ['', text('<p>'), 'page'],
    ['application/octet-stream', text('plain words'), 'page'],
    ['application/octet-stream', new Uint8Array([1, 2, 3]), 'binary'],
    ['application/vnd.api+json', text('{}'), 'page'],
    ['image/svg+xml', text('<svg/>'), 'page'],
    ['image/png', text('not really'), 'binary'],
    ['application/pdf', text('%PDF-1.7'), 'pdf'],
    ['text/html', text('%PDF-1.7'), 'pdf'],
    ['application/pdf', new Uint8Array(), 'page'],
    ['application/octet-stream', text('\r\n\r\n%PDF-1.7'), 'pdf'],
    ['text/html', text('\ufeff\n%PDF-1.7'), 'pdf'],
    ['', text('X-Sent-By: a program\n\n%PDF-1.4\n'), 'pdf'],
    ['text/plain', text('A file begins with %PDF-1.7.'), 'page'],
    ['text/html', text('<p>A file begins with %PDF-1.7.'), 'page'],
    ['application/pdf', text('\n<!DOCTYPE html><title>Sign in</title>'), 'page'],
    ['application/pdf', text('<html lang="en">'), 'page'],
    ['application/pdf', text('nothing of the kind'), 'pdf'],
    ['application/zip', new Uint8Array([0x50, 0x4b, 3, 4]), 'binary'],
    ['', Buffer.from('﻿<p>', 'utf16le'), 'page'],
    ['application/zip', archive('[Content_Types].xml'), 'document'],
    ['application/octet-stream', archive('mimetype'), 'document'],
    ['application/zip', archive('photos/'), 'binary'],
    ['application/vnd.oasis.opendocument.text', archive('photos/'), 'document'],
    ['text/plain', text('{\\rtf1 x}'), 'document'],
    ['application/octet-stream', Buffer.from('d0cf11e0a1b11ae100', 'hex'), 'document'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', text('PK garbage'), 'document'],
    ['application/vnd.ms-excel', text('PK;Name'), 'page'],
    ['application/vnd.ms-excel', text('<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">'), 'document'],
    ['text/xml', text('<?xml version="1.0"?><ss:Workbook xmlns:x="urn:x" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">'), 'document'],
    ['text/xml', text('<?xml version="1.0"?>\n<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">'), 'document'],
    ['text/html', text('<p>&lt;?xml?> <Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">'), 'page'],
    ['application/octet-stream', text('PK;Name'), 'page'],
    ['message/rfc822', text('Return-Path: <a@example.com>\r\n'), 'document'],
    ['message/rfc822', text('From a@example.com Mon Mar  2 10:11:12 2026\nFrom: a@example.com\n'), 'document'],
    ['message/rfc822', text('<p>no mail</p>'), 'page'],
    ['multipart/related', text('From: <Saved by Blink>\r\n'), 'document'],
    ['text/plain', text('Date: today'), 'page'],
    ['image/png', Buffer.from('89504e470d0a1a0a', 'hex'), 'image'],
    ['', Buffer.from('ffd8ffe000', 'hex'), 'image'],
    ['text/html', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'image'],
    ['text/plain', Buffer.from('ffd8ffe000', 'hex'), 'image'],
    ['text/html; charset=utf-8', gzipSync('<p>'), 'binary'],
    ['text/plain', archive('photos/'), 'binary'],
    ['text/html', Buffer.from('774f463200010000', 'hex'), 'binary'],
    ['text/plain', Buffer.from('00000018667479706d703432', 'hex'), 'binary'],
    ['text/html', brotliCompressSync(text(Array.from({ length: 400 }, (_, i) => `<p>${i * 7919}</p>`).join(''))), 'binary'],
    ['text/html', text('<html><title>A\0B\x01\x02\x03</title>'), 'page'],
    ['text/html', text('MZ is a code.\0'), 'page'],
    ['text/plain', text('N\bNA\bAM\bME\bE '.repeat(20)), 'page'],
    ['text/plain', text('One\x0b\x07 two '.repeat(3)), 'page'],
    ['text/html', Buffer.from('<p>Привет, мир</p>'.repeat(9), 'utf16le'), 'page'],
    ['text/plain; charset=utf-16le', Buffer.from('Привет, мир. '.repeat(9), 'utf16le'), 'page'],
  ])('is detected for %s with its bytes', (type, body, kind) => expect(fileKind(file(type, body))).toBe(kind))
  it.each(['', 'text/plain', 'application/octet-stream'])('is that of a mail for %j by the name of the file', (type) => {
    expect(fileKind(file(type, text('From: a@example.com'), 'https://example.com/a.eml'))).toBe('document')
    expect(fileKind(file(type, text('MIME-Version: 1.0'), 'upload:page.mhtml'))).toBe('document')
    expect(fileKind(file(type, text('no mail'), 'upload:a.eml'))).toBe('page')
  })
})

describe('the media type by which a text is read', () => {
  it.each([
    ['text/plain', 'https://example.com/a.csv', 'text/csv'],
    ['text/plain', 'https://example.com/a.json', 'text/plain'],
    ['text/plain', 'https://example.com/a.ipynb', 'application/x-ipynb+json'],
    ['application/octet-stream', 'https://example.com/feed.rss?x=1', 'application/rss+xml'],
    ['', 'upload:table.tsv', 'text/tab-separated-values'],
    ['text/html', 'https://example.com/a.csv', 'text/html'],
    ['application/vnd.ms-excel', 'https://example.com/a.csv', 'text/csv'],
    ['application/vnd.ms-excel', 'https://example.com/a.xls', 'application/vnd.ms-excel'],
    ['text/plain', 'https://example.com/a.xls', 'application/vnd.ms-excel'],
    ['application/octet-stream', 'https://example.com/a.xls', 'application/vnd.ms-excel'],
    ['', 'https://example.com/constructor', ''],
  ])('is determined for %j from %s: %s', (type, url, read) => expect(textType(file(type, text(''), url))).toBe(read))
  it('is determined by the file name of the site rather than the address', () => {
    const typeBy = (disposition: string): string => textType({ headers: [['content-disposition', disposition]], url: 'https://example.com/download.php' })
    expect(typeBy('attachment; filename="list.csv"')).toBe('text/csv')
    expect(typeBy("attachment; filename*=UTF-8''price%20list.csv")).toBe('text/csv')
    expect(typeBy('attachment; filename = list.csv; size=3')).toBe('text/csv')
    expect(typeBy('attachment')).toBe('')
  })
})
