import { attributeOf, childrenOf, type XmlElement, type XmlNode } from '../xml.ts'

const isList = (node: XmlNode | undefined): node is XmlElement => typeof node === 'object' && node.name === 'list'
/** Whether an item only holds the deeper levels of the item before. */
export const isDeeper = (item: XmlElement): boolean => item.children.length > 0 && item.children.every(isList)

/** Joins adjacent lists: presentations write each item as its own list. A deeper level keeps its list's style. */
export function joinedLists(nodes: readonly XmlNode[]): XmlNode[] {
  const made: XmlNode[] = []
  for (const node of nodes) {
    const last = made.at(-1)
    if (typeof node === 'string') continue
    if (!isList(node) || !isList(last)) made.push(node)
    else {
      const style = attributeOf(node, 'style-name') ?? ''
      const items = childrenOf(node).map((item) => (isDeeper(item) ? { ...item, children: childrenOf(item).map((list) => ({ ...list, attributes: { 'style-name': style, ...list.attributes } })) } : item))
      const goesOn = attributeOf(last, 'style-name') === style || childrenOf(node).slice(0, 1).some(isDeeper)
      if (goesOn) made[made.length - 1] = { ...last, children: [...last.children, ...items] }
      else made.push(node)
    }
  }
  return made
}
