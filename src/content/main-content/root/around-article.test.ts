import { expect, it } from 'vitest'
import { readDefaults } from '../../../domain/pages/reading.ts'
import { read } from '../../reading.ts'

function linesOf(body: string): readonly string[] {
  const html = `<!doctype html><title>The bridge is open</title><body><header><a href=/>Town</a><nav><a href=/n>News</a> <a href=/r>Roads</a></nav></header>${body}<footer>Imprint</footer></body>`
  const markdown = read({ requestedUrl: 'https://town.example/bridge', url: 'https://town.example/bridge', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).markdown()
  return markdown.trim().split('\n\n').map((line) => (line.startsWith('The bridge carries') ? 'P' : line))
}

const paragraph = '<p>The bridge carries twice the load of the old one, and needs no repairs for thirty years, say those who built it.</p>'
const walkers = 'The old bridge stays open for walkers until the end of the year.'
const boats = 'Tickets for the boats under it are sold at the office by the pier.'
const short = `<article><h1>The bridge is open</h1>${paragraph.repeat(2)}</article>`
const long = `<article><h1>The bridge is open</h1>${paragraph}${Array.from({ length: 14 }, (_, i) => paragraph.replace('thirty', String(20 + i))).join('')}</article>`

it.each([['short', short], ['long', long]])('keeps the paragraphs behind the article of a %s page', (_, article) => {
  expect(linesOf(`<main>${article}<p>${walkers}</p><p>${boats}</p></main>`).slice(-2)).toEqual([walkers, boats])
})

it('keeps text before a short article, in a box behind it, and in another article', () => {
  const other = `<article><h2>Trams</h2><p>${boats}</p></article>`
  expect(linesOf(`<main><p>${walkers}</p>${short.replaceAll('h1>', 'h2>')}<div><p>It rains, says the weather office.</p></div>${other}</main>`)).toEqual([walkers, '## The bridge is open', 'P', 'P', 'It rains, says the weather office.', '## Trams', boats])
})

it('keeps the header of the section of a short article', () => {
  const section = `<section><header><h2>Runner(options)</h2><div>Runs the jobs of a queue, one after the other.</div></header>${short.replace(/<h1>.*<\/h1>/, '')}</section>`
  expect(linesOf(`<div id=main><h1>Class: Runner</h1>${section}</div>`)).toEqual(['# Class: Runner', '## Runner(options)', 'Runs the jobs of a queue, one after the other.', 'P', 'P'])
})

it.each([
  ['leads to other pages', `<section><h2>More</h2><p><a href=/t>${boats}</a></p></section>`],
  ['asks for an address', `<div><p>${boats}</p><form action=/n><input name=mail><button>Go</button></form></div>`],
  ['is named as furniture', `<div class=newsletter><p>${boats}</p></div>`],
])('leaves out what %s beside a short article', (_, box) => {
  expect(linesOf(`<main>${short}${box}</main>`)).toEqual(['# The bridge is open', 'P', 'P'])
  expect(linesOf(`<main>${short}${box}<p>${walkers}</p></main>`)).toEqual(['# The bridge is open', 'P', 'P', walkers])
})
