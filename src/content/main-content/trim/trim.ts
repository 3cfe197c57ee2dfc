import type { Page } from '../../clean/step.ts'
import { headingTags } from '../../html/tag-sets.ts'
import { type Element, isText, noAttributes, oneLine, textOf } from '../../html/tree.ts'
import { afterword } from './afterwords.ts'
import { idleLinks } from './idle-links.ts'
import { isNoteTitle } from '../furniture/notes.ts'
import { isInSentence } from '../in-sentence.ts'
import { isManual, isOfVersions } from '../kinds/manual.ts'
import { file } from '../learned/restore/software/files.ts'
import type { Outline } from '../outline.ts'
import type { Setting } from '../setting.ts'
import { otherThings } from './other-things.ts'
import { isResourceList } from './resource-list.ts'
import { isTechnical, namesOthers } from '../kinds/technical.ts'
import { isCellOfData } from '../learned/restore/records/data-table.ts'

/** Lines about the page rather than its subject. */
const aside =
  /^(?:advertisement|advert|anzeige|werbung|publicité|publicidad|sponsored|(?:share|print|e-?mail)(?: this(?: (?:page|article|post|story))?)?|teilen|tweet|drucken|copy link|save|listen|follow us|skip to (?:main )?content|back to top|nach oben|scroll to top|read more|weiterlesen|load more|show more|view all|see all|learn more|loading\.*|click to (?:share|print|email).{0,60}|sign (?:in|up)|log in|subscribe(?: now)?|add to (?:cart|wishlist|bag|basket)|previous|next|zurück|weiter|menu|close|search|reply|report|like|\d+ (?:shares?|comments?|likes?|views?|kommentare?))[\s:.!»>→]*$/i

/** Whether a line offers something of the page rather than being part of its text. */
export const isOffer = (line: string): boolean => aside.test(line)

/** Those of them that are words of a text, too: a line of a poem, a heading. */
const word = /^(?:listen|close|save|search|reply|report|like|next|previous|print)[\s.!]*$/i

/** Whether an element has nothing of a control: neither attributes nor a link or a picture in it. */
const isPlain = ({ attribs, children }: Element): boolean => attribs === noAttributes && children.every(isText)

/** Whether an offer is a paragraph of a text, for all that is known. */
export const mayBeSaid = (element: Element, line: string): boolean => element.name === 'p' && word.test(line) && isPlain(element)

/** Those of them that lead on to more text. */
const onward = /^(?:read more|weiterlesen|load more|show more|view all|see all|learn more)/i

/** Whether a line only leads on to more text. */
export const leadsOn = (line: string): boolean => onward.test(line)

/** A part with a larger share of the root's text is the content itself. */
const maxPart = 0.4
const listingDensity = 0.5
/** From this share of its text in paragraphs on, the root reads like an article. */
const proseShare = 0.5

/** In a root with fewer letters, lists of links are the content. */
const littleText = 400
/** In a root with fewer letters, lists of links to other sites are a part of the content. */
const shortText = 1_000

/**
 * Marks parts of the root that lead away from it: sections with a telling heading, lists of links, idle lines. Returns how
 * many letters that removed.
 */
export function trim(page: Page, o: Outline, root: number, { forum, short }: Pick<Setting, 'forum' | 'short'>): number {
  const top = o.elements[root]
  if (top !== undefined && isManual(top)) return 0
  const total = Math.max(o.text[root] ?? 0, 1)
  const listing = (o.linkText[root] ?? 0) / total > listingDensity
  const prosy = !forum && (o.proseText[root] ?? 0) > proseShare * total
  const idle = idleLinks(o)
  const technical = prosy && isTechnical(o, root)
  let letters = 0
  for (let i = root + 1; i < (o.end[root] ?? 0); i++) {
    const element = o.elements[i]
    if (!element) continue
    // Highlighters put each word of code into an element: a `print` there is no offer to print the page.
    if (element.name === 'pre' || element.name === 'code' || isManual(element) || isOfVersions(element)) {
      i = (o.end[i] ?? i + 1) - 1
      continue
    }
    if (!page.removed.has(element)) letters += trimAt(page, o, { i, root, total, listing, short, prosy, technical, idle }, element)
    if (page.removed.has(element)) i = (o.end[i] ?? i + 1) - 1
  }
  return letters
}

interface Place {
  readonly i: number
  readonly root: number
  readonly total: number
  readonly listing: boolean
  readonly short: boolean
  readonly prosy: boolean
  readonly technical: boolean
  /** Links that lead nowhere. */
  readonly idle: ReadonlySet<number> | undefined
}

function trimAt(page: Page, o: Outline, place: Place, element: Element): number {
  const { i, total, listing, short, prosy, technical } = place
  const text = o.text[i] ?? 0
  if (short && text > 0 && text < 80 && headingTags.has(element.name) && otherThings.test(lineOf(element))) return cutPart(page, o, place, element)
  if (prosy && text > 0 && text < 120 && isHeadingLike(element) && afterword.test(lineOf(element)) && !(technical && namesOthers(lineOf(element))) && !isNoteTitle(element)) return cutPart(page, o, place, element)
  if (text > 0 && text < 40 && lines.has(element.name) && isAside(o, place, lineOf(element)) && !mayBeSaid(element, lineOf(element)) && !opensText(o, i) && !isInSentence(element)) return cutAt(page, o, i)
  if (place.idle?.has(i) === true) return cutAt(page, o, i)
  if (!listing && total >= littleText && text < total * maxPart && isLinkList(o, i, element) && !(total < shortText && isResourceList(element, page.url))) return cutAt(page, o, i)
  return 0
}

/**
 * Whether a line is not part of the text. A "read more" that is the only link of the root is kept: the text ends in it; and so
 * is a thing among others: an item of a list that leads nowhere, a term or its description, a cell of a table of data.
 */
function isAside(o: Outline, { i, root }: Place, line: string): boolean {
  if (!aside.test(line) || (o.links[root] === 1 && onward.test(line)) || isAddressLabel(o, i, line)) return false
  for (let at = i; at >= 0 && o.text[at] === o.text[i]; at = o.parent[at] ?? -1) {
    const name = o.elements[at]?.name ?? ''
    if (name === 'li') return o.links[at] !== 0
    if (name === 'dt' || name === 'dd' || ((name === 'td' || name === 'th') && isCellOfData(o, at))) return false
  }
  return true
}

const mail = /^e-?mail[\s:]*$/i

/** Whether a line names the address that stands beside it, rather than offering to send the page. */
function isAddressLabel(o: Outline, i: number, line: string): boolean {
  const around = o.elements[o.parent[i] ?? -1]
  return around !== undefined && mail.test(line) && lineOf(around).includes('@')
}

/** Nodes of a line that are read: a short line may be nested in any number of empty boxes. */
const lineNodes = 1000

function lineOf(element: Element): string {
  return oneLine(textOf(element, 200, lineNodes))
}

/** Marks an element; returns its letters, or 0 when it was marked before. */
function cutAt(page: Page, o: Outline, i: number): number {
  const element = o.elements[i]
  if (element === undefined || page.removed.has(element)) return 0
  page.removed.add(element)
  return o.text[i] ?? 0
}

function isHeadingLike(element: Element): boolean {
  return headingTags.has(element.name) || ((element.name === 'p' || element.name === 'div' || element.name === 'strong' || element.name === 'span') && element.children.length <= 3)
}

const lines: ReadonlySet<string> = new Set(['p', 'div', 'li', 'span', 'a', 'strong', 'label', 'small', 'h2', 'h3', 'h4', 'h5', 'h6'])

/**
 * A paragraph with this many letters belongs to the text, and so does its heading, even if it reads like a button (a method
 * called `Close`).
 */
const openedText = 60

/** Whether an element is a heading, or all of a heading's text, with a paragraph or another text below it; a plain word, with any paragraph. */
function opensText(o: Outline, i: number): boolean {
  let at = i
  while (!headingTags.has(o.elements[at]?.name ?? '')) {
    const up = o.parent[at] ?? -1
    if (up < 0 || o.text[up] !== o.text[at]) return false
    at = up
  }
  const next = o.end[at] ?? o.elements.length
  const [heading, behind] = [o.elements[at], o.elements[next]]
  if (o.parent[next] !== o.parent[at]) return false
  if (heading !== undefined && behind?.name === 'p' && (o.text[next] ?? 0) > 0 && o.links[next] === 0 && word.test(lineOf(heading)) && isPlain(heading)) return true
  return (o.text[next] ?? 0) >= openedText && (behind?.name === 'p' || (o.linkText[next] ?? 0) * 2 < (o.text[next] ?? 0))
}

/**
 * Removes a section: the heading's container when the heading comes first there, otherwise everything up to the next
 * heading of its level.
 */
function cutPart(page: Page, o: Outline, place: Place, heading: Element): number {
  const most = place.total * maxPart
  const whole = outermostStartingWith(o, place, most)
  if (whole !== place.i) return cutAt(page, o, whole)
  if (!headingTags.has(heading.name)) return 0
  const part: number[] = [place.i]
  let size = 0
  const end = o.end[o.parent[place.i] ?? -1] ?? o.elements.length
  for (let at = o.end[place.i] ?? end; at < end; at = o.end[at] ?? end) {
    const name = o.elements[at]?.name ?? ''
    if (headingTags.has(name) && name <= heading.name) break
    size += o.text[at] ?? 0
    part.push(at)
  }
  if (size > most) return 0
  return part.reduce((letters, at) => letters + cutAt(page, o, at), 0)
}

/** The largest ancestor of a heading, inside the root, that starts with it and holds little of the page. */
function outermostStartingWith(o: Outline, { i, root }: Place, most: number): number {
  let best = i
  for (let at = o.parent[i] ?? -1; at > root; at = o.parent[at] ?? -1) {
    if ((o.text[at] ?? 0) > most || (o.before[i] ?? 0) - (o.before[at] ?? 0) > 12) break
    best = at
  }
  return best
}

const listTags: ReadonlySet<string> = new Set(['ul', 'ol', 'div', 'section', 'dl', 'p', 'aside', 'table', 'tr', 'td'])

function isLinkList(o: Outline, i: number, element: Element): boolean {
  if (!listTags.has(element.name)) return false
  const text = o.text[i] ?? 0
  const links = o.links[i] ?? 0
  if (links < 3 || text === 0 || (o.linkText[i] ?? 0) <= text * 0.8 || text >= links * 80) return false
  let first = i + 1
  while (first < (o.end[i] ?? 0) && o.elements[first]?.name !== 'a') first++
  // Files are what the text hands on.
  return !file.test(o.elements[first]?.attribs['href'] ?? '')
}
