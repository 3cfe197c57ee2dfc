import type { Page } from '../src/content/clean/step.ts'
import { parse } from '../src/content/html/parse.ts'
import type { Frame } from '../src/content/main-content/learned/frame.ts'
import { restore } from '../src/content/main-content/learned/restore/restore.ts'
import { viewOf } from '../src/content/main-content/learned/view.ts'
import { byRules } from '../src/content/main-content/survey.ts'
import { Matcher } from '../src/content/selectors/selectors.ts'

/** A page of which the trees are sure, with the blocks that are kept once its structure is restored. */
export interface Kept {
  readonly page: Page
  readonly frame: Frame
  readonly kept: Uint8Array
}

/** What is restored of a page when the trees want the blocks with a wanted text, and no others. */
export function wantedBlocks(html: string, url: string, wanted: (text: string) => boolean): Kept {
  const { document } = parse(`<body>${html}</body>`)
  const page: Page = { document, url, removed: new Set(), wanted: undefined, matcher: new Matcher(document), warn: () => undefined }
  const rules = byRules(page)
  page.removed.clear()
  const frame = viewOf(page, rules, new Set())
  if (!frame) throw new Error('the fixture has no text')
  return { page, frame, kept: restore(frame, Float32Array.from(frame.blocks.all, ({ texts }) => Number(texts.some(({ data }) => wanted(data)))), 0.5) }
}
