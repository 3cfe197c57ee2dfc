import { expect, it } from 'vitest'
import { keptLines, wantedBlocks } from '../../../../../../test/wanted-blocks.ts'

/** The lines that are left of a page when the trees keep those that contain `yes`. */
const left = (html: string): readonly string[] => keptLines(wantedBlocks(html, 'https://site.example/a', (line) => (line.includes('yes') ? 1 : line.includes('perhaps') ? 0.3 : 0)))
const text = `yes, ${'all of it '.repeat(30).trim()}`

it('keeps the authors of a paper, whom its data names, around its title', () => {
  const authors = '<ul><li><a href="/1">Ilya Brandt</a> <a href="/o">ORCID</a><sup>1</sup></li><li><a href="/2">Chidi Okafor</a></li></ul>'
  const page = (metas: string): readonly string[] => left(`${metas}<main><h1>yes, a paper</h1>${authors}<p>${text}</p><p>Ilya Brandt has a dog</p></main>`)
  const kept = ['yes, a paper', 'Ilya BrandtORCID1', 'Chidi Okafor', text]
  expect(page('<meta name="citation_author" content="Brandt, Ilya"><meta name="citation_author" content="Okafor, Chidi">')).toEqual(kept)
  expect(page('<meta name="citation_authors" content="Ilya Brandt;Chidi Okafor;">')).toEqual(kept)
  expect(page('<meta name="author" content="Ilya Brandt">')).toEqual(['yes, a paper', text])
})

it('keeps a formula between two parts of a text, not one beside it', () => {
  const formula = '<div class="c-article-equation"><div><span class="mathjax-tex">$$q = T$$</span></div><div>(1)</div></div>'
  expect(left(`<div><p>yes, before</p>${formula}<p>yes, behind</p></div>`)).toEqual(['yes, before', '$$q = T$$', 'yes, behind'])
  expect(left(`<div><p>yes, before</p><p>yes, behind</p></div><div>${formula}</div><p>No</p>`)).toEqual(['yes, before', 'yes, behind'])
  expect(left(`<div><p>yes, before</p><nav>${formula}</nav><p>yes, behind</p></div>`)).toEqual(['yes, before', 'yes, behind'])
})

it('keeps the caption of a kept table, and a numbered figure in a box', () => {
  const table = '<table><tr><th>yes</th><td>yes</td></tr></table>'
  expect(left(`<div><p>yes, before</p><figure><figcaption><b>Measured heat</b></figcaption><div>${table}</div></figure><p>No</p></div>`)).toEqual(['yes, before', 'Measured heat', 'yes', 'yes'])
  expect(left(`<div><p>yes, before</p><div><figure><figcaption><b>Fig. 1: Sites</b></figcaption><p>The quarry</p></figure></div><p>yes, behind</p></div>`)).toEqual(['yes, before', 'Fig. 1: Sites', 'The quarry', 'yes, behind'])
})

it('keeps code and its caption below it, beside a kept text', () => {
  const code = '<figure class="kg-code-card"><pre><code>replicas: 3</code></pre><figcaption>All of it</figcaption></figure>'
  expect(left(`<div><p>yes, before</p>${code}<div><a href="/b">Open</a></div></div>`)).toEqual(['yes, before', 'replicas: 3', 'All of it'])
})

it('keeps the corrections of a text', () => {
  const correction = '<div class="corrections"><p><b>A correction was made</b>: it is 827 km.</p></div>'
  expect(left(`<article><p>${text}</p><div>${correction}<p>About the author</p></div></article>`)).toEqual([text, 'A correction was made: it is 827 km.'])
  expect(left(`<article><p>${text}</p><p>No</p><p>No, no</p><p>No, no, no</p><p>Never</p><p>Not at all</p>${correction}</article>`)).toEqual([text])
})

it('leaves a heading in furniture above the next section of a text', () => {
  expect(left(`<article><p>${text}</p><section class="recommendations"><h3>perhaps others</h3></section><h2>yes, more</h2><p>${text} again</p></article>`)).toEqual([text, 'yes, more', `${text} again`])
})

it('keeps where a paper was published, which its data names, and what it is about', () => {
  const metas = '<meta name="citation_author" content="Brandt, Ilya"><meta name="citation_doi" content="10.1000/x.44">'
  const page = (head: string): readonly string[] => left(`${head}<main><p>doi: 10.1000/X.44.</p><h1>yes, a paper</h1><p>${text}</p><p><b>Keywords:</b> memory; sleep</p><p>No</p></main>`)
  expect(page(metas)).toEqual(['doi: 10.1000/X.44.', 'yes, a paper', text, 'Keywords: memory; sleep'])
  expect(page('')).toEqual(['yes, a paper', text])
})

it('keeps a line with a note right behind the text, with the note', () => {
  const note = (link: string): readonly string[] => left(`<article><p>${text}</p><p>perhaps ${link}.</p><div><div class="footnote"><a id="n1" href="#r1">1</a><div><p>From 1961.</p></div></div></div><p>No</p></article>`)
  expect(note('<sup><a href="#n1" id="r1">1</a></sup>')).toEqual([text, 'perhaps 1.', '1', 'From 1961.'])
  expect(note('<a class="footnote-anchor" href="#n1" id="r1">1</a>')).toEqual([text, 'perhaps 1.', '1', 'From 1961.'])
  expect(note('<a href="#n1" id="r1">1</a>')).toEqual([text])
})
