import { namesOf } from '../../../../html/tree.ts'
import { isDeck } from '../../../titles/deck.ts'
import { textAfter } from '../records/facts.ts'
import type { Frame } from '../../frame.ts'

/** Class and id names of summaries. */
const named = /(?:^|[\s_-])(?:key-?(?:points?|takeaways?|facts?|findings?|insights?)|takeaways?|tl-?dr|at-a-glance|in-brief|highlights|summary|abstract)(?:$|[\s_-])/i
const holders: ReadonlySet<string> = new Set(['div', 'section', 'aside'])
const lists: ReadonlySet<string> = new Set(['ul', 'ol'])
const [fewest, most] = [30, 2_000]
/** Most elements in a summary: bounds the search through nested boxes. */
const mostElements = 500
/** Elements that ask the reader for input or show another page: an element with one of them is no summary. */
const asking: ReadonlySet<string> = new Set(['form', 'input', 'select', 'textarea', 'iframe'])
/** Fewest letters of a sentence in a list without a telling name, and fewest sentences of such a list. */
const aSentence = 25
const longestSentence = 500
const fewestItems = 2

/**
 * Keeps the summary between the title of a page and its text: key points, takeaways. The trees mistake it for page
 * furniture.
 */
export function keepSummaries(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks, heading, rules, seen } = frame
  const first = heading.indexOf(1)
  if (kept[first] !== 1 || rules.forum) return
  const behind = Math.max(textAfter(frame, kept, first), first + 1)
  for (let i = 0; i < o.elements.length && (blocks.first[i] ?? 0) < behind; i++) {
    const [from, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
    if (from <= first || end > behind || end === from || !isSummary(frame, i)) continue
    if (kept.subarray(from, end).includes(0) && !seen.subarray(from, end).includes(1)) kept.fill(1, from, end)
    if ((heading[from - 1] ?? 0) > 1) kept[from - 1] = 1
  }
}

function isSummary({ outline: o, blocks, heading, rules }: Frame, i: number): boolean {
  const element = o.elements[i]
  const letters = o.text[i] ?? 0
  if (element === undefined) return false
  if (isDeck(element, letters)) return rules.verdict[i] !== 1 && (blocks.end[i] ?? 0) - (blocks.first[i] ?? 0) === 1 && (o.linkText[i] ?? 0) * 10 <= letters
  const first = blocks.first[i] ?? 0
  // A sentence that is a heading right behind that of the page.
  if (element.name === 'h2' && heading[first] === 2 && heading[first - 1] === 1 && heading[first + 1] === 0 && letters >= aSentence && letters <= longestSentence) return rules.verdict[i] === 0 && o.linkText[i] === 0
  if (letters < fewest || letters > most || (o.linkText[i] ?? 0) * 10 > letters) return false
  if (holders.has(element.name)) return (o.end[i] ?? i) - i <= mostElements && named.test(namesOf(element)) && !o.elements.slice(i, o.end[i]).some(({ name }) => asking.has(name))
  if (!lists.has(element.name) || rules.verdict[i] !== 0 || (o.linkText[i] ?? 0) > 0) return false
  const items = blocks.all.slice(blocks.first[i], blocks.end[i])
  return items.length >= fewestItems && items.every(({ measure }) => measure.letters >= aSentence && measure.ends > 0)
}
