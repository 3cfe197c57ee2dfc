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

  it('keeps the box of a definition above its longest part', () => {
    const definition = '<div class="SIntrapara"><table class="boxed"><tr><td><blockquote class="SubFlow"><p class="RForeground"><a href="">skiff%</a> : <a href="class.html">class?</a></p></blockquote></td></tr></table></div><div class="SIntrapara">Two may row it. See <a href="tow.html">tow%</a>.</div>'
    const markdown = markdownOf(`<div class="maincolumn"><div class="main"><div class="navsettop"><a href="moor.html">prev</a><a href="tow.html">next</a></div>${definition}<div class="SIntrapara"><blockquote class="leftindent">${prose.repeat(4)}</blockquote></div></div></div>`)
    expect(markdown).toContain('[skiff%]')
    expect(markdown).toContain('Two may row it.')
    expect(markdown).not.toContain('next')
  })
})

it('leaves out a navigation that is longer than the text', () => {
  const bar = `<div class="t-navbar"><ul>${Array.from({ length: 30 }, (_, i) => `<li><a href="/p${i}">part_${i}</a></li>`).join('')}</ul></div>`
  const markdown = markdownOf(`<div id="content"><h1>Skiff</h1>${bar}${prose}</div>`)
  expect(markdown).not.toContain('part_')
  expect(markdown).toContain('A skiff of oak')
  expect(markdownOf(`<div id="content"><h1>Skiff</h1>${bar}</div>`)).toContain('part')
})

it('reads a short page below a long menu as a short page', () => {
  const line = (i: number): string => `<tr class="t-nv"><td colspan="5"><div class="t-nv-ln-table"><div><a href="/p${i}"><span class="t-lines"><span>part_of_${i}</span></span></a></div><div><span class="t-lines"><span><span class="t-mark-rev">(C++11)</span></span></span></div></div></td></tr>`
  const menu = `<div class="t-navbar"><div class="t-navbar-head"><a href="/">Boats</a><div class="t-navbar-menu"><table class="t-nv-begin">${Array.from({ length: 150 }, (_, i) => line(i)).join('')}</table></div></div></div>`
  const text = '<table><tr><td><span>skiff( const oar&amp; larch );</span></td><td>(since 11)</td></tr></table><p>Builds the skiff from an oar.</p><h3>Parameters</h3><table><tr><td>larch</td><td>the wood</td></tr></table>'
  const markdown = markdownOf(`<div id="content"><h1>Skiff</h1><div id="bodyContent">${menu}${text}</div></div>`)
  expect(markdown).not.toContain('part_')
  expect(markdown).toContain('Builds the skiff')
  expect(markdown).toContain('the wood')
})
