import { attribute, type Element, isElement, isText, walk } from '../../html/tree.ts'

/** How much of a form, of all its rows (which may be in one another), and of a row is looked at; fewest rows of a list. */
const mostNodes = 3000
const ofRows: Extent = { nodes: 4000, text: 20_000 }
const ofRow: Extent = { nodes: 300, text: 2000 }
const fewestRows = 2
/** Fewest letters and digits that a record says outside its longest link: a filter has a link and a count. */
const leastBesideLink = 10
const rows: ReadonlySet<string> = new Set(['tr', 'li', 'dd'])
/** What a visitor fills in or presses, and what names it. */
const asking: ReadonlySet<string> = new Set(['select', 'textarea', 'button', 'label'])
const ticks = /^(?:checkbox|radio|hidden)$/i
const chosen = /^(?:checkbox|radio)$/i
const presses = /^(?:checkbox|radio|hidden|submit|button|image|reset)$/i
const sign = /[\p{L}\p{N}]/gu

/** Numbers of nodes, and of characters of their text. */
interface Extent {
  nodes: number
  text: number
}

/**
 * Whether a form lists records, or the properties of one thing, of which some may be chosen: the tickets of a tracker, the
 * versions of a page, a product in a shop. What it asks for is furniture; what it lists is not. One record is a list where
 * nothing can be typed.
 */
export function isListingForm(form: Element): boolean {
  return (form.name === 'form' || form.name === 'fieldset') && listsRecords(form)
}

/** The same of a part of a form. */
export function listsRecords(part: Element): boolean {
  const left = { ...ofRows }
  let listed = 0
  let typed = false
  walk(part, (node) => {
    if (listed >= fewestRows) return false
    if (!isElement(node)) return undefined
    const listing = isRecord(node, left)
    if (listing) listed++
    else typed ||= node.name === 'textarea' || (node.name === 'input' && !presses.test(attribute(node, 'type') ?? 'text'))
    return listing || asking.has(node.name) ? false : undefined
  }, mostNodes)
  return listed >= fewestRows || (listed === 1 && !typed)
}

/** Whether a row is a record that can be chosen by a box of its own. */
export function canBeChosen(row: Element): boolean {
  return isRecord(row, { ...ofRows }) && contentsOf(row, { ...ofRows }).ticked
}

/** Whether a row says something, and asks for nothing but whether it is chosen. */
function isRecord(row: Element, left: Extent): boolean {
  if (!rows.has(row.name)) return false
  const { signs, longest, parts, asks } = contentsOf(row, left)
  if (asks) return false
  return row.name === 'dd' ? signs > 0 : signs - longest >= leastBesideLink && parts > (row.name === 'tr' ? 1 : 0)
}

/** What a row holds. */
interface Contents {
  readonly signs: number
  /** Letters and digits of its longest link. */
  readonly longest: number
  /** Cells of a table; links and boxes to be ticked of other rows. */
  readonly parts: number
  readonly ticked: boolean
  readonly asks: boolean
}

function contentsOf(row: Element, left: Extent): Contents {
  let [longest, parts] = [0, 0]
  let [asks, ticked] = [false, false]
  const signs = signsIn(row, left, (element) => {
    const field = element.name === 'input'
    const type = attribute(element, 'type') ?? 'text'
    ticked ||= field && chosen.test(type)
    asks ||= asking.has(element.name) || (field && !ticks.test(type))
    if (row.name === 'tr' ? element.name === 'td' : field || element.name === 'a') parts++
    if (element.name === 'a') longest = Math.max(longest, signsIn(element, left))
    return !asks
  })
  return { signs, longest, parts, ticked, asks }
}

/**
 * Letters and digits in the beginning of a row or link, as far as something is `left`, from which it is taken. Its elements are
 * shown to `see` until that answers false.
 */
function signsIn(root: Element, left: Extent, see: (element: Element) => boolean = () => true): number {
  let signs = 0
  let on = true
  let { text } = ofRow
  walk(root, (node) => {
    left.nodes--
    if (on && isElement(node)) on = see(node)
    if (isText(node)) {
      const counted = node.data.slice(0, Math.min(text, left.text))
      text -= counted.length
      left.text -= counted.length
      signs += counted.match(sign)?.length ?? 0
    }
    return on
  }, Math.min(ofRow.nodes, left.nodes))
  return signs
}
