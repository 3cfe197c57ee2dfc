import { chartTitle } from '../drawings.ts'
import { escapeHtml } from '../html.ts'
import { all, at, attributeOf, textIn, writeXml, type XmlElement, type XmlNode } from '../xml.ts'
import { type Parts, xmlPart } from '../zip.ts'
import { odfTable } from './table.ts'

/** What an object in a frame shows, formulas within a line; undefined for one of another kind. */
export type Shown = { readonly formula: string } | { readonly chart: string } | undefined

/**
 * Reads an embedded formula, as MathML, or a chart, as its title and the table of its values: from the part of the archive
 * that the object names, or from within it where the file is a single one.
 */
export function objectIn(parts: Parts, object: XmlElement | undefined): Shown {
  const href = attributeOf(object, 'href')
  const holder = href === undefined ? object : xmlPart(parts, `${href.replace(/^\.\/|\/$/g, '')}/content.xml`)
  const math = at(holder, 'math')
  if (math !== undefined) return { formula: writeXml([inHtml({ ...math, attributes: {} })]) }
  const chart = at(at(holder, 'document-content') ?? at(holder, 'document'), 'body', 'chart', 'chart')
  const table = at(chart, 'table')
  const values = table === undefined ? '' : odfTable(table, valueOf).html
  return values === '' ? undefined : { chart: chartTitle(all(at(chart, 'title'), 'p').map(textIn).join(' ')) + values }
}

/** HTML knows the elements of formulas without a prefix only. */
const inHtml = (node: XmlNode): XmlNode => (typeof node === 'string' ? node : { ...node, prefix: undefined, children: node.children.map(inHtml) })

/** The text of a cell; values that are missing are written as no numbers. */
function valueOf(cell: XmlElement): string {
  const value = attributeOf(cell, 'value') ?? ''
  return /nan/i.test(value) ? '' : escapeHtml(all(cell, 'p').map(textIn).join(' ').trim() || value)
}
