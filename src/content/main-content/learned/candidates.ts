import type { Frame } from './frame.ts'

/** The chance of what the trees are not asked about. */
export const hopeless = 0.01
const linked = 0.8

/**
 * The blocks that the trees are asked about: all but those that the rules take for furniture, where they are links or stand in navigation
 * or footer. Of these, a third to a half of a page, one in a thousand would be taken.
 */
export function candidatesOf({ outline: o, blocks, rules }: Frame): Int32Array {
  const furniture = new Uint8Array(o.elements.length)
  const edge = new Uint8Array(o.elements.length)
  o.elements.forEach((element, i) => {
    const parent = o.parent[i] ?? -1
    furniture[i] = rules.verdict[i] === 1 || furniture[parent] === 1 ? 1 : 0
    edge[i] = element.name === 'nav' || element.name === 'footer' || edge[parent] === 1 ? 1 : 0
  })
  return Int32Array.from(
    blocks.all.flatMap(({ at, linkLetters, measure }, i) => (furniture[at] === 1 && (edge[at] === 1 || linkLetters > measure.letters * linked) ? [] : [i])),
  )
}
