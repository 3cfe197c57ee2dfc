import { type Element, isText } from '../html/tree.ts'

/** How a text goes on behind a word of a sentence; how it does before one, where a text also stands behind it. */
const behind = /^\s*(?:[\p{Ll}\p{Lo}]|[.,;!?)”]|[:–—-]\s*\p{L})/u
const before = /\p{L}[\s,;:“"]*$/u
const letter = /\p{L}/u
/** Characters that are looked at. */
const near = 60

/** Whether an element stands within a sentence, or in brackets: without it, the sentence has a gap. */
export function isInSentence({ prev, next }: Element): boolean {
  const said = prev === null || !isText(prev) ? '' : prev.data.slice(-near)
  const further = next === null || !isText(next) ? '' : next.data.slice(0, near)
  return /[([]\s*$/.test(said) || behind.test(further) || (before.test(said) && letter.test(further))
}
