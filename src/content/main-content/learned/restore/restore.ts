import { once } from '../../../../lib/once.ts'
import { headingTags } from '../../../html/tag-sets.ts'
import { classOf, type Element, oneLine } from '../../../html/tree.ts'
import { isAbove, leadsUp } from '../../../leads-up.ts'
import { isNote, isQuoted } from '../../furniture/notes.ts'
import { keepBylines, keepSubmitter } from './discussions/bylines.ts'
import { keepCodeBetween } from './software/code-between.ts'
import { keepCodes } from './shops/codes.ts'
import { keepFacts } from './records/facts.ts'
import { keepFiles } from './software/files.ts'
import { keepIntroduced } from './introduced.ts'
import { headingLine, namesSite } from '../../titles/site-heading.ts'
import { type Frame, ofKind, withName } from '../frame.ts'
import { keepFootnotes } from './articles/footnotes.ts'
import { isData } from './records/data-table.ts'
import { keepGoods } from './shops/goods.ts'
import { keepHoles } from './holes.ts'
import { keepInside } from './inside.ts'
import { isNumberedPost, isWholePost } from '../../kinds/numbered-posts.ts'
import { saysSo } from '../../titles/title-heading.ts'
import { keepNear } from './articles/near.ts'
import { keepOpeners } from './openers.ts'
import { isIn } from './lines.ts'
import { leaveLanguages } from './languages.ts'
import { keepListedRows } from './records/listed-rows.ts'
import { keepListings } from './records/listings.ts'
import { leaveOffers } from './offers.ts'
import { leaveOthers } from './others.ts'
import { keepParameters } from './software/parameters.ts'
import { keepPaperAuthors } from './articles/paper-authors.ts'
import { judgePostParts } from './discussions/post-parts.ts'
import { keepPosts } from './discussions/posts.ts'
import { keepPrices } from './shops/prices.ts'
import { keepRecords } from './records/records.ts'
import { keepReplies } from './discussions/replies.ts'
import { keepReviews } from './discussions/reviews.ts'
import { keepManuals, keepSections } from './sections.ts'
import { keepSummaries } from './articles/summaries.ts'
import { keepTabs } from './tabs.ts'
import { keepTeaserTitles } from './articles/teasers.ts'
import { postsOf } from './discussions/thread.ts'

/** Elements that are kept whole or left to their parts, and the share of kept letters from which on they are kept whole. */
const wholes: ReadonlyMap<string, number> = new Map([['pre', 0.3], ['p', 0.4], ['ul', 0.6], ['ol', 0.6], ['dl', 0.6], ['table', 0.6], ['blockquote', 0.6], ['li', 0.6], ['tr', 0.5], ['figure', 0.5], ['h1', 0.3], ['h2', 0.3], ['h3', 0.3]])
/** The same of a table of data. */
const someData = 0.15
/** Most blocks that a post quotes, and blocks beside it among which there is one that is kept. */
const mostQuoted = 24
const besideQuote = 3
/** Most lines of a short comment with its author. */
const aRemark = 4
/** Boxes of notes in the text, as generators of documentation call them. */
const admonition = /(?:^|\s)admonition(?:\s|$)/
const listParts: ReadonlySet<string> = new Set(['ul', 'ol', 'li'])
const tableParts: ReadonlySet<string> = new Set(['table', 'tr'])
/** The chance from which on a heading is kept with the block it introduces. */
const headingChance = 0.12
/** Elements around a text in which its heading is looked for. */
const boxesInHeading = 6

/** Which blocks are kept: those above the threshold, the headings that introduce them, and what makes no sense in parts. */
export function restore(frame: Frame, chances: Float32Array, threshold: number): Uint8Array {
  const kept = new Uint8Array(chances.length)
  for (let i = 0; i < kept.length; i++) kept[i] = Number((chances[i] ?? 0) >= threshold)
  keepWholes(frame, kept)
  keepManuals(frame, kept)
  keepNotes(frame, kept)
  keepTerms(frame, kept)
  keepOpeners(frame, kept)
  keepHoles(frame, kept, chances)
  keepCodeBetween(frame, kept)
  keepFootnotes(frame, kept, chances)
  keepFiles(frame, kept)
  keepHeadings(frame, kept, chances)
  leaveLastHeadings(frame, kept)
  keepTeaserTitles(frame, kept)
  keepPosts(frame, kept)
  keepReplies(frame, kept)
  const posts = postsOf(frame)
  judgePostParts(frame, kept, posts)
  keepBylines(frame, kept, posts)
  keepSubmitter(frame, kept)
  keepReviews(frame, kept)
  keepGoods(frame, kept)
  keepPrices(frame, kept)
  keepSummaries(frame, kept)
  keepPaperAuthors(frame, kept)
  keepNear(frame, kept)
  keepFacts(frame, kept)
  keepCodes(frame, kept)
  keepRecords(frame, kept)
  keepParameters(frame, kept)
  keepListings(frame, kept)
  keepListedRows(frame, kept)
  keepSections(frame, kept)
  keepInside(frame, kept)
  keepIntroductions(frame, kept, chances)
  keepIntroduced(frame, kept, chances)
  keepTabs(frame, kept)
  leaveOthers(frame, kept)
  leaveOffers(frame, kept)
  leaveLanguages(frame, kept)
  return kept
}

function keepWholes(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks, kind } = frame
  const shares = frame.samples.map((element) => wholes.get(element.name) ?? 0)
  const layout = new Uint8Array(o.elements.length)
  const posts = once(() => aroundOfPosts(frame))
  for (let i = o.elements.length - 1; i >= 0; i--) {
    const element = o.elements[i]
    const up = o.parent[i] ?? -1
    if (up >= 0 && (element?.name === 'table' || layout[i] === 1)) layout[up] = 1
    // A table around tables may be the frame of the page.
    if (element === undefined || (layout[i] === 1 && tableParts.has(element.name))) continue
    const share = shares[kind[i] ?? -1] ?? 0
    const first = blocks.first[i] ?? 0
    const end = blocks.end[i] ?? 0
    if (share === 0 || end - first < 2) continue
    const least = isData(o, i) ? someData : share
    let letters = 0
    let all = 0
    for (let at = first; at < end; at++) {
      const size = blocks.all[at]?.measure.letters ?? 0
      all += size
      if (kept[at] === 1) letters += size
    }
    if (letters < all * least) continue
    // A list of posts holds what stands around them, too.
    if (!listParts.has(element.name) || posts()[i] === 0) kept.fill(1, first, end)
  }
}

/** Per element: 1 when it is a post of a discussion that is more than a remark, or holds one. */
function aroundOfPosts({ outline: o, blocks }: Frame): Uint8Array {
  const posts = new Uint8Array(o.elements.length)
  for (let i = o.elements.length - 1; i >= 0; i--) {
    const element = o.elements[i]
    const up = o.parent[i] ?? -1
    if (element !== undefined && isPostOf(element, (blocks.end[i] ?? 0) - (blocks.first[i] ?? 0))) posts[i] = 1
    if (up >= 0 && posts[i] === 1) posts[up] = 1
  }
  return posts
}

/** Whether an element is a post of a discussion that is more than a remark. */
const isPostOf = (element: Element, lines: number): boolean => isWholePost(element) || (lines > aRemark && isNumberedPost(element))

/**
 * Keeps the notes of technical writing that follow a kept block, even in an element shared with blocks that are not kept,
 * and what posts quote beside a kept block.
 */
function keepNotes(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks } = frame
  for (const i of ofKind(frame, (element) => element.name === 'aside' || (element.name === 'div' && admonition.test(classOf(element))))) {
    const element = o.elements[i]
    if (element === undefined) continue
    const first = blocks.first[i] ?? 0
    const end = blocks.end[i] ?? 0
    if (isQuoted(element)) {
      const near = (from: number): boolean => kept.subarray(Math.max(from, 0), from + besideQuote).includes(1)
      if (end > first && end - first <= mostQuoted && (near(first - besideQuote) || near(end))) kept.fill(1, first, end)
    } else if (isNote(o, i, element) && first > 0 && kept[first - 1] === 1 && end - first <= 12) kept.fill(1, first, end)
  }
}

/** Drops headings at the end of the content that introduce nothing; a heading that is a link is an item of its own. */
function leaveLastHeadings({ heading, blocks }: Frame, kept: Uint8Array): void {
  for (let last = kept.lastIndexOf(1); (heading[last] ?? 0) > 1; last = kept.lastIndexOf(1)) {
    const block = blocks.all[last]
    if (!block || last === blocks.all.length - 1 || block.linkLetters >= block.measure.letters / 2) return
    kept[last] = 0
  }
}

function keepHeadings(frame: Frame, kept: Uint8Array, chances: Float32Array): void {
  const { heading } = frame
  keepIntroductions(frame, kept, chances)
  const first = heading.indexOf(1)
  const title = titleOf(frame)
  const further = title >= 0 && !(first >= 0 && lineOf(frame, first).includes(lineOf(frame, title)))
  if (further) kept[title] = 1
  const opening = first >= 0 ? openingOf(frame, first) : -1
  const own = opening >= 0 ? opening : first >= 0 ? titleBelow(frame, first) : -1
  if (own >= 0) [kept[own], kept[first]] = [1, 0]
  else if (first >= 0 && !(further && isOfSite(frame, first, title))) kept[first] = 1
}

/** What parts the names of a page, of the part of the site that it is in, and of the site. */
const parts = / [-–—|·•»] /

/**
 * The highest heading that the title of the page begins with, when the first `h1` is the second of its three parts: the project
 * whose ticket or list the page shows (Redmine). Otherwise -1, also for a link: the title may begin with a tag (Stack Exchange).
 */
function openingOf(frame: Frame, first: number): number {
  const [page = '', part, ...site] = frame.signs.titleLine.split(parts)
  if (site.length === 0 || part !== lineOf(frame, first)) return -1
  let best = -1
  frame.heading.forEach((level, i) => {
    if (level > 0 && i > first && frame.blocks.all[i]?.linkLetters === 0 && (best < 0 || level < (frame.heading[best] ?? 0)) && saysSo(page, lineOf(frame, i))) best = i
  })
  return best
}

/** Keeps the headings right above what is kept. Those in furniture above the next section introduce nothing of it. */
function keepIntroductions(frame: Frame, kept: Uint8Array, chances: Float32Array): void {
  const { heading, blocks } = frame
  for (let i = blocks.all.length - 2; i >= 0; i--) {
    const block = blocks.all[i]
    if (block !== undefined && heading[i] !== 0 && kept[i] === 0 && kept[i + 1] === 1 && (chances[i] ?? 0) >= headingChance && !isIn(frame, block)) kept[i] = 1
  }
}

/** The heading of the first rank that is the title of the page, when the first one names the site; otherwise -1. */
function titleBelow(frame: Frame, first: number): number {
  const site = lineOf(frame, first)
  const { titleLine } = frame.signs
  if (isLeadingUp(frame, first)) return frame.heading.indexOf(1, first + 1)
  return titleLine.endsWith(site) ? frame.heading.findIndex((level, i) => level === 1 && i > first && namesSite(titleLine, site, lineOf(frame, i))) : -1
}

/** Whether a block is in a heading that leads to the start of the site. */
function isLeadingUp({ outline: o, blocks, signs }: Frame, block: number): boolean {
  for (let at = blocks.all[block]?.at ?? -1, up = 0; at >= 0 && up < boxesInHeading; at = o.parent[at] ?? -1, up++) {
    const element = o.elements[at]
    if (element !== undefined && headingTags.has(element.name)) return leadsUp(element, signs.address)
  }
  return false
}

/**
 * Whether the first `h1` names the site or a section of it: the page's title does not contain it, but begins with a later
 * heading.
 */
function isOfSite(frame: Frame, first: number, title: number): boolean {
  const { titleLine } = frame.signs
  return title > first && titleLine.startsWith(lineOf(frame, title)) && (!titleLine.includes(lineOf(frame, first)) || leadsAbove(frame, first))
}

/** Whether a heading is a link to a folder above the page. */
function leadsAbove({ outline: o, blocks, signs }: Frame, block: number): boolean {
  const link = blocks.all[block]?.places.map((place) => o.elements[place]).find((element) => element?.name === 'a')
  return link !== undefined && isAbove(link, signs.address)
}

/** Fewest letters of a heading that counts as the title because the page's title contains it, and not only because it is all of it. */
const aTitle = 8

const lineOf = ({ blocks }: Frame, i: number): string => headingLine(oneLine(blocks.all[i]?.texts.map((text) => text.data).join('') ?? ''))

/**
 * The longest heading that the page's title contains, the first one at a tie; shorter ones may be the name of the site. -1
 * for none.
 */
function titleOf(frame: Frame): number {
  let best = -1
  let most = aTitle - 1
  const { titleLine } = frame.signs
  frame.blocks.all.forEach(({ measure }, i) => {
    if (frame.heading[i] === 0 || measure.letters === 0 || (best >= 0 && measure.letters <= most)) return
    const line = lineOf(frame, i)
    if ((best >= 0 || line !== titleLine) && (measure.letters <= most || !titleLine.includes(line))) return
    best = i
    most = measure.letters
  })
  return best
}

/** Keeps a term (`dt`) with its kept description (`dd`). */
function keepTerms(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks } = frame
  for (const i of withName(frame, 'dt')) {
    const end = blocks.end[i] ?? 0
    const next = o.elements[o.end[i] ?? 0]
    if (kept[end] === 1 && next?.name === 'dd' && next.parent === o.elements[i]?.parent) kept.fill(1, blocks.first[i] ?? end, end)
  }
}
