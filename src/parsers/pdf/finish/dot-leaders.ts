import type { Block } from '../blocks.ts'

/** Longer lines are no entries of a table of contents. */
const longest = 400
const page = String.raw`(?:\d{1,4}|[ivxlc]{1,8})\**`
/** An entry with dot leaders, or with the tab that the library writes for some of them, before its page number. */
const led = new RegExp(String.raw`^(\s*)(.*?[^\s.…·])\s*(?:\t|(?:[.…·]\s*){4,})(\**${page})$`)
const entry = new RegExp(String.raw`\s${page}$`)
const number = /^\**\d+((?:\.\d+)*)\.?\s/

const isLed = (line: string): boolean => line.length < longest && led.test(line)
const depthOf = (line: string): number => number.exec(line)?.[1]?.split('.').length ?? 1

/** The lines of a table of contents, with those joined that are one entry: only its last line ends with a page number. */
function entriesOf(lines: readonly string[]): string[] {
  const entries: string[] = []
  let open = ''
  for (const line of lines) {
    const whole = `${open}${line.replace(led, '$1$2 $3')}`
    open = isLed(line) || entry.test(line) ? '' : `${whole} `
    if (open === '') entries.push(whole)
  }
  return open === '' ? entries : [...entries, open.trim()]
}

/** A block without dot leaders: the entries of a table of contents become list items, by the depth of their numbers, as in tagged files. */
export function withoutLeaders(block: Block): Block {
  const count = block.lines.filter(isLed).length
  if (count === 0 || count * 2 < block.lines.length || (block.kind !== 'text' && block.kind !== 'list')) return block
  if (block.kind === 'list') return { kind: 'list', lines: block.lines.map((line) => (isLed(line) ? line.replace(led, '$1$2 $3') : line)) }
  const entries = entriesOf(block.lines)
  const least = Math.min(...entries.map(depthOf))
  return { kind: 'list', lines: entries.map((line) => `${'  '.repeat(depthOf(line) - least)}- ${line}`) }
}
