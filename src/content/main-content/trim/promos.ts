import { absolute, hrefOf } from '../../html/address.ts'
import { type Element, elementBehind, oneLine, textOf, walkElements } from '../../html/tree.ts'
import { lettersIn } from './turns.ts'

/** What a magazine writes before links to its other stories, in the middle of a text. */
const labels = [
  /read (?:more|also|next)(?: on this(?: story| topic)?)?|also read|more on this(?: story| topic)?|more from .{2,30}|related(?: stor(?:y|ies)| articles?| coverage| news| reading)?|recommended(?: reading)?|must[- ]read|don['’]t miss|you (?:may|might) also (?:like|be interested in)/,
  /(?:lesen sie|lies) auch|mehr zum thema|auch interessant|(?:à )?lire aussi|sur le même sujet|(?:lea|lee|leer|leia) (?:también|também|mais)|te puede interesar|leggi anche|lees ook|czytaj (?:też|także|również)|читайте также|les også|läs också/,
]
/** How a line begins that leads to other stories. */
export const promoLabel = new RegExp(`^\\[?(?:${labels.map(({ source }) => source).join('|')})(?=\\s*(?:[:–—»>]|$)|\\s)`, 'iu')
const separated = /^\s*(?:[:–—»>]|$)/u
/** Most letters and links of such a line, and elements of it that are read. */
const longest = 400
const mostLinks = 8
const mostNodes = 100

/**
 * The line that leads to other stories of the same site and says nothing else, with the list behind it where that holds all of
 * its links; undefined for any other line.
 */
export function promoOf(element: Element, url: string): readonly Element[] | undefined {
  const text = oneLine(textOf(element, longest + 1, mostNodes))
  const [named] = promoLabel.exec(text) ?? []
  if (named === undefined || text.length > longest) return undefined
  const behind = text.length === named.length || text.slice(named.length).trim() === ':' ? elementBehind(element) : undefined
  const links = linksIn(behind ?? element, url)
  if (links === undefined) return undefined
  const outside = lettersIn(behind === undefined ? text : oneLine(textOf(behind, longest + 1, mostNodes))) - links
  if (behind !== undefined) return outside === 0 ? [element, behind] : undefined
  return outside === lettersIn(named) || (outside === 0 && separated.test(text.slice(named.length))) ? [element] : undefined
}

/** The letters of the links in an element, if it has some and all lead to the same site. */
function linksIn(element: Element, url: string): number | undefined {
  let [links, letters] = [0, 0]
  walkElements(element, (inner) => {
    if (inner.name !== 'a') return links > mostLinks ? false : undefined
    links += isOnSite(inner, url) ? 1 : mostLinks + 1
    letters += lettersIn(textOf(inner, longest, mostNodes))
    return false
  })
  return links > 0 && links <= mostLinks ? letters : undefined
}

function isOnSite(link: Element, url: string): boolean {
  const target = absolute(hrefOf(link) ?? '', url)
  return target !== undefined && new URL(target).host === new URL(url).host
}
