import { attribute, type ChildNode, type Document, type Element, isElement, isText, walk } from '../html/tree.ts'
import { isDisclosure } from './hidden.ts'

/** Styles that hide text from people but not from programs: such text is written for programs. */
const unseenStyle = /(?:^|;)\s*(?:opacity\s*:\s*0(?:\.0+)?\s*(?:;|$|!)|font-size\s*:\s*(?:0|0?\.\d+)(?:px|em|rem|pt|%)?\s*(?:;|$|!)|color\s*:\s*transparent|(?:left|top|right|bottom|text-indent|margin-left|margin-top)\s*:\s*-\d{3,}|clip\s*:\s*rect\(\s*0|clip-path\s*:\s*inset\(\s*(?:50|100)%|(?:max-)?(?:height|width)\s*:\s*[01](?:px)?\s*(?:;|$|!)|transform\s*:\s*(?:scale\(\s*0|translate[xy]?\(\s*(?:0(?:px)?\s*,\s*)?-\d{3,}px)|content-visibility\s*:\s*hidden)/i
const sheetHidden = /(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0\s*(?:;|$|!)|font-size\s*:\s*0\s*(?:;|$|!|px)|content-visibility\s*:\s*hidden|(?:left|top|right|bottom|text-indent|margin-left|margin-top)\s*:\s*-\d{4,}px|transform\s*:\s*translate[xy]?\(\s*(?:0(?:px)?\s*,\s*)?-\d{4,}px)/i
const sheetShown = /(?:^|[;{\s])(?:display\s*:\s*(?!none)[a-z]|visibility\s*:\s*visible|opacity\s*:\s*(?:1|0?\.[1-9]))/i
const maxSheet = 300_000
const maxRules = 5_000

/** Classes and ids that the page's own style sheets hide and never show. */
interface Hidden {
  readonly classes: ReadonlySet<string>
  readonly ids: ReadonlySet<string>
}

/** The rules outside of at-rules, which only apply to some visitors. */
function* rulesOf(sheet: string): Generator<readonly [selectors: string, body: string]> {
  const css = sheet.slice(0, maxSheet).replace(/\/\*[^]*?\*\//g, '')
  let depth = 0
  let start = 0
  let selectors = ''
  for (let at = 0, rules = 0; at < css.length && rules < maxRules; at++) {
    if (css[at] === '{') {
      if (depth++ === 0) [selectors, start] = [css.slice(start, at).trim(), at + 1]
    } else if (css[at] === '}' && depth > 0 && --depth === 0) {
      rules++
      if (!selectors.startsWith('@')) yield [selectors, css.slice(start, at)]
      start = at + 1
    }
  }
}

const namesIn = (selector: string): readonly string[] => [...selector.matchAll(/[.#]([\w-]+)/g)].map(([, name = '']) => name)

function hiddenBySheets(document: Document): Hidden {
  const hidden = { classes: new Set<string>(), ids: new Set<string>() }
  const shown = new Set<string>()
  walk(document, (node) => {
    if (!isElement(node) || node.name !== 'style') return
    const [text] = node.children
    if (!text || !isText(text)) return
    for (const [selectors, body] of rulesOf(text.data)) {
      const hides = sheetHidden.test(body)
      if (!hides && !sheetShown.test(body)) continue
      for (const selector of selectors.split(',')) {
        const simple = /^(?:[a-z][a-z0-9]*)?([.#])([\w-]+)$/i.exec(selector.trim())
        if (!hides) namesIn(selector).forEach((name) => shown.add(name))
        else if (simple?.[2] !== undefined) (simple[1] === '.' ? hidden.classes : hidden.ids).add(simple[2])
      }
    }
  })
  for (const name of shown) {
    hidden.classes.delete(name)
    hidden.ids.delete(name)
  }
  return hidden
}

function isUnseen(element: Element, { classes, ids }: Hidden): boolean {
  const style = attribute(element, 'style')
  if (style !== undefined && style.length < 2_000 && unseenStyle.test(style)) return true
  const names = (attribute(element, 'class') ?? '').slice(0, 2_000).split(/\s+/)
  return (names.some((name) => classes.has(name)) || ids.has(attribute(element, 'id') ?? '')) && !isDisclosure(element)
}

/**
 * The heads of subtrees that a person would not see, beyond those that `clean` removes: for texts that a language model
 * reads.
 */
export function unseen(document: Document): ReadonlySet<ChildNode> {
  const hidden = hiddenBySheets(document)
  const found = new Set<ChildNode>()
  walk(document, (node) => {
    if (!isElement(node) || node.name === 'html' || node.name === 'body' || !isUnseen(node, hidden)) return
    found.add(node)
    return false
  })
  return found
}

/**
 * Invisible characters that can spell whole sentences: tag characters, runs of variation selectors, zero-width spaces,
 * direction marks.
 */
const invisible = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0f]{2,}/gu

/** A text without invisible characters. */
export function withoutInvisible(text: string): string {
  return text.replace(invisible, '')
}
