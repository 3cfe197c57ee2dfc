import type { Document } from 'domhandler'
import { Tokenizer } from 'htmlparser2'
import { settleStreams } from './streamed.ts'
import { TreeBuilder } from './tree-builder.ts'

/** Characters of a page that are read; the rest is cut (R20). */
export const maxCharacters = 20_000_000
/** Nodes of a page that are kept; the rest is cut (R20). */
export const maxNodes = 1_000_000
/** Levels of nesting that are kept; deeper elements are flattened (R20). */
export const maxDepth = 512

/** A parsed page and what had to be cut to parse it. */
export interface Parsed {
  readonly document: Document
  readonly warnings: readonly string[]
  /** Levels of nesting that the tree has. */
  readonly depth: number
}

/**
 * HTML to a tree in one pass, linear in the input for any input. Repairs what browsers repair where content depends on it:
 * implied end tags, misnested inline elements, rows outside tables, unclosed heads and drawings. Comments are left out.
 * `xml` says that `<div/>` is a closed element, as in XHTML. Never throws.
 */
export function parse(html: string, xml = false): Parsed {
  const warnings: string[] = []
  const text = html.length > maxCharacters ? html.slice(0, maxCharacters) : html
  if (text !== html) warnings.push(`The page is longer than ${maxCharacters} characters and was cut.`)
  const builder = new TreeBuilder(text, { maxDepth, maxNodes, selfClosing: xml })
  const tokenizer = new Tokenizer({ recognizeSelfClosing: true }, builder)
  tokenizer.write(text)
  tokenizer.end()
  settleStreams(builder.document)
  if (builder.full) warnings.push(`The page has more than ${maxNodes} nodes and was cut.`)
  if (builder.flattened > 0) warnings.push(`Elements nested deeper than ${maxDepth} levels were flattened.`)
  return { document: builder.document, warnings, depth: builder.deepest }
}
