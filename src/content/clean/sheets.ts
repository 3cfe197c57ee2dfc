import { attribute, type Document, type Element, isElement, isText, walk, walkElements } from '../html/tree.ts'

const has = (declaration: string): RegExp => new RegExp(`(?:^|[;{\\s])(?:${declaration})`, 'i')
const end = String.raw`\s*(?:;|$|!)`
const [none, cutOff, throughText] = [has(String.raw`(?:max-)?(?:height|width)\s*:\s*0(?:px)?${end}`), has(String.raw`overflow\s*:\s*(?:hidden|clip)`), has(String.raw`(?:-webkit-)?background-clip\s*:\s*text`)]
const transparent = has(String.raw`color\s*:\s*transparent`)
const away = has(String.raw`(?:left|top|right|bottom|text-indent|margin-left|margin-top)\s*:\s*-\d{4,}px|transform\s*:\s*(?:scale\(\s*0\s*\)|translate[xy]?\(\s*(?:0(?:px)?\s*,\s*)?-\d{4,}px)|content-visibility\s*:\s*hidden`)
const sizeless = has(String.raw`font-size\s*:\s*0(?:px|em|rem|pt|%)?${end}`)

/** How declarations hide an element, and how another rule with its name shows it again. */
const ways: readonly { readonly hides: (declarations: string) => boolean; readonly shows: RegExp | null }[] = [
  { hides: (one) => has(String.raw`display\s*:\s*none`).test(one), shows: has(String.raw`display\s*:\s*(?!none)[a-z]`) },
  { hides: (one) => has(String.raw`visibility\s*:\s*hidden`).test(one), shows: has(String.raw`visibility\s*:\s*visible`) },
  { hides: (one) => has(String.raw`opacity\s*:\s*0(?:\.0+)?${end}`).test(one), shows: has(String.raw`opacity\s*:\s*(?:1|0?\.[1-9])`) },
  { hides: (one) => sizeless.test(one), shows: has(String.raw`font-size\s*:\s*(?!0(?:px|em|rem|pt|%)?${end})[\da-z.]`) },
  { hides: (one) => none.test(one) && cutOff.test(one), shows: has(String.raw`(?:max-)?(?:height|width)\s*:\s*(?!0(?:px)?${end})[\da-z]`) },
  { hides: (one) => away.test(one), shows: has(String.raw`(?:left|top|right|bottom|text-indent|margin-left|margin-top)\s*:\s*(?!-\d{4})[-\da-z]|transform\s*:\s*none|content-visibility\s*:\s*(?:visible|auto)`) },
  { hides: (one) => (transparent.test(one) && !throughText.test(one)) || isSameColour(one), shows: null },
]
const colour = has(String.raw`color\s*:\s*([^;}!]{1,40})`)
const background = has(String.raw`background(?:-color)?\s*:\s*([^;}!]{1,40})`)
const white = /^(?:#fff(?:fff)?|rgb\(255,255,255\))$/
const black = /^(?:#000(?:000)?|rgb\(0,0,0\))$/

const maxSheet = 300_000
const maxRules = 5_000
const maxSelectors = 2_000
const maxNesting = 4
const maxNested = 100
/** Most elements looked at around others. */
const maxSteps = 1_000_000
const maxLevels = 60

/** Whether declarations give text the colour that they give what is behind it. */
export function isSameColour(declarations: string): boolean {
  const plain = (one: string | undefined): string => (one ?? '').toLowerCase().replace(/\s+/g, '').replace(white, 'white').replace(black, 'black')
  const own = plain(colour.exec(declarations)?.[1])
  return own !== '' && own !== 'inherit' && !own.startsWith('var(') && own === plain(background.exec(declarations)?.[1])
}

/** At-rules that hold for every visitor with a screen. */
const forAll = /^@(?:media\s+(?:only\s+)?(?:all|screen)\s*$|media\s+(?:(?:only\s+)?(?:all|screen)\s+and\s+)?\(\s*min-width\s*:\s*(?:\d|\d\d|[12]\d\d)(?:px)?\s*\)\s*$|layer\b|supports\s+(?!not\b))/i

/** One rule of a sheet: its selectors, and the declarations of its own. */
type Rule = readonly [selectors: string, declarations: string]

/** The blocks of a text and what is before each, and the text without both. */
function blocksIn(css: string): { readonly blocks: readonly Rule[]; readonly rest: string } {
  const blocks: Rule[] = []
  const rest: string[] = []
  let [depth, start, head] = [0, 0, '']
  for (let at = 0; at < css.length && blocks.length < maxRules; at++) {
    if (css[at] === ';' && depth === 0) {
      rest.push(css.slice(start, at + 1))
      start = at + 1
    } else if (css[at] === '{') {
      if (depth++ === 0) [head, start] = [css.slice(start, at).trim(), at + 1]
    } else if (css[at] === '}' && depth > 0 && --depth === 0) {
      blocks.push([head, css.slice(start, at)])
      start = at + 1
    }
  }
  return { blocks, rest: rest.join('') + (depth === 0 ? css.slice(start) : '') }
}

/** The selectors of a nested rule; none if there are too many. */
function nested(outer: string, inner: string): string {
  if (outer === '') return inner
  const [ours, theirs] = [outer.split(','), inner.split(',')]
  return ours.length * theirs.length > maxNested ? '' : ours.flatMap((one) => theirs.map((two) => (two.includes('&') ? two.replace(/&/g, one.trim()) : `${one.trim()} ${two.trim()}`))).join(',')
}

const withOuter = (body: string, outer: string, depth: number): readonly Rule[] => (outer === '' || outer.length > 2_000 ? [] : rulesOf(body, outer, depth + 1))

/** The rules that hold for every visitor. */
function rulesOf(css: string, outer = '', depth = 0): readonly Rule[] {
  const { blocks, rest } = blocksIn(css)
  const inner = depth >= maxNesting ? [] : blocks.flatMap(([head, body]) => (head.startsWith('@') ? (forAll.test(head) ? rulesOf(body, outer, depth + 1) : []) : withOuter(body, nested(outer, head), depth)))
  return outer === '' || rest.trim() === '' ? inner : [[outer, rest], ...inner]
}

interface Compound {
  readonly tag: string
  readonly names: readonly string[]
}

const compound = /^([a-z][a-z0-9]*|\*)?((?:[.#][\w-]+)*)$/i
/** Names of states that end once scripts run. */
const passing = /^[.#](?:no-?js|js|wf-.*|.*load.*)$/i

/** A selector of tags, classes, ids and what they are within, the innermost first; null for any other, and for tags alone. */
function compoundsOf(selector: string): readonly Compound[] | null {
  const parts = selector.trim().split(/\s*>\s*|\s+/).map((part) => compound.exec(part))
  if (parts.length > 6 || parts.some((part) => part === null || part[0] === '')) return null
  const all = parts.map((part): Compound => ({ tag: (part?.[1] ?? '*').toLowerCase(), names: part?.[2]?.match(/[.#][\w-]+/g) ?? [] })).reverse()
  return all.some(({ names }) => names.length > 0) && !all.some(({ names }) => names.some((name) => passing.test(name))) ? all : null
}

function isLike(element: Element, { tag, names }: Compound, own: ReadonlySet<string>): boolean {
  return (tag === '*' || element.name === tag) && names.every((name) => own.has(name))
}

/** The classes and the id of an element, as selectors have them. */
const namesOf = (element: Element): ReadonlySet<string> => new Set([...(attribute(element, 'class') ?? '').slice(0, 2_000).split(/\s+/).filter((name) => name !== '').map((name) => `.${name}`), `#${attribute(element, 'id') ?? ''}`])

/** What one sheet after the other hides and shows. */
class Sheets {
  /** By the innermost name of a selector: the selectors that hide, with the way. */
  readonly #hiding = new Map<string, { readonly compounds: readonly Compound[]; readonly way: number }[]>()
  readonly #shown = new Set<string>()
  readonly #names = new Map<Element, ReadonlySet<string>>()
  #selectors = 0
  #steps = 0

  read(css: string): void {
    for (const [selectors, declarations] of rulesOf(css.slice(0, maxSheet).replace(/\/\*[^]*?\*\//g, ''))) {
      for (const [way, { hides, shows }] of ways.entries()) {
        if (hides(declarations)) for (const selector of selectors.split(',')) this.#hides(selector, way)
        else if (shows?.test(declarations) === true) for (const name of selectors.match(/[.#][\w-]+/g) ?? []) this.#shown.add(`${way}${name}`)
      }
    }
  }

  #hides(selector: string, way: number): void {
    const compounds = this.#selectors < maxSelectors ? compoundsOf(selector) : null
    const [last] = compounds ?? []
    if (compounds === null || last === undefined) return
    this.#selectors++
    const key = last.names[0] ?? last.tag
    const known = this.#hiding.get(key)
    if (known === undefined) this.#hiding.set(key, [{ compounds, way }])
    else known.push({ compounds, way })
  }

  /** Whether another rule shows what the innermost names of a selector are on. */
  #isShown(compounds: readonly Compound[], way: number): boolean {
    return compounds.find(({ names }) => names.length > 0)?.names.some((name) => this.#shown.has(`${way}${name}`)) === true
  }

  #namesOf(element: Element): ReadonlySet<string> {
    const names = this.#names.get(element) ?? namesOf(element)
    this.#names.set(element, names)
    return names
  }

  /** Whether the elements around one fit, innermost first. */
  #isWithin(element: Element, outer: readonly Compound[]): boolean {
    let at = element.parent
    let next = 0
    for (let level = 0; at && isElement(at) && next < outer.length && level < maxLevels; level++) {
      if (this.#steps++ >= maxSteps) return false
      const wanted = outer[next]
      if (wanted !== undefined && isLike(at, wanted, this.#namesOf(at))) next++
      at = at.parent
    }
    return next === outer.length
  }

  /** Whether an element holds the main part of a page, which scripts will show. */
  #isMain(element: Element): boolean {
    let found = false
    walkElements(element, ({ name }) => {
      found ||= name === 'h1' || name === 'main'
      return found || this.#steps++ >= maxSteps ? false : undefined
    })
    return found
  }

  /** Whether a rule hides an element itself. */
  hide(element: Element): boolean {
    if (this.#selectors === 0) return false
    const own = this.#namesOf(element)
    return [...own, element.name, '*'].some((key) =>
      this.#hiding.get(key)?.some(({ compounds, way }) => {
        if (compounds.length > 1 && this.#steps++ >= maxSteps) return false
        const [last, ...outer] = compounds
        return last !== undefined && isLike(element, last, own) && !this.#isShown(compounds, way) && this.#isWithin(element, outer) && (outer.length === 0 || !this.#isMain(element))
      }),
    )
  }
}

/** A test for elements that the page's own style sheets hide from every visitor, and never show. */
export function hiddenBySheets(document: Document): (element: Element) => boolean {
  const sheets = new Sheets()
  walk(document, (node) => {
    if (!isElement(node) || node.name !== 'style') return
    const [text] = node.children
    if (text && isText(text)) sheets.read(text.data)
  })
  return (element) => sheets.hide(element)
}
