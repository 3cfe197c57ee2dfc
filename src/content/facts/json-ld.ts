import { isObject, type JsonObject } from '../../lib/is-object.ts'
import { parsed } from '../structured/structured-data.ts'
import { isJsonLd } from '../structured/ld-scripts.ts'
import { listOf } from '../structured/things.ts'
import { type Document, type Element, isElement, isText, walk } from '../html/tree.ts'
import { cleanText, type Entity, type FactValue, localName } from './entity.ts'

const maxScript = 2_000_000
const maxValues = 30_000
const maxDepth = 12

function scripts(document: Document): readonly Element[] {
  const found: Element[] = []
  walk(document, (node) => {
    if (isElement(node) && node.name === 'script' && isJsonLd(node)) found.push(node)
  })
  return found
}

/**
 * The values in a script; empty when it cannot be parsed. Line feeds in strings, which JSON forbids, and CDATA marks are
 * tolerated.
 */
function contentOf(script: Element): unknown[] {
  const [text] = script.children
  if (!text || !isText(text) || text.data.length > maxScript) return []
  const json = text.data.replace(/^\s*(?:\/\/\s*)?<!\[CDATA\[|(?:\/\/\s*)?\]\]>\s*$/g, '').trim().replace(/;$/, '')
  return [parsed(json) ?? parsed(json.replace(/[\u0000-\u001f]+/g, ' '))]
}

/** The objects by `@id`, without mere references. */
function byId(roots: readonly unknown[]): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>()
  const waiting: unknown[] = [...roots]
  for (let seen = 0, value = waiting.pop(); seen < maxValues && (value !== undefined || waiting.length > 0); value = waiting.pop(), seen++) {
    if (Array.isArray(value)) for (const one of value) waiting.push(one)
    if (!isObject(value)) continue
    const id = value['@id']
    if (typeof id === 'string' && Object.keys(value).length > 1 && !found.has(id)) found.set(id, value)
    for (const inner of Object.values(value)) if (typeof inner === 'object') waiting.push(inner)
  }
  return found
}

/** The entities of a page in JSON-LD. */
export function jsonLd(document: Document): readonly Entity[] {
  return jsonLdIn(scripts(document))
}

/**
 * The entities in JSON-LD scripts, outermost ones in order; references within the page are resolved. With `only`, just
 * these properties are read.
 */
export function jsonLdIn(scripts: readonly Element[], only?: ReadonlySet<string>): readonly Entity[] {
  const roots = scripts.flatMap(contentOf)
  const ids = byId(roots)
  let left = maxValues

  function entity(json: JsonObject, depth: number, path: ReadonlySet<string>): Entity {
    const id = typeof json['@id'] === 'string' ? json['@id'] : null
    const below = id === null ? path : new Set([...path, id])
    const props = new Map<string, readonly FactValue[]>()
    for (const [key, value] of Object.entries(json)) {
      if (key.startsWith('@')) continue
      const name = localName(key)
      if (only !== undefined && !only.has(name)) continue
      const values = listOf(value).flatMap((one) => fact(one, depth + 1, below))
      if (values.length > 0) props.set(name, values)
    }
    return { types: listOf(json['@type']).filter((type) => typeof type === 'string').map(localName), id, source: 'json-ld', props }
  }

  function fact(value: unknown, depth: number, path: ReadonlySet<string>): FactValue[] {
    if (left-- <= 0 || depth > maxDepth) return []
    if (typeof value === 'string') return value.trim() === '' ? [] : [cleanText(value)]
    if (typeof value === 'number' || typeof value === 'boolean') return [value]
    if (!isObject(value)) return []
    if ('@value' in value) return fact(value['@value'], depth + 1, path)
    const id = value['@id']
    if (typeof id === 'string' && path.has(id)) return []
    const whole = typeof id === 'string' && Object.keys(value).length === 1 ? ids.get(id) : value
    return whole === undefined ? [] : [entity(whole, depth, path)]
  }

  return roots
    .flatMap(listOf)
    .filter(isObject)
    .flatMap((root) => ('@graph' in root ? [...listOf(root['@graph']).filter(isObject), ...('@type' in root ? [root] : [])] : [root]))
    .map((root) => entity(root, 0, new Set()))
}
