import type { Frame } from './frame.ts'

/** The chance of what the trees are not asked about. */
export const hopeless = 0.01

/**
 * The blocks that the trees are asked about: all but those in navigation or footer that the rules take for furniture too. Of these, a third
 * of a page, one word in nine hundred of the truth is lost; of links that only bear the names of furniture, one in thirty would be on listings.
 */
export function candidatesOf({ outline: o, blocks, rules }: Frame): Int32Array {
  const furniture = new Uint8Array(o.elements.length)
  const edge = new Uint8Array(o.elements.length)
  for (let i = 0; i < furniture.length; i++) {
    const parent = o.parent[i] ?? -1
    const name = o.elements[i]?.name
    furniture[i] = rules.verdict[i] === 1 || furniture[parent] === 1 ? 1 : 0
    edge[i] = name === 'nav' || name === 'footer' || edge[parent] === 1 ? 1 : 0
  }
  const wanted = new Int32Array(blocks.all.length)
  let count = 0
  for (let i = 0; i < wanted.length; i++) {
    const block = blocks.all[i]
    if (!block || (furniture[block.at] === 1 && edge[block.at] === 1)) continue
    wanted[count++] = i
  }
  return wanted.subarray(0, count)
}
