import { texInside } from '../equations.ts'
import { escapeHtml } from '../html.ts'
import type { XmlElement } from '../xml.ts'

const maxDepth = 200

/** Builds a formula from its groups: RTF uses the names of Office Math, with the prefix `m`. */
export class RtfFormula {
  #root: XmlElement = { name: '', attributes: {}, children: [] }
  #open: { readonly element: XmlElement; readonly depth: number }[] = []

  get #here(): XmlElement {
    return this.#open.at(-1)?.element ?? this.#root
  }

  /** Handles a word of the group at that depth; the first word of a group is its type. */
  open(word: string, depth: number): void {
    if (!/^m[a-zA-Z]/.test(word) || this.#open.at(-1)?.depth === depth || this.#open.length >= maxDepth) return
    const element: XmlElement = { name: word.slice(1), attributes: {}, children: [] }
    this.#here.children.push(element)
    this.#open.push({ element, depth })
  }

  /** Handles the end of the group at that depth. */
  close(depth: number): void {
    while ((this.#open.at(-1)?.depth ?? -1) >= depth) this.#open.pop()
  }

  text(text: string): void {
    this.#here.children.push(text)
  }

  /** Returns the formula as HTML with TeX delimiters, and starts the next one. */
  take(): string {
    const tex = texInside(this.#root)
    this.#root = { name: '', attributes: {}, children: [] }
    this.#open = []
    return tex === '' ? '' : escapeHtml(`\\(${tex}\\)`)
  }
}
