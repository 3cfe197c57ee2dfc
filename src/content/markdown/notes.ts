import type { AnyNode, ChildNode, Element, Text } from 'domhandler'
import { around } from '../html/find.ts'
import { isElement, isText } from '../html/tree.ts'
import { percentDecoded } from '../../lib/percent-decoded.ts'
import { blockTags, headingTags } from '../html/tag-sets.ts'
import { noteLabel } from '../note-label.ts'
import { classesOf, textOf, walkAll } from './dom.ts'
import { isTableRole, planTable } from './table-plan.ts'

/** The footnotes of a page: which elements refer to one, and which define one. */
export interface Notes {
  /** Label of the footnote that a link refers to. */
  readonly references: ReadonlyMap<AnyNode, string>
  /** Label of the footnote that an element defines. */
  readonly definitions: ReadonlyMap<AnyNode, string>
  /** Links from a footnote back to its reference, and the number at the start of a footnote: not written. */
  readonly furniture: ReadonlySet<AnyNode>
  /** Lists whose items are footnotes. */
  readonly lists: ReadonlySet<AnyNode>
  /** Items of numbered lists of footnotes that nothing refers to, with their numbers. */
  readonly unreferred: ReadonlyMap<AnyNode, number>
  /** Elements inside a definition at which the next footnote begins, with its label. */
  readonly splits: ReadonlyMap<AnyNode, string>
}

interface Anchor {
  readonly element: Element
  readonly target: string
  readonly order: number
}

interface Found {
  readonly ids: ReadonlyMap<string, { readonly element: Element; readonly order: number }>
  readonly anchors: readonly Anchor[]
}

const none: Notes = { references: new Map(), definitions: new Map(), furniture: new Set(), lists: new Set(), unreferred: new Map(), splits: new Map() }
const referenceHint = /footnote|noteref|fnref|note-ref|fn-ref|endnote|reference|citation|sidenote/i
/** Matched against the end of a fragment, delimiter included, so that the cost does not grow with the address. */
const hrefHint = /[#\-_:.](?:fn|foot-?note|end-?note|note|cite_note)[-_:.]?[^#]{0,60}$/i
const backHint = /backref|back-ref|backlink|reversefootnote|footnote-return|footnote-back|noteback/i
const backText = /^(?:(?:\s|↩|↑|⤴|⬆|⏎|\^|←|⇧|▲|↖|\ufe0e|\ufe0f|[[\]()])*|.{0,4}(?:back|return|jump up|jump up to).{0,20})$/iu
const maxDefinition = 6000

/** Finds the footnotes of a page by what its links lead to, whatever software made them. */
export function findNotes(nodes: readonly ChildNode[], skip: ReadonlySet<AnyNode>, baseUrl: string): Notes {
  const found = collect(nodes, skip, baseUrl.split('#', 1)[0] ?? '')
  const candidates = found.anchors.filter(({ element }) => isReference(element) && !isInCode(element))
  return candidates.length === 0 ? none : new NoteFinder(found, skip).find(candidates)
}

function collect(nodes: readonly ChildNode[], skip: ReadonlySet<AnyNode>, page: string): Found {
  const ids = new Map<string, { element: Element; order: number }>()
  const anchors: Anchor[] = []
  let order = 0
  walkAll(nodes, (node) => {
    if (skip.has(node)) return 'over'
    if (!isElement(node)) return 'into'
    order++
    const { attribs } = node
    const id = attribs['id'] ?? (node.name === 'a' ? attribs['name'] : undefined)
    if (id && !ids.has(id)) ids.set(id, { element: node, order })
    const href = node.name === 'a' ? attribs['href'] : undefined
    const hash = href === undefined ? -1 : href.indexOf('#')
    if (href !== undefined && hash >= 0 && isSamePage(href.slice(0, hash), page)) anchors.push({ element: node, target: decoded(href.slice(hash + 1)), order })
    return 'into'
  })
  return { ids, anchors }
}

/**
 * Whether an address without its fragment is the page itself: empty, equal, or a relative path that the page's address ends
 * with.
 */
function isSamePage(path: string, page: string): boolean {
  return path === '' || path === page || (!path.includes(':') && page.endsWith(path.startsWith('/') ? path : `/${path}`))
}

const decoded = (fragment: string): string => (fragment.includes('%') ? percentDecoded(fragment) : fragment)

/** Whether a link refers to a footnote: a short label that is bracketed or raised, or whose names say so. */
function isReference(anchor: Element): boolean {
  const text = textOf(anchor, new Set(), 24)
  if (!noteLabel.test(text)) return false
  if (/^\[\s*\d+\s*\]$/.test(text) || hrefHint.test(fragmentEnd(anchor.attribs['href'] ?? ''))) return true
  const { attribs, parent } = anchor
  const outer = parent && isElement(parent) ? parent : null
  const raised = (e: Element | null) => e?.name === 'sup'
  if (raised(outer) || raised(outer?.parent && isElement(outer.parent) ? outer.parent : null)) return true
  if (anchor.children.some((child) => isElement(child) && child.name === 'sup')) return true
  if ('data-footnote-ref' in attribs) return true
  const says = `${attribs['class'] ?? ''} ${attribs['role'] ?? ''} ${attribs['epub:type'] ?? ''} ${attribs['rel'] ?? ''}`
  return referenceHint.test(says) && !backHint.test(says)
}

/** Elements that are written as code, in which no mark of a footnote has a meaning. */
const code: ReadonlySet<string> = new Set(['pre', 'code', 'samp', 'kbd', 'tt', 'listing', 'xmp'])

const isInCode = (element: Element): boolean => around(element, ({ name }) => code.has(name)) !== undefined

function fragmentEnd(href: string): string {
  return href.slice(Math.max(href.indexOf('#'), href.length - 80))
}

/** A text without the point between it and the number at the start of its footnote, which is not written. */
export function withoutPoint({ data, prev }: Text, { furniture }: Notes): string {
  if (prev === null || !furniture.has(prev) || (prev.prev !== null && !(isText(prev.prev) && prev.prev.data.trim() === ''))) return data
  return data.replace(/^\s*[.:)\]]+(?=\s)/, '')
}

class NoteFinder {
  readonly #found: Found
  readonly #skip: ReadonlySet<AnyNode>
  readonly #references = new Map<AnyNode, string>()
  readonly #definitions = new Map<AnyNode, string>()
  readonly #furniture = new Set<AnyNode>()
  readonly #lists = new Set<AnyNode>()
  readonly #unreferred = new Map<AnyNode, number>()
  readonly #splits = new Map<AnyNode, string>()
  readonly #labels = new Set<string>()
  readonly #lengths = new Map<Element, number>()
  readonly #planned = new Map<Element, boolean>()
  #next = 1
  /** The label of the footnote at each target id; null when the target is no footnote. */
  readonly #byTarget = new Map<string, string | null>()

  constructor(found: Found, skip: ReadonlySet<AnyNode>) {
    this.#found = found
    this.#skip = skip
  }

  find(candidates: readonly Anchor[]): Notes {
    for (const anchor of candidates) this.#refer(anchor)
    if (this.#definitions.size === 0) return none
    this.#findFurniture()
    this.#findLists()
    return { references: this.#references, definitions: this.#definitions, furniture: this.#furniture, lists: this.#lists, unreferred: this.#unreferred, splits: this.#splits }
  }

  #refer(anchor: Anchor): void {
    const label = this.#labelOf(anchor)
    if (label !== null) this.#references.set(anchor.element, label)
  }

  /** The label of the footnote that a link leads to; null when it leads to none. */
  #labelOf(anchor: Anchor): string | null {
    const known = this.#byTarget.get(anchor.target)
    if (known !== undefined) return known
    const label = this.#define(anchor)
    this.#byTarget.set(anchor.target, label)
    return label
  }

  #define(anchor: Anchor): string | null {
    const target = this.#found.ids.get(anchor.target)
    const block = target && target.order > anchor.order ? blockOf(target.element) : null
    if (!target || !block || !this.#isDefinition(block, anchor.element)) return null
    const isNumber = target.element !== block && noteLabel.test(textOf(target.element, this.#skip, 24))
    const begun = this.#definitions.has(block)
    if (begun && !isNumber) return null
    const label = this.#newLabel(anchor.element)
    if (begun) this.#splits.set(target.element, label)
    else this.#definitions.set(block, label)
    if (isNumber && !begun) this.#furniture.add(target.element)
    return label
  }

  #isDefinition(block: Element, reference: Element): boolean {
    const length = this.#lengths.get(block) ?? textOf(block, this.#skip, maxDefinition).length
    this.#lengths.set(block, length)
    if (length === 0 || length > maxDefinition) return false
    for (let up: AnyNode | null = reference; up; up = up.parent) if (up === block) return false
    // What a cell holds is written in one line, and a definition needs its own.
    for (let up: AnyNode | null = block; up; up = up.parent) if (isElement(up) && (up.name === 'table' || isTableRole(up.attribs['role'] ?? '')) && this.#isPlanned(up)) return false
    return true
  }

  /** Whether a table is written as one. */
  #isPlanned(table: Element): boolean {
    const known = this.#planned.get(table)
    const planned = known ?? planTable(table, this.#skip) !== null
    if (known === undefined) this.#planned.set(table, planned)
    return planned
  }

  #newLabel(anchor: Element): string {
    const said = noteLabel.exec(textOf(anchor, this.#skip, 24))?.[1] ?? ''
    return this.#free(/^\w+$/.test(said) ? said : String(this.#labels.size + 1))
  }

  /** The wanted label, or the next free number. */
  #free(wanted: string): string {
    let label = wanted
    while (this.#labels.has(label)) label = String(this.#next++)
    this.#labels.add(label)
    return label
  }

  /** Finds links inside definitions that lead back to a reference, and the number at the start of a definition. */
  #findFurniture(): void {
    const places = new Set<string>()
    for (const reference of this.#references.keys()) {
      let up: AnyNode | null = reference
      for (let i = 0; i < 3 && up && isElement(up); i++, up = up.parent) if (up.attribs['id']) places.add(up.attribs['id'])
    }
    for (const { element, target } of this.#found.anchors) {
      if (this.#references.has(element) || !this.#inDefinition(element)) continue
      const text = textOf(element, this.#skip, 40)
      const marked = backHint.test(`${classesOf(element)} ${element.attribs['role'] ?? ''}`)
      if (places.has(target) || marked || backText.test(text)) this.#furniture.add(element)
    }
    for (const [definition, label] of this.#definitions) if (isElement(definition)) this.#dropNumber(definition, label)
  }

  #inDefinition(element: Element): boolean {
    let up: AnyNode | null = element
    for (let i = 0; i < 8 && up; i++, up = up.parent) if (this.#definitions.has(up)) return true
    return false
  }

  #dropNumber(definition: Element, label: string): void {
    let at: Element = definition
    for (let depth = 0; depth < 3; depth++) {
      const first = at.children.find((child): child is Element | Text => (isElement(child) && !this.#furniture.has(child)) || (isText(child) && child.data.trim() !== ''))
      if (!first || isText(first)) return
      if (/ mw-cite-backlink /.test(classesOf(first))) this.#furniture.add(first)
      const text = textOf(first, this.#skip, 24)
      if (text === label || text === `[${label}]` || text === `${label}.` || text === `(${label})`) {
        this.#furniture.add(first)
        return
      }
      at = first
    }
  }

  /**
   * A list of footnotes is not written as a list. Items that nothing refers to stay items: GitHub does not show a footnote
   * without a reference.
   */
  #findLists(): void {
    for (const definition of this.#definitions.keys()) {
      const list = isElement(definition) && definition.name === 'li' ? definition.parent : null
      if (!list || this.#lists.has(list)) continue
      this.#lists.add(list)
      if (!isElement(list) || list.name !== 'ol') continue
      const items = list.children.filter((item) => isElement(item) && item.name === 'li')
      for (const [i, item] of items.entries()) if (!this.#definitions.has(item)) this.#unreferred.set(item, i + 1)
    }
  }
}

/**
 * The block that defines a footnote: the target itself, or the block around an anchor in it; null for headings, tables, code
 * and whole pages.
 */
function blockOf(target: Element): Element | null {
  let at: AnyNode | null = target
  for (let up = 0; up < 6 && at && isElement(at); up++, at = at.parent) {
    if (headingTags.has(at.name) || at.name === 'pre' || at.name === 'body' || at.name === 'article' || at.name === 'main' || at.name === 'table' || at.name === 'tr') return null
    if (blockTags.has(at.name) && at.name !== 'td' && at.name !== 'th') return itemAround(at)
    if (at.name === 'td') return null
  }
  return null
}

/** The item of a list that begins with a block: the number of the note is that of the item. */
function itemAround(block: Element): Element {
  const { parent } = block
  return block.name !== 'li' && parent !== null && isElement(parent) && parent.name === 'li' && parent.children.find((child) => isElement(child) || (isText(child) && child.data.trim() !== '')) === block ? parent : block
}
