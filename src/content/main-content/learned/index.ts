import type { Familiar, Removal } from '../../../domain/reading.ts'
import type { Page } from '../../clean/step.ts'
import type { ChildNode, Document, Element } from '../../tree.ts'
import { fewLetters } from '../fallback.ts'
import type { ByRules } from '../survey.ts'
import { candidatesOf, hopeless } from './candidates.ts'
import { decide } from './decide.ts'
import { featuresOf } from './features.ts'
import { chancesOf } from './forest.ts'
import { forestInUse } from './trees-in-use.ts'
import type { Frame } from './frame.ts'
import { prune } from './prune.ts'
import { restore } from './restore.ts'
import { swayed, textsOf } from './familiar.ts'
import { viewOf } from './view.ts'

/** Content as the trees see it. */
export interface Labelled {
  readonly roots: readonly (Document | Element)[]
  readonly confidence: number
  readonly removals: readonly Removal[]
  /** Of a page of a job: its texts, and whether those of other pages made a difference. */
  readonly texts?: Int32Array
  readonly swayed?: boolean
}

/** The expected F1 below which a page with that many letters is worth a warning: of such pages less than half of the words is right. */
const unsure = 0.4
const enoughLetters = 500
/** Letters below which nothing was found. */
const fewest = 60

/** Marks what is no content by its chance to be some; undefined, with the page as it was, when the trees cannot tell or find too little. */
export function byLabels(page: Page, rules: ByRules, before: ReadonlySet<ChildNode>): Labelled | undefined {
  const frame = viewOf(page, rules, before)
  if (!frame) return undefined
  const alone = chosen(frame, look(frame))
  const isEnough = ({ kept }: Pick<Chosen, 'kept'>): boolean => frame.blocks.all.reduce((sum, block, i) => sum + (kept[i] === 1 ? block.measure.letters : 0), 0) >= Math.min(fewLetters, Math.max(rules.letters, fewest))
  const beside = page.familiar === undefined ? alone : besideOthers(frame, alone, page.familiar)
  const { kept, expected } = isEnough(beside) ? beside : alone
  if (!isEnough({ kept })) return undefined
  for (const node of page.removed) if (!before.has(node)) page.removed.delete(node)
  if (expected < unsure && frame.letters >= enoughLetters) page.warn('What is the content of this page, and what only stands around it, could not be told apart well; `onlyMainContent: false` gives all of it.')
  const { root, count } = prune(page, frame, kept)
  const of = page.familiar === undefined ? {} : { texts: textsOf(frame), swayed: kept.some((one, i) => one !== alone.kept[i]) }
  return { roots: [root], confidence: Math.round(expected * 100) / 100, removals: [{ step: 'page furniture', count }], ...of }
}

/** Which blocks are kept by chances, and the F1 that is to be expected of that. */
interface Chosen {
  readonly chances: Float32Array
  readonly kept: Uint8Array
  readonly expected: number
}

function besideOthers(frame: Frame, alone: Chosen, familiar: Familiar): Chosen {
  const chances = swayed(frame, alone.chances, familiar)
  return chances === alone.chances ? alone : chosen(frame, chances)
}

function chosen(frame: Frame, chances: Float32Array): Chosen {
  const { threshold, expected } = decide(chances, Float64Array.from(frame.blocks.all, (block) => block.measure.words + 0.5))
  return { chances, kept: restore(frame, chances, threshold), expected }
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
