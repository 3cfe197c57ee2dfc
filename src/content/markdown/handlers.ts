import type { AnyNode, Element } from 'domhandler'
import { blockHandlers, boldBlock, headingHandler, quoteHandler } from './elements/blocks.ts'
import { codeBlockHandler, codeHandlers, isCodeViewer } from './elements/code.ts'
import { codeLineHandler, isCodeLine } from './elements/code-lines.ts'
import { drawingHandlers } from './elements/drawings.ts'
import { imageHandlers } from './elements/images.ts'
import { linkHandler, linkHandlers } from './elements/links.ts'
import { listHandlers } from './elements/lists.ts'
import { formulaHandler, isFormula, mathHandlers } from './elements/math.ts'
import { mediaHandlers } from './elements/media.ts'
import { noteKindHandler, saysKindOfNote } from './elements/note-kind.ts'
import { noteHandler, splitHandler } from './elements/notes.ts'
import { quotedRole } from './elements/quoted.ts'
import { boxRole, tableHandlers, tableRole } from './elements/tables.ts'
import { apartHandler, asideHandler, textHandlers } from './elements/text.ts'
import { headingTags } from '../html/tag-sets.ts'
import { noAttributes, isElement, isText } from '../html/tree.ts'
import { isTitleElement } from '../title-elements.ts'
import { codeLanguage } from './code-language.ts'
import { classesOf, textOf } from './dom.ts'
import { countsLines } from './line-numbers.ts'
import type { Handler, Page } from './page.ts'
import { isTabList } from './tabs.ts'

/**
 * Every element with a rule of its own; the children of all others are written in place. Later families override earlier
 * ones.
 */
const families = [textHandlers, blockHandlers, listHandlers, linkHandlers, imageHandlers, drawingHandlers, mediaHandlers, codeHandlers, tableHandlers, mathHandlers]
const handlers: ReadonlyMap<string, Handler> = new Map(families.flatMap((family) => Object.entries(family)))

const telling = /katex|math|mjx|code|cm-|view-lines|ace_|editsection|line-?n|sr-only|hidden|screen-?reader|tabs|tabbed|admonition|alert-title|callout-title|block-title|aside__title|fragment|(?:^|\s)(?:pre|diff|ctx|add|rem|del|hunk|head)(?:\s|$)|hideme|signature-a|language-name|ltx_(?:note|tag|bib)|quote|onebox|show-more|badge-|twitter-|-embed|-media|threads-post|reddit-card|sitebit|(?:^|\s)(?:title|source|meta|icon)(?:\s|$)/i

/** The handler of an element; undefined when only its children count. */
export function handlerOf(element: Element, page: Page): Handler | undefined {
  const { definitions, splits } = page.notes
  // Looking for an element in a set costs something even when the set is empty.
  if (definitions.size > 0 && definitions.has(element)) return noteHandler
  if (splits.size > 0 && splits.has(element)) return splitHandler
  // The list that it goes on is still open, and ends with it.
  if (page.joined.size > 0 && page.joined.has(element)) return handlers.get(element.name)
  // Half of all elements have no attributes.
  const told = element.attribs === noAttributes ? undefined : toldByAttributes(element, page)
  return told ?? boxRole(element, page) ?? handlers.get(element.name) ?? (element.name.includes('-') ? apartHandler : undefined)
}

function toldByAttributes(element: Element, page: Page): Handler | undefined {
  const { attribs } = element
  if (attribs['aria-hidden'] === 'true' && isEcho(element, page.skip)) return nothing
  const className = attribs['class']
  const tells = attribs['role'] === 'tablist' || attribs['role'] === 'heading' || (className !== undefined && telling.test(className)) || 'data-math' in attribs || 'data-tex' in attribs || 'data-latex' in attribs || 'data-formula' in attribs
  return (tells ? toldBy(element, page) : undefined) ?? tableRole(attribs['role'], element.name)
}

/** Omits edit links of wiki headings, line numbers beside code, and tab names that are repeated on their panels. */
const nothing: Handler = { enter: () => false }
const lineNumbers = /(?:^|[\s_-])line-?(?:numbers?|nos?)(?:[\s_-]|$)/i
/** Titles of admonitions: Sphinx and MkDocs, Docusaurus, GitHub, Obsidian, VitePress, Starlight. */
const noteTitle = /(?:^|\s)(?:admonition-title|admonitionHeading(?:_\w+)?|markdown-alert-title|callout-title|custom-block-title(?:-default)?|starlight-aside__title)(?:\s|$)/
/** Whether it is the title of a note in Confluence. */
const isOfMacro = (element: Element): boolean => / title /.test(classesOf(element)) && element.parent !== null && isElement(element.parent) && / confluence-information-macro /.test(classesOf(element.parent))
const spoken = /(?:^|\s)(?:sr-only|visually-?hidden|screen-?reader(?:-text)?)(?:\s|$)/i

/** Elements that become headings by their role: others say more than their text. */
const plainNames: ReadonlySet<string> = new Set(['div', 'p', 'span', 'section', 'header', 'hgroup', 'b', 'strong', 'i', 'em', 'font', 'center', 'label', 'legend', 'button', 'dt'])
/** The level of headings that say none, as browsers have it. */
const unsaidLevel = 2

/** The handler of an element that its role calls a heading; of a link, which stays one. */
function headingRole({ name, attribs }: Element): Handler | undefined {
  const heading = headingHandler(Number(attribs['aria-level'] ?? unsaidLevel))
  return name === 'a' ? around(heading, linkHandler) : plainNames.has(name) || name.includes('-') ? heading : undefined
}

/** Writes an element by one handler within another. */
const around = (outer: Handler, inner: Handler): Handler => ({
  enter(element, page) {
    outer.enter(element, page)
    const goesOn = inner.enter(element, page)
    if (!goesOn) outer.leave?.(element, page)
    return goesOn
  },
  leave(element, page) {
    inner.leave?.(element, page)
    outer.leave?.(element, page)
  },
})

/** The handler that the class, role or data attributes of an element call for, whatever its name. */
function toldBy(element: Element, page: Page): Handler | undefined {
  if (element.name === 'code' || element.name === 'pre') return undefined
  if (/(?:^|\s)mw-editsection(?:\s|$)/.test(element.attribs['class'] ?? '')) return nothing
  if (lineNumbers.test(element.attribs['class'] ?? '') && countsLines(element)) return nothing
  // JSDoc's mark of a parameter that may be left out stands right behind its name.
  if (/(?:^|\s)signature-attributes(?:\s|$)/.test(element.attribs['class'] ?? '')) return asideHandler
  const ofLatex = latexRole(element)
  if (ofLatex !== undefined) return ofLatex
  if (isTitleElement(element)) return headingHandler(1)
  if (element.attribs['role'] === 'heading' && page.mode !== 'heading') return headingRole(element)
  // The name of the site behind the title.
  if (page.mode === 'heading' && / sitebit /.test(classesOf(element))) return nothing
  const ofQuote = quotedRole(element, { quote: quoteHandler, title: boldBlock })
  if (ofQuote !== undefined) return ofQuote
  if (isHiddenSummary(element) || isLanguageLabel(element)) return nothing
  if (isTabList(element) && page.nameTabs(element)) return nothing
  if ((noteTitle.test(element.attribs['class'] ?? '') || isOfMacro(element)) && !headingTags.has(element.name)) return boldBlock
  if (saysKindOfNote(element)) return noteKindHandler
  if (isFormula(element)) return formulaHandler
  if (element.name === 'span' && spoken.test(element.attribs['class'] ?? '')) return isCodeNoise(element) ? nothing : apartHandler
  if (page.mode === 'block' && isCodeLine(element)) return codeLineHandler
  return isCodeViewer(element) ? codeBlockHandler : undefined
}

/** Whether it tells screen readers only, above a code block, what kind of window that is drawn as: "Terminal window". */
function isCodeNoise({ parent }: Element): boolean {
  const beside = parent !== null && isElement(parent) && parent.name === 'figcaption' ? parent.next : null
  return beside !== null && isElement(beside) && beside.name === 'pre'
}

/** Longest text that a page writes twice, once for screen readers and once to be seen. */
const mostEchoed = 60

/**
 * Whether an element hidden from screen readers repeats the one before it, as prices do that are drawn in parts, or what
 * that one says for screen readers only: `15<span class=sr-only> minutes</span>`.
 */
function isEcho(element: Element, skip: ReadonlySet<AnyNode>): boolean {
  const beside = element.prev
  const prev = beside !== null && isText(beside) && beside.data.trim() === '' ? beside.prev : beside
  if (prev === null || !isElement(prev)) return false
  const { lastChild } = prev
  const heard = lastChild !== null && isElement(lastChild) && spoken.test(lastChild.attribs['class'] ?? '') ? lastChild : undefined
  const echoed = heard ?? (prev === beside ? prev : undefined)
  if (echoed === undefined) return false
  const said = echoable(echoed, skip)
  return said !== '' && said.length <= mostEchoed && said === echoable(element, skip)
}

const echoable = (element: Element, skip: ReadonlySet<AnyNode>): string => textOf(element, skip, mostEchoed).replaceAll(' ', '')

/** Whether it is the summary that rustdoc shows only while the text below it is folded. */
const isHiddenSummary = ({ name, attribs }: Element): boolean => name === 'summary' && /(?:^|\s)hideme(?:\s|$)/.test(attribs['class'] ?? '')

/** Whether an element only names the language of the code block after it (MDN). */
function isLanguageLabel({ attribs, parent }: Element): boolean {
  if (!/(?:^|\s)language-name(?:\s|$)/.test(attribs['class'] ?? '')) return false
  let next = parent?.next ?? null
  while (next !== null && !isElement(next)) next = next.next
  return next !== null && next.name === 'pre' && codeLanguage(next, new Set()) !== ''
}

/**
 * The handler of LaTeXML's parts of footnotes and lists. A footnote is written in its place, in parentheses; its marks are
 * omitted. Bullets and numbers are omitted, because the list writes its own.
 */
function latexRole(element: Element): Handler | undefined {
  const classes = element.attribs['class'] ?? ''
  if (/(?:^|\s)ltx_note_content(?:\s|$)/.test(classes)) return asideHandler
  if (/(?:^|\s)ltx_bibblock(?:\s|$)/.test(classes)) return apartHandler
  if (/(?:^|\s)ltx_(?:note_mark|tag_note)(?:\s|$)/.test(classes)) return nothing
  return /(?:^|\s)ltx_tag_item(?:\s|$)/.test(classes) && /^(?:[-•–∗⋆·◦▪]|\d{1,3}\.)$/.test(textOf(element, new Set(), 20)) ? nothing : undefined
}
