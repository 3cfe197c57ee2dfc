import type { AnyNode, Element } from 'domhandler'

/** The footnotes of a page: which elements refer to one, which define one. */
export interface Notes {
  /** Label of the footnote that this link refers to. */
  readonly references: ReadonlyMap<Element, string>
  /** Label of the footnote that this element defines. */
  readonly definitions: ReadonlyMap<Element, string>
  /** Links from a footnote back to its reference, and other marks that are not text. */
  readonly furniture: ReadonlySet<AnyNode>
  /** Lists whose items are footnotes. */
  readonly lists: ReadonlySet<Element>
}

/** A page without footnotes. */
export const noNotes: Notes = { references: new Map(), definitions: new Map(), furniture: new Set(), lists: new Set() }
