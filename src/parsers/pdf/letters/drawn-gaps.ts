import { entriesOf, numbersIn, referencesIn } from '../file/dictionary.ts'
import type { Objects } from '../file/objects.ts'

/** A blank narrower than this multiple of the font size is none. A step between letters, and a blank, wider than these is a gap between cells. */
const [narrowest, widestStep, widestBlank] = [0.06, 1, 1.5]
/** Most letters of a string with wide steps: longer ones are spaced titles. */
const mostSpaced = 8
/** How much longer some content may become. */
const mostGrown = 2
/** Most characters of all contents that are looked at, and milliseconds for it. */
const [mostSeen, maxMs] = [30_000_000, 1_000]
const string = String.raw`\((?:\\[^]|[^\\()]){1,2000}\)`
/** What saves and restores a state, sets the font and the space after letters and words, and shows a string; other strings are passed over. */
const operators = new RegExp(String.raw`(?<=\s)([qQ])(?=\s)|(/[^\s/<>[\]()%]+)\s+(-?[\d.]+)\s+Tf\b|(?<![\d.])(-?[\d.]{1,20})\s+(T[cw])\b|(${string})\s*Tj\b|${string}`, 'g')
/** A letter of a string: escaped (PDF 1.7, 7.3.4.2), or as it is. */
const letter = /\\(?:[0-7]{1,3}|[^])|[^]/g
/** Whether some content may have such spaces. */
const mayHaveGaps = /[\d.]\s+T[cw]\b/
/** Encodings in which the code of the blank is one: `differing` starts with that code or one before, and may name another. */
const [known, differing] = [/\/(?:WinAnsi|MacRoman|Standard)Encoding/, /[[\s](?:[12]?\d|3[0-2])\s*\//]

/** The width of a blank in a font, for letters of size 1: 0 when the font has none, null when its letters may have more than one byte. */
type Blanks = (font: string) => number | null
/** What the operators set (PDF 1.7, 9.3). */
interface TextState {
  readonly size: number
  readonly letters: number
  readonly words: number
  readonly blank: number | null
}

/**
 * Shows a string with its wide steps as gaps, and without blanks that have no width; null when it is the same. Ghostscript
 * writes like this what a program placed letter by letter: the "2" at the end of a cell and the "5" of the next become "25" with a
 * wide step between them, and a small step within a word becomes a blank with a negative space.
 */
function shown(codes: string, { size, letters, words, blank }: TextState): string | null {
  if (size <= 0 || blank === null) return null
  const parts = codes.slice(1, -1).match(letter) ?? []
  const blanks = blank === 0 ? 0 : parts.filter((one) => one === ' ').length
  const width = blank * size + letters + words
  const isWide = letters > size * widestStep && parts.length <= mostSpaced
  const isOther = (words < 0 && blanks > 0 && width < size * narrowest) || (blanks === 1 && width > size * widestBlank)
  if (!isWide && !isOther) return null
  const step = (wide: number): string => `[${((-1000 * wide) / size).toFixed(2)}] TJ`
  const made = parts.map((one) => (one === ' ' && isOther ? `) Tj ${step(width)} (` : isWide ? `${one}) Tj ${step(letters)} (` : one)).join('')
  const text = `(${made}) Tj`.replace(/(?<!\\)\(\) Tj/g, '')
  return isWide ? `0 Tc ${text} ${String(letters)} Tc` : text
}

/** Some content with its strings as they are drawn; null when it is the same. */
function withGaps(content: string, blankOf: Blanks): string | null {
  let state: TextState = { size: 0, letters: 0, words: 0, blank: null }
  const saved: TextState[] = []
  let isChanged = false
  const made = content.replace(operators, (found: string, ...groups: readonly (string | undefined)[]) => {
    const [way, font, size, space, kind, codes] = groups
    if (way === 'q') saved.push(state)
    else if (way === 'Q') state = saved.pop() ?? state
    else if (font !== undefined) state = { ...state, size: Number(size), blank: blankOf(font) }
    else if (space !== undefined) state = { ...state, [kind === 'Tc' ? 'letters' : 'words']: Number(space) }
    const other = codes === undefined ? null : shown(codes, state)
    isChanged ||= other !== null
    return other ?? found
  })
  // What grows so much is no text placed letter by letter, and takes long to read.
  return isChanged && made.length < content.length * mostGrown ? made : null
}

function blankIn(objects: Objects, value: string): number | null {
  const font = entriesOf(objects.resolved(value))
  const widths = numbersIn(objects.resolved(font.get('/Widths') ?? ''))
  if (widths.length === 0 || font.get('/Subtype') === '/Type3') return null
  const encoding = objects.resolved(font.get('/Encoding') ?? '')
  return known.test(encoding) && !differing.test(encoding) ? (widths[32 - Number(font.get('/FirstChar'))] ?? 0) / 1000 : 0
}

function blanksOf(objects: Objects, resources: string): Blanks {
  const fonts = entriesOf(objects.resolved(entriesOf(objects.resolved(resources)).get('/Font') ?? ''))
  const found = new Map<string, number | null>()
  return (name) => {
    const blank = found.get(name) ?? blankIn(objects, fonts.get(name) ?? '')
    found.set(name, blank)
    return blank
  }
}

/** The contents of pages whose strings have steps between letters that the native library takes for others, by number. */
export function withDrawnGaps(objects: Objects): Map<number, Buffer> {
  const changed = new Map<number, Buffer>()
  const end = performance.now() + maxMs
  let left = mostSeen
  for (const page of objects.dictionaries().values()) {
    if (!page.includes('/Contents') || performance.now() > end || left < 0) continue
    const entries = entriesOf(page)
    const [number, ...others] = referencesIn(entries.get('/Contents') ?? '')
    if (number === undefined || others.length > 0) continue
    const content = objects.stream(number)?.toString('latin1') ?? ''
    left -= content.length
    const made = mayHaveGaps.test(content) ? withGaps(content, blanksOf(objects, entries.get('/Resources') ?? '')) : null
    left -= made?.length ?? 0
    if (made !== null) changed.set(number, Buffer.from(`<< /Length ${String(made.length)} >>\nstream\n${made}\nendstream`, 'latin1'))
  }
  return changed
}
