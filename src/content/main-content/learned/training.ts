import { clean } from '../../clean/index.ts'
import type { Page } from '../../clean/step.ts'
import { parse } from '../../html/parse.ts'
import { Matcher } from '../../selectors/selectors.ts'
import { byRules } from '../survey.ts'
import { candidatesOf } from './candidates.ts'
import { featuresOf } from './features/features.ts'
import { width } from './trees/table.ts'
import type { Frame } from './frame.ts'
import { viewOf } from './view.ts'

export { decide } from './decide.ts'
export { useForest } from './trees/trees-in-use.ts'
export { width }

/** A page as the trainer sees it. */
export interface Example {
  readonly frame: Frame
  /** The features, row by row. */
  readonly rows: Float32Array
  /** The blocks that the trees judge. */
  readonly asked: ReadonlySet<number>
  /** The text of each block. */
  readonly texts: readonly string[]
}

/**
 * The blocks of a page with their features, computed as the service computes them; undefined for a page without text. For
 * the trainer.
 */
export function exampleOf(html: string, url: string): Example | undefined {
  const { document } = parse(html)
  const page: Page = { document, url, removed: new Set(), wanted: undefined, matcher: new Matcher(document), warn: () => undefined }
  clean(page, { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true, blockAds: true })
  const before = new Set(page.removed)
  const frame = viewOf(page, byRules(page), before)
  if (!frame) return undefined
  const { rows: count, columns } = featuresOf(frame, Int32Array.from(frame.blocks.all, (_, i) => i))
  const rows = Float32Array.from(columns, (_, at) => columns[(at % width) * count + Math.floor(at / width)] ?? 0)
  const texts = frame.blocks.all.map((block) => block.texts.map((text) => text.data).join(' '))
  return { frame, rows, texts, asked: new Set(candidatesOf(frame)) }
}
