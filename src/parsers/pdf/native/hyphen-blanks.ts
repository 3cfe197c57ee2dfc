import { drawnLines, lineOf, type Sized } from '../page/page-lines.ts'

/** Pages with more items are not meant for reading. */
const mostItems = 5_000
/** A gap of this many font sizes parts columns. */
const columnGap = 1.3
/** The most words with hyphens between them that are searched as one, the longest of them, and the most such phrases of a page. */
const [mostWords, longest, mostPhrases] = [6, 40, 300]

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Words between which blanks stand before or after hyphens ("ls -l", "tar - an archiver"), in the order of the page. */
function phrasesOf(lines: readonly string[]): string[][] {
  const phrases: string[][] = []
  let open: string[] = []
  const close = (): void => {
    if (open.length > 1) phrases.push(open)
    open = []
  }
  for (const line of lines) {
    for (const [i, word] of line.split(' ').entries()) {
      const last = open.at(-1) ?? ''
      // A line that ends with a hyphen of its own word goes on in the next without a blank.
      if (!(word.startsWith('-') || last.endsWith('-')) || (i === 0 && last !== '-')) close()
      open.push(word)
    }
  }
  close()
  // Hyphens alone would also be found in what Markdown draws with them.
  return phrases.filter((words) => words.length <= mostWords && words.every((word) => word.length <= longest) && words.some((word) => /[\p{L}\p{N}]/u.test(word))).slice(0, mostPhrases)
}

/** The words of a phrase where they stand together, with what ends or begins a style between them. */
function together(words: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}-])${words.map(escaped).join('(?: |(\\*{0,3}))')}(?![\\p{L}\\p{N}-])`, 'gu')
}

/** Whether a style is open at the end of a text, by the asterisks that would end it. */
const isOpen = (before: string, marks: string): boolean => (before.match(/\*+/g)?.filter((run) => run === marks || run.length === 3).length ?? 0) % 2 === 1

/** A phrase with its blanks, before what begins a style and after what ends it; `before` is the line up to it. */
function withBlanks(found: string, words: readonly string[], before: string): string {
  let [text, rest] = ['', found]
  for (const word of words) {
    const at = rest.indexOf(word)
    const marks = rest.slice(0, at).trim()
    text += text === '' ? word : isOpen(before + text, marks) ? `${marks} ${word}` : ` ${marks}${word}`
    rest = rest.slice(at + word.length)
  }
  return text
}

/** Puts back blanks before and after hyphens, which the library removes as it does around those of compounds. */
export function withHyphenBlanks(markdown: string, items: readonly Sized[]): string {
  if (items.length > mostItems || !/[^\s-]-[^\s-]|\*-|-\*/.test(markdown) || !items.some(({ text }) => /(?:^|\s)-|-(?:\s|$)/.test(text))) return markdown
  const lines = drawnLines(items, columnGap).map((row) => lineOf(row).text)
  const all = lines.join('\n')
  const counts = new Map<string, { readonly words: readonly string[]; count: number }>()
  for (const words of phrasesOf(lines)) {
    const known = counts.get(words.join(' ')) ?? { words, count: 0 }
    counts.set(words.join(' '), { words, count: known.count + 1 })
  }
  return [...counts.values()].filter(({ words }) => !all.includes(words.join(''))).reduce((text, { words, count }) => {
    let left = count
    return text.replace(together(words), (found, ...rest) => {
      const at = rest.find((one): one is number => typeof one === 'number') ?? 0
      return left-- > 0 ? withBlanks(found, words, text.slice(text.lastIndexOf('\n', at) + 1, at)) : found
    })
  }, markdown)
}
