import type { Frame } from './frame.ts'

/** The chance of blocks that the trees do not judge. */
export const hopeless = 0.01

/**
 * The indices of the blocks that the trees judge: all but those in `nav` or `footer` that the rules call furniture too.
 * These are a third of a page, and leaving them out loses one in 900 words of the ground truth. Leaving out what is
 * furniture by name alone would lose one in 30 words on listings.
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
