/** A command of a script. */
export interface Step {
  readonly words: readonly string[]
  /** When it runs: always, or depending on how the previous one ended. */
  readonly when: 'always' | 'success' | 'failure'
  /** The text of a here-document; null without one. */
  readonly input: string | null
}

/** A script that cannot be read as commands, with an explanation for people. */
export class NotACommand extends Error {}

const noShell = (what: string): NotACommand => new NotACommand(`${what} is not available: commands are read one by one, without a shell. Separate them by new lines, ";", "&&" or "||".`)

const operators: Readonly<Record<string, Step['when']>> = { '\n': 'always', ';': 'always', '&&': 'success', '||': 'failure' }
const escapable = new Set(['"', '\\', '$', '`', '\n'])
const shellOnly: Readonly<Record<string, string>> = { '|': 'A pipe (|)', '&': 'Running in the background (&)', '>': 'Writing to a file (>)', '<': 'Reading from a file (<)', '(': 'A group in brackets', ')': 'A group in brackets', '`': 'Putting in what another command says (`)' }

interface Heredoc {
  readonly end: string
  readonly step: number
}

/**
 * Parses scripts: quotes, escapes and separators have their meaning in a shell; what only a shell could do is refused by
 * name.
 */
class Reader {
  private at = 0
  private word: string | null = null
  private words: string[] = []
  private when: Step['when'] = 'always'
  private readonly steps: { words: readonly string[]; when: Step['when']; input: string | null }[] = []
  private waiting: Heredoc[] = []

  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  read(): readonly Step[] {
    while (this.at < this.text.length) this.next()
    this.endStep('always')
    if (this.waiting.length > 0) throw new NotACommand(`The here-document has no line "${this.waiting[0]?.end}" at its end.`)
    return this.steps
  }

  private next(): void {
    const char = this.text.charAt(this.at)
    const two = this.text.slice(this.at, this.at + 2)
    if (char === "'") return this.single()
    if (char === '"') return this.double()
    if (char === '\\') return this.escape()
    if (char === '$') return this.dollar()
    if (char === '#' && this.word === null) return this.comment()
    if (two === '<<') return this.heredoc()
    const operator = operators[two] !== undefined ? two : char
    if (operators[operator] !== undefined) return this.operator(operator)
    if (shellOnly[char] !== undefined) throw noShell(shellOnly[char])
    this.at++
    if (/\s/.test(char)) return this.endWord()
    this.add(char)
  }

  private add(text: string): void {
    this.word = (this.word ?? '') + text
  }

  private skipTo(position: number): void {
    this.at = position < 0 ? this.text.length : position
  }

  private comment(): void {
    const [glued] = /^#[\w-]+/.exec(this.text.slice(this.at)) ?? []
    if (glued !== undefined && this.words.length > 0) throw new NotACommand(`${glued} begins a comment, as in a shell: quote it if it is a selector ('${glued}'), or put a space after the #.`)
    this.skipTo(this.text.indexOf('\n', this.at))
  }

  private endWord(): void {
    if (this.word !== null) this.words.push(this.word)
    this.word = null
  }

  private endStep(next: Step['when']): void {
    this.endWord()
    if (this.words.length === 0 && next !== 'always') throw new NotACommand('A command is missing before "&&" or "||".')
    if (this.words.length > 0) this.steps.push({ words: this.words, when: this.when, input: null })
    // A line may end after "&&": the next command still depends on the previous one.
    if (this.words.length > 0 || next !== 'always') this.when = next
    this.words = []
  }

  private operator(operator: string): void {
    this.at += operator.length
    this.endStep(operators[operator] ?? 'always')
    if (operator === '\n') this.takeHeredocs()
  }

  private single(): void {
    const end = this.text.indexOf("'", this.at + 1)
    if (end < 0) throw new NotACommand("A ' is not closed.")
    this.add(this.text.slice(this.at + 1, end))
    this.at = end + 1
  }

  private double(): void {
    this.add('')
    for (this.at++; this.text.charAt(this.at) !== '"'; this.at++) {
      const char = this.text.charAt(this.at)
      if (char === '') throw new NotACommand('A " is not closed.')
      if (char === '`' || (char === '$' && /[\w({]/.test(this.text.charAt(this.at + 1)))) throw noShell(`Putting in values (${char}) between double quotes (single quotes take it as it is)`)
      const escaped = this.text.charAt(this.at + 1)
      if (char === '\\' && escapable.has(escaped)) {
        this.at++
        this.add(escaped === '\n' ? '' : escaped)
      } else this.add(char)
    }
    this.at++
  }

  private escape(): void {
    const escaped = this.text.charAt(this.at + 1)
    this.at += 2
    if (escaped !== '\n') this.add(escaped)
  }

  private dollar(): void {
    if (/[\w({'"]/.test(this.text.charAt(this.at + 1))) throw noShell('Putting in values ($)')
    this.add('$')
    this.at++
  }

  private heredoc(): void {
    const [all = '', , quoted, bare] = /^<<-?[ \t]*(?:(['"])([^'"\n]+)\1|(\w+))/.exec(this.text.slice(this.at)) ?? []
    if (all === '') throw noShell('Reading from a file (<)')
    this.endWord()
    this.at += all.length
    this.waiting.push({ end: quoted ?? bare ?? '', step: this.steps.length })
  }

  private takeHeredocs(): void {
    for (const { end, step } of this.waiting) {
      const lines: string[] = []
      for (;;) {
        if (this.at >= this.text.length) throw new NotACommand(`The here-document has no line "${end}" at its end.`)
        const stop = this.text.indexOf('\n', this.at)
        const line = this.text.slice(this.at, stop < 0 ? undefined : stop)
        this.skipTo(stop < 0 ? -1 : stop + 1)
        if (line.trim() === end) break
        lines.push(line)
      }
      const target = this.steps[step]
      if (target !== undefined) target.input = lines.join('\n')
    }
    this.waiting = []
  }
}

/** Parses a script of browser commands. Throws `NotACommand` for what only a shell could do. */
export function parse(script: string): readonly Step[] {
  return new Reader(script.replaceAll('\r\n', '\n')).read()
}
