import { type Document, type Element, isElement, textOf, walkElements } from '../../html/tree.ts'
import { lettersIn } from './turns.ts'

/** Most letters of such a part, boxes around its notice, and elements that are more than a part. */
const longest = 1_500
const mostUp = 5
const wholes: ReadonlySet<string> = new Set(['body', 'html', 'main', 'article', 'table', 'tbody', 'tr'])
const fewestLinks = 2
/** The share of its letters besides the notice that are links. */
const linkedShare = 0.6

/** The foot of a site without a name: the outermost box around the notice of who owns it that holds links otherwise, if any. */
export function footingOf(notice: Element, roots: readonly (Document | Element)[]): Element | undefined {
  const own = lettersIn(textOf(notice, longest, longest))
  let found: Element | undefined
  for (let at = notice.parent, up = 0; up < mostUp && at !== null && isElement(at) && !wholes.has(at.name) && !roots.includes(at); at = at.parent, up++) {
    const text = textOf(at, longest + 1, longest)
    if (text.length > longest) break
    const [links, linked] = linksIn(at)
    const others = lettersIn(text) - own
    if (linked < others * linkedShare) break
    if (links >= fewestLinks) found = at
  }
  return found
}

/** How many links an element holds, and how many letters they have. */
function linksIn(box: Element): readonly [links: number, letters: number] {
  let [links, letters] = [0, 0]
  walkElements(box, (inner) => {
    if (inner.name !== 'a') return undefined
    links++
    letters += lettersIn(textOf(inner, longest, longest))
    return false
  })
  return [links, letters]
}
