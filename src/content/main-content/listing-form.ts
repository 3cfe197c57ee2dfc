import { attribute, type Element, isElement, isText, walk } from '../html/tree.ts'

/** Nodes of a form and of a row that are looked at, and fewest rows of a list. */
const mostNodes = 3000
const mostInRow = 300
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
  let [listed, nodes] = [0, 0]
  let typed = false
  walk(part, (node) => {
    if (listed >= fewestRows || ++nodes > mostNodes) return false
    if (!isElement(node)) return undefined
    const listing = isRecord(node)
    if (listing) listed++
    else typed ||= node.name === 'textarea' || (node.name === 'input' && !presses.test(attribute(node, 'type') ?? 'text'))
    return listing || asking.has(node.name) ? false : undefined
  })
  return listed >= fewestRows || (listed === 1 && !typed)
}

/** Whether a row is a record that can be chosen by a box of its own. */
export function canBeChosen(row: Element): boolean {
  return isRecord(row) && contentsOf(row).ticked
}

/** Whether a row says something, and asks for nothing but whether it is chosen. */
function isRecord(row: Element): boolean {
  if (!rows.has(row.name)) return false
  const { signs, longest, parts, asks } = contentsOf(row)
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

function contentsOf(row: Element): Contents {
  let [signs, longest, parts, nodes] = [0, 0, 0, 0]
  let [asks, ticked] = [false, false]
  walk(row, (node) => {
    if (asks || ++nodes > mostInRow) return false
    if (isText(node)) signs += signsIn(node.data)
    if (!isElement(node)) return undefined
    const field = node.name === 'input'
    const type = attribute(node, 'type') ?? 'text'
    ticked ||= field && chosen.test(type)
    asks = asking.has(node.name) || (field && !ticks.test(type))
    if (row.name === 'tr' ? node.name === 'td' : field || node.name === 'a') parts++
    if (node.name === 'a') longest = Math.max(longest, signsOf(node))
    return undefined
  })
  return { signs, longest, parts, ticked, asks }
}

function signsOf(link: Element): number {
  let signs = 0
  walk(link, (node) => void (signs += isText(node) ? signsIn(node.data) : 0))
  return signs
}

const signsIn = (text: string): number => text.match(sign)?.length ?? 0
