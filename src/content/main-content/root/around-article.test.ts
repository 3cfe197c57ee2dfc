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
const news = ['The first buses crossed it early on Monday, before the rush hour started on both banks.', 'Shops on the northern bank hope for more visitors, as the walk from the station takes eight minutes now.', 'A second lane for bicycles was added after a petition that four thousand people had signed.', 'The cost came to forty-two million, three million less than the council had set aside for it.', 'Trams will follow in two years, once the rails on the southern side have been laid and tested.', 'Fish ladders were built into the piers, so that salmon can reach the upper river again.', 'The mayor thanked the workers, who had finished two months before the date that had been promised.']
const more = news.map((line) => `<p>${line}</p>`).join('')
const long = `<article><h1>The bridge is open</h1>${paragraph}${more}${more.replaceAll('<p>', '<p>Then this: ')}</article>`

it.each([['short', short], ['long', long]])('keeps the paragraphs behind the article of a %s page', (_, article) => {
  expect(linesOf(`<main>${article}<p>${walkers}</p><p>${boats}</p></main>`).slice(-2)).toEqual([walkers, boats])
})

it('keeps text before a short article and in a box behind it', () => {
  expect(linesOf(`<main><p>${walkers}</p>${short.replaceAll('h1>', 'h2>')}<div><p>It rains, says the weather office.</p></div></main>`)).toEqual([walkers, '## The bridge is open', 'P', 'P', 'It rains, says the weather office.'])
})

it('keeps another article of a short page, with a heading of another rank', () => {
  const other = `<article><h2>Trams</h2><p>${boats}</p></article>`
  expect(linesOf(`<main>${short}${other}<p>${walkers}</p></main>`)).toEqual(['# The bridge is open', 'P', 'P', '## Trams', boats, walkers])
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
