import { percentDecoded } from '../../lib/percent-decoded.ts'
import { headingTags } from '../html/tag-sets.ts'
import { attribute, type Element, isElement, isText, oneLine, textOf } from '../html/tree.ts'

/** Longest heading that a link is compared with. */
const longest = 300
/** Nodes that are read for that, those of icons included. */
const mostNodes = 300

/**
 * Whether a link in or behind a heading leads to that heading and says its text once more, for screen readers: "Section titled
 * “Install”".
 */
export function repeatsHeading(element: Element): boolean {
  if (element.name !== 'a') return false
  const heading = headingOf(element)
  const id = heading === undefined ? '' : (attribute(heading, 'id') ?? '')
  if (heading === undefined || id === '') return false
  const href = attribute(element, 'href') ?? ''
  const at = href.indexOf('#')
  if (at < 0 || percentDecoded(href.slice(at + 1)) !== id) return false
  const said = oneLine(textOf(element, longest * 2, mostNodes))
  const all = oneLine(textOf(heading, longest * 3, mostNodes))
  const own = (heading === element.parent ? all.replace(said, '') : all).trim()
  return own !== '' && said.includes(own)
}

/** The heading that a link is a child of, or stands right behind. */
function headingOf({ parent, prev }: Element): Element | undefined {
  if (parent !== null && isElement(parent) && headingTags.has(parent.name)) return parent
  const before = prev !== null && isText(prev) && prev.data.trim() === '' ? prev.prev : prev
  return before !== null && isElement(before) && headingTags.has(before.name) ? before : undefined
}
