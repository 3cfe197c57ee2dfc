import { expect, it } from 'vitest'
import { cpuMs, slowness } from '../../../test/cpu.ts'
import { readDefaults } from '../../domain/pages/reading.ts'
import { read } from '../reading.ts'
import { indexOf } from './index.ts'
import { plainText } from './plain-text.ts'

const html = `<!doctype html><html lang="en"><head><title>Tide tables</title><meta name="description" content="When the water comes">
<script type="application/ld+json">{"@type":"Article","datePublished": "2024-05-01T08:00:00"}</script></head>
<body><main><h1>Tides</h1><p>High water at <a href="https://example.com/secret-path">noon</a>.</p>
<img src="/tide.png" alt="A boat at low tide" width="640" height="360"><img src="/dot.gif" alt="dot" width="1" height="1"><img src="/none.png">
<template><img src="/not.png" alt="not there"></template></main></body></html>`

function indexed(text: string): ReturnType<typeof indexOf> {
  const capture = { requestedUrl: 'https://example.com/', url: 'https://example.com/', status: 200, headers: [['content-type', 'text/html']] as const, body: Buffer.from(text), engine: 'http' as const, proxy: 'basic' as const, tlsVerified: true, truncated: false, at: 0 }
  const reading = read(capture, readDefaults)
  return indexOf({ metadata: reading.metadata(), markdown: reading.markdown(), pictures: reading.pictures(), source: reading.text() })
}

it('the index contains title, headings, text without addresses, picture descriptions, and the date', () => {
  expect(indexed(html)).toEqual({
    terms: { title: 'tide table', headings: 'tide', body: 'water come tide high water noon boat low tide', pictures: 'boat low tide' },
    language: 'en',
    publishedAt: Date.UTC(2024, 4, 1, 8),
    pictures: [{ url: 'https://example.com/tide.png', alt: 'A boat at low tide', width: 640, height: 360 }],
  })
})

it.each([
  ['2024-05-01', Date.UTC(2024, 4, 1)],
  ['2024-05-01T10:00:00+02:00', Date.UTC(2024, 4, 1, 8)],
  ['Wed, 01 May 2024 08:00:00 GMT', Date.UTC(2024, 4, 1, 8)],
  ['05/01/2024', null],
  ['0001-01-01', null],
  ['2024-13-45', null],
])('the index takes %j as %j', (text, time) => {
  expect(indexed(`<meta property="article:published_time" content="${text}">x`).publishedAt).toBe(time)
})

it('hostile markdown is read in linear time', () => {
  expect(plainText('# A [b](https://x.example/y "t") c\n\n![d](e.png)').text).toBe('# A [b  c\n\n![d ')
  for (const text of ['](', '[', '](((', '![](', '# ', '](a "'].map((piece) => piece.repeat(60_000 / piece.length))) expect(cpuMs(() => plainText(text))).toBeLessThan(50 * slowness())
})
