import { describe, expect, it } from 'vitest'
import { readDefaults } from '../../../domain/pages/reading.ts'
import { read } from '../../reading.ts'

const prose = '<p>A skiff of oak and larch, built in the winter and launched at Easter, for two who row and one who sleeps.</p>'

function markdownOf(body: string): string {
  const url = 'https://manual.example/boats/skiff.html'
  const capture = { requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html; charset=utf-8']] as const, body: Buffer.from(`<head><title>Skiff</title></head><body>${body}</body>`), engine: 'http' as const, proxy: 'basic' as const, tlsVerified: true, truncated: false, at: 0 }
  return read(capture, readDefaults).markdown()
}

const turns = '<p>\nNext: <a href="tow.html" accesskey="n" rel="next">Towing</a>, Previous: <a href="moor.html" accesskey="p" rel="prev">Mooring</a>, Up: <a href="index.html" accesskey="u" rel="up">Boats</a></p>'
const ofMakeinfo = (text: string): string => `<div class="section"><div class="header">${turns}</div><hr><h3>Skiff</h3>${text}</div>`
const ofDocBook = (toc: string): string => `<div class="chapter"><div class="titlepage"><h1>Skiff</h1></div><div class="toc"><p><b>Contents</b></p><dl class="toc">${toc}</dl></div>${prose.repeat(12)}<h2>Oars</h2>${prose}</div>`
const entry = (href: string): string => `<dt><a href="${href}">Where the oars are kept</a></dt>`

describe('a page of a manual', () => {
  it('loses the line that turns its pages, however short it is', () => {
    const markdown = markdownOf(ofMakeinfo(prose))
    expect(markdown).toMatch(/^### Skiff/)
    expect(markdown).not.toContain('Towing')
  })

  it('keeps a sentence with a link that has a key', () => {
    expect(markdownOf(ofMakeinfo(`${prose}<p>Whoever wants to know more of this may turn to <a href="tow.html" accesskey="n">towing</a> or ask.</p>`))).toContain('may turn to [towing]')
  })

  it('keeps the contents that lead to other pages', () => {
    expect(markdownOf(ofDocBook(entry('oars.html') + entry('sails.html')))).toContain('](https://manual.example/boats/oars.html)')
    expect(markdownOf(ofMakeinfo(`<ul class="section-toc"><li><a href="oars.html" accesskey="1">Oars of ash</a></li><li><a href="sails.html" accesskey="2">Sails of linen</a></li></ul>`))).toContain('Sails of linen')
  })

  it.each(['#oars', 'skiff.html#oars'])('leaves out the contents of the page itself: %s', (href) => {
    expect(markdownOf(ofDocBook(entry(href) + entry(href)))).not.toContain('Where the oars')
  })
})

it('leaves out a navigation that is longer than the text', () => {
  const bar = `<div class="t-navbar"><ul>${Array.from({ length: 30 }, (_, i) => `<li><a href="/p${i}">part_${i}</a></li>`).join('')}</ul></div>`
  const markdown = markdownOf(`<div id="content"><h1>Skiff</h1>${bar}${prose}</div>`)
  expect(markdown).not.toContain('part_')
  expect(markdown).toContain('A skiff of oak')
  expect(markdownOf(`<div id="content"><h1>Skiff</h1>${bar}</div>`)).toContain('part')
})
