import { expect, it } from 'vitest'
import { keptLines, wantedBlocks } from '../../../../../test/wanted-blocks.ts'

const chanceOf = (line: string): number => (line.includes('yes') ? 1 : line.includes('perhaps') ? 0.4 : 0)

/** The lines that are left of a page when the trees keep those that contain `yes`, and would nearly keep those with `perhaps`. */
const left = (html: string, url = 'https://site.example/a'): readonly string[] => keptLines(wantedBlocks(html, url, chanceOf))

it('keeps the caption of a picture in a text, unless the trees are sure that it is none', () => {
  const figure = (line: string): string => `<div><p>yes, before</p><figure><img src="/a.png"><figcaption>${line}</figcaption></figure><p>yes, behind</p></div>`
  expect(left(figure('perhaps the hull'))).toEqual(['yes, before', 'perhaps the hull', 'yes, behind'])
  expect(left(figure('no'))).toEqual(['yes, before', 'yes, behind'])
  expect(left(figure('perhaps the hull').replace('<img src="/a.png">', ''))).toEqual(['yes, before', 'yes, behind'])
})

it('keeps the heading of what was kept as a fact', () => {
  const record = '<h2>perhaps: chapters</h2><ul><li>00:00 Welcome</li><li>05:12 The pans</li><li>31:40 Questions</li></ul>'
  expect(left(`<main><h1>yes</h1><p>yes, all of it</p>${record}<p>yes, ${'all of it '.repeat(30)}</p></main>`)).toContain('perhaps: chapters')
})

it('keeps the facts between a heading and a first text of one sentence', () => {
  const sentence = 'yes, the loom beside the ferry drifts on the older model, as the note explains in the plainest words of all'
  expect(left(`<main><h1>yes</h1><div>Friday 12 April</div><div>7:30 pm – 10:00 pm</div><p>${sentence}</p></main>`)).toEqual(['yes', 'Friday 12 April', '7:30 pm – 10:00 pm', sentence])
})

it('keeps the lines between two kept headings, without furniture, unless one is long or leads elsewhere, or the trees are sure', () => {
  const page = (lines: string, url?: string): readonly string[] => left(`<div><h2>yes, where</h2>${lines}<h2>yes, who</h2><p>yes, all of us</p></div>`, url)
  const rest = ['yes, who', 'yes, all of us']
  expect(page('<p>perhaps at the pier</p><button>Show map</button><p>perhaps behind it</p>')).toEqual(['yes, where', 'perhaps at the pier', 'perhaps behind it', ...rest])
  for (const others of ['<p>No pier</p>', '<p>perhaps a pier</p><p>No pier</p>', '<p><a href="/p">perhaps</a></p>', `<p>${'perhaps '.repeat(20)}</p>`]) expect(page(others)).toEqual(['yes, where', ...rest])
  expect(page('<p>perhaps at the pier</p>', 'https://site.example/threads/1')).toEqual(['yes, where', ...rest])
})
