import { absolute } from './address.ts'
import { attribute, type Document, isElement, walk } from './tree.ts'

const linkTags: ReadonlySet<string> = new Set(['a', 'area'])
const frameTags: ReadonlySet<string> = new Set(['frame'])

/**
 * Absolute http and https links of the whole page (`a`, `area`, frames), each once, in document order. Other schemes are left
 * out: they lead to no page. Links to places in the same page keep their fragment.
 */
export function links(document: Document, base: string): readonly string[] {
  const found = new Set<string>()
  walk(document, (node) => {
    if (!isElement(node)) return
    if (node.name === 'template') return false
    const name = linkTags.has(node.name) ? 'href' : frameTags.has(node.name) ? 'src' : undefined
    const reference = name && attribute(node, name)
    const url = reference && absolute(reference, base)
    if (url) found.add(url)
  })
  return [...found]
}
