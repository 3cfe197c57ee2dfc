interface Line {
  readonly x: number
  readonly mark: string | null
  readonly text: string
}

/** Tolerance of a line start, and how far the text of an item is indented at most, in points. */
const [sameStart, mostHang] = [3, 40]
/** A line that begins with a dash and words: before a number, it may be its sign. */
const dashed = /^[–—]\s+(?=\S).*\p{L}/u
/** The end of a sentence. */
const ended = /[.!?…]["'”’»)]*$/u

/** Lines with dashes at one place, without lines at their left between them. */
interface Group {
  readonly x: number
  readonly lines: Line[]
  /** Whether lines that go on are indented, as in lists. */
  hangs: boolean
  /** The first line at their left. */
  next: Line | null
}

/**
 * Whether the lines of a group are items of a list. Novels begin speech with dashes, too: there the next line starts at
 * the margin, and speech ends as sentences do.
 */
function isList({ lines, hangs, next }: Group): boolean {
  if (lines.length < 2 || (next !== null && /^\p{Ll}/u.test(next.text))) return false
  const whole = next === null ? lines : lines.slice(0, -1)
  return hangs || whole.some(({ text }) => !ended.test(text))
}

/** The lines of a page that are items of lists with dashes as markers, which the library takes for text. */
export function dashItems<Own extends Line>(lines: readonly Own[]): ReadonlySet<Own> {
  const groups: Group[] = []
  let open: Group | null = null
  for (const line of lines) {
    const by: number = open === null ? -Infinity : line.x - open.x
    if (line.mark === null && dashed.test(line.text)) {
      if (open === null || Math.abs(by) >= sameStart) groups.push((open = { x: line.x, lines: [], hangs: false, next: null }))
      open.lines.push(line)
    } else if (open !== null && by > sameStart && by < mostHang) open.hangs = true
    else if (open !== null) {
      open.next = line
      open = null
    }
  }
  const found = new Set<Line>(groups.filter(isList).flatMap((group) => group.lines))
  return new Set(lines.filter((line) => found.has(line)))
}
