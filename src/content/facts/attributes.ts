import { absolute } from '../html/address.ts'
import { attribute, type ChildNode, type Document, type Element, isElement, oneLine, textOf } from '../html/tree.ts'
import { cleanText, type Entity, type FactValue, localName } from './entity.ts'

/** The attributes of microdata or RDFa. */
interface Dialect {
  readonly source: 'microdata' | 'rdfa'
  readonly scope: string
  readonly type: string
  readonly property: string
}

const dialects: readonly Dialect[] = [
  { source: 'microdata', scope: 'itemscope', type: 'itemtype', property: 'itemprop' },
  { source: 'rdfa', scope: 'typeof', type: 'typeof', property: 'property' },
]

const addressed: Readonly<Record<string, string>> = { a: 'href', area: 'href', link: 'href', img: 'src', audio: 'src', video: 'src', source: 'src', iframe: 'src', embed: 'src', object: 'data' }
const maxText = 5_000
const maxNodes = 200_000

interface Building {
  readonly entity: Entity & { readonly props: Map<string, FactValue[]> }
}

function add(props: Map<string, FactValue[]>, name: string, value: FactValue): void {
  const values = props.get(name)
  if (values === undefined) props.set(name, [value])
  else values.push(value)
}

function valueOf(element: Element, base: string): string {
  const content = attribute(element, 'content')
  if (content !== undefined) return cleanText(content)
  const address = Object.hasOwn(addressed, element.name) ? attribute(element, addressed[element.name] ?? '') : undefined
  if (address !== undefined) return absolute(address, base) ?? address.trim()
  const given = element.name === 'time' ? attribute(element, 'datetime') : element.name === 'data' || element.name === 'meter' ? attribute(element, 'value') : undefined
  return given === undefined ? oneLine(textOf(element, maxText, 2_000)) : given.trim()
}

/** The entities of a page in microdata and RDFa, outermost ones in document order. */
export function markedUp(document: Document, base: string): readonly Entity[] {
  return dialects.flatMap((dialect) => inDialect(document, base, dialect))
}

function inDialect(document: Document, base: string, { source, scope, type, property }: Dialect): readonly Entity[] {
  const found: Entity[] = []
  const waiting: { readonly node: ChildNode; readonly inside: Building | null }[] = document.children.map((node) => ({ node, inside: null })).reverse()
  for (let seen = 0, next = waiting.pop(); next !== undefined && seen < maxNodes; next = waiting.pop(), seen++) {
    const { node } = next
    let { inside } = next
    if (!isElement(node)) continue
    const names = (attribute(node, property) ?? '').split(/\s+/).filter((name) => name !== '')
    const opened = attribute(node, scope) !== undefined
    const outer = inside
    if (opened) {
      const types = (attribute(node, type) ?? '').split(/\s+/).filter((name) => name !== '').map(localName)
      inside = { entity: { types, id: attribute(node, 'itemid') ?? attribute(node, 'resource') ?? null, source, props: new Map() } }
      if (outer === null || names.length === 0) found.push(inside.entity)
    }
    if (outer !== null && names.length > 0) {
      const value = opened && inside !== null ? inside.entity : valueOf(node, base)
      if (value !== '') for (const name of names) add(outer.entity.props, localName(name), value)
    }
    for (let i = node.children.length - 1; i >= 0; i--) {
      const child = node.children[i]
      if (child) waiting.push({ node: child, inside })
    }
  }
  return found.filter((entity) => entity.types.length > 0 && entity.props.size > 0)
}
