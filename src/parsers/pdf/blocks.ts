/** A block of a page's markdown. */
export interface Block {
  readonly kind: 'heading' | 'list' | 'table' | 'code' | 'text'
  readonly lines: readonly string[]
}

const fence = /^(```|~~~)/
const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s/

function kindOf(line: string): Block['kind'] {
  if (/^#{1,6}\s/.test(line)) return 'heading'
  if (line.startsWith('|')) return 'table'
  return item.test(line) ? 'list' : 'text'
}

/** Whether a line belongs to the current list: a marker of the other kind at the margin starts a new list. */
function sameList(first: string, line: string): boolean {
  return /^\s/.test(line) || /^\d/.test(first) === /^\d/.test(line) || !item.test(line)
}

/** Splits the library's markdown into blocks. The library does not always separate them by an empty line. */
export function blocksOf(markdown: string): Block[] {
  const blocks: { kind: Block['kind']; lines: string[] }[] = []
  let open: { kind: Block['kind']; lines: string[] } | null = null
  let closing: string | null = null
  for (const line of markdown.split('\n')) {
    const text = line.trimEnd()
    if (closing !== null) {
      open?.lines.push(text)
      if (text === closing) [closing, open] = [null, null]
    } else if (text === '') {
      open = null
    } else {
      const kind = fence.test(text) ? 'code' : kindOf(text)
      const alike = open !== null && (open.kind === kind || (open.kind === 'list' && kind === 'text'))
      const continues = alike && kind !== 'heading' && kind !== 'code' && (open?.kind !== 'list' || sameList(open.lines[0] ?? '', text))
      if (continues) open?.lines.push(text)
      else blocks.push((open = { kind, lines: [text] }))
      if (kind === 'code') closing = text.slice(0, 3)
    }
  }
  return blocks
}

/** Applies a change to the text of a block, but not to code. */
export function mapText(block: Block, change: (text: string) => string): Block {
  if (block.kind === 'code') return block
  return { kind: block.kind, lines: block.kind === 'text' ? change(block.lines.join('\n')).split('\n') : block.lines.map(change) }
}

/** Joins blocks with empty lines between them; closes a fence that is open. */
export function toMarkdown(blocks: readonly Block[]): string {
  return blocks.map(({ kind, lines }) => (kind === 'code' && (lines.length < 2 || !fence.test(lines.at(-1) ?? '')) ? [...lines, '```'] : lines).join('\n')).join('\n\n')
}
