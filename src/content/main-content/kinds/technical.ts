import type { Outline } from '../outline.ts'

const codes: ReadonlySet<string> = new Set(['pre', 'code', 'tt', 'samp', 'kbd'])
/** Fewest elements of code, and most letters of the text that there may be for each. */
const fewest = 3
const lettersPerCode = 400

/** Whether an element holds technical writing: a text that names code all through, as references and manuals do. */
export function isTechnical({ elements, end, text }: Outline, at: number): boolean {
  let count = 0
  for (let i = at; i < (end[at] ?? 0); i++) if (codes.has(elements[i]?.name ?? '')) count++
  return count >= fewest && count * lettersPerCode >= (text[at] ?? 0)
}

/** Whether a heading opens the last section of a page in a reference or a manual. */
export const namesOthers = (line: string): boolean => /^see also[\s:.]*$/i.test(line)
