import { attribute, type Element } from '../../html/tree.ts'
import { nameKind } from '../names.ts'
import type { Outline } from '../outline.ts'

/** Elements that hold an article together with what belongs to it, and elements beside it that may belong to it. */
const holders: ReadonlySet<string> = new Set(['main', 'section'])
const texts: ReadonlySet<string> = new Set(['p', 'article', 'section', 'header', 'div', 'blockquote', 'pre'])
const controls: ReadonlySet<string> = new Set(['form', 'input', 'textarea', 'select', 'iframe', 'nav'])
/** Fewest letters of such a text, and the share of them that may be in links: teasers are links. */
const leastText = 20
const mostLinked = 0.25

/**
 * The element around the article that was found, where text of the page stands beside it, too: paragraphs before or behind it, the
 * header of its section, or another article. Undefined for none.
 */
export function aroundArticle(o: Outline, at: number, kinds: Uint8Array): { readonly at: number; readonly others: readonly Element[] } | undefined {
  const around = o.parent[at] ?? -1
  const holder = o.elements[around]
  if (o.elements[at]?.name !== 'article' || holder === undefined || !(holders.has(holder.name) || attribute(holder, 'role') === 'main')) return undefined
  let beside = false
  const others: Element[] = []
  for (let i = around + 1, end = o.end[around] ?? 0; i < end; i = o.end[i] ?? end) {
    const element = o.elements[i]
    if (i === at || element === undefined) continue
    if (isText(o, i, kinds)) beside = true
    else if (!o.elements.slice(i, o.end[i]).some(({ name }) => name === 'h1')) others.push(element)
  }
  return beside ? { at: around, others } : undefined
}

/** Whether an element is text for a reader: it holds paragraphs, no form, and hardly any links. */
function isText(o: Outline, i: number, kinds: Uint8Array): boolean {
  const text = o.text[i] ?? 0
  const isPlain = kinds[i] === nameKind.plain || kinds[i] === nameKind.content
  const name = o.elements[i]?.name ?? ''
  // The header of a section need not write what it says in paragraphs.
  const said = name === 'header' && (o.commas[i] ?? 0) > 0 ? text : (o.proseText[i] ?? 0)
  if (!isPlain || !texts.has(name) || said < leastText || (o.linkText[i] ?? 0) > text * mostLinked) return false
  return !o.elements.slice(i, o.end[i]).some(({ name }) => controls.has(name))
}
