import { type Block, blocksOf } from '../../content/passages/blocks.ts'
import { tokensOf } from '../../lib/tokens.ts'

/** Splits a block that is too long, at line ends if possible. */
function pieces({ text }: Block, limit: number): string[] {
  const found: string[] = []
  let open = ''
  for (const line of text.split(/(?<=\n)/)) {
    // A piece of this many characters fits: `tokensOf` counts at most one token per character.
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

/** Splits markdown into parts of at most `limit` tokens: before headings where possible, and never inside a short block. */
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
