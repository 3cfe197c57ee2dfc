import { headingTags } from '../../../html/tag-sets.ts'
import { oneLine } from '../../../html/tree.ts'
import { isAbove, leadsUp } from '../../../leads-up.ts'
import { headingLine, namesSite } from '../../titles/site-heading.ts'
import { saysSo } from '../../titles/title-heading.ts'
import type { Frame } from '../frame.ts'
import { isIn } from './lines.ts'

/** The chance from which on a heading is kept with the block it introduces. */
const headingChance = 0.12
/** Elements around a text in which its heading is looked for. */
const boxesInHeading = 6

/** Drops headings at the end of the content that introduce nothing; a heading that is a link is an item of its own. */
export function leaveLastHeadings({ heading, blocks }: Frame, kept: Uint8Array): void {
  for (let last = kept.lastIndexOf(1); (heading[last] ?? 0) > 1; last = kept.lastIndexOf(1)) {
    const block = blocks.all[last]
    if (!block || last === blocks.all.length - 1 || block.linkLetters >= block.measure.letters / 2) return
    kept[last] = 0
  }
}

/** Keeps the title of the page, which may be another heading than the first, and the headings of what is kept. */
export function keepHeadings(frame: Frame, kept: Uint8Array, chances: Float32Array): void {
  const { heading } = frame
  keepIntroductions(frame, kept, chances)
  const first = heading.indexOf(1)
  const title = titleOf(frame)
  const further = title >= 0 && !(first >= 0 && nameOf(frame, first).includes(nameOf(frame, title)))
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
  if (site.length === 0 || part !== nameOf(frame, first)) return -1
  let best = -1
  frame.heading.forEach((level, i) => {
    if (level > 0 && i > first && frame.blocks.all[i]?.linkLetters === 0 && (best < 0 || level < (frame.heading[best] ?? 0)) && saysSo(page, nameOf(frame, i))) best = i
  })
  return best
}

/** Keeps the headings right above what is kept. Those in furniture above the next section introduce nothing of it. */
export function keepIntroductions(frame: Frame, kept: Uint8Array, chances: Float32Array): void {
  const { heading, blocks } = frame
  for (let i = blocks.all.length - 2; i >= 0; i--) {
    const block = blocks.all[i]
    if (block !== undefined && heading[i] !== 0 && kept[i] === 0 && kept[i + 1] === 1 && (chances[i] ?? 0) >= headingChance && !isIn(frame, block)) kept[i] = 1
  }
}

/** The heading of the first rank that is the title of the page, when the first one names the site; otherwise -1. */
function titleBelow(frame: Frame, first: number): number {
  const site = nameOf(frame, first)
  const { titleLine } = frame.signs
  if (isLeadingUp(frame, first)) return frame.heading.indexOf(1, first + 1)
  return titleLine.endsWith(site) ? frame.heading.findIndex((level, i) => level === 1 && i > first && namesSite(titleLine, site, nameOf(frame, i))) : -1
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
  return title > first && titleLine.startsWith(nameOf(frame, title)) && (!titleLine.includes(nameOf(frame, first)) || leadsAbove(frame, first))
}

/** Whether a heading is a link to a folder above the page. */
function leadsAbove({ outline: o, blocks, signs }: Frame, block: number): boolean {
  const link = blocks.all[block]?.places.map((place) => o.elements[place]).find((element) => element?.name === 'a')
  return link !== undefined && isAbove(link, signs.address)
}

/** Fewest letters of a heading that counts as the title because the page's title contains it, and not only because it is all of it. */
const aTitle = 8

const nameOf = ({ blocks }: Frame, i: number): string => headingLine(oneLine(blocks.all[i]?.texts.map((text) => text.data).join('') ?? ''))

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
    const line = nameOf(frame, i)
    if ((best >= 0 || line !== titleLine) && (measure.letters <= most || !titleLine.includes(line))) return
    best = i
    most = measure.letters
  })
  return best
}
