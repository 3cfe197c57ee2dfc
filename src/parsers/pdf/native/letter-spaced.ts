import { quoted } from '../../../lib/quoted.ts'
import { drawnLines, mostItems, type Sized } from '../page/page-lines.ts'

/** The most titles of a page, the most characters of its markdown (each title searches all of it), and the most letters of a title. */
const [mostLines, mostMarkdown, mostLetters] = [50, 200_000, 100]
/** The fewest letters of a title. */
const fewestLetters = 5
/** The gap between letters, from least to widest, as a multiple of the font size. */
const [leastGap, widestGap] = [0.1, 1.6]
/** The least gap between words, as a multiple of the gap between letters. */
const wordGap = 1.7

const vowel = /[AEIOUÄÖÜÀ-ÅÈ-ÏÒ-ÖÙ-Ý]/
/** Whether letters spell a title: capitals with a vowel, not in alphabetical order, as names of variables or columns are. */
function isSpelled(letters: string): boolean {
  const isAlphabet = [...letters].every((letter, i, all) => i === 0 || (letter.codePointAt(0) ?? 0) >= (all[i - 1]?.codePointAt(0) ?? 0))
  return /^[\p{Lu}\p{N}]+$/u.test(letters) && letters.length >= fewestLetters && !isAlphabet && (vowel.test(letters) || !/\p{sc=Latin}/u.test(letters))
}

/** The words of a letter-spaced line, whether the library joined its letters or not; null for any other line. */
function spelled(row: readonly Sized[]): readonly string[] | null {
  const words = row.map(({ text }) => text.trim())
  const isJoined = words.every((word) => !/(?:^| )\p{L} /u.test(word)) && words.some((word) => word.length >= fewestLetters) && words.join('').length <= mostLetters
  return isJoined ? (isSpelled(words.join('').replaceAll(' ', '')) ? words.flatMap((word) => word.split(/\s+/)) : null) : byGaps(row)
}

/** The words of a letter-spaced line by the gaps between its letters; null for any other line. */
function byGaps(row: readonly Sized[]): readonly string[] | null {
  const letters = row.flatMap(({ text, x, width, fontSize }) => {
    const own = [...text.trimEnd()]
    const step = width / Math.max(1, own.length)
    // One run may contain several letters with spaces between them.
    return own.flatMap((letter, i) => (letter.trim() === '' ? [] : [{ letter, left: x + i * step, right: x + (i + 1) * step, fontSize }]))
  })
  if (letters.length < fewestLetters || letters.length > mostLetters || !isSpelled(letters.map(({ letter }) => letter).join(''))) return null
  const gaps = letters.slice(1).map(({ left, fontSize }, i) => (left - (letters[i]?.right ?? left)) / fontSize)
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 3)] ?? 0
  if (usual < leastGap || usual > widestGap) return null
  const words: string[] = []
  letters.forEach(({ letter }, i) => {
    if (i === 0 || (gaps[i - 1] ?? 0) > usual * wordGap) words.push(letter)
    else words[words.length - 1] += letter
  })
  return words
}

/** Writes letter-spaced titles as words: "C H A P T E R" becomes "CHAPTER". */
export function withSpacedTitles(markdown: string, items: readonly Sized[]): string {
  if (items.length > mostItems || markdown.length > mostMarkdown || !/(?:\p{Lu} +){3}\p{Lu}/u.test(markdown)) return markdown
  const lines = drawnLines(items, 4).map(spelled).filter((words) => words !== null).slice(0, mostLines)
  return lines.reduce((text, words) => {
    const letters = [...words.join('')].map(quoted).join('[^\\S\\n]*')
    return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${letters}(?![\\p{L}\\p{N}])`, 'u'), words.join(' '))
  }, markdown)
}
