import type { AnyNode, Element } from 'domhandler'
import { isElement } from '../../html/tree.ts'
import { blockTags } from '../../html/tag-sets.ts'
import { codeRowNumber, hasNumberColumn, isFileName } from '../code-text.ts'
import { mayBeTable } from '../div-table.ts'
import { classesOf, textOf, walk } from '../dom.ts'
import { countsLines } from '../line-numbers.ts'
import type { Handler, Page } from '../page.ts'
import { writeTable } from '../table-grid.ts'
import { isCellRole, isTableRole, planTable } from '../table-plan.ts'
import { verseHandler } from './blocks.ts'
import { writeCode } from './code.ts'
import { iconIn } from './drawings.ts'

const codeTable = / (?:highlighttable|codehilitetable|rouge-table|lntable|hljs-ln|js-file-line-container|blob-code-table|codetable|syntaxhighlighter) /
const gutterCell = / (?:gutter|linenos?|lineno|rouge-gutter|blob-num|hljs-ln-numbers|lines-num|lntd) /
const lineNumber = / line-numbers? /

const table: Handler = {
  enter(element, page) {
    if (isCodeTable(element, page.skip)) {
      writeFileName(element, page)
      writeCode(element, page)
      return false
    }
    page.boundary()
    if (page.mode !== 'block') return true
    const plan = planTable(element, page.skip)
    if (plan) page.tables.push(plan)
    return true
  },
  leave(element, page) {
    page.boundary()
    const plan = page.tables.at(-1)
    if (page.mode !== 'block' || plan?.table !== element) return
    page.tables.pop()
    const text = writeTable(plan)
    if (text !== '') page.lines.write('table', text)
  },
}

function writeFileName(table: Element, page: Page): void {
  let nodes = 0
  walk(table, (node) => {
    if (page.skip.has(node) || ++nodes > 20) return page.skip.has(node) ? 'over' : 'stop'
    if (!isElement(node) || !isFileName(node)) return 'into'
    page.boundary()
    page.text(textOf(node, page.skip, 200))
    page.boundary()
    return 'stop'
  })
}

/** Whether the rows of a table are lines of code, with or without a column of line numbers. */
function isCodeTable(element: Element, skip: ReadonlySet<AnyNode>): boolean {
  if (codeTable.test(classesOf(element))) return true
  let found = false
  let nodes = 0
  let number: number | undefined
  walk(element, (node) => {
    if (skip.has(node) || (isElement(node) && node.name === 'thead')) return 'over'
    if (isElement(node) && node.name === 'tr') {
      const before = number
      number = codeRowNumber(node)
      found = before === undefined ? number === undefined && hasNumberColumn(node) : number === before + 1
      if (found) return 'stop'
    }
    if (isElement(node) && (node.name === 'td' || node.name === 'th')) {
      const classes = classesOf(node)
      found = gutterCell.test(classes) || (lineNumber.test(classes) && countsLines(node))
      return found || number === undefined ? 'stop' : 'over'
    }
    return ++nodes > 20 ? 'stop' : 'into'
  })
  return found
}

/** The sign of a changed line that a style sheet draws into an empty cell: MediaWiki. */
const drawnIn = ({ attribs }: Element): string => (/^[+−-]$/.test(attribs['data-marker'] ?? '') ? (attribs['data-marker'] ?? '') : '')

const cell: Handler = {
  enter(element, page) {
    const plan = page.tables.at(-1)
    if (page.mode === 'block' && plan?.cells.has(element)) {
      page.boundary()
      page.mode = 'cell'
    } else if (isInlineCell(element)) {
      page.text(' ')
    } else {
      page.boundary()
    }
    return true
  },
  leave(element, page) {
    const plan = page.tables.at(-1)
    if (page.mode === 'cell' && plan?.cells.has(element)) {
      page.mode = 'block'
      plan.texts.set(element, page.takeLine('cell') || iconIn(element, page.skip) || drawnIn(element))
    } else if (isInlineCell(element)) {
      page.text(' ')
    } else {
      page.boundary()
    }
  },
}

/** Nodes of a cell among which a line break is looked for. */
const mostNodes = 50

/** Whether a cell of a layout table is part of a line: it holds no block, and no lines of its own. */
function isInlineCell(element: Element): boolean {
  if (element.children.some((child) => isElement(child) && blockTags.has(child.name))) return false
  let lines = false
  let nodes = 0
  walk(element, (node) => {
    lines = isElement(node) && node.name === 'br'
    return lines || ++nodes > mostNodes ? 'stop' : 'into'
  })
  return !lines
}

/** The handler of an element that is a table or a cell by its ARIA role alone. */
export function tableRole(role: string | undefined, name: string): Handler | undefined {
  if (role === undefined || name === 'table' || name === 'td' || name === 'th') return undefined
  return isTableRole(role) ? table : isCellRole(role) ? cell : undefined
}

/** The handler of a box that its place, or the style of its parts, makes a table, a cell or a line of verse. */
export function boxRole(element: Element, page: Page): Handler | undefined {
  if (page.tables.at(-1)?.cells.has(element) === true) return cell
  if (element.name !== 'div') return undefined
  const { lastChild } = element
  return mayBeTable(element) ? table : lastChild !== null && isElement(lastChild) && lastChild.name === 'br' ? verseHandler : undefined
}

/** Handlers of tables and cells; rows and sections are plain blocks. */
export const tableHandlers: Readonly<Record<string, Handler>> = { table, td: cell, th: cell }
