import { compared } from '../../content/changes/index.ts'
import type { Call } from '../../domain/call.ts'
import { assembled, numbered } from './assembly.ts'
import { chunksOf } from './chunks.ts'
import { judged } from './json.ts'
import { lifted, traced } from './template.ts'
import { candidates, unseen, withoutInvented } from './words.ts'

/** What is done with a page beside reading it, such as with the answers of a model: work that grows with both, and so is done where it can be ended (R20). */
export const analyses = {
  chunks: ({ text, limit }: { readonly text: string; readonly limit: number }): readonly string[] => chunksOf(text, limit),
  judged,
  withoutInvented,
  unseen,
  candidates,
  numbered,
  assembled,
  compared,
  lifted,
  traced,
} as const

export type AnalysisName = keyof typeof analyses
export type AnalysisInput<K extends AnalysisName> = Parameters<(typeof analyses)[K]>[0]
export type AnalysisOutput<K extends AnalysisName> = ReturnType<(typeof analyses)[K]>

/** Has that done elsewhere. Throws `SCRAPE_TIMEOUT` where it takes too long, `SCRAPE_SITE_ERROR` where it needs too much memory. */
export type Analyse = <K extends AnalysisName>(name: K, input: AnalysisInput<K>, call: Call) => Promise<AnalysisOutput<K>>
