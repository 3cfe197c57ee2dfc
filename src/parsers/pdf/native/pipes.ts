import type { Placed } from '../page/placed.ts'
import { cellsOf, ruled } from './table-places.ts'

const escaped = (text: string): string => text.replaceAll('|', '\\|')

/** Escapes the pipes that stand on the page in rows of tables, which have more cells than their table has columns then. */
export function withEscapedPipes(markdown: string, items: readonly Placed[]): string {
  const texts = markdown.includes('|---') ? new Set(items.map(({ text }) => text.trim()).filter((text) => text.includes('|') && /[^|\s]/.test(text))) : new Set<string>()
  if (texts.size === 0) return markdown
  const lines = markdown.split('\n')
  const columns = lines.map((line, i) => [line, lines[i + 1] ?? ''].find((one) => ruled.test(one))).map((line) => (line === undefined ? 0 : cellsOf(line).length))
  let most = 0
  return lines.map((line, i) => {
    most = line.startsWith('|') ? columns[i] || most : 0
    if (most === 0 || ruled.test(line) || cellsOf(line).length <= most) return line
    const made = [...texts].reduce((row, text) => row.split(text).join(escaped(text)), line)
    return cellsOf(made).length < most ? line : made
  }).join('\n')
}
