import type { Page } from '../../clean/step.ts'
import type { ChildNode } from '../../html/tree.ts'
import type { Outline } from '../outline.ts'
import type { ByRules } from '../survey.ts'
import { blocksOf } from './blocks.ts'
import { type Frame, frameOf, type RulesView } from './frame.ts'
import { pageSigns } from './features/page-signs.ts'

/** What the trees need to know of a page; undefined for a page without text or with too many blocks. */
export function viewOf(page: Page, rules: ByRules, before: ReadonlySet<ChildNode>): Frame | undefined {
  const blocks = blocksOf(page.document, before)
  if (!blocks || blocks.all.length === 0) return undefined
  const { outline, kinds } = rules.setting
  return frameOf({ outline, blocks, signs: pageSigns(page.document, page.url), kinds, rules: rulesView(outline, rules) })
}

function rulesView(o: Outline, { root, furniture, side, setting, confidence }: ByRules): RulesView {
  const verdict = new Uint8Array(o.elements.length)
  for (let i = 0; i < verdict.length; i++) {
    const element = o.elements[i]
    if (element) verdict[i] = furniture.has(element) ? 1 : side.has(element) ? 2 : 0
  }
  return { root, verdict, forum: setting.forum, confidence }
}
