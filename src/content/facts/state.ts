import { isObject, type JsonObject } from '../../lib/is-object.ts'
import { stateScripts } from '../structured/state-scripts.ts'
import { parsed } from '../structured/structured-data.ts'
import type { Document } from '../html/tree.ts'
import { cleanText, type Entity, type FactValue } from './entity.ts'

const maxVisited = 100_000
const names = ['name', 'title', 'headline', 'productName']

/** The data that the scripts of a page were given, parsed. */
export function states(document: Document): unknown[] {
  return stateScripts(document).map(parsed)
}

const plain = (text: string): string => cleanText(text).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim()

/**
 * The thing in a page's embedded state whose name is the page's heading. For all other things there, the page does not tell
 * what they are about.
 */
export function embeddedState(document: Document, heading: string): readonly Entity[] {
  const wanted = plain(heading)
  if (wanted.length < 3) return []
  const found: Entity[] = []
  const waiting = states(document)
  for (let seen = 0; seen < waiting.length && seen < maxVisited && found.length < 3; seen++) {
    const value = waiting[seen]
    if (Array.isArray(value)) for (const one of value) waiting.push(one)
    if (!isObject(value)) continue
    const called = names.some((key) => typeof value[key] === 'string' && plain(value[key]) === wanted)
    if (called) found.push({ types: [], id: null, source: 'state', props: scalars(value) })
    for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) waiting.push(inner)
  }
  return found
}

function scalars(value: JsonObject): ReadonlyMap<string, readonly FactValue[]> {
  const own = (inner: unknown): FactValue[] => (typeof inner === 'string' && inner.trim() !== '' && inner.length < 5_000 ? [cleanText(inner)] : typeof inner === 'number' || typeof inner === 'boolean' ? [inner] : [])
  const entries = Object.entries(value).map(([key, inner]): [string, FactValue[]] => [key, Array.isArray(inner) ? inner.slice(0, 50).flatMap(own) : isObject(inner) && typeof inner['name'] === 'string' ? own(inner['name']) : own(inner)])
  return new Map(entries.filter(([, list]) => list.length > 0))
}
