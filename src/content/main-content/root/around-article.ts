import { headingTags } from '../../html/tag-sets.ts'
import { attribute, type Element, oneLine, textOf } from '../../html/tree.ts'
import { nameKind } from '../names.ts'
import type { Outline } from '../outline.ts'
import { isDeck } from '../titles/deck.ts'
import { afterword } from '../trim/afterwords.ts'
import { isClosingLine, longestClosing } from './closing-lines.ts'
import { notesBehind } from './note-links.ts'

/** Elements that hold an article together with what belongs to it, and elements beside it that may belong to it. */
const holders: ReadonlySet<string> = new Set(['main', 'section'])
const texts: ReadonlySet<string> = new Set(['p', 'article', 'section', 'header', 'div', 'blockquote', 'pre'])
/** What belongs to the text that it follows. */
const parts: ReadonlySet<string> = new Set(['ul', 'ol', 'dl', 'table', 'figure', 'pre'])
const controls: ReadonlySet<string> = new Set(['form', 'input', 'textarea', 'select', 'iframe', 'nav'])
const boxes: ReadonlySet<string> = new Set(['div', 'section'])
/** Fewest letters of such a text, and the share of them that may be in links: teasers are links. */
const leastText = 20
const mostLinked = 0.25
/** Most characters of an article that are compared with what stands beside it, and most nodes. */
const mostRead = 20_000
const mostNodes = 5_000

const read = (element: Element): string => oneLine(textOf(element, mostRead, mostNodes))

/**
 * The element around the article that was found, where text of the page stands beside it, too: paragraphs before or behind it, the
 * header of its section, or another article; and what in it is none of the text. Headings, the line under a headline and the notes of
 * the article are left to later steps. Undefined where no text stands beside it.
 */
export function aroundArticle(o: Outline, at: number, kinds: Uint8Array): { readonly at: number; readonly others: readonly Element[] } | undefined {
  const around = o.parent[at] ?? -1
  const holder = o.elements[around]
  const article = o.elements[at]
  if (article?.name !== 'article' || holder === undefined || !(holders.has(holder.name) || attribute(holder, 'role') === 'main')) return undefined
  const notes = notesBehind(o, at)
  let beside = false
  let isBehindText = false
  let said: string | undefined
  const others: Element[] = []
  for (let i = around + 1, end = o.end[around] ?? 0; i < end; i = o.end[i] ?? end) {
    const element = o.elements[i]
    if (element === undefined || headingTags.has(element.name)) continue
    if (i === at) {
      isBehindText = false
      continue
    }
    const isOwn = isText(o, i, kinds) && !isFurniture(o, i) && !(said ??= read(article)).includes(read(element))
    isBehindText = isOwn || (isBehindText && isPart(o, i, kinds))
    if (isOwn) beside = true
    else if (!isBehindText && !isDeck(element, o.text[i] ?? 0) && !o.elements.slice(i, o.end[i]).some((inner) => inner.name === 'h1' || notes.includes(inner))) others.push(element)
  }
  return beside ? { at: around, others } : undefined
}

/** Whether an element is not named as furniture, holds no form, and hardly any links. */
function isPlain(o: Outline, i: number, kinds: Uint8Array): boolean {
  if ((kinds[i] !== nameKind.plain && kinds[i] !== nameKind.content) || (o.linkText[i] ?? 0) > (o.text[i] ?? 0) * mostLinked) return false
  return !o.elements.slice(i, o.end[i]).some(({ name }) => controls.has(name))
}

/** Whether an element is text for a reader: it holds paragraphs. */
function isText(o: Outline, i: number, kinds: Uint8Array): boolean {
  const name = o.elements[i]?.name ?? ''
  // The header of a section need not write what it says in paragraphs.
  const said = name === 'header' && (o.commas[i] ?? 0) > 0 ? (o.text[i] ?? 0) : (o.proseText[i] ?? 0)
  return texts.has(name) && said >= leastText && isPlain(o, i, kinds)
}

const isPart = (o: Outline, i: number, kinds: Uint8Array): boolean => parts.has(o.elements[i]?.name ?? '') && isPlain(o, i, kinds)

/**
 * Whether a text is about other pages, readers or the site: a heading in it says so or is all link, as in a teaser; or it is short, and
 * says what sites say at the end of a page, or begins with a picture, as a box about the author does.
 */
function isFurniture(o: Outline, i: number): boolean {
  const isShort = (o.text[i] ?? 0) < longestClosing
  const isBox = isShort && boxes.has(o.elements[i]?.name ?? '')
  for (let at = i; at < (o.end[i] ?? 0); at++) {
    const element = o.elements[at]
    if (element === undefined) continue
    if (isBox && o.images[at] === 1 && o.text[at] === 0 && o.before[at] === o.before[i]) return true
    if (isShort && (at === i || element.name === 'p') && isClosingLine(read(element))) return true
    if (!headingTags.has(element.name) || (o.text[at] ?? 0) === 0) continue
    if (afterword.test(read(element)) || (o.linkText[at] === o.text[at] && leadsAway(o, at))) return true
  }
  return false
}

/** Whether a link in an element leads to another page. */
function leadsAway(o: Outline, i: number): boolean {
  return o.elements.slice(i, o.end[i]).some((element) => element.name === 'a' && !(attribute(element, 'href') ?? '#').startsWith('#'))
}
