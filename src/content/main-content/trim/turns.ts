import { attribute, type Document, type Element, isElement, textOf, walkElements } from '../../html/tree.ts'
import { headingTags } from '../../html/tag-sets.ts'

/** The keys that DocBook and makeinfo give to the links to the next and the previous page, the part around it and the first page. */
const keys = /^[npuh]$/
/** Most letters of such a line, and elements around the link that may be all of it. */
const longest = 400
const mostUp = 5
/** Elements that say more than where a reader may turn. */
const says: ReadonlySet<string> = new Set([...headingTags, 'pre', 'dl', 'blockquote', 'img'])
const ends: ReadonlySet<string> = new Set(['body', 'html', 'main', 'article', 'section', 'li', 'dd'])

/** The line around a link that turns the pages of a manual, if most of it is links, and the rule below it; undefined for any other link. */
export function turnOf(link: Element, roots: readonly (Document | Element)[]): readonly Element[] | undefined {
  if (!keys.test(attribute(link, 'accesskey') ?? '')) return undefined
  let line: Element | undefined
  for (let at = link.parent, up = 0; up < mostUp && at !== null && isElement(at) && !ends.has(at.name) && !roots.includes(at) && isTurn(at); up++, at = at.parent) line = at
  const next = line?.next?.type === 'text' ? line.next.next : line?.next
  return line === undefined ? undefined : next && isElement(next) && next.name === 'hr' ? [line, next] : [line]
}

function isTurn(line: Element): boolean {
  const all = textOf(line, longest + 1, longest)
  if (all.length > longest) return false
  let linked = 0
  let saysMore = false
  walkElements(line, (inner) => {
    saysMore ||= says.has(inner.name)
    if (inner.name !== 'a') return saysMore ? false : undefined
    linked += lettersIn(textOf(inner, longest, longest))
    return false
  })
  return !saysMore && linked * 2 >= lettersIn(all)
}

export const lettersIn = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0
