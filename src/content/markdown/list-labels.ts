import type { AnyNode, Element } from 'domhandler'
import { romanNumeral } from '../../lib/roman-numeral.ts'
import { isElement } from '../html/tree.ts'
import { blockTags, headingTags } from '../html/tag-sets.ts'
import { classesOf, firstText, textOf, walk } from './dom.ts'

/** How the items of an ordered list are counted: by digits, or by letters or Roman numerals of either case. */
export type Count = '1' | 'a' | 'A' | 'i' | 'I'

/** What the text of a list says of its numbers. */
interface Said {
  /** Each item begins with the number that its list gives it. */
  readonly repeated: boolean
  /** Each item begins with a number that its list does not give it: the items are written without one. */
  readonly other: boolean
}

const nothing: Said = { repeated: false, other: false }
const styled = /(?:^|;)\s*list-style(?:-type)?\s*:[^;]*\b(?:(lower)|upper)-(?:(alpha|latin)|roman)\b/i
/** Items that are compared; longer lists are judged by their beginning. */
const mostItems = 50
/** A number at the beginning of a text, and the sign that sets it apart. */
const labelled = /^\(?(\d{1,4}|[a-z]|[ivxlc]{1,7})([.)])(?=\s|$|\p{L})/iu
const counter = /num|count|index|step|marker|order/
/** Higher numbers are written in digits, as browsers do for Roman numerals. */
const highest = 3999

/** How a list counts, by its `type` attribute (HTML standard, 4.4.5) or its own style. */
export function countOf({ attribs }: Element): Count {
  const { type } = attribs
  if (type === 'a' || type === 'A' || type === 'i' || type === 'I') return type
  const said = styled.exec(attribs['style']?.slice(0, 300) ?? '')
  if (said === null) return '1'
  const [, lower, letters] = said
  if (letters === undefined) return lower === undefined ? 'I' : 'i'
  return lower === undefined ? 'A' : 'a'
}

/** A number as a list counts it. */
export function labelOf(number: number, count: Count): string {
  if (count === '1' || number < 1 || number > highest) return String(number)
  const label = count === 'a' || count === 'A' ? lettersOf(number) : romanNumeral(number)
  return count === 'A' || count === 'I' ? label.toUpperCase() : label
}

function lettersOf(number: number): string {
  let label = ''
  for (let left = number; left > 0; left = Math.floor((left - 1) / 26)) label = String.fromCharCode(97 + ((left - 1) % 26)) + label
  return label
}

/** Compares the numbers of a list, the first of which are given, with those that its items begin with. */
export function saidOf(list: Element, labels: (items: readonly Element[]) => readonly string[], skip: ReadonlySet<AnyNode>): Said {
  const items = list.children.filter((child): child is Element => isElement(child) && child.name === 'li' && !skip.has(child)).slice(0, mostItems)
  const [first] = items
  const start = first && firstText(first, skip)
  if (start === undefined || !/^\(?(?:\d{1,4}|[a-z]{1,7})(?:[.)]|$)/i.test(start)) return nothing
  const given = labels(items)
  const texts = items.map((item) => firstText(item, skip))
  if (texts.every((text, i) => withoutLabel(text, given[i] ?? '') !== text)) return { repeated: items.every((item, i) => isMarked(item, texts[i] ?? '', skip)), other: false }
  return { repeated: false, other: isSequence(texts.map((text) => labelled.exec(text))) }
}

/** A text without the label at its beginning; the text itself when that does not begin with it. */
export function withoutLabel(text: string, label: string): string {
  const trimmed = text.trimStart()
  const bare = trimmed.startsWith('(') ? trimmed.slice(1) : trimmed
  if (label === '' || !bare.toLowerCase().startsWith(label.toLowerCase())) return text
  const rest = bare.slice(label.length)
  if (rest.trim() === '') return ''
  return /^[.)](?:\s|\p{L})/u.test(rest) || /^[.)]$/.test(rest.trim()) ? rest.slice(1).trimStart() : text
}

/** Whether what an item begins with can only be its number: a sign follows, or it stands in a box of its own. */
function isMarked(item: Element, text: string, skip: ReadonlySet<AnyNode>): boolean {
  if (/^\(?\w+[.)]/.test(text)) return holderOf(item, skip) !== 'heading'
  const holder = holderOf(item, skip)
  return (holder === 'block' || holder === 'counter') && textOf(item, skip, 100).length > text.length
}

/** What holds the first text of an item. */
function holderOf(item: Element, skip: ReadonlySet<AnyNode>): 'item' | 'block' | 'counter' | 'heading' | 'inline' {
  let holder: Element = item
  walk(item, (node) => {
    if (skip.has(node)) return 'over'
    if (isElement(node)) return 'into'
    if (!('data' in node) || node.data.trim() === '') return 'over'
    if (node.parent !== null && isElement(node.parent)) holder = node.parent
    return 'stop'
  })
  for (let at: AnyNode | null = holder; at !== null && at !== item && isElement(at); at = at.parent) if (headingTags.has(at.name)) return 'heading'
  if (holder === item) return 'item'
  return blockTags.has(holder.name) ? 'block' : counter.test(classesOf(holder)) ? 'counter' : 'inline'
}

/** Whether labels count on, by digits or letters. Capital letters with a dot are initials. */
function isSequence(labels: readonly (RegExpExecArray | null)[]): boolean {
  if (labels.length < 2 || labels.some((label) => label === null || (label[2] === '.' && /^[A-Z]/.test(label[1] ?? '')))) return false
  const said = labels.map((label) => label?.[1]?.toLowerCase() ?? '')
  const counts: readonly Count[] = ['1', 'a', 'i']
  return counts.some((count) => {
    const start = Array.from({ length: 100 }, (_, i) => i).find((number) => labelOf(number, count) === said[0])
    return start !== undefined && said.every((label, i) => label === labelOf(start + i, count))
  })
}
