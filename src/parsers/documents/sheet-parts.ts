import type { WorkSheet } from '@e965/xlsx'
import { at, attributeOf, countOf, decodeXml, parseXml, type XmlElement } from './xml.ts'
import type { Parts } from './zip.ts'

/** The rows and columns of a table that its program does not display, by their numbers from 0. */
export interface Hidden {
  readonly rows: ReadonlySet<number>
  readonly columns: ReadonlySet<number>
}

/** A table of an OpenDocument file: what the library does not tell of it. */
export interface OdsTable extends Hidden {
  readonly name: string
  readonly hidden: boolean
}

const indexes = (all: readonly ({ readonly hidden?: boolean } | undefined)[] = []): ReadonlySet<number> => new Set(all.flatMap((one, i) => (one?.hidden === true ? [i] : [])))

/** What the library tells of a table. */
export const hiddenIn = (sheet: WorkSheet | undefined): Hidden => ({ rows: indexes(sheet?.['!rows']), columns: indexes(sheet?.['!cols']) })

/** Whether rows, columns or sheets of a workbook may be hidden; the library takes longer to tell. */
export function mayHide(parts: Parts): boolean {
  return parts.size === 0 || [...parts].some(([path, bytes]) => path === 'xl/workbook.bin' || (/^xl\/worksheets\/[^/]+\.xml$/i.test(path) && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(' hidden=')))
}

/** The tags that tell of tables, their rows and columns. */
const tags = /<table:table(-row|-column)?(?:\s[^<>]*|\/)?>/g
const hiddenStyle = /<style:style style:name="([^"]*)" style:family="table"[^<>]*>\s*<style:table-properties [^<>]*table:display="false"/g

const elementOf = (tag: string): XmlElement | undefined => at(parseXml(tag.endsWith('/>') ? tag : `${tag.slice(0, -1)}/>`), /^<\w+:([\w-]+)/.exec(tag)?.[1] ?? '')

/** The tables of an OpenDocument file in order, up to so many rows and columns; none for other files. */
export function odsTables(parts: Parts, most: number): readonly OdsTable[] {
  const bytes = parts.get('content.xml')
  const text = bytes === undefined ? '' : decodeXml(bytes)
  const unshown = new Set([...text.matchAll(hiddenStyle)].map((match) => match[1]))
  const tables: (OdsTable & { readonly rows: Set<number>; readonly columns: Set<number> })[] = []
  const next = { rows: 0, columns: 0 }
  for (const [tag, part] of text.matchAll(tags)) {
    if (part === undefined) {
      const table = elementOf(tag)
      tables.push({ name: attributeOf(table, 'name') ?? '', hidden: unshown.has(attributeOf(table, 'style-name')), rows: new Set(), columns: new Set() })
      Object.assign(next, { rows: 0, columns: 0 })
    } else if (tag.includes('-repeated=') || tag.includes(':visibility=')) {
      const kind = part === '-row' ? 'rows' : 'columns'
      const element = elementOf(tag)
      const from = next[kind]
      next[kind] += countOf(element, `number-${kind}-repeated`, { most })
      if (/^(?:collapse|filter)$/.test(attributeOf(element, 'visibility') ?? '')) for (let i = from; i < Math.min(most, next[kind]); i++) tables.at(-1)?.[kind].add(i)
    } else next[part === '-row' ? 'rows' : 'columns']++
  }
  return tables
}
