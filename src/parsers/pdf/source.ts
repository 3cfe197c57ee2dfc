import type { Bullet } from './bullets.ts'
import type { PageEdges } from './page-edges.ts'

/** A page as a library returns it, before any cleaning. */
export interface RawPage {
  readonly pageNumber: number
  readonly markdown: string
  readonly needsOcr: boolean
  readonly bullets: readonly Bullet[]
  /** The links of the page with the text they cover, in reading order. */
  readonly anchors: readonly { readonly text: string; readonly url: string }[]
  /** What stands around its text, where places are known. */
  readonly edges?: PageEdges
}

/** A file as a library returns it. */
export interface RawDocument {
  readonly totalPages: number
  readonly pages: readonly RawPage[]
  readonly info: Readonly<Record<string, string | undefined>>
  readonly warnings: readonly string[]
}

/** A file that cannot be read, for a reason that its owner can act on. */
export class UnreadablePdf extends Error {
  readonly problem: 'encrypted' | 'broken'

  constructor(problem: 'encrypted' | 'broken', cause: unknown) {
    super(problem, { cause })
    this.problem = problem
  }
}
