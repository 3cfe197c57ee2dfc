import { headingTags } from '../../../html/tag-sets.ts'
import { type Frame, ofKind } from '../frame.ts'

const holders: ReadonlySet<string> = new Set(['div', 'main', 'article', 'section'])
const edges: ReadonlySet<string> = new Set(['nav', 'footer', 'header', 'form', 'button', 'select'])
/** An element with this many kept letters, and this share of its letters kept, is kept with its sections. */
const fewest = 300
const share = 0.5

/** Keeps omitted sections without links in an element that is mostly kept: options, seller, acknowledgements. */
export function keepSections(frame: Frame, kept: Uint8Array): void {
  const { blocks, rules } = frame
  if (rules.forum) return
  const { all, left } = sums(frame, kept)
  for (const i of ofKind(frame, ({ name }) => holders.has(name))) {
    const [first, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
    const letters = (left[end] ?? 0) - (left[first] ?? 0)
    if (letters >= fewest && letters >= ((all[end] ?? 0) - (all[first] ?? 0)) * share) keepThoseOf(frame, kept, i)
  }
}

/** Running totals before each block: of all letters, and of kept letters. */
function sums({ blocks }: Frame, kept: Uint8Array): { readonly all: Float64Array; readonly left: Float64Array } {
  const all = new Float64Array(kept.length + 1)
  const left = new Float64Array(kept.length + 1)
  for (let i = 0; i < kept.length; i++) {
    const letters = blocks.all[i]?.measure.letters ?? 0
    all[i + 1] = (all[i] ?? 0) + letters
    left[i + 1] = (left[i] ?? 0) + (kept[i] === 1 ? letters : 0)
  }
  return { all, left }
}

/** Keeps the sections among the children of an element: a heading and everything up to the next heading. */
function keepThoseOf(frame: Frame, kept: Uint8Array, i: number): void {
  const { outline: o, blocks, seen } = frame
  const end = o.end[i] ?? i + 1
  for (let at = i + 1; at < end; ) {
    const heads = isHeading(frame, at)
    const from = blocks.first[at] ?? 0
    let said = 0
    let belongs = heads && isText(frame, at)
    at = o.end[at] ?? end
    if (!heads) continue
    for (; at < end && !isHeading(frame, at); at = o.end[at] ?? end) {
      belongs &&= isText(frame, at)
      said += o.text[at] ?? 0
    }
    const to = at < end ? (blocks.first[at] ?? 0) : (blocks.end[i] ?? 0)
    if (belongs && said > 0 && !kept.subarray(from, to).includes(1) && !seen.subarray(from, to).includes(1)) kept.fill(1, from, to)
  }
}

const isHeading = ({ outline: o }: Frame, at: number): boolean => headingTags.has(o.elements[at]?.name ?? '')

/** Whether an element is kept by the rules, has no links, and is no control. */
function isText({ outline: o, rules }: Frame, at: number): boolean {
  return rules.verdict[at] === 0 && (o.linkText[at] ?? 0) === 0 && !edges.has(o.elements[at]?.name ?? '')
}
