/** A block of a markdown text: verbatim, with its place. */
export interface Block {
  readonly kind: 'heading' | 'code' | 'table' | 'list' | 'image' | 'rule' | 'text'
  readonly start: number
  readonly end: number
  readonly text: string
}

const maxBlocks = 50_000

function kindOf(text: string): Block['kind'] {
  if (/^\s*(?:```|~~~)/.test(text)) return 'code'
  if (/^#{1,6}\s/.test(text)) return 'heading'
  if (/^\|.*\|/.test(text) && /\n\|[\s:|-]+\|/.test(text)) return 'table'
  if (/^\s*(?:[-*+]|\d+[.)])\s/.test(text)) return 'list'
  if (/^!\[[^\]]*\]\([^)]*\)$/.test(text.trim()) || /^\[!\[[^\]]*\]\([^)]*\)\s*\]\([^)]*\)$/.test(text.trim())) return 'image'
  if (/^(?:-{3,}|\*{3,}|_{3,})$/.test(text.trim())) return 'rule'
  return 'text'
}

/** The blocks of a markdown text, between blank lines outside of code. */
export function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = []
  let start = -1
  let fence: string | null = null
  const close = (end: number): void => {
    if (start < 0) return
    const text = markdown.slice(start, end).trimEnd()
    if (text !== '') blocks.push({ kind: kindOf(text), start, end: start + text.length, text })
    start = -1
  }
  for (let at = 0; at < markdown.length && blocks.length < maxBlocks; ) {
    const newline = markdown.indexOf('\n', at)
    const end = newline < 0 ? markdown.length : newline
    const line = markdown.slice(at, end)
    const mark = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1]
    if (fence === null && line.trim() === '') close(at)
    else if (start < 0) start = at
    if (mark !== undefined) fence = fence === null ? mark : line.trim().startsWith(fence) && line.trim() === mark ? null : fence
    at = end + 1
  }
  close(markdown.length)
  return blocks
}

/** A text as a reader sees it: without the marks of markdown and the addresses of links. */
export function readable(markdown: string): string {
  return markdown
    .replace(/!\[([^\]]*)\]\([^)\s]*(?:\s"[^"]*")?\)/g, '$1')
    .replace(/\[([^\]]*)\]\([^)\s]*(?:\s"[^"]*")?\)/g, '$1')
    .replace(/^#{1,6}\s+|^>\s?|^\s*(?:[-*+]|\d+[.)])\s+/gm, '')
    .replace(/[*_`|\\]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
