import type { WorkSheet } from '@e965/xlsx'
import type { Hidden } from './sheet-tables.ts'
import { decodeXml } from './xml.ts'
import type { Parts } from './zip.ts'

const indexes = (all: readonly ({ readonly hidden?: boolean } | undefined)[] = []): ReadonlySet<number> => new Set(all.flatMap((one, i) => (one?.hidden === true ? [i] : [])))

/** What the library tells of a table. */
export const hiddenIn = (sheet: WorkSheet | undefined): Hidden => ({ rows: indexes(sheet?.['!rows']), columns: indexes(sheet?.['!cols']) })

/** Whether rows, columns or sheets of a workbook may be hidden; the library takes longer to tell. */
export function mayHide(parts: Parts): boolean {
  return parts.size === 0 || [...parts].some(([path, bytes]) => path === 'xl/workbook.bin' || (/^xl\/worksheets\/[^/]+\.xml$/i.test(path) && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(' hidden=')))
}

const anchor = /<(?:\w+:)?(?:twoCell|oneCell|absolute)Anchor[\s>]/g

/** How many charts, pictures and shapes lie over the cells of a workbook that is an archive. */
export const drawingsIn = (parts: Parts): number => [...parts].filter(([path]) => /^xl\/drawings\/[^/]+\.xml$/i.test(path)).reduce((sum, [, bytes]) => sum + (decodeXml(bytes).match(anchor)?.length ?? 0), 0)
