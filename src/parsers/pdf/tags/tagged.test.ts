import { describe, expect, it } from 'vitest'
import { byTags } from './by-tags.ts'
import type { RawDocument } from '../source.ts'
import { type TaggedMarkdown, taggedMarkdown } from './tagged.ts'
import type { LooseLine, TagLeaf, TagNode, TagText, TaggedPage } from './tags.ts'

/** A run of text, with its position if that matters. */
interface Run {
  readonly text: string
  readonly x?: number
  readonly y?: number
  readonly size?: number
}
type Tree = string | Run | { readonly link: string } | Branch
/** A role, followed by its children. */
interface Branch extends ReadonlyArray<Tree> {
  readonly 0: string
}

const isTree = (tree: Tree): tree is Branch => Array.isArray(tree)

/** A tagged page; by default, each text is below the previous one. */
function pageOf(tree: Branch, loose: readonly LooseLine[] = []): TaggedPage {
  const texts = new Map<string, TagText>()
  const urls = new Map<string, string>()
  let line = 700
  const node = (one: Tree): TagNode | TagLeaf => {
    if (isTree(one)) return { role: one[0], children: one.slice(1).map(node) }
    if (typeof one !== 'string' && 'link' in one) {
      urls.set(`${urls.size}R`, one.link)
      return { id: `${urls.size - 1}R` }
    }
    const { text, x = 72, y = (line -= 14), size = 10 } = typeof one === 'string' ? { text: one } : (one as Run) // nothing else is left
    texts.set(`p1_mc${texts.size}`, { text, top: y, bottom: y, left: x, right: x + text.length * 5, size, end: x + text.length * 5, lefts: [x] })
    return { id: `p1_mc${texts.size - 1}` }
  }
  const root = node(tree) as TagNode // the root of the tree
  return { root, texts, loose, urls }
}

const looseLine = (text: string, y: number, after: string | null = null): LooseLine => ({ text, top: y, bottom: y, left: 72, right: 200, size: 10, end: 200, lefts: [72], after })
const written = (...tree: Branch): TaggedMarkdown => taggedMarkdown(pageOf(tree), new Map())
const at = (text: string, x: number, y: number, size = 10): Run => ({ text, x, y, size })

describe('a tagged page', () => {
  it('is written with its headings, paragraphs and quotations in the order of its tags', () => {
    const { markdown, structured, share } = written('Document', ['H1', 'Tide report'], ['P', 'The harbour office\nmeasures the tide.'], ['BlockQuote', ['P', 'The sea is never still.']], ['H2', 'Right'], ['P', '潮汐\n表です。'], ['P', '# 5 is a berth'])
    expect(markdown).toBe('# Tide report\n\nThe harbour office measures the tide.\n\n> The sea is never still.\n\n## Right\n\n潮汐表です。\n\n\\# 5 is a berth')
    expect([structured, share]).toEqual([true, 1])
    expect(written('Document', ['P', 'Nothing but text.'])).toMatchObject({ markdown: 'Nothing but text.', structured: false })
  })

  it('is written with links, bold and italic, superscripts and subscripts', () => {
    const page = pageOf(['P', 'See ', ['Link', { link: 'https://example.com/a' }, 'the annual\nreport'], ' of ', ['Strong', 'all '], 'and bold', at(' 10', 200, 600), at('3', 215, 604, 6), at(' kg of H', 220, 600), at('2', 260, 597, 6), at('O.', 264, 600)])
    const { markdown, urls } = taggedMarkdown(page, new Map([[4, { bold: true, italic: true, struck: false }]]))
    expect(markdown).toBe('See [the annual report](https://example.com/a) of **all** ***and bold***\n\n10<sup>3</sup> kg of H<sub>2</sub>O.')
    expect([...urls]).toEqual(['https://example.com/a'])
  })

  it('has no raised text in the lines beside a drop cap', () => {
    const page = pageOf(['P', at('O', 72, 674, 32), at('nce upon a time there was a harbour\nwith a long pier.', 100, 690)])
    const texts = new Map([...page.texts].map(([id, text]) => [id, text.text.includes('\n') ? { ...text, bottom: 678, lefts: [100, 100] } : text]))
    expect(taggedMarkdown({ ...page, texts }, new Map()).markdown).toBe('Once upon a time there was a harbour with a long pier.')
  })

  it('continues in the next line after text that is raised above its line', () => {
    const { markdown } = written('Document', ['P', at('It says so in the first report', 72, 700), at('1\n', 222, 705, 7), at('of the harbour office.', 72, 684)])
    expect(markdown).toBe('It says so in the first report<sup>1</sup> of the harbour office.')
  })

  it('is written with nested lists, by labels or by the start of items', () => {
    expect(written('Document', ['L', ['LI', ['Lbl', '1.'], ['LBody', 'Report', ['L', ['LI', ['Lbl', '•'], ['LBody', 'by radio']], ['LI', ['Lbl', 'b)'], ['LBody', 'or light']]]]], ['LI', ['Lbl', '2.'], ['LBody', ['P', 'Moor']]]]).markdown).toBe('1. Report\n   - by radio\n   - b) or light\n2. Moor')
    expect(written('Document', ['L', ['LI', ['LBody', ['P', '• One']]], ['LI', ['LBody', ['P', '– Two']]]], ['P', 'Then'], ['L', ['LI', ['LBody', ['P', '3. Third']]]]).markdown).toBe('- One\n- Two\n\nThen\n\n3. Third')
  })

  it('is written with the levels of lists that are tagged one by one', () => {
    const list = (x: number, y: number, ...texts: readonly string[]): Tree => ['L', ...texts.map((text, i): Tree => ['LI', ['LBody', at(text, x, y - i * 14)]])]
    expect(written('Document', list(72, 600, '• One', '• Two'), list(90, 570, '• Deep'), list(108, 556, '• Deeper'), list(72, 540, '• Three')).markdown).toBe('- One\n- Two\n  - Deep\n    - Deeper\n- Three')
    expect(written('Document', list(72, 600, '• One'), list(72, 586, '1. First')).markdown).toBe('- One\n\n1. First')
  })

  it('is written with table cells in their columns', () => {
    const row = (y: number, role: string, ...cells: readonly (readonly [number, string])[]): Tree => ['TR', ...cells.map(([x, text]): Tree => [role, ['P', at(text, x, y)]])]
    const { markdown } = written('Document', ['Table', row(600, 'TH', [72, 'Station'], [150, 'Low'], [220, 'High']), row(586, 'TD', [72, 'North|pier'], [150, '0.4'], [220, '-3.1']), row(572, 'TD', [220, '2.9']), row(558, 'TD', [72, 'Both'], [220, '3.0'])])
    expect(markdown).toBe('|Station|Low|High|\n|---|---|---|\n|North\\|pier|0.4|-3.1|\n|||2.9|\n|Both||3.0|')
    expect(written('Document', ['Table', ['TR', ['TD', ['H1', 'A page']], ['TD', ['P', 'laid out by a table']]]]).markdown).toBe('# A page\n\nlaid out by a table')
  })

  it('is written with the lines and indentation of code', () => {
    expect(written('Document', ['NonStruct', ['Code', at('harbour --list', 72, 600), at('\n--all', 84, 590), at('\nexit', 72, 580)]], ['P', 'Call ', ['Code', 'exit'], '.']).markdown).toBe('```\nharbour --list\n  --all\nexit\n```\n\nCall `exit`.')
  })

  it('is written with code whose lines are one run', () => {
    const page = pageOf(['Document', ['NonStruct', ['Code', 'def height(line):\nreturn 1\nprint(2)', at('  # end', 150, 572)]]])
    const [first = null] = page.texts.values()
    const texts = new Map([...page.texts, ...(first === null ? [] : [['p1_mc0', { ...first, bottom: first.top - 24, lefts: [72, 96, 72] }] as const])])
    expect(taggedMarkdown({ ...page, texts }, new Map()).markdown).toBe('```\ndef height(line):\n    return 1\nprint(2)  # end\n```')
  })

  it('has boxes separated by their positions', () => {
    expect(written('Document', ['NonStruct', at('Home', 72, 700), at(' Berths', 110, 700)], ['NonStruct', at('The left column of the page is wide', 72, 600), at('\ngoes on.', 72, 588), at('Right', 250, 600), at('Below', 72, 500)], ['NonStruct', ['NonStruct', at('First box', 72, 400)], ['NonStruct', at('\nSecond box', 72, 386)]]).markdown).toBe('Home Berths\n\nThe left column of the page is wide goes on.\n\nRight\n\nBelow\n\nFirst box\n\nSecond box')
  })

  it('has a title where text is much larger, whatever its tag', () => {
    expect(written('Document', ['P', at('Harbour rules', 72, 700, 26)], ['P', 'Whoever sails in the basin reports by radio.']).markdown).toBe('# Harbour rules\n\nWhoever sails in the basin reports by radio.')
  })

  it('keeps its untagged text', () => {
    const tree = ['Document', ['H1', at('Rules', 72, 700)], ['P', at('Whoever sails in the basin reports by radio, on channel 12.', 72, 680)], ['P', at('Nobody swims there.', 72, 600)]] as const
    const page = pageOf(tree, [looseLine('Harbour Gazette', 780), looseLine('A caption', 640, 'p1_mc1'), looseLine('Page 3', 30)])
    const whole = taggedMarkdown({ ...page, texts: new Map([...page.texts, ['p1_mc9', { ...looseLine('Stamp', 20) }]]) }, new Map())
    expect(whole.markdown).toBe('Harbour Gazette\n\n# Rules\n\nWhoever sails in the basin reports by radio, on channel 12.\n\nA caption\n\nNobody swims there.\n\nPage 3\n\nStamp')
    expect(whole.share).toBeGreaterThan(0.85)
    expect(taggedMarkdown(pageOf(tree, Array.from({ length: 9 }, (_, i) => looseLine('A line of text that was not tagged', 660 - i, 'p1_mc1'))), new Map()).share).toBeLessThan(0.5)
  })
})

it('ignores the tags of a document when they cannot be read', async () => {
  const raw: RawDocument = { totalPages: 1, pages: [{ pageNumber: 1, markdown: 'x', needsOcr: false, bullets: [], anchors: [] }], info: {}, warnings: [] }
  expect(await byTags(raw, new Map([[1, { looks: new Map(), letters: 1 }]]), () => Promise.reject(new Error('broken')))).toBe(raw)
})
