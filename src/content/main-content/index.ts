import type { Removal } from '../../domain/reading.ts'
import type { Page } from '../clean/step.ts'
import type { ChildNode, Document, Element } from '../tree.ts'
import { fewLetters, fromStructuredData, lettersOf, relax } from './fallback.ts'
import { markFurniture, type Setting } from './furniture.ts'
import { isForum } from './genre.ts'
import { Names } from './names.ts'
import { type Outline, outline, without } from './outline.ts'
import { contentRoot, weight } from './root.ts'
import { trim } from './trim.ts'

/** Where the content of a page is. What is inside the roots and not content is marked in the page's `removed`. */
export interface MainContent {
  readonly roots: readonly (Document | Element)[]
  /** 0 to 1. */
  readonly confidence: number
  readonly removals: readonly Removal[]
}

/**
 * Finds the content of a page. Deterministic; the page's tree is not changed. Inside elements that the caller asked for only furniture
 * goes. Never empty when the page has text.
 */
export function mainContent(page: Page): MainContent {
  const before = new Set(page.removed)
  const setting = settingOf(page)
  const furniture = { step: 'page furniture', count: markFurniture(setting) }
  if (page.wanted) return { roots: page.wanted, confidence: 1, removals: [furniture] }
  const rest = without(setting.outline, page.removed)
  const at = contentRoot(rest, setting.names)
  const root = rest.elements[at]
  const marked = page.removed.size
  const letters = root ? (rest.text[at] ?? 0) - trim(page, rest, at, setting.forum) : 0
  const side = { step: 'side matter', count: page.removed.size - marked }
  const heading = titleHeading(rest, at)
  const roots = [heading, root].filter((element) => element !== undefined)
  const second = letters < fewLetters ? recover(page, before, { all: setting.all, found: letters }) : undefined
  if (second) return second
  return { roots, confidence: confidenceOf(rest, at, letters), removals: [furniture, side] }
}

function settingOf(page: Page): Setting {
  const o = outline(page.document, page.removed)
  let all = 0
  let linked = 0
  for (let i = 0; i < o.elements.length; i = o.end[i] ?? i + 1) {
    all += o.text[i] ?? 0
    linked += o.linkText[i] ?? 0
  }
  const names = new Names()
  const total = all - linked
  const forum = isForum(page.document, page.url) || total - contributed(o, names) < Math.min(fewOwnLetters, total * 0.3)
  return { page, outline: o, names, total, all, forum }
}

/** Letters besides readers' comments below which the comments are what the page is about. */
const fewOwnLetters = 1000

/** Letters outside links in readers' comments. */
function contributed(o: Outline, names: Names): number {
  let letters = 0
  for (let i = 0; i < o.elements.length; i++) {
    const element = o.elements[i]
    if (!element || element.name === 'body' || element.name === 'html' || names.of(element) !== 'comments') continue
    letters += (o.text[i] ?? 0) - (o.linkText[i] ?? 0)
    i = (o.end[i] ?? i + 1) - 1
  }
  return letters
}

/** The page's first heading, when it stands before the root. */
function titleHeading(o: Outline, root: number): Element | undefined {
  for (let i = 0; i < root; i++) {
    if (o.elements[i]?.name === 'h1' && (o.text[i] ?? 0) > 0) return (o.end[i] ?? 0) <= root ? o.elements[i] : undefined
  }
  return undefined
}

/** Second thoughts for a page on which next to nothing was found: structured data, then less filtering, then none; undefined when there is no more. */
function recover(page: Page, before: ReadonlySet<ChildNode>, { all, found }: { all: number; found: number }): MainContent | undefined {
  const data = fromStructuredData(page)
  if (data && lettersOf([data], new Set()) > all) return { roots: [data], confidence: 0.4, removals: [{ step: 'structured data', count: 1 }] }
  if (all <= found * 2) return undefined
  relax(page, before, false)
  let confidence = 0.3
  if (lettersOf([page.document], page.removed) < Math.min(fewLetters, all * 0.1)) {
    relax(page, before, true)
    confidence = 0.1
  }
  return { roots: [page.document], confidence, removals: [{ step: 'relaxed', count: 1 }] }
}

/** High where the root holds most of what looks like content, and that is text rather than links. */
function confidenceOf(o: Outline, root: number, letters: number): number {
  let all = 0
  for (let i = 0; i < o.elements.length; i = o.end[i] ?? i + 1) all += weight(o, i)
  const share = weight(o, root) / Math.max(all, 1)
  const links = (o.linkText[root] ?? 0) / Math.max(o.text[root] ?? 0, 1)
  const size = Math.min(letters / 2000, 1)
  const value = 0.25 + 0.35 * Math.min(share, 1) + 0.25 * (1 - links) + 0.15 * size
  return Math.round(Math.min(Math.max(value, 0), 1) * 100) / 100
}
