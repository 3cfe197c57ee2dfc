import type { Removal } from '../../../domain/pages/reading.ts'
import type { Page } from '../../clean/step.ts'
import type { ChildNode, Document, Element } from '../../html/tree.ts'
import type { Steps } from '../../../lib/in-steps.ts'
import { fewLetters } from '../fallback.ts'
import { unsure, warnUnsure } from '../unsure.ts'
import type { ByRules } from '../survey.ts'
import { candidatesOf, hopeless } from './candidates.ts'
import { decide } from './decide.ts'
import { featuresOf } from './features/features.ts'
import { forestInUse } from './trees/trees-in-use.ts'
import type { Frame } from './frame.ts'
import { prune } from './restore/prune.ts'
import { restore } from './restore/restore.ts'
import { viewOf } from './view.ts'
import { chancesOf } from './trees/walk.ts'

/** The content according to the trees. */
export interface Labelled {
  readonly roots: readonly (Document | Element)[]
  readonly confidence: number
  readonly removals: readonly Removal[]
}

/** Fewer letters than this count as nothing found. */
const fewest = 60

/**
 * Marks the blocks that are probably not content. Returns undefined, and leaves the page as it was, when the trees cannot
 * tell or find too little.
 */
export function* byLabels(page: Page, rules: ByRules, before: ReadonlySet<ChildNode>): Steps<Labelled | undefined> {
  const frame = viewOf(page, rules, before)
  if (!frame) return undefined
  yield
  const chances = look(frame)
  yield
  const words = new Float64Array(frame.blocks.all.length)
  frame.blocks.all.forEach(({ measure }, i) => (words[i] = measure.words + 0.5))
  const { threshold, expected } = decide(chances, words)
  const kept = restore(frame, chances, threshold)
  yield
  const letters = frame.blocks.all.reduce((sum, block, i) => sum + (kept[i] === 1 ? block.measure.letters : 0), 0)
  if (letters < Math.min(fewLetters, Math.max(rules.letters, fewest))) return undefined
  for (const node of page.removed) if (!before.has(node)) page.removed.delete(node)
  if (expected < unsure) warnUnsure(page, frame.letters)
  const { root, count } = prune(page, frame, kept)
  return { roots: [root], confidence: Math.round(expected * 100) / 100, removals: [{ step: 'page furniture', count }] }
}

/** The chance of each block to be content. */
function look(frame: Frame): Float32Array {
  const wanted = candidatesOf(frame)
  const chances = new Float32Array(frame.blocks.all.length).fill(hopeless)
  chancesOf(forestInUse(), featuresOf(frame, wanted)).forEach((chance, i) => {
    chances[wanted[i] ?? 0] = chance
  })
  return chances
}
