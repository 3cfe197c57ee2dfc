import { chartTitle } from '../drawings.ts'
import { escapeHtml } from '../html.ts'
import { all, at, attributeOf, decodeXml, parseXml, textIn, type XmlElement } from '../xml.ts'
import type { Parts } from '../zip.ts'
import { odfTable } from './table.ts'

/** What an object in a frame shows, formulas within a line; undefined for one of another kind. */
export type Shown = { readonly formula: string } | { readonly chart: string } | undefined

/** Reads an embedded formula, as MathML, or a chart, as its title and the table of its values. */
export function objectIn(parts: Parts, href: string | undefined): Shown {
  const bytes = href === undefined ? undefined : parts.get(`${href.replace(/^\.\/|\/$/g, '')}/content.xml`)
  if (bytes === undefined) return undefined
  const text = decodeXml(bytes)
  const formula = /<math[\s>][^]*<\/math>/.exec(text)?.[0].replace('display="block"', '')
  if (formula !== undefined) return { formula }
  const chart = at(parseXml(text), 'document-content', 'body', 'chart', 'chart')
  const table = at(chart, 'table')
  const values = table === undefined ? '' : odfTable(table, valueOf).html
  return values === '' ? undefined : { chart: chartTitle(all(at(chart, 'title'), 'p').map(textIn).join(' ')) + values }
}

/** The text of a cell; values that are missing are written as no numbers. */
function valueOf(cell: XmlElement): string {
  const value = attributeOf(cell, 'value') ?? ''
  return /nan/i.test(value) ? '' : escapeHtml(all(cell, 'p').map(textIn).join(' ').trim() || value)
}
