import { attribute, type Document, isText, walkElements } from '../html/tree.ts'

const maxScript = 3_000_000
const assigned = /^\s*(?:window|self|globalThis)(?:\.|\[["'])[\w$]+(?:["']\])?\s*=\s*(?=[{[])/

/** The JSON texts that a page passes to its scripts: `application/json`, and assignments to global names. */
export function stateScripts(document: Document): readonly string[] {
  const found: string[] = []
  walkElements(document, (node) => {
    if (node.name !== 'script' || attribute(node, 'src') !== undefined) return
    const [text] = node.children
    if (!text || !isText(text) || text.data.length > maxScript) return
    const type = (attribute(node, 'type') ?? '').toLowerCase()
    if (type === 'application/json') found.push(text.data)
    else if ((type === '' || type.includes('javascript')) && assigned.test(text.data.slice(0, 200))) found.push(text.data.replace(assigned, '').trim().replace(/;$/, ''))
  })
  return found
}
