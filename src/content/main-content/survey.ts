import type { Page } from '../clean/step.ts'
import type { ChildNode, Document, Element } from '../html/tree.ts'
import { recordsAside } from './root/aside-records.ts'
import { aroundArticle } from './root/around-article.ts'
import { columnsBeside } from './root/beside.ts'
import { aroundEntries } from './root/entries.ts'
import { fewLetters } from './fallback.ts'
import { markFurniture } from './furniture/furniture.ts'
import { headingBox } from './root/heading-box.ts'
import { pageSigns } from './learned/features/page-signs.ts'
import { listsEntries, withTitles } from './kinds/link-page.ts'
import { isManual } from './kinds/manual.ts'
import { notesBehind } from './root/note-links.ts'
import { aroundPosts } from './kinds/numbered-posts.ts'
import { isProductPage } from './kinds/product.ts'
import { type Outline, without } from './outline.ts'
import { contentRoot, weight } from './root/root.ts'
import { aroundProduct } from './root/short-product.ts'
import { leastMain, type Setting, settingOf } from './setting.ts'
import { deckBehind } from './titles/deck.ts'
import { titleHeading } from './titles/title-heading.ts'
import { trim } from './trim/trim.ts'

/** What the rules decided about a page. */
export interface ByRules {
  readonly setting: Setting
  readonly rest: Outline
  /** The root that they found, as an index into the outline; -1 for none. */
  readonly root: number
  readonly roots: readonly (Document | Element)[]
  /** Whether the root is what the page numbers as posts: however little they say, nothing else is content. */
  readonly posts: boolean
  /** Whether the root has few letters, but is all that the page says. */
  readonly whole: boolean
  /** Letters that remain in the root. */
  readonly letters: number
  readonly furniture: ReadonlySet<ChildNode>
  readonly side: ReadonlySet<ChildNode>
  readonly confidence: number
}

/** Posts with fewer letters may be waiting for a script. */
const fewestInPosts = 60

/** Finds the content by rules; everything else is marked in the page's `removed`. */
export function byRules(page: Page): ByRules {
  const setting = settingOf(page)
  const before = new Set(page.removed)
  markFurniture(setting)
  const furniture = new Set([...page.removed].filter((node) => !before.has(node)))
  const rest = without(setting.outline, page.removed)
  const found = contentRoot(setting.linkPage ? withTitles(rest) : rest, setting.kinds)
  const around = setting.forum && setting.short && found >= 0 ? aroundPosts(rest, found) : undefined
  const entries = setting.forum || !setting.short ? undefined : aroundEntries(rest, found)
  const inner = around ?? entries ?? rootOf(rest, found, setting)
  const article = setting.short && isProductPage(page.document) ? aroundProduct(rest, inner) : inner
  const wider = setting.short && !setting.forum && !setting.linkPage ? aroundArticle(rest, article, setting.kinds) : undefined
  for (const other of wider?.others ?? []) page.removed.add(other)
  const at = wider?.at ?? article
  const root = rest.elements[at]
  const letters = root ? (rest.text[at] ?? 0) - trim(page, rest, at, setting) : 0
  const side = new Set([...page.removed].filter((node) => !before.has(node) && !furniture.has(node)))
  const heading = root === undefined ? undefined : titleHeading(page, setting.outline, { rest, root: at })
  const isShort = setting.short && !setting.forum
  const isArticle = isShort && root !== undefined && pageSigns(page.document, page.url).isArticle
  const box = heading === undefined || !isShort || isArticle ? heading : headingBox(rest, heading, { root: at, isMain: setting.main !== undefined })
  const deck = isShort && heading !== undefined && box === heading ? deckBehind(rest, heading, at) : undefined
  const notes = root === undefined || !setting.short ? [] : notesBehind(rest, at)
  const records = root === undefined || setting.forum || setting.linkPage || setting.title < 0 || !setting.short ? [] : recordsAside(page, setting.outline, root)
  const columns = isShort && root !== undefined && !isArticle && setting.main === undefined && !setting.linkPage && records.length === 0 ? columnsBeside(rest, at, setting.kinds) : []
  const roots = [box, deck, root, ...columns, ...records, ...notes].filter((element) => element !== undefined)
  return { setting, rest, root: at, roots, posts: around !== undefined && letters >= fewestInPosts, whole: root !== undefined && letters < fewLetters && (isAllOfMain(setting, rest, at) || isWhole(setting, { rest, root: at, heading })), letters, furniture, side, confidence: root ? confidenceOf(rest, at, letters) : 0 }
}

/** Fewest letters of a text. */
const leastText = 60

/**
 * Whether the root is the content of the page, however short: it lists entries on a page of links, or it holds most of the
 * page's paragraphs, or some text and the page's heading, or some text in the `main` element.
 */
function isWhole({ outline: o, title, main, linkPage }: Setting, { rest, root, heading }: { readonly rest: Outline; readonly root: number; readonly heading: Element | undefined }): boolean {
  if (linkPage && listsEntries(rest, root)) return true
  const paragraphs = rest.proseText[root] ?? 0
  if (paragraphs >= leastText) {
    let all = 0
    for (let i = 0; i < o.elements.length; i = o.end[i] ?? i + 1) all += o.proseText[i] ?? 0
    if (paragraphs * 2 > all) return true
  }
  if ((rest.text[root] ?? 0) - (rest.linkText[root] ?? 0) < leastText) return false
  return heading !== undefined || isAround(rest.elements[root], o.elements[title]) || (main !== undefined && isAround(o.elements[main[0]], rest.elements[root]))
}

/** The share of a `main` element that the root must hold where the rest is furniture. */
const shareOfMain = 0.2

/** Whether the root has most of what the `main` element says: a page that names its content may say little. */
function isAllOfMain({ outline: o, main }: Setting, rest: Outline, root: number): boolean {
  if (main === undefined || !isAround(o.elements[main[0]], rest.elements[root])) return false
  const letters = rest.text[root] ?? 0
  return letters >= leastMain && letters * 2 > (rest.text[main[0]] ?? 0) && letters > (o.text[main[0]] ?? 0) * shareOfMain
}

/** Most elements around another one that are asked. */
const mostAround = 20

/** Whether an element is another one, or close around it. */
function isAround(outer: Element | undefined, inner: Element | undefined): boolean {
  let at: Element['parent'] = inner ?? null
  for (let up = 0; up < mostAround && at !== null && at !== outer; up++) at = 'parent' in at ? at.parent : null
  return at !== null && at === outer
}

/** The root, as an index into the outline. On a short page the whole `main` element, or the only article in it. */
function rootOf(rest: Outline, found: number, { main, short }: Setting): number {
  const at = manualAround(rest, found) ?? titledAround(rest, found)
  if (main === undefined) return (short ? articleAround(rest, found) : undefined) ?? at
  const [first, end] = main
  const isAroundMain = at >= 0 && at < first && end <= (rest.end[at] ?? 0)
  if (isAroundMain && (rest.text[first] ?? 0) * 2 > (rest.text[at] ?? 0)) return first
  const articles: number[] = []
  for (let i = first + 1; i < end; i++) if (rest.elements[i]?.name === 'article') articles.push(i)
  const whole = articles.length === 1 ? (articles[0] ?? first) : first
  // All of several are parts of one list.
  const isOne = articles.length <= 1 || articles.every((i) => i > at && i < (rest.end[at] ?? end))
  const isPart = at > whole && at < (rest.end[whole] ?? end) && (rest.text[at] ?? 0) < (rest.text[whole] ?? 0)
  return isPart && isOne ? whole : at
}

/** The only article of a page, if it begins with the heading of the page and its properties, and holds an element. */
function articleAround({ elements, end, text }: Outline, inner: number): number | undefined {
  const [at, ...others] = elements.flatMap(({ name }, i) => (name === 'article' ? [i] : []))
  const heading = elements.findIndex(({ name }, i) => name === 'h1' && (text[i] ?? 0) > 0)
  const isAround = at !== undefined && others.length === 0 && at < inner && inner < (end[at] ?? 0) && at < heading && heading < inner
  return isAround && elements.slice(heading, inner).some(({ name }) => name === 'table' || name === 'dl') ? at : undefined
}

/** The outermost section around an element, if it begins with the heading of the page: the element is a section of its text. */
function titledAround({ elements, parent, text }: Outline, inner: number): number {
  let found = inner
  for (let at = inner; at >= 0 && elements[at]?.name === 'section'; at = parent[at] ?? -1) if (elements[at + 1]?.name === 'h1' && (text[at + 1] ?? 0) > 0) found = at
  return found
}

/** The page of a manual around an element: its longest section is not its content. */
function manualAround({ elements, parent }: Outline, inner: number): number | undefined {
  let outermost: number | undefined
  for (let at = inner; at >= 0; at = parent[at] ?? -1) {
    const element = elements[at]
    if (element !== undefined && isManual(element)) outermost = at
  }
  return outermost
}

/** A number from 0 to 1, high when the root holds most of what looks like content, and that is text rather than links. */
function confidenceOf(o: Outline, root: number, letters: number): number {
  let all = 0
  for (let i = 0; i < o.elements.length; i = o.end[i] ?? i + 1) all += weight(o, i)
  const share = weight(o, root) / Math.max(all, 1)
  const links = (o.linkText[root] ?? 0) / Math.max(o.text[root] ?? 0, 1)
  const size = Math.min(letters / 2000, 1)
  const value = 0.25 + 0.35 * Math.min(share, 1) + 0.25 * (1 - links) + 0.15 * size
  return Math.round(Math.min(Math.max(value, 0), 1) * 100) / 100
}
