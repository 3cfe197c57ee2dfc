/** The id of the style of code, which the library maps to its elements. */
export const codeStyle = 'trawl-code'

/** Matches marks in a text, whose signs no text of a document contains. */
const mark = /<p>\uFDD0b(\d+)\uFDD1<\/p>|\uFDD0[nb]\d+\uFDD1/g
const signs = /[\uFDD0\uFDD1]/g
/** Matches the ends of lists, and the starts of lists and items with the mark that an item begins with. */
const parts = /<\/[ou]l>|(<[ou]l>)?<li>(?:\uFDD0n(\d+)\uFDD1)?|<[ou]l>/g

interface Item {
  readonly type: string
  readonly value: number
}

/** Places in a text where something belongs that the library cannot write: numbers of list items, and blocks. */
export class Marks {
  readonly #items: Item[] = []
  readonly #blocks: string[] = []

  /** A text of the document without the signs of marks. */
  without(text: string): string {
    return text.replace(signs, '')
  }

  item(item: Item): string {
    return `\uFDD0n${this.#items.push(item) - 1}\uFDD1`
  }

  block(html: string): string {
    return `\uFDD0b${this.#blocks.push(html) - 1}\uFDD1`
  }

  /** The library's HTML with what belongs at the marks. */
  applied(html: string): string {
    return this.#numbered(html).replace(mark, (_, index: string | undefined) => (index === undefined ? '' : (this.#blocks[Number(index)] ?? '')))
  }

  #numbered(html: string): string {
    /** The next number of each open list. */
    const open: number[] = []
    return html.replace(parts, (whole, list: string | undefined, index: string | undefined) => {
      if (whole.startsWith('</')) {
        open.pop()
        return whole
      }
      const expected = list === undefined && whole.startsWith('<li>') ? (open.pop() ?? 1) : 1
      const item = index === undefined ? undefined : this.#items[Number(index)]
      open.push((item?.value ?? expected) + (whole.includes('<li>') ? 1 : 0))
      if (item === undefined) return whole
      const { type, value } = item
      if (list === '<ol>') return `<ol${type === '1' ? '' : ` type="${type}"`}${value === 1 ? '' : ` start="${value}"`}><li>`
      return `${list ?? ''}<li${value === expected ? '' : ` value="${value}"`}>`
    })
  }
}
