import type { Block } from '../blocks.ts'
import type { EdgeLine, PageEdges } from '../page/page-edges.ts'
import { lettersOf } from '../page/page-letters.ts'
import { pageCount } from '../page/page-numbers.ts'
import { withoutLines } from './running-lines.ts'

interface Sheet {
  readonly pageNumber: number
  readonly blocks: readonly Block[]
  readonly edges?: PageEdges | undefined
}

/** A date in figures as locales write it: "11/27/26", "27. 11. 2026", "2026-11-27", "27.11.26 г." */
const day = String.raw`\p{Nd}{1,4}(?:[./-] ?\p{Nd}{1,4}){2}\.?(?: ?г\.)?`
const time = String.raw`(?:(?:klo|kl\.?|at|um|à|오전|오후|上午|下午|午前|午後|凌晨|早上|中午|晚上) ?)?\p{Nd}{1,2}[:.]\p{Nd}{2}(?::\p{Nd}{2})?(?: ?(?:[ap]\.? ?m\.?|π\.μ\.|μ\.μ\.|ч\.|[مص]|SA|CH)(?!\p{L}))?`
/** What browsers print around a page besides its title. */
type Part = 'address' | 'count' | 'moment' | 'day'
const forms: readonly (readonly [Part, string])[] = [
  ['address', String.raw`(?:[a-z][a-z-]{1,20}://|about:)\S+`],
  ['count', pageCount],
  ['moment', `${day}[,،]? ?${time}|${time},? ?${day}`],
  ['day', day],
]
/** Each part where it starts or ends a line. */
const ends = forms.map(([part, form]) => ({ part, end: new RegExp(`^(?:${form})(?=\\s|$)|(?<!\\S)(?:${form})$`, 'iu') }))
/** An address of more than a host. */
const withPath = /:\/\/[^/]*\/[^/]/

/** The title may be cut, but keeps at least this many letters. */
const fewestLetters = 8
/** The most characters of a line or a title. */
const longest = 1_000

function saysTitle(text: string, title: string): boolean {
  const [said, whole] = [lettersOf(text), lettersOf(title)]
  return said !== '' && (said === whole || (/(?:…|\.{3})$/.test(text) && said.length >= fewestLetters && whole.startsWith(said)))
}

/** The parts that a line consists of, by their names; null when it says anything else. */
function partsOf(line: string, title: string): Map<Part | 'title', string> | null {
  const found = new Map<Part | 'title', string>()
  // Spaces of all widths and signs of direction stand in dates.
  let rest = line.replace(/\p{Cf}/gu, '').replace(/\s+/g, ' ').trim()
  while (rest !== '' && !saysTitle(rest, title)) {
    const next = ends.find(({ part, end }) => !found.has(part) && end.test(rest))
    if (next === undefined) return null
    found.set(next.part, next.end.exec(rest)?.[0] ?? '')
    rest = rest.replace(next.end, '').trim()
  }
  return found.size === 0 ? null : rest === '' ? found : found.set('title', rest)
}

/**
 * Whether the first and the last line of a page are what a browser prints around it: the address, the number of the page
 * and of all pages, and the moment, in one of its orders; and the title, when the page has one. Old browsers print the
 * day alone: then all parts are needed, and an address that is not only the host of the one who made the file.
 */
function isFrame(top: EdgeLine, bottom: EdgeLine, title: string): boolean {
  if (Math.max(top.text.length, bottom.text.length) > longest) return false
  const [above, below] = [partsOf(top.text, title), partsOf(bottom.text, title)]
  if (above === null || below === null) return false
  const said = new Map([...above, ...below])
  if (said.size < above.size + below.size || !said.has('address') || !said.has('count')) return false
  return said.has('moment') || (said.has('day') && said.has('title') && withPath.test(said.get('address') ?? ''))
}

/**
 * Removes the header and the footer that browsers print around a page, by their form: unlike other headers and footers
 * they need no repetition to be known.
 */
export function withoutPrintFrame<Page extends Sheet>(pages: readonly Page[], name: string): readonly Page[] {
  const title = name.slice(0, longest)
  return pages.map((page) => {
    const { top, bottom } = page.edges?.outermost ?? {}
    if (page.edges === undefined || top === undefined || bottom === undefined || !isFrame(top, bottom, title)) return page
    const lines = page.edges.lines.filter(({ y }) => y !== top.y && y !== bottom.y)
    // "27. 11. 2026" looks like the item of a list.
    const blocks = page.blocks.filter(({ kind, lines: own }) => kind !== 'list' || lettersOf(own.join('')) !== lettersOf(top.text))
    return { ...page, blocks: withoutLines(blocks, [top, bottom]), edges: { ...page.edges, lines } }
  })
}
