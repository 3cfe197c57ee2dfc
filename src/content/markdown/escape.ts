import { firstCharacter, isPunctuation, lastCharacter } from './pieces.ts'

/** Matches text with a character that may need a backslash. */
export const special = /[\\`*_[\]<&~!]/

/** Delimiters that only take effect in pairs. */
export type PairedSign = '*' | '_' | '~'

/** Which delimiters in the literal text of a paragraph would take effect. */
export interface Dangers {
  readonly '*': boolean
  readonly _: boolean
  readonly '~': boolean
}

const isSpecial = Array.from({ length: 128 }, (_, code) => special.test(String.fromCharCode(code)))
const escapable = /[!-/:-@[-`{-~]/
const tagStart = /^<(?:[a-z][a-z0-9-]*[\s/>]|[a-z][a-z0-9+.-]{1,31}:|[^\s<>@]{1,64}@|\/[a-z]|!|\?|[a-z][a-z0-9-]*$)/i
const entity = /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i

interface Neighbours {
  /** The characters directly before and after the text in the output; '' at the edge of a line. */
  readonly before: string
  readonly after: string
}

function isSpace(character: string): boolean {
  return character === '' || character === ' ' || character === '\n'
}

/** Whether a delimiter run may open and may close emphasis (CommonMark 0.31, 6.2). */
function flanks(sign: PairedSign, before: string, after: string): { opens: boolean; closes: boolean } {
  const spaceBefore = isSpace(before)
  const spaceAfter = isSpace(after)
  // Parsers disagree on whether an emoji is punctuation.
  if (before.length > 1 || after.length > 1) return { opens: !spaceAfter, closes: !spaceBefore }
  const punctuationBefore = isPunctuation(before)
  const punctuationAfter = isPunctuation(after)
  const left = !spaceAfter && (!punctuationAfter || spaceBefore || punctuationBefore)
  const right = !spaceBefore && (!punctuationBefore || spaceAfter || punctuationAfter)
  if (sign !== '_') return { opens: left, closes: right }
  return { opens: left && (!right || punctuationBefore), closes: right && (!left || punctuationAfter) }
}

function previous(text: string, at: number): string {
  return lastCharacter(text.slice(Math.max(0, at - 2), at))
}

function following(text: string, end: number): string {
  return firstCharacter(text.slice(end, end + 2))
}

function runEnd(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && text.charCodeAt(end) === text.charCodeAt(at)) end++
  return end
}

function pairedSign(code: number): PairedSign | undefined {
  return code === 0x2a ? '*' : code === 0x5f ? '_' : code === 0x7e ? '~' : undefined
}

/** Finds which delimiters in the texts of one paragraph would open and later close emphasis. */
export class PairFinder {
  readonly #open = new Set<string>()
  readonly #found = new Set<string>()

  constructor(written: readonly PairedSign[]) {
    for (const sign of written) this.#found.add(sign)
  }

  scan(text: string, around: Neighbours): void {
    for (let i = 0; i < text.length; ) {
      const sign = pairedSign(text.charCodeAt(i))
      if (sign === undefined) {
        i++
        continue
      }
      const end = runEnd(text, i)
      // Parsers disagree on what a run beside an emphasis delimiter may do.
      const beside = (i === 0 && !isSpace(around.before)) || (end === text.length && !isSpace(around.after))
      const able = flanks(sign, previous(text, i) || around.before, following(text, end) || around.after)
      const [opens, closes] = [able.opens || beside, able.closes || beside]
      if (closes && this.#open.has(sign)) this.#found.add(sign)
      if (opens) this.#open.add(sign)
      i = end
    }
  }

  dangers(): Dangers {
    return { '*': this.#found.has('*'), _: this.#found.has('_'), '~': this.#found.has('~') }
  }
}

/** Where a text is written. Inside the text of a link every bracket counts. */
export interface TextPlace extends Neighbours {
  readonly dangers: Dangers
  readonly inLink: boolean
}

/** Escapes literal text for markdown, with as few backslashes as possible. */
export function escapeText(text: string, place: TextPlace): string {
  if (!special.test(text)) return text
  let out = ''
  let from = 0
  for (let i = 0; i < text.length; i++) {
    if (isSpecial[text.charCodeAt(i)] !== true) continue
    const sign = text.charAt(i)
    const end = sign === '*' || sign === '_' || sign === '~' ? runEnd(text, i) : i + 1
    if (needsEscape(text, i, end, place)) {
      out += text.slice(from, i) + `\\${sign}`.repeat(end - i)
      from = end
    }
    i = end - 1
  }
  return out + text.slice(from)
}

function needsEscape(text: string, at: number, end: number, place: TextPlace): boolean {
  const sign = text.charAt(at)
  const after = end < text.length ? text.charAt(end) : place.after
  switch (sign) {
    case '*':
    case '_':
    case '~': {
      if (!place.dangers[sign]) return false
      // At the edge of the text, the run would merge with an emphasis delimiter.
      if ((at === 0 && !isSpace(place.before)) || (end === text.length && !isSpace(after))) return true
      const { opens, closes } = flanks(sign, previous(text, at) || place.before, following(text, end) || place.after)
      return opens || closes
    }
    case '\\':
      return after === '\n' || escapable.test(after)
    case '`':
      return true
    case '[':
      return place.inLink || after === '^'
    case ']':
      return place.inLink || after === '('
    case '!':
      return end === text.length && after === '['
    case '<':
      return tagStart.test(text.slice(at, at + 80))
    default:
      return entity.test(text.slice(at, at + 40))
  }
}

const lineStarts: readonly RegExp[] = [
  /^()#{1,6}(?=\s|$)/,
  /^()[-+*](?=\s|$)/,
  /^(\d{1,9})[.)](?=\s|$)/,
  /^()>/,
  /^()(?:-[- ]*|=+|~~~.*|_[_ ]*|\*[* ]*)$/,
  /^()~~~/,
  /^()\[[^\]]{1,999}\]:/,
  /^()[-|:][-|: ]*$/,
]
const taskMark = /^\[[ xX]\](?=\s|$)/

/**
 * Escapes the start of a line that would begin a block. The rest of `line` is escaped already; `task` says that a check box
 * could stand here.
 */
export function escapeLineStart(line: string, task: boolean): string {
  if (!/^[-#+*>=~_[|:\d]/.test(line)) return line
  if (task && taskMark.test(line)) return `\\${line}`
  for (const pattern of lineStarts) {
    const match = pattern.exec(line)
    if (!match) continue
    const at = match[1]?.length ?? 0
    return line.charAt(at) === '\\' ? line : `${line.slice(0, at)}\\${line.slice(at)}`
  }
  return line
}
