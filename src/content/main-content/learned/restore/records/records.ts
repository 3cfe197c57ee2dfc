import { attribute } from '../../../../html/tree.ts'
import type { Block } from '../../blocks.ts'
import type { Frame } from '../../frame.ts'
import { lineOf } from '../lines.ts'

/** Fewest rows of a record: more of them where the rules see side matter, and in headers. */
const fewest = 2
const fewestAside = 3
/** More lists than this with the same names are a list of other things, which the trees judge. */
const most = 2
/** Most letters of a value; table cells may be longer. */
const longestValue = 70
const longestCell = 160
const edges: ReadonlySet<string> = new Set(['nav', 'footer', 'form', 'fieldset', 'button', 'select', 'label'])
const rows: ReadonlySet<string> = new Set(['tr', 'dt', 'dd', 'li', 'div', 'p'])
/** Matches a name that may have a value: it contains no digits and no end of a sentence. */
const name = /^[^:：\d.?!]{2,36}$/u
const longestName = 40
const hasLetter = /\p{L}/u
const byColon = /^([^:：\d.?!]{2,36})[:：]\s?\S/u
/** Names that belong to pictures and bylines, which are no records. */
const credit = /^(?:credits?|photos?|fotos?|source|quelle|image|note|disclosure|author|written by|edited by)$/i

/** What trackers say of a ticket, and fewest of its properties. */
const ofTicket = /^(?:status|priority|assignee|assigned to|owner|milestone|component|severity|resolution|target version|due date|reporter|reported by|start date)$/i
const fewestOfTicket = 3

interface Run {
  readonly from: number
  readonly to: number
  readonly names: ReadonlySet<string>
  /** Blocks in it that are the names of properties without a value. */
  readonly bare: readonly number[]
}

/**
 * Keeps records: rows of a table or lines of a list, each with the name and the value of a different property (`Weight: 1.4
 * kg`). Readers compare them, but the ground truth of the training pages often omits them.
 */
export function keepRecords(frame: Frame, kept: Uint8Array): void {
  const runs = runsOf(frame, kept)
  const times = new Map<string, number>()
  const key = ({ names }: Run): string => [...names].join('|')
  for (const run of runs) times.set(key(run), (times.get(key(run)) ?? 0) + 1)
  if (frame.rules.forum) keepOfTicket(frame, kept, runs.filter((run) => times.get(key(run)) === 1))
  else for (const run of runs) if ((times.get(key(run)) ?? 0) <= most) keepRun(frame, kept, run)
}

/**
 * Of a discussion, only what a tracker says of its ticket, before the text: beside a post, such lines are about the person
 * who wrote it.
 */
function keepOfTicket(frame: Frame, kept: Uint8Array, runs: readonly Run[]): void {
  const heads = runs.filter(({ names }) => [...names].some((one) => ofTicket.test(one)))
  // The columns of one list.
  const names = new Set(heads.flatMap((run) => [...run.names]))
  if (names.size >= fewestOfTicket) for (const run of heads) keepRun(frame, kept, run)
}

/** The runs of which some block is not kept. */
function runsOf(frame: Frame, kept: Uint8Array): readonly Run[] {
  const { outline: o, blocks, rules } = frame
  const lost = new Int32Array(kept.length + 1)
  for (let i = 0; i < kept.length; i++) lost[i + 1] = (lost[i] ?? 0) + (kept[i] === 1 ? 0 : 1)
  const runs: Run[] = []
  let aside = 0
  for (let i = 0; i < o.elements.length; i++) {
    const [first, last, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0, o.end[i] ?? i + 1]
    const isAside = rules.verdict[i] === 1 && standsBeside(frame, i)
    // Two lines above an article tell when it was written.
    if (isAside || o.elements[i]?.name === 'header') aside = Math.max(aside, end)
    if (last - first < fewest || lost[first] === lost[last] || isEdge(frame, i) || (rules.verdict[i] === 1 && !isAside)) i = end - 1
    else addRuns(frame, i, i < aside ? fewestAside : fewest, runs)
  }
  return runs
}

/** Whether an element is no place for records: a header is one if it is that of a site, not of an article. */
function isEdge({ outline: o }: Frame, i: number): boolean {
  const name = o.elements[i]?.name ?? ''
  return edges.has(name) || (name === 'header' && o.elements[o.parent[i] ?? -1]?.name !== 'article')
}

function standsBeside({ outline: o }: Frame, i: number): boolean {
  const element = o.elements[i]
  return element !== undefined && (element.name === 'aside' || /side-?bar/i.test((attribute(element, 'class') ?? '').slice(0, 300)))
}

/** Adds the runs of consecutive rows among the children of an element; a run ends where a name is repeated. */
function addRuns(frame: Frame, i: number, least: number, runs: Run[]): void {
  const { outline: o, blocks } = frame
  const end = o.end[i] ?? i + 1
  let names = new Set<string>()
  let bare: number[] = []
  let from = -1
  const close = (to: number): void => {
    if (names.size >= least) runs.push({ from, to, names, bare })
    if (from >= 0) [names, bare] = [new Set(), []]
    from = -1
  }
  for (let at = i + 1; at < end; at = o.end[at] ?? end) {
    const first = blocks.first[at] ?? 0
    if (first === blocks.end[at]) continue
    const named = rows.has(o.elements[at]?.name ?? '') ? nameIn(frame, at) : undefined
    if (from >= 0 && named === undefined && hasNoValue(frame, at)) bare.push(first)
    else if (named === undefined || names.has(named)) close(first)
    else {
      if (from < 0) from = first
      if (named !== '') names.add(named)
    }
  }
  close(blocks.end[i] ?? 0)
}

function keepRun({ heading, seen }: Frame, kept: Uint8Array, { from, to, bare }: Run): void {
  if (!kept.subarray(from, to).includes(0) || !seen.subarray(from, to).includes(0)) return
  kept.fill(1, from, to)
  for (const block of bare) kept[block] = 0
  if ((heading[from - 1] ?? 0) > 1) kept[from - 1] = 1
}

/** Whether a row is the name of a property, and an element beside it that says nothing. */
function hasNoValue({ outline: o, blocks }: Frame, at: number): boolean {
  const first = blocks.first[at] ?? 0
  const block = blocks.all[first]
  if (block === undefined || blocks.end[at] !== first + 1 || o.parent[block.at] !== at || !/[:：]$/.test(lineOf(block))) return false
  const value = o.end[block.at] ?? 0
  return value < (o.end[at] ?? 0) && o.end[value] === o.end[at]
}

/** The name in a row; '' for a `dd`, which only has the value; undefined for an element that is no row. */
function nameIn({ outline: o, blocks, heading }: Frame, at: number): string | undefined {
  const first = blocks.first[at] ?? 0
  const count = (blocks.end[at] ?? 0) - first
  const letters = o.text[at] ?? 0
  const [block, second] = [blocks.all[first], blocks.all[first + 1]]
  const element = o.elements[at]?.name
  if (block === undefined || heading[first] !== 0 || letters > longestCell) return undefined
  if (element === 'dd') return ''
  if (count > 2 || block.linkLetters * 2 > block.measure.letters) return undefined
  if (element === 'tr') return count === 2 && block.measure.letters <= longestName && hasLetter.test(lineOf(block)) ? lineOf(block) : undefined
  if (element === 'dt') return count === 1 ? nameOf(lineOf(block).replace(/[:：]$/, '')) : undefined
  const pair = second !== undefined && count === 2 && isPair(o.parent, at, block, second) ? nameOf(lineOf(block).replace(/\s*[:：]$/, '')) : undefined
  // Who has a ticket is a link to that person.
  if (pair !== undefined && block.linkLetters === 0 && ofTicket.test(pair)) return pair
  if ((o.linkText[at] ?? 0) > 0 || letters > longestValue + longestName) return undefined
  if (second !== undefined && count === 2) return pair
  return inLine(block) ?? inParts(o.parent, at, block)
}

const nameOf = (line: string): string | undefined => (name.test(line) ? line : undefined)

function inLine(block: Block): string | undefined {
  const named = byColon.exec(lineOf(block))?.[1]
  return named === undefined || credit.test(named) ? undefined : named
}

/** Whether name and value are two elements directly in the row; a value behind a colon may be in further boxes. */
function isPair(parent: Int32Array, at: number, first: Block, second: Block): boolean {
  return parent[first.at] === at && (parent[second.at] === at || (/[:：]$/.test(lineOf(first)) && isWithin(parent, at, second.at))) && second.measure.letters <= longestValue
}

/** Boxes in a row around a part of its value, and most parts of one: a number, and its unit in two forms. */
const mostBoxes = 3
const mostParts = 4
const aNumber = /^\s*[\d¼½¾⅓⅔]/
const aUnit = /^\s*[\p{L}\d%°]/u

/** The name in a line in which name and value are different elements. */
function inParts(parent: Int32Array, at: number, { places, texts }: Block): string | undefined {
  const [first = -1, second = -1] = places
  if (first === second || parent[first] !== at) return undefined
  const isRow = places.length === 2 ? second === at || parent[second] === at : isMeasured(texts) && places.every((place, i) => i === 0 || (place !== first && isWithin(parent, at, place)))
  return isRow ? nameOf(texts[0]?.data.trim() ?? '') : undefined
}

/** Whether the parts behind the first are a number and what it counts. */
const isMeasured = ([, number, ...units]: Block['texts']): boolean => units.length < mostParts && aNumber.test(number?.data ?? '') && units.every(({ data }) => aUnit.test(data))

function isWithin(parent: Int32Array, at: number, place: number): boolean {
  let up = place
  for (let boxes = 0; boxes < mostBoxes && up > at; boxes++) up = parent[up] ?? -1
  return up === at
}
