import { isJsonLd } from './ld-scripts.ts'
import { stateScripts } from './state-scripts.ts'
import { thingHtml } from './things.ts'
import { attribute, type Document, isText, walkElements } from '../html/tree.ts'

const maxScript = 2_000_000
/**
 * Limits of modest data: its characters, and those of them that may become elements when it is read (tag signs and
 * escapes).
 */
const modestData = 32_768
const modestMarks = 400
const maxVisited = 50_000
const maxNesting = 100

/** Keys in structured data whose values are text of the page. */
const textKeys: ReadonlySet<string> = new Set(['articleBody', 'text', 'reviewBody', 'cooked'])
/** Types whose descriptions are used when there is no such text. */
const summaryTypes = /Article|Posting|Product|Recipe|Event|JobPosting|VideoObject|Question|Book|Movie/

/**
 * Text in a page's structured data (JSON-LD): bodies of articles, posts and answers, recipes and products in document
 * order; without any, descriptions. Broken JSON is skipped.
 */
export function structuredText(document: Document): readonly string[] {
  const bodies = new Set<string>()
  const descriptions = new Set<string>()
  for (const data of structuredData(document)) collect(data, bodies, descriptions)
  return bodies.size > 0 ? [...bodies] : [...descriptions]
}

/**
 * Whether reading a page's structured data costs little compared to the page: it may contain whole pages in a form that the
 * prescan does not see. For a page with next to no text (`bare`), the script state counts too, because it may be read.
 */
export function isModest(document: Document, bare: boolean): boolean {
  let data = 0
  let marks = 0
  const weigh = (json: string): void => {
    data += json.length
    if (data <= modestData) marks += json.match(/[<\\]/g)?.length ?? 0
  }
  eachSource(document, weigh)
  if (bare) stateScripts(document).forEach(weigh)
  return data <= modestData && marks <= modestMarks
}

function structuredData(document: Document): unknown[] {
  const found: unknown[] = []
  eachSource(document, (json, isScript) => {
    if (isScript) found.push(parsed(json))
    else for (const topic of topics(parsed(json))) found.push(topic)
  })
  return found
}

function eachSource(document: Document, use: (json: string, isScript: boolean) => void): void {
  walkElements(document, (node) => {
    const preloaded = attribute(node, 'data-preloaded')
    if (preloaded !== undefined && preloaded.length < maxScript) use(preloaded, false)
    if (node.name !== 'script' || !isJsonLd(node)) return
    const text = node.children[0]
    if (text && isText(text) && text.data.length < maxScript) use(text.data, true)
  })
}

/** The topics in Discourse's data, which are JSON inside JSON; their posts have HTML under `cooked`. */
function topics(data: unknown): unknown[] {
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([key, value]) => (key.startsWith('topic_') && typeof value === 'string' ? [parsed(value)] : []))
}

/** The value of a JSON text; undefined when it is broken or too deeply nested. */
export function parsed(json: string): unknown {
  if (nesting(json) > maxNesting) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const quote = 34, backslash = 92
/** Codes of braces; with bit 32 set, square brackets have these codes, too. */
const openBrace = 123, closeBrace = 125

/** The index of the quotation mark that ends a string. Without one the text is not JSON, so any end will do. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end
    while (json.charCodeAt(before - 1) === backslash) before--
    if ((end - before) % 2 === 0) return end
  }
  return json.length
}

/** The deepest nesting of brackets outside strings. */
function nesting(json: string): number {
  let depth = 0
  let deepest = 0
  for (let i = 0; i < json.length; i++) {
    const sign = json.charCodeAt(i)
    if (sign === quote) i = endOfString(json, i)
    else if ((sign | 32) === openBrace) deepest = Math.max(deepest, ++depth)
    else if ((sign | 32) === closeBrace) depth--
  }
  return deepest
}

function collect(data: unknown, bodies: Set<string>, descriptions: Set<string>): void {
  const waiting: unknown[] = [data]
  let visited = 0
  for (let value = waiting.pop(); waiting.length > 0 || value !== undefined; value = waiting.pop()) {
    if (++visited > maxVisited) return
    if (typeof value !== 'object' || value === null) continue
    const thing = Array.isArray(value) ? undefined : thingHtml(value as Readonly<Record<string, unknown>>) // parsed JSON
    if (thing !== undefined) bodies.add(thing)
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && inner.length > 40 && textKeys.has(key)) bodies.add(inner)
      else if (typeof inner === 'string' && key === 'description' && inner.length > 40 && describes(value)) descriptions.add(inner)
    }
    // One by one: an array from the page may be too long for a call's arguments.
    for (const [key, inner] of Object.entries(value).reverse()) if (thing === undefined || key !== 'recipeInstructions') waiting.push(inner)
  }
}

function describes(value: object): boolean {
  return '@type' in value && summaryTypes.test(String(value['@type']))
}
