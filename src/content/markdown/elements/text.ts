import { type Element, isTag, isText } from 'domhandler'
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

/** Raised or lowered text keeps its element: GitHub-flavoured markdown has no sign for it. */
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

/** Text between two signs. */
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

/** Inline elements. */
export const textHandlers: Readonly<Record<string, Handler>> = {
  b: marked(strong),
  strong: marked(strong),
  i: marked(emphasis),
  em: marked(emphasis),
  cite: marked(emphasis),
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
