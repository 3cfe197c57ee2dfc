import type { Element } from 'domhandler'
import { isElement, isText } from '../../html/tree.ts'
import { codeText } from '../code-text.ts'
import { classesOf, textOf } from '../dom.ts'
import type { Handler, Page } from '../page.ts'
import { fenced } from './code.ts'

/** A line of code in a box of its own, which a style sheet sets as `pre` would. */
const preLine = / pre /
/** Parts of a patch, each in a box of its own: those of gitweb and cgit. */
const patchPart = / (?:diff|ctx|add|rem|del|hunk|head) /
const patchHead = / (?:chunk_header|hunk) /
/** Lines of a patch that are looked at for its first head. */
const mostBefore = 40

/** What the boxes within an element are, if all of them are lines of code. */
type Kind = 'diff' | ''

/** Of each element that was asked about; a line asks for all lines beside it. */
const known = new WeakMap<Element, Kind | null>()

function kindOf(element: Element): Kind | null {
  const found = known.get(element)
  if (found !== undefined) return found
  const kind = kindOfLines(element)
  known.set(element, kind)
  return kind
}

function kindOfLines(element: Element): Kind | null {
  const lines: Element[] = []
  for (const child of element.children) {
    if (isText(child) ? child.data.trim() !== '' : isElement(child) && child.name !== 'div') return null
    if (isElement(child)) lines.push(child)
  }
  if (lines.length < 2) return null
  if (lines.every((line) => preLine.test(classesOf(line)))) return ''
  const isPatch = lines.every((line) => patchPart.test(classesOf(line))) && lines.slice(0, mostBefore).some((line) => patchHead.test(classesOf(line)) && textOf(line, new Set(), 3).startsWith('@@'))
  return isPatch ? 'diff' : null
}

/** Whether an element is one of several boxes that each hold a line of code. */
export function isCodeLine(element: Element): boolean {
  const classes = element.name === 'div' ? classesOf(element) : ''
  return (preLine.test(classes) || patchPart.test(classes)) && element.parent !== null && isElement(element.parent) && kindOf(element.parent) !== null
}

/** Writes all lines at the first. */
export const codeLineHandler: Handler = {
  enter(line, page) {
    const { parent } = line
    if (parent !== null && isElement(parent) && parent.children.find((child) => isElement(child) && !page.skip.has(child)) === line) writeLines(parent, page)
    return false
  },
}

function writeLines(block: Element, page: Page): void {
  page.boundary()
  const code = codeText(block, page.skip)
  // The space between a number and its line.
  const bare = kindOf(block) === '' && code.startsWith(' ') && !/\n[^ \n]/.test(code) ? code.replace(/^ /gm, '') : code
  if (bare.trim() !== '') page.lines.write('code', fenced(bare, kindOf(block) ?? ''))
  page.boundary()
}
