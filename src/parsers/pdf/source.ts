import type { Bullet } from './finish/bullets.ts'
import type { PageEdges } from './page/page-edges.ts'

/** A page as it was read, before `finish`. */
export interface RawPage {
  readonly pageNumber: number
  readonly markdown: string
  readonly needsOcr: boolean
  /** List items whose markers are drawings, which its markdown does not show. */
  readonly bullets: readonly Bullet[]
  /** The links of the page with the text they cover, in reading order. */
  readonly anchors: readonly { readonly text: string; readonly url: string }[]
  /** Lines at its edges and footnotes; absent when positions are unknown. */
  readonly edges?: PageEdges
}

/** A file as it was read, before `finish`. */
export interface RawDocument {
  readonly totalPages: number
  readonly pages: readonly RawPage[]
  readonly info: Readonly<Record<string, string | undefined>>
  readonly warnings: readonly string[]
  /** There was no time for some of the steps, or pages. */
  readonly isLate?: boolean
}

/** A file that cannot be read, for a reason that its owner can act on. */
export class UnreadablePdf extends Error {
  readonly problem: 'encrypted' | 'broken'

  constructor(problem: 'encrypted' | 'broken', cause: unknown) {
    super(problem, { cause })
    this.problem = problem
  }
}
