import { quoted } from '../../../lib/quoted.ts'
/** A text run: where it starts, and the id of its marked content (PDF 1.7, 14.6). */
export interface Marked {
  readonly text: string
  readonly x: number
  readonly itemType: string
  readonly mcid?: number | undefined
}

/** The start of a list item whose marker is a drawing. */
export interface Bullet {
  readonly text: string
  /** The word before it on the page; '' at the start. */
  readonly before: string
  readonly level: number
}

/**
 * Finds the list items of a tagged page whose markers are drawn, as in PDFs that browsers print: a label in the structure
 * tree without text, before the text of the item.
 */
export function drawnBullets(items: readonly Marked[], roles: readonly { readonly mcid: number; readonly role: string }[]): Bullet[] {
  const texts = items.filter((item) => item.itemType === 'Text' && item.mcid !== undefined && item.text.trim() !== '')
  const written = new Set(texts.map((item) => item.mcid))
  const labels = roles.filter(({ mcid, role }) => role === 'Lbl' && !written.has(mcid)).map(({ mcid }) => mcid).sort((a, b) => a - b)
  const columns: number[] = []
  const bullets: Bullet[] = []
  let next = 0
  for (const [i, item] of texts.entries()) {
    const label = labels[next]
    if (label === undefined || (item.mcid ?? 0) < label) continue
    while ((labels[next] ?? Infinity) < (item.mcid ?? 0)) next++
    while ((columns.at(-1) ?? -Infinity) > item.x + 4) columns.pop()
    if ((columns.at(-1) ?? -Infinity) < item.x - 4) columns.push(item.x)
    bullets.push({ text: item.text.trim(), before: texts[i - 1]?.text.trim().split(/\s+/).at(-1) ?? '', level: columns.length - 1 })
  }
  return bullets
}

/**
 * Starts a list item in the markdown wherever the text of a bullet follows the word before it. Bullets that are not found
 * are skipped.
 */
export function withBullets(markdown: string, bullets: readonly Bullet[]): string {
  if (markdown.length > 200_000) return markdown
  let done = ''
  let rest = markdown
  for (const { text, before, level } of bullets) {
    const words = text.split(/\s+/).slice(0, 12).map(quoted).join('\\s+')
    const match = new RegExp(`${before === '' ? '^' : quoted(before)}(?:\\*{1,2}|</u>)?(\\s+|^)(?=(?:\\*{1,2}|<u>)?${words})`).exec(rest)
    if (match === null) continue
    const end = match.index + match[0].length
    done += `${rest.slice(0, end).trimEnd()}\n${'  '.repeat(level)}- `
    rest = rest.slice(end)
  }
  return done + rest
}

/**
 * A bullet character at the start of an item. The library may take it for a part of the first word, or take the line for a
 * heading.
 */
const writtenBullet = /^(?:#{1,6} +)?(\*\*)?[•●▪◦‣∙](\*\*)? *(?=[^\s•●▪◦‣∙])/

/** What the library leaves of the style of a bullet before the text of its item. */
const bareStyle = /^(\s*- )\*\*? (?=\S)/
const isOdd = (line: string): boolean => line.split('**').length % 2 === 0

/** Turns lines that start with a bullet character into list items, outside of code. */
export function withWrittenBullets(markdown: string): string {
  let inCode = false
  return markdown
    .split('\n')
    .map((line) => {
      if (line.startsWith('```')) inCode = !inCode
      return inCode ? line : (isOdd(line) ? line.replace(bareStyle, '$1') : line).replace(writtenBullet, (_, before: string = '', after: string = '') => `- ${before === after ? '' : before + after}`)
    })
    .join('\n')
}
