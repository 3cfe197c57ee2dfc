/** A run of letters on a line, as the file draws it. */
interface Drawn {
  readonly text: string
  readonly left: number
  readonly bottom: number
  readonly size: number
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
/** Whether a text has letters that are written from right to left. */
export const isRightToLeft = (text: string): boolean => rightToLeft.test(text)

const strong = /[\p{L}\p{N}]/u

/** Groups runs so that left-to-right text stays together: numbers, names in other scripts. */
function groupsOf<T extends Drawn>(line: readonly T[]): T[][] {
  const groups: T[][] = []
  let blanks: T[] = []
  let open: T[] | null = null
  for (const run of line) {
    if (isRightToLeft(run.text)) {
      groups.push(...blanks.map((one) => [one]), [run])
      open = null
    } else if (!strong.test(run.text)) {
      blanks.push(run)
      continue
    } else if (open === null) groups.push(...blanks.map((one) => [one]), (open = [run]))
    else open.push(...blanks, run)
    blanks = []
  }
  return [...groups, ...blanks.map((one) => [one])]
}

function turned<T extends Drawn>(line: readonly T[]): readonly T[] {
  const asDrawn = line.every(({ left }, i) => i === 0 || left >= (line[i - 1]?.left ?? 0))
  if (!asDrawn || line.length < 2 || !line.some(({ text }) => isRightToLeft(text))) return line
  // A hyphen to the right of a number is its minus sign, which is read first.
  return groupsOf(line).reverse().flat().map((run) => ({ ...run, text: (run === line[0] ? ended(run.text) : run.text).replace(/^([\d.,]+)-$/, '-$1') }))
}

/** The leftmost text ends the line, so punctuation left of a number is read after it. */
const ended = (text: string): string => text.replace(/^([.,:;!?]+)(\d[\d.,]*)(?=\s*$)/, '$2$1')

/** What runs from left to right within such text (UAX 9): numbers with their signs, names in other scripts. */
const leftToRight = /[%‰$€£₪#]?[\p{Script=Latin}\p{N}](?:[^\S\n]?[\p{Script=Latin}\p{N}.,:/@_-]*[\p{Script=Latin}\p{N}])*[%‰$€£₪°]?/gu
const mirrors: Readonly<Record<string, string>> = { '(': ')', ')': '(', '[': ']', ']': '[' }

/** The letters of a text from left to right, as files draw them. */
export function asDrawn(text: string): string {
  if (!isRightToLeft(text)) return text
  const turnedBack = (part: string): string => [...part].reverse().join('')
  return turnedBack(text).replace(/[()[\]]/g, (sign) => mirrors[sign] ?? sign).replace(leftToRight, turnedBack)
}

/** Turns tables whose words are mostly written from right to left: their first column is the rightmost, where they are read as drawn. */
export function withTurnedTables(markdown: string): string {
  if (!isRightToLeft(markdown)) return markdown
  return markdown.replace(/^\|.*(?:\n\|.*)*/gm, (table) => {
    const words = table.match(/\p{L}+/gu) ?? []
    const isTurned = words.filter(isRightToLeft).length * 2 > words.length
    return isTurned ? table.split('\n').map((row) => `|${row.replace(/^\||(?<!\\)\|\s*$/g, '').split(/(?<!\\)\|/).reverse().join('|')}|`).join('\n') : table
  })
}

/** Swaps the parentheses in right-to-left text, which files store as they are drawn, the closing one first. */
export function asRead(text: string): string {
  if (!isRightToLeft(text)) return text
  return text.replace(/(?<=^|\s)\)([^()\s](?:[^()\n]*[^()\s])?)\((?=$|[\s.,:;!?،؛؟])/gmu, (whole, inner: string) => (isRightToLeft(inner) ? `(${inner})` : whole))
}

/** Runs in reading order: files draw the words of a line from left to right in every script. */
export function readingOrder<T extends Drawn>(runs: readonly T[]): readonly T[] {
  if (!runs.some(({ text }) => isRightToLeft(text))) return runs
  const done: T[] = []
  let line: T[] = []
  const end = (): void => {
    done.push(...turned(line))
    line = []
  }
  for (const run of runs) {
    const [first] = line
    if (first !== undefined && Math.abs(run.bottom - first.bottom) > Math.max(first.size, run.size) / 2) end()
    if (!run.text.includes('\n')) {
      line.push(run)
      continue
    }
    const text = run.text.replaceAll('\n', '')
    if (text !== '') line.push({ ...run, text })
    end()
    done.push({ ...run, text: '\n' })
  }
  end()
  return done
}
