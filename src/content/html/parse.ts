import type { Document, Element } from 'domhandler'
import { settleShadows } from './shadow.ts'
import { settleStreams } from './streamed.ts'
import { PageTokenizer } from './tokenizer.ts'
import { settle } from './tree.ts'
import { TreeBuilder } from './tree-builder.ts'

/** Characters of a page that are read; the rest is cut (R20). */
const maxCharacters = 20_000_000
/** Nodes of a page that are kept; the rest is cut (R20). */
const maxNodes = 1_000_000
/** Levels of nesting that are kept; deeper elements are flattened (R20). */
const maxDepth = 512

/** A parsed page, and what had to be cut. */
export interface Parsed {
  readonly document: Document
  readonly warnings: readonly string[]
  /** The tree's levels of nesting. */
  readonly depth: number
  /** The elements whose start tags are at the requested places. */
  readonly noted: ReadonlySet<Element>
}

/**
 * Parses HTML to a tree in one pass, linear for any input. Repairs what browsers repair where content depends on it:
 * implied end tags, misnested inline elements, rows outside tables, unclosed heads and drawings. Comments are omitted.
 * `xml` makes `<div/>` a closed element, as in XHTML. `places` are positions of start tags in the text whose elements are
 * returned in `noted`. Never throws.
 */
export function parse(html: string, xml = false, places: readonly number[] = []): Parsed {
  const warnings: string[] = []
  const cut = html.length > maxCharacters ? html.slice(0, maxCharacters) : html
  // A page with such places comes from a browser, which has removed the sections.
  const text = xml || places.length > 0 ? cut : withoutSections(cut)
  if (cut !== html) warnings.push(`The page is longer than ${maxCharacters} characters and was cut.`)
  const builder = new TreeBuilder(text, { maxDepth, maxNodes, selfClosing: xml, places: new Set(places) })
  const tokenizer = new PageTokenizer(builder)
  tokenizer.write(text)
  tokenizer.end()
  if (builder.hasLateParts) settleStreams(builder.document, builder.standIns)
  const added = builder.hasTemplates ? settleShadows(builder.document) : 0
  settle(builder.document)
  if (builder.full) warnings.push(`The page has more than ${maxNodes} nodes and was cut.`)
  if (builder.flattened > 0) warnings.push(`Elements nested deeper than ${maxDepth} levels were flattened.`)
  return { document: builder.document, warnings, depth: builder.deepest + added, noted: builder.noted }
}

const sectionStart = '<![CDATA['
/** What is searched of a section's start: pages have few of these. */
const sectionSign = '[CDATA['
/** A section this long with blocks inside is a page that was wrapped by mistake. */
const longSection = 2000
/** Most sections that are inspected. */
const maxSections = 20

/**
 * HTML has no CDATA sections (HTML standard, 13.2.5.42): one that never ends, or that holds much of the page, is only a
 * comment. Short ones are left to the tokenizer, which knows drawings and formulas.
 */
function withoutSections(html: string): string {
  const parts: string[] = []
  let from = 0
  let end = Number.NEGATIVE_INFINITY
  let seen = 0
  for (let sign = html.indexOf(sectionSign); sign >= 0; sign = html.indexOf(sectionSign, sign + sectionSign.length)) {
    const at = sign + sectionSign.length - sectionStart.length
    if (!html.startsWith(sectionStart, at)) continue
    if (end !== -1 && end < at) end = html.indexOf(']]>', at)
    if (end >= 0 && (end - at < longSection || ++seen > maxSections || !/<(?:div|p|section|main|article|table|body)[\s>]/i.test(html.slice(at, at + 20_000)))) continue
    parts.push(html.slice(from, at))
    from = at + sectionStart.length
  }
  return parts.length === 0 ? html : parts.join('') + html.slice(from)
}
