import type { Page } from '../clean/step.ts'
import { attribute } from '../html/tree.ts'
import { isForum } from './kinds/forum.ts'
import { isLinkPage } from './kinds/link-page.ts'
import { nameKind, nameKindsOf } from './names.ts'
import { isNavigation } from './furniture/navigation.ts'
import { type Outline, outline } from './outline.ts'

/** What is known about the whole page while its elements are judged. */
export interface Setting {
  readonly page: Page
  readonly outline: Outline
  /** The `NameKind` of each element of the outline. */
  readonly kinds: Uint8Array
  /** Letters on the page outside links. */
  readonly total: number
  /** Letters on the page. */
  readonly all: number
  /** Whether the page, without a menu that says more than all the rest of it, has too few letters for the trees. */
  readonly short: boolean
  readonly forum: boolean
  /** The first `h1`, as an index into the outline; -1 for none. */
  readonly title: number
  /**
   * On a short page, the range of the outline that its `main` element covers; `end` is exclusive. Undefined on longer
   * pages, where shares of the text are the better sign.
   */
  readonly main: readonly [from: number, end: number] | undefined
  /** Whether that `main` element has a heading of the first rank. */
  readonly isHeaded: boolean
  /** Whether this is a short page that says hardly anything but in links. */
  readonly linkPage: boolean
}

/** A `main` element with fewer letters was probably left empty. */
export const leastMain = 20

/** What the rules look at; computed before anything is marked. */
export function settingOf(page: Page): Setting {
  const o = outline(page.document, page.removed)
  let all = 0
  let linked = 0
  let prose = 0
  for (let i = 0; i < o.elements.length; i = o.end[i] ?? i + 1) {
    all += o.text[i] ?? 0
    linked += o.linkText[i] ?? 0
    prose += o.proseText[i] ?? 0
  }
  const kinds = nameKindsOf(o.elements)
  const total = all - linked
  const forum = isForum(page.document, page.url) || total - contributed(o, kinds) < Math.min(fewOwnLetters, total * 0.3)
  const title = o.elements.findIndex(({ name }) => name === 'h1')
  const short = all - lettersOfMenu(o, { kinds, title, all }) < tooShort && !holdsThread(o)
  const main = short ? mainOf(o) : undefined
  let isHeaded = false
  const [from, end] = main ?? [0, 0]
  for (let i = from; i < end && !isHeaded; i++) isHeaded = o.elements[i]?.name === 'h1'
  return { page, outline: o, kinds, total, all, short, forum, title, main, isHeaded, linkPage: short && isLinkPage({ all, linked, prose }) }
}

/** The letters of the menu that says more than all the rest of the page: 0 where there is none. */
function lettersOfMenu(o: Outline, { kinds, ...rest }: Pick<Setting, 'kinds' | 'title' | 'all'>): number {
  for (let i = 0; i < kinds.length; i++) {
    const text = o.text[i] ?? 0
    if (kinds[i] === nameKind.furniture && text * 2 > rest.all && isNavigation({ outline: o, ...rest }, i)) return text
  }
  return 0
}

/** A page with fewer letters is judged by rules only: they keep it whole more often than the trees. */
const tooShort = 1_000

/** Whether a page is a discussion in the rows of a table, whoever runs it (Hacker News): the trees tell who wrote what in it. */
function holdsThread({ elements }: Outline): boolean {
  return elements.some((element) => element.name === 'tr' && /(?:^|\s)comtr(?:\s|$)/.test(attribute(element, 'class') ?? ''))
}

/** What a page without a `main` element calls its content: skip links lead there. */
const contentId = /^(?:main-?)?content$/i

/** The range of the outline that the `main` element covers, or the one element that is called the content. */
function mainOf(o: Outline): readonly [number, number] | undefined {
  const main = o.elements.findIndex((element) => element.name === 'main' || attribute(element, 'role') === 'main')
  const at = main >= 0 ? main : o.elements.findIndex((element) => contentId.test(attribute(element, 'id') ?? ''))
  return at >= 0 && (o.text[at] ?? 0) >= leastMain ? [at, o.end[at] ?? at + 1] : undefined
}

/** When fewer letters than this are outside readers' comments, the comments are the content. */
const fewOwnLetters = 1000

/** Letters outside links in readers' comments. */
function contributed(o: Outline, kinds: Uint8Array): number {
  let letters = 0
  for (let i = 0; i < o.elements.length; i++) {
    const element = o.elements[i]
    if (!element || element.name === 'body' || element.name === 'html' || kinds[i] !== nameKind.comments) continue
    letters += (o.text[i] ?? 0) - (o.linkText[i] ?? 0)
    i = (o.end[i] ?? i + 1) - 1
  }
  return letters
}
