import { type AnyNode, type Element, isTag, isText } from 'domhandler'
import { textOf } from '../dom.ts'
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
const ordinal = /^(?:st|nd|rd|th|er|ère|re|e|ème|o|a|os|as|TM|SM|®|™|℠)$/i

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
  if (!element.children.every((child) => isText(child) || (isTag(child) && simple.has(child.name)))) return false
  const text = textOf(element, page.skip, 40)
  return text !== '' && !ordinal.test(text)
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

/** Whether a neighbour is an element; for a custom element, one of the same name. */
function isAlike({ name }: Element, beside: AnyNode | null): boolean {
  return beside !== null && isTag(beside) && (!name.includes('-') || beside.name === name || beside.name === 'a')
}

/** A `cite` at the start of a quotation goes on a line of its own. */
const cite: Handler = {
  enter: marked(emphasis).enter,
  leave(element, page) {
    page.mark(emphasis, -1)
    const { parent } = element
    const opens = parent !== null && isTag(parent) && !element.prev && (parent.name === 'blockquote' || (parent.parent !== null && isTag(parent.parent) && parent.parent.name === 'blockquote'))
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
