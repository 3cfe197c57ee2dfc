import { attribute, classOf } from '../../../../html/tree.ts'
import { type Frame, ofKind } from '../../frame.ts'
import { isIn } from '../lines.ts'

/** Most letters of a line that says the same in many posts, and of a part of a post that is judged by the same of others. */
const longestLine = 40
const longestPart = 80
/** Fewest posts by which the parts of one are judged, and the share of them that have to be alike. */
const fewest = 3
const share = 0.5
/** Parts of a post that are what it says. */
const said: ReadonlySet<string> = new Set(['p', 'pre', 'blockquote', 'td', 'th', 'figure'])
/** Most blocks that a post quotes. */
const mostQuoted = 24
/** What boxes with figures about a member are called: phpBB, vBulletin, XenForo, SMF, MyBB. */
const aboutMember = /(?:^|[\s_-])(?:post-?profile|user-?_?info|user-?extras?|poster-?info|author_statistics)(?:[\s_]|$)/i
/** What stands for the picture of a member: a letter, beside a word for those who hear the page. */
const picture = /(?:^|[\s-])avatar(?:\s|$)/i
const longestSign = 12
/** What the boxes of polls are called. */
const ofPoll = /(?:^|[\s_-])polls?(?:\s|$)/i
/** Classes of what only a script shows: a source beside its text, a name for programs. */
const unseen = /(?:^|\s)(?:(?:[a-z]{2}-)?hidden|d-none|hide)(?:\s|$)/
/** Those of what narrow or wide screens show. */
const byScreen = /(?:^|\s)(?:d-|(?:sm|md|lg|xl):)/

/**
 * Keeps all that the page calls the text of a post, what it quotes and what polls ask, and drops what posts do not say: what is hidden or
 * about a member, lines that lead to the same in most of them, as to a reply, and what the trees kept of few posts although
 * most have such a part.
 */
export function judgePostParts(frame: Frame, kept: Uint8Array, posts: readonly number[]): void {
  if (posts.length === 0) return
  const own = new Set<number>()
  for (const post of posts) for (let i = frame.blocks.first[post] ?? 0; i < (frame.blocks.end[post] ?? 0); i++) own.add(i)
  keepTexts(frame, kept, own)
  keepPolls(frame, kept)
  leaveAsides(frame, kept, own)
  if (posts.length < fewest) return
  const least = Math.max(fewest, posts.length * share)
  leaveRepeated(frame, kept, own, least)
  leaveRare(frame, kept, own, least)
}

/** Keeps what can be voted for in polls of which something is kept, and how many did. */
function keepPolls(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks } = frame
  // What is in another is done with it: many may be in each other.
  let done = 0
  for (const i of ofKind(frame, (element) => ofPoll.test(classOf(element)))) {
    const [first, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
    if (i < done || !kept.subarray(first, end).includes(1)) continue
    done = o.end[i] ?? 0
    for (let at = first; at < end; at++) {
      const block = blocks.all[at]
      if (block !== undefined && block.linkLetters < block.measure.letters && !isIn(frame, block) && !isControl({ o, at: block.places[0] ?? -1 }, i)) kept[at] = 1
    }
  }
}

/** Drops what is hidden in posts, figures about members, and signs for their pictures. */
function leaveAsides(frame: Frame, kept: Uint8Array, own: ReadonlySet<number>): void {
  const { blocks } = frame
  for (const i of own) if (kept[i] === 1 && isSign(frame, i)) kept[i] = 0
  for (const i of ofKind(frame, (element) => aboutMember.test(classOf(element)) || isUnseen(classOf(element)))) {
    for (let at = blocks.first[i] ?? 0; at < (blocks.end[i] ?? 0); at++) if (own.has(at)) kept[at] = 0
  }
}

/** Whether a short line says nothing but what stands for a picture, and furniture. */
export function isSign({ outline: o, blocks, rules }: Frame, i: number): boolean {
  const { at = 0, places = [], measure } = blocks.all[i] ?? {}
  if (measure === undefined || measure.letters > longestSign) return false
  const isWithin = (place: number, is: (up: number) => boolean): boolean => {
    for (let up = place; up >= at; up = o.parent[up] ?? -1) if (is(up)) return true
    return false
  }
  const isPicture = (up: number): boolean => {
    const element = o.elements[up]
    return element !== undefined && picture.test(classOf(element))
  }
  return places.some((place) => isWithin(place, isPicture)) && places.every((place) => isWithin(place, (up) => rules.verdict[up] === 1 || isPicture(up)))
}

const isUnseen = (names: string): boolean => unseen.test(names) && !byScreen.test(names.replace(unseen, ' '))

function keepTexts(frame: Frame, kept: Uint8Array, own: ReadonlySet<number>): void {
  const { outline: o, blocks } = frame
  let done = 0
  o.elements.forEach((element, i) => {
    const isText = attribute(element, 'itemprop') === 'text'
    if ((!isText && element.name !== 'blockquote') || (isText && i < done)) return
    const [first, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
    if (end <= first || !own.has(first) || !(isText ? kept.subarray(first, end).includes(1) : answers(frame, kept, i))) return
    if (isText) done = o.end[i] ?? 0
    for (let at = first; at < end; at++) if (!isControl({ o, at: blocks.all[at]?.places[0] ?? -1 }, i)) kept[at] = 1
  })
}

/** Whether a text of which something is kept quotes an element. */
function answers({ outline: o, blocks }: Frame, kept: Uint8Array, i: number): boolean {
  const [first, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
  const text = o.parent[i] ?? -1
  return end - first <= mostQuoted && (kept.subarray(end, blocks.end[text]).includes(1) || kept.subarray(blocks.first[text], first).includes(1))
}

/** Whether a place in an element is in a control of it. */
function isControl({ o, at }: { readonly o: Frame['outline']; readonly at: number }, within: number): boolean {
  for (let up = at; up > within; up = o.parent[up] ?? -1) {
    const element = o.elements[up]
    if (element !== undefined && (element.name === 'button' || attribute(element, 'role') === 'button')) return true
  }
  return false
}

function leaveRepeated({ blocks, heading, repeats }: Frame, kept: Uint8Array, own: ReadonlySet<number>, least: number): void {
  for (const i of own) {
    const block = blocks.all[i]
    if (kept[i] !== 1 || heading[i] !== 0 || block === undefined || block.measure.letters > longestLine) continue
    if (block.linkLetters >= block.measure.letters && (repeats.get(block.measure.hash) ?? 0) >= least) kept[i] = 0
  }
}

function leaveRare(frame: Frame, kept: Uint8Array, own: ReadonlySet<number>, least: number): void {
  const { outline: o, blocks, kind } = frame
  const kinds = new Map<number, number[]>()
  for (const i of own) {
    const block = blocks.all[i]
    if (block === undefined || block.measure.letters > longestPart || frame.heading[i] !== 0 || said.has(o.elements[block.at]?.name ?? '')) continue
    const element = o.elements[block.at]
    if (element === undefined || attribute(element, 'class') === undefined) continue
    const of = kind[block.at] ?? 0
    const alike = kinds.get(of)
    if (alike === undefined) kinds.set(of, [i])
    else alike.push(i)
  }
  for (const alike of kinds.values()) {
    const some = alike.filter((i) => kept[i] === 1)
    if (alike.length >= least && some.length < alike.length * share) for (const i of some) kept[i] = 0
  }
}
