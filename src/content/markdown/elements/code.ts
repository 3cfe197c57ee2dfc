import type { Element } from 'domhandler'
import { isElement, isText } from '../../html/tree.ts'
import { isCodeArea } from '../../code-area.ts'
import { codeText, isDiffCode } from '../code-text.ts'
import { codeLanguage } from '../code-language.ts'
import { classesOf, walk } from '../dom.ts'
import type { Handler, Page } from '../page.ts'

/** Writes an element as a fenced code block. */
export function writeCode(element: Element, page: Page): void {
  const isDiff = isDiffCode(element, page.skip)
  const code = codeText(element, page.skip, isDiff)
  const language = codeLanguage(element, page.skip)
  if (isLabel(page, language)) page.run.take()
  page.boundary()
  if (code.trim() === '') return
  if (page.mode === 'block') page.lines.write('code', fenced(code, isDiff ? 'diff' : language))
  else code.split('\n').forEach((line, i) => writeCodeLine(line, i > 0, page))
  page.boundary()
}

/** Whether the line directly before a code block only repeats the language of its fence. */
function isLabel(page: Page, language: string): boolean {
  if (language === '' || page.mode !== 'block' || page.run.segments.length > 3) return false
  return page.run.segments.map(({ text }) => text).join('').trim().toLowerCase() === language
}

function writeCodeLine(line: string, further: boolean, page: Page): void {
  if (further) page.break()
  page.code(line)
}

/** Fences code, with more backticks than any run inside (CommonMark 0.31, 4.5). */
export function fenced(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1))
  return `${fence}${language}\n${code}\n${fence}`
}

function longestRun(text: string): number {
  let longest = 0
  for (const run of text.matchAll(/`+/g)) longest = Math.max(longest, run[0].length)
  return longest
}

/** Handler of code blocks. */
export const codeBlockHandler: Handler = {
  enter(element, page) {
    writeCode(element, page)
    return false
  },
}

const textArea: Handler = {
  enter(element, page) {
    if (isCodeArea(element)) writeCode(element, page)
    return false
  },
}

const inlineCode: Handler = {
  enter(element, page) {
    if (page.mode === 'block' && hasLines(element)) {
      writeCode(element, page)
      return false
    }
    page.code(codeText(element, page.skip))
    return false
  },
}

/** A key, apart from one that is pressed before or with it: only styles draw their edges. */
const key: Handler = {
  enter(element, page) {
    if (element.prev !== null && isElement(element.prev) && element.prev.name === 'kbd') page.text(' ')
    return inlineCode.enter(element, page)
  },
}

/** Whether a `code` element has line breaks of its own: then it is a block whose `pre` is missing. */
function hasLines(element: Element): boolean {
  const preserved = /white-space\s*:\s*(?:pre|break-spaces)/i.test((element.attribs['style'] ?? '').slice(0, 500))
  if (preserved && element.children.some((child) => isText(child) && child.data.trim().includes('\n'))) return true
  let found = false
  let nodes = 0
  walk(element, (node) => {
    found = isElement(node) && (node.name === 'br' || node.name === 'div' || node.name === 'pre')
    return found || ++nodes > 200 ? 'stop' : 'into'
  })
  return found
}

/** Class of the element in which Doxygen shows code. */
const fragment = / fragment /

const lineEditors = / (?:codemirror-code|cm-content|view-lines|ace_text-layer|react-code-lines) /

/** Whether an element other than `pre` holds the lines of a code viewer. */
export function isCodeViewer(element: Element): boolean {
  const classes = classesOf(element)
  if (!fragment.test(classes)) return lineEditors.test(classes)
  const first = element.children.find(isElement)
  return first !== undefined && / line /.test(classesOf(first))
}

/** Handlers of inline code and code blocks. */
export const codeHandlers: Readonly<Record<string, Handler>> = {
  pre: codeBlockHandler,
  listing: codeBlockHandler,
  xmp: codeBlockHandler,
  plaintext: codeBlockHandler,
  textarea: textArea,
  code: inlineCode,
  samp: inlineCode,
  kbd: key,
  tt: inlineCode,
}
