interface Line {
  readonly x: number
  readonly mark: string | null
  readonly text: string
}

/** How far labels of one list start apart, in points: Roman numbers end at one place. */
const sameStart = 10
/** How far a line is to the left at least to end a list, in points. */
const outside = 3
/** A label of an item and its text. Capital letters are names more often than labels. */
const lettered = /^(\(?(?:([a-z])|([ivx]{1,5}))[.)])\s+\S/
const romans = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii', 'xiii', 'xiv', 'xv']

interface List<Own> {
  readonly x: number
  readonly items: [Own, string][]
  readonly isRoman: boolean
  /** The signs around its labels. */
  readonly form: string
}

const formOf = (label: string): string => label.replace(/[a-z]+/, '')
const numberAt = (isRoman: boolean, at: number): string | undefined => (isRoman ? romans[at] : String.fromCharCode(97 + at))

/**
 * The lines of a page that are items of lists with letters or Roman numbers as labels, in order from the first, and these labels.
 * What goes on must be indented: text that begins a line with "(a)" by chance goes on at the margin.
 */
export function letteredItems<Own extends Line>(lines: readonly Own[]): ReadonlyMap<Own, string> {
  const found: List<Own>[] = []
  const open: List<Own>[] = []
  for (const line of lines) {
    const [, label = '', letter, roman] = (line.mark === null ? lettered.exec(line.text) : null) ?? []
    const own = letter ?? roman
    const list = own === undefined ? undefined : open.findLast(({ x, items, isRoman, form }) => Math.abs(line.x - x) < sameStart && form === formOf(label) && numberAt(isRoman, items.length) === own)
    while (open.length > 0 && open.at(-1) !== list && (open.at(-1)?.x ?? 0) > line.x - outside) open.pop()
    if (list !== undefined) list.items.push([line, label])
    else if (own === 'a' || own === 'i') {
      const made: List<Own> = { x: line.x, items: [[line, label]], isRoman: own === 'i', form: formOf(label) }
      open.push(made)
      found.push(made)
    }
  }
  return new Map(found.filter(({ items }) => items.length > 1).flatMap(({ items }) => items))
}
