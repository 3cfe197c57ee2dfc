import { isNode, type LooseLine, type TaggedPage, type TagLeaf, type TagNode } from './tags.ts'

/** All leaves below a tag, in order. */
export const leavesOf = (node: TagNode): TagLeaf[] => node.children.flatMap((child) => (isNode(child) ? leavesOf(child) : [child]))

const transparent = /^(?:Document|Part|Art|Sect|Div|NonStruct|Root|)$/

/** The tree with a line inserted after the part that was drawn before it. */
function withLine(node: TagNode, after: string, line: TagLeaf): TagNode {
  return {
    ...node,
    children: node.children.flatMap((child) => {
      if (!isNode(child) || !leavesOf(child).some(({ id }) => id === after)) return [child]
      const goesIn = transparent.test(child.role) && child.children.some((one) => isNode(one) && leavesOf(one).some(({ id }) => id === after))
      return goesIn ? [withLine(child, after, line)] : [child, { role: 'P', children: [line] }]
    }),
  }
}

/** The top and the bottom of the tagged text on the page. */
export function rangeOf(page: TaggedPage): { top: number; bottom: number } {
  const ids = new Set(leavesOf(page.root).map(({ id }) => id))
  const texts = [...page.texts].filter(([id, { text }]) => ids.has(id) && text.trim() !== '').map(([, text]) => text)
  return { top: Math.max(-Infinity, ...texts.map(({ top }) => top)), bottom: Math.min(Infinity, ...texts.map(({ bottom }) => bottom)) }
}

/** Inserts untagged lines between tagged ones where they were drawn: programs forget to tag captions. */
export function withBetween(page: TaggedPage, between: readonly LooseLine[]): TaggedPage {
  const texts = new Map(page.texts)
  let root = page.root
  between.forEach((line, i) => {
    if (line.after === null) return
    const id = `between ${i}`
    const next = withLine(root, line.after, { id })
    texts.set(id, line)
    root = next
  })
  return { ...page, root, texts, loose: page.loose.filter((line) => line.after === null || !between.includes(line)) }
}
