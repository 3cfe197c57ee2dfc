import { Document, type Element, type ParentNode, type Text } from 'domhandler'
import type { TokenizerCallbacks } from 'htmlparser2'
import { knownName } from './known-names.ts'
import { OpenElements, type Tag } from './open-elements.ts'
import { lateId, longestMark, StandIns } from './streamed.ts'
import { trait, traitsOf } from './tag-traits.ts'
import { append, isText, noAttributes, PageElement, PageText } from './tree.ts'

/** Limits of a tree, whether `<x/>` closes x, and positions of start tags in the source whose elements are collected. */
export interface TreeLimits {
  readonly maxDepth: number
  readonly maxNodes: number
  readonly selfClosing: boolean
  readonly places: ReadonlySet<number>
}

const maxAttributes = 256

/**
 * Attributes to fill. The engine keeps an object without a prototype as a table, in which a name that is missing is found
 * missing at once, however many combinations of names a page has.
 */
const newAttributes = (): Record<string, string> => Object.create(null)

const sections = new Set(['tbody', 'thead', 'tfoot', 'caption', 'colgroup'])
const definitionItems = ['dd', 'dt']
const listItems = ['li']

/** Builds a tree from tokens. Each token costs at most the depth limit, so the whole is linear. */
export class TreeBuilder implements TokenizerCallbacks {
  readonly document = new Document([])
  /** Whether the node limit was reached. */
  full = false
  /** Number of elements beyond the depth limit. */
  flattened = 0
  readonly noted = new Set<Element>()
  /** Whether an id has the form of a late part's. */
  hasLateParts = false
  readonly standIns = new StandIns()

  readonly #source: string
  readonly #limits: TreeLimits
  readonly #open = new OpenElements()
  /** Names seen so far: one lookup gives all about a name. */
  readonly #tags = new Map<string, Tag>()
  readonly #paragraph = this.#tagOf('p')
  readonly #table = this.#tagOf('table')
  #nodes = 0
  /** Whether what stands in for a late part ended before what comes next. */
  #apart = false
  #tag = this.#paragraph
  /** Where the current start tag begins. */
  #tagAt = 0
  /** The range of the source that is read but not yet in the tree. */
  #textStart = -1
  #textEnd = -1
  #attributes: Record<string, string> = noAttributes
  #attributeCount = 0
  #attributeName = ''
  #value = ''
  #root: Element | undefined
  #body: Element | undefined

  constructor(source: string, limits: TreeLimits) {
    this.#source = source
    this.#limits = limits
  }

  /** Whether the page has a `template` element. */
  get hasTemplates(): boolean {
    return this.#tags.has('template')
  }

  /** The deepest nesting so far. */
  get deepest(): number {
    return this.#open.deepest
  }

  isInForeignContext(): boolean {
    return this.#open.isForeign
  }

  /** Adjacent pieces of text are joined, so that a page of stray `<` costs no more than any other. */
  ontext(start: number, end: number): void {
    if (start !== this.#textEnd) {
      this.#flush()
      this.#textStart = start
    }
    this.#textEnd = end
  }

  ontextentity(codePoint: number): void {
    this.#flush()
    this.#text(String.fromCodePoint(codePoint))
  }

  oncdata(start: number, end: number, offset: number): void {
    this.#flush()
    if (this.#limits.selfClosing || this.isInForeignContext()) this.#text(this.#source.slice(start, end - offset))
  }

  oncomment(start: number, end: number, offset: number): void {
    if (end - offset - start > longestMark || end - offset <= start) return
    this.#flush()
    if (this.standIns.read(this.#source.slice(start, end - offset), this.#open.top ?? this.document)) this.#apart = true
  }

  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {
    this.#flush()
  }

  onopentagname(start: number, end: number): void {
    this.#flush()
    const name = this.#source.slice(start, end).toLowerCase()
    this.#tag = this.#tagOf(name === 'image' ? 'img' : name)
    this.#tagAt = start - 1
    this.#attributes = noAttributes
    this.#attributeCount = 0
  }

  onattribname(start: number, end: number): void {
    this.#attributeName = knownName(this.#source.slice(start, end).toLowerCase())
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#source.slice(start, end)
  }

  onattribentity(codePoint: number): void {
    this.#value += String.fromCodePoint(codePoint)
  }

  onattribend(): void {
    if (this.#attributeCount >= maxAttributes || this.#attributeName === '__proto__') return
    if (this.#attributeCount === 0) this.#attributes = newAttributes()
    else if (Object.hasOwn(this.#attributes, this.#attributeName)) return
    this.#attributes[this.#attributeName] = this.#value
    this.#attributeCount++
    if (this.#attributeName === 'id' && lateId.test(this.#value)) this.hasLateParts = true
  }

  onopentagend(): void {
    this.#start(this.#tag, false)
  }

  onselfclosingtag(): void {
    this.#start(this.#tag, this.#limits.selfClosing || this.isInForeignContext())
  }

  onclosetag(start: number, end: number): void {
    this.#flush()
    const tag = this.#tagOf(this.#source.slice(start, end).toLowerCase())
    if (tag.flat > 0) tag.flat--
    else this.#end(tag)
  }

  #tagOf(cut: string): Tag {
    const before = this.#tags.get(cut)
    if (before !== undefined) return before
    const name = knownName(cut)
    const tag: Tag = { name, own: traitsOf(name), open: 0, flat: 0 }
    this.#tags.set(name, tag)
    return tag
  }

  #flush(): void {
    if (this.#textEnd > this.#textStart) this.#text(this.#source.slice(this.#textStart, this.#textEnd))
    this.#textStart = -1
    this.#textEnd = -1
  }

  #text(data: string): void {
    const top = this.#open.top
    if (top?.name === 'head' && data.trim() !== '') this.#open.pop()
    const parent: ParentNode = this.#open.top ?? this.document
    const last = parent.children.at(-1)
    if (last !== undefined && isText(last) && !this.#apart) last.data += data
    else this.#append(new PageText(data), parent)
  }

  #append(node: Element | Text, parent: ParentNode): boolean {
    if (this.#nodes >= this.#limits.maxNodes) {
      this.full = true
      return false
    }
    this.#nodes++
    this.#apart = false
    append(node, parent)
    return true
  }

  #start(tag: Tag, selfClosed: boolean): void {
    const { name, own } = tag
    if (this.#merged(name)) return
    if (own & trait.leavesForeign && this.isInForeignContext()) this.#open.popForeign()
    if (!this.isInForeignContext() && !this.#repair(tag)) return
    this.#insert(tag, this.#attributes, selfClosed || (own & trait.empty) !== 0)
  }

  /** Merges a second `html` or `body` into the first: only its attributes are added. */
  #merged(name: string): boolean {
    const first = name === 'html' ? this.#root : name === 'body' ? this.#body : undefined
    if (!first) return false
    if (first.attribs === noAttributes) first.attribs = newAttributes()
    for (const [key, value] of Object.entries(this.#attributes)) {
      if (!Object.hasOwn(first.attribs, key)) first.attribs[key] = value
    }
    return true
  }

  #insert(tag: Tag, attributes: Record<string, string>, empty: boolean): void {
    const { name, own } = tag
    const parent: ParentNode = this.#open.top ?? this.document
    if (!empty && this.#open.depth >= this.#limits.maxDepth && (own & trait.rawText) === 0) {
      this.flattened++
      tag.flat++
      return
    }
    const element = new PageElement(name, attributes)
    if (!this.#append(element, parent)) return
    if (attributes === this.#attributes && this.#limits.places.has(this.#tagAt)) this.noted.add(element)
    if (empty) return
    if (name === 'html') this.#root = element
    if (name === 'body') this.#body = element
    this.#open.push(element, tag)
  }

  /** Closes what a start tag implies; returns false when the tag itself is to be ignored. */
  #repair(tag: Tag): boolean {
    const { name, own } = tag
    if (name === 'body' || (this.#open.top?.name === 'head' && (own & trait.staysInHead) === 0)) this.#open.close(this.#tagOf('head'), trait.scope)
    if (name === 'form' && tag.open > 0) return false
    if (own & trait.closesParagraph) this.#open.close(this.#paragraph, trait.paragraphScope)
    if (own & trait.heading && this.#open.topTraits & trait.heading) this.#open.pop()
    if (name === 'li') this.#startItem(listItems)
    else if (name === 'dd' || name === 'dt') this.#startItem(definitionItems)
    else if (name === 'option' || name === 'optgroup') this.#startOption(name)
    else if (name === 'a' || name === 'nobr') this.#startLink(tag)
    // A second `select` only ends the first.
    else if (name === 'select' || name === 'input' || name === 'textarea') return !this.#open.close(this.#tagOf('select'), trait.scope) || name !== 'select'
    else if (name === 'button') this.#open.close(tag, trait.scope)
    else if (name === 'rt' || name === 'rp') this.#open.closeReading()
    else this.#startTablePart(name)
    return true
  }

  #startItem(names: readonly string[]): void {
    if (names.some((name) => this.#tagOf(name).open > 0)) this.#open.closeItem(names)
  }

  #startOption(name: string): void {
    if (this.#open.top?.name === 'option') this.#open.pop()
    if (name === 'optgroup' && this.#open.top?.name === 'optgroup') this.#open.pop()
  }

  #startLink(tag: Tag): void {
    const index = this.#open.find(tag, trait.scope)
    if (index < 0) return
    if (!this.#open.crosses(index, '')) this.#open.popTo(index)
  }

  #startTablePart(name: string): void {
    if (this.#table.open === 0) return
    if (name === 'tr') {
      this.#open.clearTo(trait.tablePart)
    } else if (name === 'td' || name === 'th') {
      this.#open.clearTo(trait.tablePart | trait.row)
      if (this.#open.topTraits & trait.tablePart) this.#insert(this.#tagOf('tr'), newAttributes(), false)
    } else if (sections.has(name)) {
      this.#open.clearTo(trait.tableScope)
    }
  }

  #end(tag: Tag): void {
    const { name, own } = tag
    if (name === 'body' || name === 'html') return
    if (name === 'br') return this.#insert(tag, newAttributes(), true)
    if (tag.open === 0) {
      if (name === 'p') this.#endStrayParagraph()
      return
    }
    if (own & trait.formatting || !(own & trait.special)) return this.#open.endInline(tag)
    if (name === 'form') return this.#open.endForm(tag)
    this.#open.close(tag, own & trait.heading ? trait.scope : this.#boundaryOf(name))
  }

  #boundaryOf(name: string): number {
    if (name === 'li') return trait.listScope
    if (name === 'table') return trait.documentScope
    if (name === 'tr' || name === 'td' || name === 'th' || sections.has(name)) return trait.tableScope
    return trait.scope
  }

  #endStrayParagraph(): void {
    if (!this.isInForeignContext()) this.#insert(this.#paragraph, newAttributes(), true)
  }
}
