import { quiet } from './noise.ts'

/** A line of a markdown text, as written and as compared. */
export interface Line {
  readonly text: string
  /** Null for a blank line. */
  readonly key: string | null
}

/** The lines of a markdown text. Code is compared as written. */
export function linesOf(markdown: string): readonly Line[] {
  let fence: string | null = null
  return markdown.replace(/\n+$/, '').split('\n').map((text) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1]
    const inside = fence !== null
    if (mark !== undefined) fence = fence === null ? mark : text.trim() === fence ? null : fence
    if (inside || mark !== undefined) return { text, key: text.trimEnd() }
    return { text, key: text.trim() === '' ? null : quiet(text) }
  })
}

/** The blocks of a text: each line is one, but a code block is one as a whole, because its lines mean nothing alone. */
function blocksOf(lines: readonly Line[]): readonly string[] {
  const blocks: string[] = []
  let code: { readonly fence: string; readonly lines: string[] } | null = null
  for (const { text, key } of lines) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1]
    if (code !== null) {
      code.lines.push(text.trimEnd())
      if (text.trim() !== code.fence) continue
      blocks.push(code.lines.join('\n'))
      code = null
    } else if (mark !== undefined) code = { fence: mark, lines: [text.trimEnd()] }
    else if (key !== null) blocks.push(key)
  }
  return code === null ? blocks : [...blocks, code.lines.join('\n')]
}

/** Whether two texts have the same blocks, in any order. */
export function sameBlocks(a: readonly Line[], b: readonly Line[]): boolean {
  const counts = new Map<string, number>()
  for (const block of blocksOf(a)) counts.set(block, (counts.get(block) ?? 0) + 1)
  for (const block of blocksOf(b)) {
    const count = counts.get(block) ?? 0
    if (count === 0) return false
    counts.set(block, count - 1)
  }
  return [...counts.values()].every((count) => count === 0)
}
