import { compared } from '../../content/changes/index.ts'
import type { Call } from '../../domain/call.ts'
import type { ComparedBytes, CompareOrder } from '../../domain/pages/versions.ts'
import { assembled, numbered } from './assembly.ts'
import { chunksOf } from './chunks.ts'
import { judged } from './json.ts'
import { lifted, traced } from './template.ts'
import { candidates, unseen, withoutInvented } from './words.ts'

/**
 * Work on a page besides reading it, such as checking a model's answers. It grows with the page and the answers, so it runs
 * where it can be stopped (R20).
 */
export const analyses = {
  chunks: ({ text, limit }: { readonly text: string; readonly limit: number }): readonly string[] => chunksOf(text, limit),
  judged,
  withoutInvented,
  unseen,
  candidates,
  numbered,
  assembled,
  compared: (order: CompareOrder): ComparedBytes => {
    const { same, diff } = compared(order)
    return { same, diff: diff && Buffer.from(JSON.stringify({ diff: diff.text, diffDetail: diff })) }
  },
  lifted,
  traced,
} as const

export type AnalysisName = keyof typeof analyses
export type AnalysisInput<K extends AnalysisName> = Parameters<(typeof analyses)[K]>[0]
export type AnalysisOutput<K extends AnalysisName> = ReturnType<(typeof analyses)[K]>

/**
 * Runs an analysis elsewhere. Throws `SCRAPE_TIMEOUT` when it takes too long, `SCRAPE_SITE_ERROR` when it needs too much
 * memory.
 */
export type Analyse = <K extends AnalysisName>(name: K, input: AnalysisInput<K>, call: Call) => Promise<AnalysisOutput<K>>
