import type { AnyNode, Element } from 'domhandler'
import { isElement } from '../../html/tree.ts'
import { classesOf } from '../dom.ts'
import type { Handler } from '../page.ts'
import { boldBlock } from './blocks.ts'
import { iconIn } from './drawings.ts'

/** Elements between a cell of a table and the element around the table. */
const boxes = 4

/** Whether a cell says what kind of note Asciidoctor's table beside it holds, by a word, a picture or an icon of a font. */
export function saysKindOfNote(cell: Element): boolean {
  if (cell.name !== 'td' || !/ icon /.test(classesOf(cell))) return false
  let up: AnyNode | null = cell.parent
  for (let level = 0; up !== null && isElement(up) && level < boxes; level++, up = up.parent) if (/ admonitionblock /.test(classesOf(up))) return true
  return false
}

export const noteKindHandler: Handler = {
  enter(cell, page) {
    boldBlock.enter(cell, page)
    const icon = iconIn(cell, page.skip)
    if (icon === '') return true
    page.text(icon)
    boldBlock.leave?.(cell, page)
    return false
  },
  leave: (cell, page) => boldBlock.leave?.(cell, page),
}
