import { cellText } from './table-cells.ts'
import { type Line, placedTable, withTables } from './table-places.ts'

type Runs = Parameters<typeof cellText>[0]

/** What the items of a list begin with, and what those of an inner list may begin with. */
const [bullet, inner] = [/^[•●▪◦‣∙■□◆►➢✓❖○⁃]$/u, /^[•●▪◦‣∙■□◆►➢✓❖○⁃–—-]$/u]

/** Whether all rows of a table begin with the same bullet, and most say one thing behind it: in a table, other cells tell more. */
function isList(rows: readonly (readonly string[])[]): boolean {
  const sign = rows[0]?.[0] ?? ''
  const said = rows.map((row) => row.slice(1).filter((cell) => cell !== '').length)
  return bullet.test(sign) && rows.length > 1 && rows.every((row) => row[0] === sign) && said.filter((count) => count === 1).length * 2 > rows.length
}

/** The items of a list by the lines of its page: a line without a marker goes on with the item above. */
function itemsOf(lines: readonly Line[]): string[] {
  const items: Runs[number][][] = []
  for (const { items: runs } of lines) {
    const isItem = inner.test(runs[0]?.text.trim() ?? '')
    if (isItem) items.push([])
    items.at(-1)?.push(...((isItem ? runs.slice(1) : runs) as Runs)) // the runs that were passed in
  }
  return items.map((runs) => `- ${cellText(runs, true)}`)
}

/** Whether the lines of a row are known, and begin with its bullet: where that stands lower than its text, the text would be lost. */
const begins = (lines: readonly Line[], place: readonly [number, number] | null = null): boolean => place !== null && bullet.test(lines[place[0]]?.items[0]?.text.trim() ?? '')

/** Makes lists of tables that are none: on slides, the library takes bullets far before their texts for a column. */
export function withBulletRows(markdown: string, items: Runs): string {
  return withTables(markdown, items, (table, lines) => {
    const { cells, places } = placedTable(table, lines)
    if (!isList(cells.filter((row) => row !== null)) || cells.some((row, i) => row !== null && !begins(lines, places[i]))) return table
    return itemsOf(places.flatMap((place) => (place === null ? [] : lines.slice(...place))))
  })
}
