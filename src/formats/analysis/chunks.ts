import { type Block, blocksOf } from '../../content/passages/blocks.ts'
import { tokensOf } from '../../lib/tokens.ts'

/** Parts of one block that alone is too long, at ends of lines where there are any. */
function pieces({ text }: Block, limit: number): string[] {
  const found: string[] = []
  let open = ''
  for (const line of text.split(/(?<=\n)/)) {
    // Three characters a token is the least that any text has in Latin letters, and one elsewhere: cut, then counted.
    const parts = tokensOf(line) <= limit ? [line] : (line.match(new RegExp(`[^]{1,${Math.max(1, Math.floor(limit * 0.9))}}`, 'g')) ?? [])
    for (const part of parts) {
      if (open !== '' && tokensOf(open + part) > limit) {
        found.push(open)
        open = ''
      }
      open += part
    }
  }
  return open === '' ? found : [...found, open]
}

/** Cuts a markdown text into parts of at most so many tokens, before headings where it can, and never inside a short block. */
export function chunksOf(markdown: string, limit: number): readonly string[] {
  if (tokensOf(markdown) <= limit) return [markdown]
  const chunks: string[] = []
  let open: string[] = []
  let size = 0
  const close = (): void => {
    if (open.length > 0) chunks.push(open.join('\n\n'))
    open = []
    size = 0
  }
  for (const block of blocksOf(markdown)) {
    const tokens = tokensOf(block.text) + 1
    if (size + tokens > limit || (block.kind === 'heading' && size > limit * 0.7)) close()
    if (tokens > limit) {
      chunks.push(...pieces(block, limit))
      continue
    }
    open.push(block.text)
    size += tokens
  }
  close()
  return chunks
}
