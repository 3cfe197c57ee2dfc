import { afterBlankLines } from '../../lib/after-blank-lines.ts'
import { type AnyNode, type ChildNode, type Element, hasChildren } from 'domhandler'
import { isElement, isText } from '../html/tree.ts'
import { isDiff, signOf } from './code-diff.ts'
import { classesOf, textOf, walk } from './dom.ts'
import { countsUp } from './line-numbers.ts'

/** Elements that put their content on a line of its own within a code block. */
const lineElements = new Set(['div', 'p', 'li', 'tr', 'pre', 'section', 'dd'])
const tableParts = new Set(['table', 'tbody', 'thead', 'tr', 'ol', 'ul'])
const notCode = new Set(['button', 'script', 'style', 'svg', 'template', 'select', 'input', 'textarea', 'noscript', 'img'])
const lineClass = / (?:line|(?:[\w-]+-)?code-line|view-line|cm-line|token-line|codemirror-line|highlight-line|ec-line|cl) /
const gutterClass =
  / (?:(?:[\w-]*-)?gutters?|gutter-wrapper|codemirror-gutter-wrapper|lineno|linenos|lineno-?s?|line-?numbers?(?:-rows)?|lines-num|linenumber|linenr|react-syntax-highlighter-line-number|codemirror-linenumber|hljs-ln-numbers|hljs-ln-n|blob-num|rouge-gutter|lntd? lnt|lnt|ln|lnlinks|code-line-number|crayon-nums?|copy|copy-btn|copy-button|copybtn|copy-code(?:-button)?|btn-clipboard|clipboard|code-toolbar__copy|toolbar|sr-only|visually-hidden) /
/** The definition of a name that Doxygen shows above it. */
const definition = / ttc /
const chrome = / (?:copy|copy-btn|copy-button|copybtn|copy-code(?:-button)?|btn-clipboard|clipboard|toolbar|sr-only|visually-hidden) /

/** Whether a code block shows what changes between two versions. */
export const isDiffCode = (block: Element, skip: ReadonlySet<AnyNode>): boolean => isDiff(block, skip, isNamedLine)

/**
 * The visible text of a code block, with line breaks from `br` and from line elements, and without line numbers and copy
 * buttons. With `signed`, each line begins with the sign of its change. Linear; no recursion.
 */
export function codeText(block: Element, skip: ReadonlySet<AnyNode>, signed = false): string {
  const text = new CodeText()
  const root = codeRoot(block, skip)
  const levels: { readonly node: Element; readonly nodes: readonly ChildNode[]; next: number }[] = [{ node: root, nodes: root.children, next: 0 }]
  for (let level = levels[0]; level; level = levels.at(-1)) {
    const node = level.nodes[level.next++]
    if (!node) {
      if (levels.length > 1 && isLine(level.node)) text.endLine()
      levels.pop()
    } else if (skip.has(node)) {
      continue
    } else if (isText(node)) {
      if (!tableParts.has(level.node.name) || node.data.trim() !== '') text.add(node.data)
    } else if (isElement(node)) {
      if (node.name === 'br') text.add('\n')
      if (node.name === 'hr') text.startLine()
      if (notCode.has(node.name) || isGutter(node) || isFileName(node)) continue
      if (isLine(node)) text.startLine()
      // A line may be written as a line in a line: the outer one is marked.
      if (signed && isNamedLine(node) && !levels.slice(Math.max(1, levels.length - 3)).some((outer) => isNamedLine(outer.node))) text.sign = signOf(node)
      // The sign of a diff line is in an attribute, from which the style sheet draws it.
      text.add(/^[ +-]$/.test(node.attribs['data-code-marker'] ?? '') ? (node.attribs['data-code-marker'] ?? '') : '')
      if (hasChildren(node)) levels.push({ node, nodes: node.children, next: 0 })
    }
  }
  return text.toString()
}

/** The only `code` element of a block that has at most a caption beside it, which is an element; otherwise the block. */
function codeRoot(block: Element, skip: ReadonlySet<AnyNode>): Element {
  const roots: Element[] = []
  let outside = ''
  walk(block, (node) => {
    if (skip.has(node) || (isElement(node) && notCode.has(node.name))) return 'over'
    if (isText(node)) outside += node.data
    if (!isElement(node) || (node.name !== 'code' && !/ cm-content /.test(classesOf(node)))) return outside.length < 200 ? 'into' : 'stop'
    roots.push(node)
    return roots.length < 2 ? 'over' : 'stop'
  })
  const [only] = roots
  return only && roots.length === 1 && !outside.trim().includes('\n') && outside.trim().length <= 40 && !isInLine(only, block) ? only : block
}

/** Whether text stands beside an element of a block: then it is a word of the code, as in `CLOSE <code>name</code>`. */
function isInLine(element: Element, block: Element): boolean {
  for (let at = element; at !== block && at.parent !== null && isElement(at.parent); at = at.parent) {
    if (at.parent.children.some((child) => isText(child) && child.data.trim() !== '')) return true
  }
  return false
}

class CodeText {
  readonly #parts: string[] = []
  /** The last character written, and the number of parts at the start of the current line. */
  #last = ''
  #from = 0
  /** True after a line element whose text did not end in a line break. */
  #lineEnded = false
  /** Written before what comes next. */
  sign = ''

  add(data: string): void {
    if (data === '') return
    // Text after a line element starts a new line; white space between two line elements does not.
    if (this.#lineEnded && !data.startsWith('\n') && data.trim() !== '') this.#parts.push('\n')
    if (this.#lineEnded && (data.startsWith('\n') || data.trim() !== '')) this.#lineEnded = false
    this.#parts.push(this.sign + data)
    this.sign = ''
    this.#last = data.charAt(data.length - 1)
  }

  startLine(): void {
    if (this.#lineEnded || (this.#last !== '' && this.#last !== '\n')) this.add('\n')
    this.#lineEnded = false
    this.#from = this.#parts.length
  }

  endLine(): void {
    this.#lineEnded = this.#parts.length === this.#from || this.#last !== '\n'
  }

  toString(): string {
    const text = this.#parts
      .join('')
      .replace(/\r\n?/g, '\n')
      .replace(/\u00a0/g, ' ')
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u200b\ufeff]/g, '')
      .trimEnd()
    return afterBlankLines(text)
  }
}

function isLine(element: Element): boolean {
  if (lineElements.has(element.name)) return true
  return (element.name === 'span' || element.name === 'code') && isNamedLine(element)
}

const isNamedLine = (element: Element): boolean => 'data-line' in element.attribs || lineClass.test(classesOf(element))

/** Whether an element is the file name at the head of a code table. */
export const isFileName = (element: Element): boolean => element.name === 'th' && / filename /.test(classesOf(element))

/**
 * Whether an element is a line number or a button of a code viewer. Ambiguous classes count only when the text is all
 * numbers.
 */
function isGutter(element: Element): boolean {
  if (element.name === 'code' || element.name === 'pre') return isNumberColumn(element)
  const { parent } = element
  if (element.name === 'td' && parent !== null && isElement(parent) && parent.children.find(isElement) === element && (codeRowNumber(parent) !== undefined || hasNumberColumn(parent))) return true
  const classes = classesOf(element)
  const unselectable = /user-select\s*:\s*none/i.test((element.attribs['style'] ?? '').slice(0, 500))
  if (definition.test(classes)) return true
  if (!unselectable && (classes === '' || !gutterClass.test(classes))) return false
  if (chrome.test(classes)) return element.children.length < 4
  return /^[\d\s.:|+-]*$/.test(textOf(element, new Set(), 400))
}

/** Digits of a line number, and nodes of a row that has one. */
const mostDigits = 7
const mostInRow = 8

/**
 * The number of a line of code, of a row whose two cells are a number and a `pre`; undefined for all other rows. Cells that
 * only hold `code` may be a table of constants.
 */
export function codeRowNumber(row: Element): number | undefined {
  const [number, code] = cellsOf(row)
  if (number === undefined || code === undefined || !isPre(code)) return undefined
  const said = textOf(number, new Set(), mostDigits + 1).trim()
  return /^\d+$/.test(said) && said.length <= mostDigits ? Number(said) : undefined
}

/** Characters of a column of numbers that are looked at. */
const mostOfColumn = 40

/** Whether the two cells of a row are each a `pre`, the first of which counts the lines of the second (Hugo). */
export function hasNumberColumn(row: Element): boolean {
  const [numbers, code] = cellsOf(row)
  if (numbers === undefined || code === undefined || !isPre(numbers) || !isPre(code)) return false
  const said = textOf(numbers, new Set(), mostOfColumn)
  return said === '1' || (said.includes(' ') && countsUp(said))
}

/** The cells of a row of two, none of which heads others. */
function cellsOf(row: Element): readonly Element[] {
  if (row.name !== 'tr' || row.children.length > mostInRow) return []
  const cells = row.children.filter(isElement)
  return cells.length === 2 && cells[0]?.name === 'td' && cells[1]?.name === 'td' ? cells : []
}

/** Whether all that a cell holds is a `pre`. */
function isPre(cell: Element): boolean {
  let held = 0
  for (const child of cell.children) {
    if (isElement(child) ? child.name !== 'pre' : !isText(child) || child.data.trim() !== '') return false
    if (isElement(child)) held++
  }
  return held === 1
}

function isNumberColumn(element: Element): boolean {
  const classes = classesOf(element)
  return / (?:lineno|linenos|gutter) /.test(classes) && /^[\d\s]*$/.test(textOf(element, new Set(), 400))
}
