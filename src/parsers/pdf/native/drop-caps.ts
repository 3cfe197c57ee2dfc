import { quoted } from '../../../lib/quoted.ts'
import { bodySize, mostItems, type Sized } from '../page/page-lines.ts'

/** The most drop caps of a page, and the most characters of its markdown: each drop cap searches all of it. */
const [mostCaps, mostMarkdown] = [20, 200_000]
/** Font sizes as multiples of the body size: of a drop cap at least, of the line beside it at most. */
const [leastCap, mostWords] = [1.7, 1.5]
/** The widest gap between a drop cap and its line, as a multiple of the line's font size. */
const widestGap = 1
/** How high above the baseline of a drop cap that of its line is, as a multiple of the cap's font size: fonts of TeX may lack the size for three lines. */
const highest = 1.12
/** The most characters between a drop cap and its line in the markdown. */
const farthest = 3_000
/** Letters that are also words. */
const ownWords = /^[AIOYEÀÉÖÅ]$/u

/** A drop cap, and the line beside it that continues its word. */
interface Cap {
  readonly letter: string
  readonly line: Sized
  /** The line on the baseline of a drop cap of several lines, beside which the library may write it. */
  readonly level: Sized | undefined
}

/** The words of a page, and the first words of its lines. */
interface PageWords {
  readonly words: ReadonlySet<string>
  readonly firsts: ReadonlySet<string>
}

function wordsOf(items: readonly Sized[]): PageWords {
  const all = items.map(({ text }) => text.match(/\p{L}+/gu) ?? [])
  return { words: new Set(all.flat()), firsts: new Set(all.flatMap(([first]) => first ?? [])) }
}

/** Whether a paragraph goes on below a drop cap, at its edge: beside the number of a step it does not, and "1" and "200 g" are two numbers. */
function goesOnBelow(cap: Sized, level: Sized, texts: readonly Sized[]): boolean {
  const { fontSize: size } = level
  return texts.some(({ x, y, fontSize }) => Math.abs(x - cap.x) < size / 2 && level.y - y > size / 2 && level.y - y < size * 2 && Math.abs(fontSize - size) < size / 4)
}

/** The drop caps of a page: single capitals much larger than the body text, with a line beside them; digits when they are two lines high. */
function capsOf(items: readonly Sized[]): Cap[] {
  const texts = items.filter(({ itemType, text, rotation }) => itemType === 'Text' && rotation === 0 && text.trim() !== '')
  const body = bodySize(texts)
  const letters = texts.filter(({ text, fontSize }) => /^(?:[“„«"'‘]?\p{Lu}|\d)$/u.test(text.trim()) && fontSize >= body * leastCap).slice(0, mostCaps)
  return letters.flatMap((cap): Cap[] => {
    const beside = texts.filter(({ x, y, fontSize }) => fontSize <= body * mostWords && x >= cap.x + cap.width * 0.7 && x <= cap.x + cap.width + fontSize * widestGap && y >= cap.y - fontSize / 2 && y <= cap.y + cap.fontSize * highest)
    const line = beside.toSorted((a, b) => b.y - a.y)[0]
    const level = beside.find(({ y, fontSize }) => line !== undefined && Math.abs(y - cap.y) < fontSize / 4 && line.y - y > fontSize / 2)
    const isDigit = /\d/.test(cap.text)
    return line === undefined || (isDigit && (level === undefined || !goesOnBelow(cap, level, texts))) || !(isDigit ? /^\d{1,4}\s/ : /^\s*\p{L}/u).test(line.text) ? [] : [{ letter: cap.text.trim(), line, level }]
  })
}

/**
 * Whether a drop cap is a word by itself ("A harbour"): a space follows it, or the page has the next word elsewhere without
 * the letter and nowhere with it.
 */
function standsAlone({ letter, line }: Cap, markdown: string): boolean {
  if (/^\s/.test(line.text)) return true
  const word = /^\p{L}+/u.exec(line.text)?.[0] ?? ''
  const count = (one: string): number => [...markdown.matchAll(new RegExp(`(?<!\\p{L})${quoted(one)}(?!\\p{L})`, 'giu'))].length
  return ownWords.test(letter) && count(letter + word) === 0 && count(word) > 1
}

/** A pattern of the first words of a line, with any emphasis between them. */
const startOf = ({ text }: Sized): string => text.trim().split(/\s+/).slice(0, 4).map(quoted).join('[\\s*]+')

/** Whether the library joined a drop cap with the wrong line: that line starts with `word`, and the page has no such word with the letter. */
function isGlued(letter: string, word: string, { words, firsts }: PageWords): boolean {
  return firsts.has(word) && !words.has(letter + word)
}

/**
 * The places where the library may have written a drop cap, best first: directly before its line, before the line on its baseline,
 * joined with another line, or on a line of its own. `at` is where its line starts.
 */
function placesOf(markdown: string, { letter, level }: Cap, at: number, words: PageWords): { start: number; end: number }[] {
  const isLevel = level === undefined ? null : new RegExp(`^\\s+${startOf(level)}`, 'u')
  const start = Math.max(0, at - farthest)
  const area = markdown.slice(start, at + farthest)
  const found = [...area.matchAll(new RegExp(`(?<=^|\\n|\\s)(?:#{1,6} +)?\\*{0,2}${quoted(letter)}\\*{0,2}(?:(?=\\s|$)|(?=(\\p{Ll}+)))`, 'gu'))].flatMap((match) => {
    const place = { start: start + match.index, end: start + match.index + match[0].length }
    if (match[1] !== undefined) return isGlued(letter, match[1], words) ? [{ ...place, order: 1 }] : []
    if (markdown.slice(place.end, at).trim() === '' && place.end <= at && at - place.end < 4) return [{ ...place, order: 0 }]
    if (isLevel?.test(markdown.slice(place.end, place.end + farthest)) === true) return [{ ...place, order: 0 }]
    const isAlone = /(^|\n)$/.test(area.slice(0, match.index)) && /^[^\S\n]*(\n|$)/.test(area.slice(match.index + match[0].length))
    return isAlone ? [{ ...place, order: 2 }] : []
  })
  const far = (place: { start: number; end: number }): number => Math.min(Math.abs(place.start - at), Math.abs(place.end - at))
  return found.toSorted((a, b) => a.order - b.order || far(a) - far(b))
}

/** Moves one drop cap to the start of its line. */
function withCap(markdown: string, cap: Cap, words: PageWords): string {
  const found = new RegExp(`(?<!\\p{L})\\*{0,2}${startOf(cap.line)}`, 'u').exec(markdown)
  const place = found === null ? undefined : placesOf(markdown, cap, found.index, words)[0]
  if (found === null || place === undefined) return markdown
  const [own, at] = [found[0].replace(/^\*+/, ''), found.index]
  const marks = found[0].slice(0, found[0].length - own.length)
  const begun = `${startsBefore(markdown, at)}${marks}${cap.letter}${standsAlone(cap, markdown) ? ' ' : ''}${own}`
  const rest = markdown.slice(at + found[0].length)
  if (place.end <= at) {
    const between = markdown.slice(place.end, at)
    const before = markdown.slice(0, place.start)
    return between.trim() === '' ? before + begun.trimStart() + rest : before + between.trimStart() + begun + rest
  }
  const between = markdown.slice(at + found[0].length, place.start)
  const after = withoutHeading(markdown.slice(place.start, place.end), markdown.slice(place.end))
  return `${markdown.slice(0, at)}${begun}${/^\s|^$/.test(after) ? between.trimEnd() : between}${after}`
}

/** What starts a paragraph within one, to which the library added the line of a drop cap. */
function startsBefore(markdown: string, at: number): string {
  const before = markdown.slice(markdown.lastIndexOf('\n', at - 1) + 1, at)
  return before.trim() === '' || /^(?:[|#>]|\s*(?:[-*+]|\d+[.)])\s)/.test(before) ? '' : '\n\n'
}

/** The text after a drop cap that was written within its paragraph, or made a heading of its line: the paragraph goes on after that line. */
function withoutHeading(cap: string, text: string): string {
  const after = text.replace(/^\s+(?=\p{Ll})/u, ' ')
  return cap.startsWith('#') ? after.replace(/^([^\n]*[\p{L}\p{N},;-])\n+(?=\p{L})/u, '$1 ') : after
}

/** Joins drop caps with their words, also where the library wrote them elsewhere: "T" and "he harbour" become "The harbour". */
export function withDropCaps(markdown: string, items: readonly Sized[]): string {
  if (items.length > mostItems || markdown.length > mostMarkdown) return markdown
  const caps = capsOf(items)
  const words = caps.length === 0 ? null : wordsOf(items)
  return words === null ? markdown : caps.reduce((text, cap) => withCap(text, cap, words), markdown)
}
