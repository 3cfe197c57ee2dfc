import type { AnyNode, Element } from 'domhandler'
import { isElement, isText } from '../../html/tree.ts'
import { firstText, textOf } from '../dom.ts'
import { deleted, emphasis, strong } from '../inline-run.ts'
import type { Handler, Page } from '../page.ts'

function marked(which: number): Handler {
  return {
    enter(_, page) {
      page.mark(which, 1)
      return true
    },
    leave(_, page) {
      page.mark(which, -1)
    },
  }
}

const simple = new Set(['i', 'em', 'b', 'strong', 'span', 'var', 'font', 'small', 'mi', 'abbr'])
/** Superscripts that belong to the word before them: signs, and the endings of ordinal numbers and of the word number. */
const sign = /^(?:TM|SM|®|™|℠)$/i
const ending = /^(?:st|nd|rd|th|er|ère|re|e|ème)$/i
const aNumber = /(?:\d|(?:^|[^\p{L}])[IVXLC]+)$/u
/** Letters that end a small whole number in Romance languages; after others, and after words, they are marks of notes. */
const romance = /^[oa]s?$/i
const smallNumber = /(?:^|[^\d.,:])(?:\d{1,2}|[IVX]{1,4})$/
const wordNumber = /(?:^|[^\p{L}])n$/iu

/** Superscript and subscript stay HTML elements: GitHub-flavoured markdown has no syntax for them. */
function shifted(name: 'sup' | 'sub'): Handler {
  return {
    enter(element, page) {
      if (isShifted(element, page)) page.raw(`<${name}>`)
      return true
    },
    leave(element, page) {
      if (isShifted(element, page)) page.raw(`</${name}>`)
    },
  }
}

function isShifted(element: Element, page: Page): boolean {
  if (!element.children.every((child) => isText(child) || (isElement(child) && simple.has(child.name)))) return false
  const text = textOf(element, page.skip, 40)
  return text !== '' && !sign.test(text) && !isEnding(text, textBefore(element))
}

function isEnding(text: string, before: string): boolean {
  if (ending.test(text)) return aNumber.test(before)
  return romance.test(text) && (smallNumber.test(before) || (/^o/i.test(text) && wordNumber.test(before)))
}

/** Boxes around the last text before an element. */
const mostBoxes = 5

/** The last characters directly before an element. */
function textBefore(element: Element): string {
  let node: AnyNode | null = element.prev
  for (let boxes = 0; boxes < mostBoxes && node !== null && isElement(node); boxes++) node = node.lastChild
  return node !== null && isText(node) ? node.data.slice(-8) : ''
}

/** Writes the content between two literal texts. */
function between(before: string, after: string): Handler {
  return {
    enter(_, page) {
      page.text(before)
      return true
    },
    leave(_, page) {
      page.text(after)
    },
  }
}

/** Writes an aside in parentheses. */
export const asideHandler = between(' (', ')')

/**
 * Separates by a space what only the style sheet keeps apart: labels of fields, text for screen readers, custom elements.
 */
export const apartHandler: Handler = {
  enter(element, page) {
    if (isAlike(element, element.prev)) page.text(' ')
    return true
  },
  leave(element, page) {
    if (isAlike(element, element.next)) page.text(' ')
  },
}

/** The number of a paragraph, as laws and outlines write it, and what it may stand before. */
const numbering = /^\(?(?:\d{1,3}|[a-z]{1,4})[.)]$/i
const bareNumber = /^(?:§ ?)?\d{1,3}[a-z]?$/i
const paragraph = /^["“„«(]?\p{L}/u
const sentence = /^(?:\p{Lu}(?:\p{Ll}|\s)|\(\d)/u
/** Letters of the longest numbering. A longer text is not looked at: a paragraph can have an element for each word. */
const longestNumbering = 7

/** Separates by a space the number of a paragraph from its text, which only styles set apart. */
const numbered: Handler = {
  enter(element, page) {
    if (element.prev !== null && isElement(element.prev) && page.mode === 'block' && page.run.segments.length === 1) {
      const said = page.run.segments[0]?.text ?? ''
      const follows = said.length > longestNumbering ? undefined : numbering.test(said) ? paragraph : bareNumber.test(said) ? sentence : undefined
      if (follows?.test(firstText(element, page.skip).slice(0, 3)) === true) page.text(' ')
    }
    return true
  },
}

/** Whether a neighbour is an element; for a custom element, one of the same name. */
function isAlike({ name }: Element, beside: AnyNode | null): boolean {
  return beside !== null && isElement(beside) && (!name.includes('-') || beside.name === name || beside.name === 'a')
}

/** A `cite` at the start of a quotation goes on a line of its own. */
const cite: Handler = {
  enter: marked(emphasis).enter,
  leave(element, page) {
    page.mark(emphasis, -1)
    const { parent } = element
    const opens = parent !== null && isElement(parent) && !element.prev && (parent.name === 'blockquote' || (parent.parent !== null && isElement(parent.parent) && parent.parent.name === 'blockquote'))
    if (opens && page.mode === 'block') page.boundary()
  },
}

/** Handlers of inline elements. */
export const textHandlers: Readonly<Record<string, Handler>> = {
  b: marked(strong),
  strong: marked(strong),
  i: marked(emphasis),
  em: marked(emphasis),
  cite,
  label: apartHandler,
  span: numbered,
  dfn: marked(emphasis),
  var: marked(emphasis),
  del: marked(deleted),
  s: marked(deleted),
  strike: marked(deleted),
  sup: shifted('sup'),
  sub: shifted('sub'),
  q: between('“', '”'),
  rt: between('(', ')'),
  br: {
    enter(_, page) {
      page.break()
      return false
    },
  },
}
