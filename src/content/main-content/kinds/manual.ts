import { around } from '../../html/find.ts'
import { attribute, type ChildNode, classOf, type Element, isElement, walkElements } from '../../html/tree.ts'

/** What generators call a part of a manual that is all content: mandoc, Asciidoctor, DocBook, makeinfo, Apache httpd, PyData. */
const part = /(?:^|\s)(?:manual-text|sectionbody|refentry|refsect[1-3]|refnamediv|sect[1-5]|(?:chapter|section|subsection|appendix|unnumbered)-level-extent|directive-section|bd-article)(?:\s|$)/
/** The same where the name alone could be anyone's: DocBook and older versions of makeinfo, whose parts begin with titles, or with links that have keys; Scribble, whose pages begin with a bar. */
const likePart = /(?:^|\s)(?:chapter|section|subsection|appendix|preface|article|book|main)(?:\s|$)/
/** Sphinx calls the text of a page the main part of it. */
const ofSphinx = /(?:^|\s)(?:body|document)(?:\s|$)/
const holders: ReadonlySet<string> = new Set(['div', 'section', 'article'])

/** Whether an element has a name that pages of manuals have, and parts of them. */
export function mayBeManual(element: Element): boolean {
  if (!holders.has(element.name)) return false
  const names = classOf(element)
  return part.test(names) || ofSphinx.test(names) || likePart.test(names)
}

/** Whether an element holds a page of a manual, or a part of one, all of which is content. */
export function isManual(element: Element): boolean {
  if (!mayBeManual(element)) return false
  const names = classOf(element)
  if (part.test(names)) return true
  if (ofSphinx.test(names)) return attribute(element, 'role') === 'main'
  const first = likePart.test(names) ? element.children.find(isElement) : undefined
  const opening = first && attribute(first, 'class')
  return first !== undefined && (opening === 'titlepage' || opening === 'navsettop' || (opening === 'header' && first.children.some(hasKeys)))
}

const hasKeys = (line: ChildNode): boolean => isElement(line) && line.children.some((link) => isElement(link) && attribute(link, 'accesskey') !== undefined)

/** Whether an element is a table of two versions of a text, with who wrote each and when (MediaWiki). */
export function isOfVersions(element: Element): boolean {
  return element.name === 'table' && /(?:^|\s)diff(?:\s|$)/.test(classOf(element))
}

/** How a table of contents is called by DocBook and makeinfo, in a manual that has one page for each section. */
const contents = /(?:^|\s)(?:toc|(?:section|chapter|unnumbered|appendix)-toc)(?:\s|$)/

/** Whether an element is the contents of a manual, some of which lead to other pages: they say what the page is the start of. */
export function isContents(element: Element, address: string): boolean {
  if (!contents.test(classOf(element)) || !isWithinManual(element)) return false
  const own = address.replace(/[?#].*$/s, '')
  let elsewhere = false
  walkElements(element, (inner) => {
    const page = inner.name === 'a' ? (attribute(inner, 'href') ?? '').replace(/#.*$/s, '') : ''
    elsewhere ||= page !== '' && page !== own && !own.endsWith(`/${page}`)
    return elsewhere ? false : undefined
  })
  return elsewhere
}

/** Most elements around the contents that are asked. */
const mostAround = 6

const isWithinManual = (element: Element): boolean => around(element, isManual, mostAround) !== undefined
