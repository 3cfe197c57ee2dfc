import type { Page } from '../src/content/clean/step.ts'
import { parse } from '../src/content/html/parse.ts'
import { oneLine } from '../src/content/html/tree.ts'
import type { Frame } from '../src/content/main-content/learned/frame.ts'
import { restore } from '../src/content/main-content/learned/restore/restore.ts'
import { viewOf } from '../src/content/main-content/learned/view.ts'
import { byRules } from '../src/content/main-content/survey.ts'
import { Matcher } from '../src/content/selectors/selectors.ts'

/** A page with the blocks that are kept once its structure is restored. */
export interface Kept {
  readonly page: Page
  readonly frame: Frame
  readonly kept: Uint8Array
}

/**
 * What is restored of a page when the trees want the blocks with a wanted text, and no others; or give a block that chance,
 * of which half is enough.
 */
export function wantedBlocks(html: string, url: string, wanted: (text: string) => boolean | number): Kept {
  const { document } = parse(`<body>${html}</body>`)
  const page: Page = { document, url, removed: new Set(), wanted: undefined, matcher: new Matcher(document), warn: () => undefined }
  const rules = byRules(page)
  page.removed.clear()
  const frame = viewOf(page, rules, new Set())
  if (!frame) throw new Error('the fixture has no text')
  return { page, frame, kept: restore(frame, Float32Array.from(frame.blocks.all, ({ texts }) => Math.max(0, ...texts.map(({ data }) => Number(wanted(data))))), 0.5) }
}

/** The lines of the blocks that are kept, in order. */
export function keptLines({ frame, kept }: Kept): readonly string[] {
  return frame.blocks.all.filter((_, i) => kept[i] === 1).map(({ texts }) => oneLine(texts.map(({ data }) => data).join('')))
}
