import type { AnyNode, Element } from 'domhandler'
import { isElement, isText } from '../../html/tree.ts'
import { collapse } from '../inline-run.ts'
import { textOf, walk } from '../dom.ts'
import type { Handler } from '../page.ts'

/** Longest label of an icon that is written, in characters. */
const mostLetters = 60
/** How many levels above an icon its table cell may be. */
const levels = 6

function cellOf(element: Element): Element | null {
  let up: AnyNode | null = element.parent
  for (let level = 0; up !== null && isElement(up) && level < levels; level++, up = up.parent) if (up.name === 'td' || up.name === 'th') return up
  return null
}

/** Nodes of a cell that is one icon. */
const mostInCell = 200

/** Whether a cell has no text and no picture besides this drawing. */
function isAllOf(cell: Element, drawing: Element): boolean {
  let alone = true
  let nodes = 0
  walk(cell, (node) => {
    if (node === drawing) return 'over'
    if (++nodes > mostInCell || (isText(node) && /\S/.test(node.data)) || (isElement(node) && (node.name === 'svg' || node.name === 'img'))) alone = false
    return alone ? 'into' : 'stop'
  })
  return alone
}

/** Elements in which fonts draw icons. */
const ofFonts: ReadonlySet<string> = new Set(['i', 'span'])

/**
 * The accessible name of a drawing (SVG 2, 5.6; WAI-ARIA 1.2, `aria-label`; the `title` of an icon that a style sheet
 * draws); '' when it has none.
 */
function labelOf(drawing: Element): string {
  if (drawing.attribs['aria-hidden'] === 'true') return ''
  const title = drawing.children.find((child) => isElement(child) && child.name === 'title')
  const label = drawing.attribs['aria-label'] ?? (title !== undefined ? textOf(title, new Set(), mostLetters + 1) : ofFonts.has(drawing.name) ? (drawing.attribs['title'] ?? '') : '')
  return label.length > mostLetters ? '' : collapse(label).trim()
}

/**
 * An icon alone in a table cell is the cell's value ("Included" in a table of prices). All other drawings are decoration.
 */
const drawing: Handler = {
  enter(element, page) {
    const cell = cellOf(element)
    const label = cell === null ? '' : labelOf(element)
    if (cell !== null && label !== '' && isAllOf(cell, element)) page.text(label)
    return false
  },
}

/** Names of icons that are a value of their own, as words of a class or of the symbol that is drawn. */
const marks: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[\s_#-])(?:check|check-?mark|tick)(?:$|[\s_-])/i, '✓'],
  [/(?:^|[\s_#-])(?:times|x-?mark|cross)(?:$|[\s_-])/i, '✗'],
]
/** Elements that such icons are drawn in; a box named like one may stand around a check box. */
const drawn: ReadonlySet<string> = new Set(['i', 'span', 'svg', 'use'])
/** Elements of a cell that are looked at. */
const mostNodes = 20

/**
 * What an icon says in a cell without text: its accessible name, or the mark that it is named after; '' for none. Style
 * sheets draw such icons, so that they hold nothing.
 */
export function iconIn(cell: Element, skip: ReadonlySet<AnyNode>): string {
  let said = ''
  let nodes = 0
  walk(cell, (node) => {
    if (!isElement(node) || skip.has(node)) return 'over'
    if (node.name === 'input' || node.name === 'button') return 'stop'
    if (!drawn.has(node.name)) return ++nodes > mostNodes ? 'stop' : 'into'
    const names = `${node.attribs['class'] ?? ''} ${node.name === 'use' ? (node.attribs['href'] ?? node.attribs['xlink:href'] ?? '') : ''}`.slice(0, 300)
    const holds = node.name !== 'svg' && node.children.some(isElement)
    said = labelOf(node) || (holds ? '' : (marks.find(([name]) => name.test(names))?.[1] ?? ''))
    return said !== '' || ++nodes > mostNodes ? 'stop' : 'into'
  })
  return said
}

/** Handler of inline SVG. */
export const drawingHandlers: Readonly<Record<string, Handler>> = { svg: drawing }
