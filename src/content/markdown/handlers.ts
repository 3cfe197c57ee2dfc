import type { Element } from 'domhandler'
import { blockHandlers, boldBlock } from './elements/blocks.ts'
import { codeBlockHandler, codeHandlers, isCodeViewer } from './elements/code.ts'
import { drawingHandlers } from './elements/drawings.ts'
import { imageHandlers } from './elements/images.ts'
import { linkHandlers } from './elements/links.ts'
import { listHandlers } from './elements/lists.ts'
import { formulaHandler, isFormula, mathHandlers } from './elements/math.ts'
import { mediaHandlers } from './elements/media.ts'
import { noteHandler, splitHandler } from './elements/notes.ts'
import { tableHandlers, tableRole } from './elements/tables.ts'
import { apartHandler, textHandlers } from './elements/text.ts'
import { headingTags } from '../tag-sets.ts'
import { textOf } from './dom.ts'
import type { Handler, Page } from './page.ts'
import { isTabList } from './tabs.ts'

/**
 * Every element with a rule of its own; the children of all others are written in place. Later families override earlier
 * ones.
 */
const families = [textHandlers, blockHandlers, listHandlers, linkHandlers, imageHandlers, drawingHandlers, mediaHandlers, codeHandlers, tableHandlers, mathHandlers]
const handlers: ReadonlyMap<string, Handler> = new Map(families.flatMap((family) => Object.entries(family)))

const telling = /katex|math|mjx|code|cm-|view-lines|ace_|editsection|line-?n|sr-only|hidden|screen-?reader|tabs|tabbed|admonition|alert-title|callout-title/i

/** The handler of an element; undefined when only its children count. */
export function handlerOf(element: Element, page: Page): Handler | undefined {
  if (page.notes.definitions.has(element)) return noteHandler
  if (page.notes.splits.has(element)) return splitHandler
  const { attribs } = element
  const className = attribs['class']
  const tells = attribs['role'] === 'tablist' || (className !== undefined && telling.test(className)) || 'data-math' in attribs || 'data-tex' in attribs || 'data-latex' in attribs || 'data-formula' in attribs
  return (tells ? toldBy(element, page) : undefined) ?? tableRole(attribs['role'], element.name) ?? handlers.get(element.name) ?? (element.name.includes('-') ? apartHandler : undefined)
}

/** Omits edit links of wiki headings, line numbers beside code, and tab names that are repeated on their panels. */
const nothing: Handler = { enter: () => false }
const lineNumbers = /(?:^|[\s_-])line-?(?:numbers?|nos?)(?:[\s_-]|$)/i
/** Titles of admonitions: Sphinx and MkDocs, Docusaurus, GitHub, Obsidian. */
const noteTitle = /(?:^|\s)(?:admonition-title|admonitionHeading(?:_\w+)?|markdown-alert-title|callout-title)(?:\s|$)/
const spoken = /(?:^|\s)(?:sr-only|visually-?hidden|screen-?reader(?:-text)?)(?:\s|$)/i

/** The handler that the class, role or data attributes of an element call for, whatever its name. */
function toldBy(element: Element, page: Page): Handler | undefined {
  if (element.name === 'code' || element.name === 'pre') return undefined
  if (/(?:^|\s)mw-editsection(?:\s|$)/.test(element.attribs['class'] ?? '')) return nothing
  if (lineNumbers.test(element.attribs['class'] ?? '') && /^[\d\s]*$/.test(textOf(element, new Set(), 400))) return nothing
  if (isTabList(element) && page.nameTabs(element)) return nothing
  if (noteTitle.test(element.attribs['class'] ?? '') && !headingTags.has(element.name)) return boldBlock
  if (isFormula(element)) return formulaHandler
  if (element.name === 'span' && spoken.test(element.attribs['class'] ?? '')) return apartHandler
  return isCodeViewer(element) ? codeBlockHandler : undefined
}
