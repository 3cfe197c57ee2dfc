import type { Element } from 'domhandler'
import { trait } from './tag-traits.ts'

/** An element name on the page: its traits, and how many elements with it are open. */
export interface Tag {
  readonly name: string
  readonly own: number
  /** Number of open elements, so that a stray end tag costs nothing. */
  open: number
  /** Number of flattened elements whose end tag is still to come. */
  flat: number
}

/** The stack of open elements (HTML Standard, 13.2.4.2), outermost first, with the traits and the tag of each. */
export class OpenElements {
  readonly #elements: Element[] = []
  readonly #traits: number[] = []
  readonly #tags: Tag[] = []
  /** Elements whose end tag came while a block inside was open; each closes with that block. */
  readonly #ending = new Set<Element>()
  /** The deepest nesting so far. */
  deepest = 0
  /** The innermost open element and its traits, for others to read. */
  top: Element | undefined
  topTraits = 0

  get depth(): number {
    return this.#elements.length
  }

  get isForeign(): boolean {
    return (this.topTraits & trait.foreign) !== 0
  }

  push(element: Element, tag: Tag): void {
    const inherited = this.topTraits & trait.foreign
    const foreign = tag.own & trait.drawing ? trait.foreign : tag.own & trait.htmlInForeign ? 0 : inherited
    this.top = element
    this.topTraits = tag.own | foreign
    this.#elements.push(element)
    this.#traits.push(this.topTraits)
    this.#tags.push(tag)
    tag.open++
    if (this.#elements.length > this.deepest) this.deepest = this.#elements.length
  }

  pop(): void {
    const gone = this.#elements.pop()
    if (!gone) return
    this.#traits.pop()
    const tag = this.#tags.pop()
    if (tag) tag.open--
    this.top = this.#elements.at(-1)
    this.topTraits = this.#traits.at(-1) ?? 0
    if (this.#ending.size > 0 && this.top && this.#ending.delete(this.top)) this.pop()
  }

  /** Closes open elements until `index` of them remain. */
  popTo(index: number): void {
    while (this.#elements.length > index) this.pop()
  }

  popForeign(): void {
    while (this.isForeign) this.pop()
  }

  /** The stack index of the innermost open element with that tag, up to a boundary; -1 when there is none. */
  find(tag: Tag, boundary: number): number {
    if (tag.open === 0) return -1
    for (let i = this.#elements.length - 1; i >= 0; i--) {
      if (this.#tags[i] === tag) return i
      if (((this.#traits[i] ?? 0) & boundary) !== 0) return -1
    }
    return -1
  }

  /** Closes the innermost open element with that tag, and all within it, if there is one up to the boundary; returns whether there was. */
  close(tag: Tag, boundary: number): boolean {
    const index = this.find(tag, boundary)
    if (index >= 0) this.popTo(index)
    return index >= 0
  }

  /** Closes the innermost open list item with one of these names, and all within it. */
  closeItem(names: readonly string[]): void {
    for (let i = this.#elements.length - 1; i >= 0; i--) {
      const here = this.#elements[i]?.name ?? ''
      if (names.includes(here)) return this.popTo(i)
      if (((this.#traits[i] ?? 0) & (trait.special | trait.itemLooksPast)) === trait.special) return
    }
  }

  /** Closes the part of a ruby annotation that is open: the end tags of such parts may be left out. */
  closeReading(): void {
    while (this.top?.name === 'rt' || this.top?.name === 'rp') this.pop()
  }

  /** Closes elements up to the nearest one with these traits, if one is open in this table. */
  clearTo(wanted: number): void {
    for (let i = this.#elements.length - 1; i >= 0; i--) {
      const here = this.#traits[i] ?? 0
      if (here & wanted) return this.popTo(i + 1)
      if (here & trait.documentScope) return
    }
  }

  /** Whether a special element, other than one with the name `but`, is open above a stack index. */
  crosses(index: number, but: string): boolean {
    for (let i = index + 1; i < this.#elements.length; i++) {
      if ((this.#traits[i] ?? 0) & trait.special && this.#elements[i]?.name !== but) return true
    }
    return false
  }

  /**
   * Closes an inline element at once if only paragraphs and headings are in the way, otherwise together with the block in
   * the way.
   */
  endInline(tag: Tag): void {
    let blocked = false
    for (let i = this.#elements.length - 1; i >= 0; i--) {
      const element = this.#elements[i]
      if (this.#tags[i] === tag) {
        if (!blocked) this.popTo(i)
        else if (element) this.#ending.add(element)
        return
      }
      const here = this.#traits[i] ?? 0
      if ((here & (trait.scope | trait.drawing)) === trait.scope) return
      if ((here & (trait.special | trait.heading)) === trait.special && element?.name !== 'p') blocked = true
    }
  }

  /** Closes a form at once if only paragraphs are open in it, otherwise together with what is open. */
  endForm(tag: Tag): void {
    const index = this.find(tag, trait.documentScope)
    const form = this.#elements[index]
    if (!form) return
    if (!this.crosses(index, 'p')) return this.popTo(index)
    this.#ending.add(form)
  }
}
