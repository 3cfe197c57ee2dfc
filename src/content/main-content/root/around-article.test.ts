import { describe, expect, it } from 'vitest'
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

const bare = short.replace(/<h1>.*<\/h1>/, '')

it.each([
  ['the heading of the page', `<h2>The bridge is open</h2>${bare}<p>${walkers}</p>`, ['## The bridge is open', 'P', 'P', walkers]],
  ['the line under the headline in a box', `<h1>The bridge is open</h1><div class=deck>Walkers first, trams later.</div>${bare}<p>${walkers}</p>`, ['# The bridge is open', 'Walkers first, trams later.', 'P', 'P', walkers]],
  ['a short line under the headline', `<h1>The bridge is open</h1><p class=deck>Walkers first.</p>${bare}<p>${walkers}</p>`, ['# The bridge is open', 'Walkers first.', 'P', 'P', walkers]],
  ['the list that a text beside it announces', `${bare}<p>The tolls of the new bridge are these:</p><ul><li>Car: 2</li><li>Bus: 5</li></ul><h2>Boats</h2><p>${boats}</p>`, ['P', 'P', 'The tolls of the new bridge are these:', '- Car: 2\n- Bus: 5', '## Boats', boats]],
])('keeps %s beside a short article where text stands there, too', (_, main, expected) => {
  expect(linesOf(`<main>${main}</main>`)).toEqual(expected)
})

it('keeps the notes of a short article where text stands beside it', () => {
  const noted = bare.replace('</p></article>', '<sup><a href=#fn1 id=r1>1</a></sup></p></article>')
  expect(linesOf(`<main><h1>The bridge is open</h1>${noted}<div><ol><li id=fn1>Report of the builders. <a href=#r1>↩</a></li></ol></div><p>${walkers}</p></main>`)).toEqual(['# The bridge is open', 'P', 'P', '[^1]: Report of the builders.', walkers])
})

it.each([
  ['teasers', `<section class="mt-8"><h2>Other days</h2><div><h3><a href=/tram>Old tram</a></h3><p>The old tram ran for the last time, after ninety years on the same rails.</p></div></section>`],
  ['other posts', `<section class="mt-8"><h2>Related posts</h2><div><h3>Old tram</h3><p>The old tram ran for the last time, after ninety years.</p></div></section>`],
  ['a notice of consent', '<div><p>We use cookies to give you the best experience on our website.</p><button>Accept</button></div>'],
  ['a box about the author', '<div><img src=/jane.jpg alt=""><h3>Jane Doe</h3><p>Jane writes about bridges and trams, and lives by the river.</p></div>'],
  ['other places of the site', '<div><p>Follow us on Mastodon for more news of the town.</p></div>'],
  ['an app', '<div><p>Download our app and never miss a bridge again.</p></div>'],
  ['the text once more', '<div><p>The bridge carries twice the load of the old one, and needs no repairs for thirty years, say those who built it.</p></div>'],
])('leaves out %s beside a short article', (_, box) => {
  expect(linesOf(`<main>${short}${box}<p>${walkers}</p></main>`)).toEqual(['# The bridge is open', 'P', 'P', walkers])
})

describe.each([['short', short], ['long', long]])('right behind the article of a %s page', (_, article) => {
  it.each([
    'We use cookies to give you the best experience on our website.',
    'Subscribe to our newsletter and get the news of the town in your inbox.',
    '© 2026 Town of Bridges. All rights reserved.',
    'Comments are closed on this post.',
    'You must be logged in to post a comment.',
    'Please enable JavaScript to view the comments.',
    'This entry was posted in Roads on Monday.',
  ])('leaves out: %s', (line) => {
    expect(linesOf(`<main>${article}<p>${walkers}</p><p>${boats}</p><p>${line}</p></main>`).slice(-2)).toEqual([walkers, boats])
  })
})
