import { attribute } from '../../../../html/tree.ts'
import { type Frame, ofKind } from '../../frame.ts'
import { isIn } from '../lines.ts'

/** Elements of formulas: KaTeX, MathJax 2 and 3, and TeX that a script sets (Springer). */
const formula = /(?:^|\s)(?:katex(?:-display|-block)?|MathJax(?:_Display|_Preview)?|mathjax-tex|mwe-math-element|math-(?:block|display))(?:\s|$)/
/** Names of what a paper says about mistakes in a text. */
const correction = /(?:^|[\s_-])(?:corrections?|clarifications?|errat(?:um|a)|corrigend(?:um|a)|editors?-note)(?:[\s_-]|$)/i
/** Blocks on either side of a formula of which one must be kept: its number may stand between. The same of a correction. */
const nearFormula = 2
const nearCorrection = 4
/** Most blocks and characters of a correction. */
const mostBlocks = 4
const longest = 1_000

/**
 * Keeps what a text says nothing without: a formula that stands alone between two kept parts of it, and what is corrected in
 * it, above or below.
 */
export function keepNear(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks } = frame
  for (const i of ofKind(frame, (element) => element.name === 'math' || formula.test(attribute(element, 'class') ?? '') || correction.test(attribute(element, 'class') ?? ''))) {
    const [first, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
    const [block, element] = [blocks.all[first], o.elements[i]]
    if (end <= first || kept.subarray(first, end).includes(1) || block === undefined || element === undefined || isIn(frame, block)) continue
    const belongs = correction.test(attribute(element, 'class') ?? '')
      ? isCorrection(frame, i) && kept.subarray(Math.max(first - nearCorrection, 0), end + nearCorrection).includes(1)
      : end === first + 1 && kept.subarray(Math.max(first - nearFormula, 0), first).includes(1) && kept.subarray(end, end + nearFormula).includes(1)
    if (belongs) kept.fill(1, first, end)
  }
}

function isCorrection({ outline: o, blocks }: Frame, i: number): boolean {
  const text = o.text[i] ?? 0
  return (blocks.end[i] ?? 0) - (blocks.first[i] ?? 0) <= mostBlocks && text <= longest && (o.linkText[i] ?? 0) * 2 <= text
}
