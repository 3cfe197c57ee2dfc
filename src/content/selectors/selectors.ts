import { compile, type Options } from 'css-select'
import { parse as parseSelector, SelectorType, type Selector } from 'css-what'
import type { AnyNode } from 'domhandler'
import * as domutils from 'domutils'
import { ServiceError } from '../../domain/errors.ts'
import { limits } from '../../spec/limits.ts'
import { isSelectorList } from './grammar.ts'
import { isShownFrame, shownFrame } from '../html/shown-frame.ts'
import { attribute, type Document, type Element, elements, isElement } from '../html/tree.ts'

/** Most problems of a request that are reported. */
const maxFaults = 50
/** Most simple selectors and combinators in a selector, nested ones included. */
const maxParts = 64
/** Pseudo-classes whose cost grows with the content below each element, or that only a browser can evaluate. */
const refused: ReadonlySet<string> = new Set(['has', 'contains', 'icontains', 'hover', 'visited', 'active', 'parent', 'scope', 'host', 'host-context'])

/** A selector, and its position in the request. */
export interface PlacedSelector {
  readonly selector: string
  readonly path: readonly (string | number)[]
}

/**
 * Throws `BAD_REQUEST` for selectors that cannot be used: not CSS, too long, too many, or of unbounded cost. The message
 * has the first problem, `details` has all.
 */
export function assertSelectors(selectors: readonly PlacedSelector[]): void {
  if (selectors.length > limits.selectors) throw refusal([{ path: [], message: `more than ${limits.selectors} selectors` }])
  const faults = selectors.flatMap(({ selector, path }) => {
    const problem = problemOf(selector)
    return problem === undefined ? [] : [{ path, message: `the selector ${JSON.stringify(selector.slice(0, 100))} ${problem}` }]
  })
  if (faults.length > 0) throw refusal(faults)
}

function refusal(faults: readonly { readonly path: PlacedSelector['path']; readonly message: string }[]): ServiceError {
  const details = faults.slice(0, maxFaults).map(({ path, message }) => ({ code: 'custom', path, message: `Invalid selector: ${message}` }))
  return new ServiceError('BAD_REQUEST', `Invalid selector: ${faults[0]?.message}.`, { details })
}

/** Most selectors that may be matched on the calling thread, beside everything else that is done with a small page. */
const fewSelectors = 20
/** Tag, classes and id: one test per element. Other selectors may test every element from every other. */
const plain = /^[\w.#-]{1,60}$/

/** Whether matching the selectors on a small page costs next to nothing. */
export function areCheap(selectors: readonly string[]): boolean {
  return selectors.length <= fewSelectors && selectors.every((selector) => plain.test(selector))
}

/** Why a selector cannot be used; undefined when it can. */
function problemOf(selector: string): string | undefined {
  if (selector.trim() === '') return 'is empty'
  if (selector.length > limits.selectorLength) return `is longer than ${limits.selectorLength} characters`
  try {
    const parts = flat(parseSelector(selector))
    if (parts.length > maxParts) return `has more than ${maxParts} parts`
    const bad = parts.find((part) => part.type === SelectorType.Pseudo && refused.has(part.name))
    if (bad && 'name' in bad) return `uses :${bad.name}, which is not supported`
    compile<AnyNode, Element>(selector, options(() => {}))
    // Their parser accepts more than CSS, with a meaning of its own.
    return isSelectorList(selector) ? undefined : 'is not a CSS selector'
  } catch {
    return 'is not a CSS selector'
  }
}

function flat(groups: readonly (readonly Selector[])[]): Selector[] {
  const found: Selector[] = []
  const waiting: Selector[] = groups.flat()
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    found.push(part)
    if (part.type === SelectorType.Pseudo && Array.isArray(part.data)) waiting.push(...part.data.flat())
  }
  return found
}

/**
 * The elements that a selector matches, in document order; `complete` is false when matching cost too much and was stopped.
 */
export interface Selection {
  readonly elements: readonly Element[]
  readonly complete: boolean
}

/** Thrown when a selector has used up its steps; never leaves this file. */
class TooCostly extends Error {}

/** Matches a user's selectors on a document, within a number of steps that is linear in the document. */
export class Matcher {
  readonly #all: readonly Element[]
  #left: number

  constructor(document: Document) {
    this.#all = elements(document)
    this.#left = 400_000 + this.#all.length * 40
  }

  /** Never throws; an invalid selector matches nothing and is not complete. */
  select(selector: string): Selection {
    const found: Element[] = []
    try {
      const matches = compile<AnyNode, Element>(selector, options((cost) => this.#spend(cost)))
      for (const element of this.#all) {
        this.#spend(1)
        if (matches(element)) found.push(element)
      }
      return { elements: found, complete: true }
    } catch {
      return { elements: found, complete: false }
    }
  }

  /** The outermost of these elements, in document order. */
  inOrder(wanted: ReadonlySet<Element>): readonly Element[] {
    const outer = new Set<Element>()
    const covered = new Set<Element>()
    for (const element of this.#all) {
      const parent = element.parent
      if (parent && isElement(parent) && (outer.has(parent) || covered.has(parent))) covered.add(element)
      else if (wanted.has(element)) outer.add(element)
    }
    return [...outer]
  }

  #spend(cost: number): void {
    this.#left -= cost
    if (this.#left < 0) throw new TooCostly()
  }
}

/** The value of an attribute; what stands for a frame has the address that the frame had. */
export const attributeOf = (element: Element, name: string): string | undefined => attribute(element, name === 'src' && isShownFrame(element) ? shownFrame : name)

/**
 * An adapter of the tree for the selector engine that counts every step. What stands for a frame is named and addressed as
 * the frame was.
 */
function options(spend: (cost: number) => void): Options<AnyNode, Element> {
  return {
    cacheResults: false,
    adapter: {
      isTag: (node): node is Element => {
        spend(1)
        return isElement(node)
      },
      equals: (a, b) => {
        spend(1)
        return a === b
      },
      getAttributeValue: (element, name) => {
        const value = attributeOf(element, name)
        spend(1 + (value?.length ?? 0) / 64)
        return value
      },
      hasAttrib: (element, name) => attributeOf(element, name) !== undefined,
      getName: (element) => {
        spend(1)
        return isShownFrame(element) ? 'iframe' : element.name
      },
      getChildren: (node) => domutils.getChildren(node),
      getParent: (node) => {
        spend(1)
        return node.parent
      },
      getSiblings: (node) => domutils.getSiblings(node),
      prevElementSibling: (node) => {
        spend(1)
        return domutils.prevElementSibling(node)
      },
      getText: () => '',
      removeSubsets: (nodes) => nodes,
    },
  }
}
