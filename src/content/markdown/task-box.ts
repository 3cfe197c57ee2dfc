import type { AnyNode, Element } from 'domhandler'
import { isElement, isText } from '../html/tree.ts'
import { classesOf } from './dom.ts'

const boxes: ReadonlySet<string> = new Set(['label', 'p', 'span', 'div'])
const mostBoxes = 4
/** A box that only styles draw (Notion). */
const drawn = / (?:[\w-]+-)?check-?box /
const drawnOn = / (?:[\w-]+-)?(?:on|checked|selected) /

/** A box that is an icon of a font; those that stand for the dots of a list are none. */
const icons: ReadonlySet<string> = new Set(['i', 'span'])
const boxIcon = / (?:fa|bi)-(?:(?:check2?-)?square(?:-o)?|square-check) /
const dot = / fa-li /

/**
 * Whether the box at the start of a list item is ticked; undefined where there is none. Some pages draw it, or give the
 * item itself the state of its task (Confluence).
 */
export function taskState(item: Element): boolean | undefined {
  if ('data-inline-task-id' in item.attribs) return / checked /.test(classesOf(item))
  let parent = item
  for (let depth = 0; depth < mostBoxes; depth++) {
    const first = parent.children.find((child): child is Element => isElement(child) && !isEmptyButton(child))
    if (first === undefined) return undefined
    if (first.name === 'input') return first.attribs['type']?.toLowerCase() === 'checkbox' ? 'checked' in first.attribs : undefined
    if (first.attribs['role'] === 'checkbox') return first.attribs['aria-checked'] === 'true'
    if (icons.has(first.name) && isBoxIcon(first)) return / (?:fa|bi)-.*check/.test(classesOf(first))
    if (!boxes.has(first.name)) return undefined
    if (drawn.test(classesOf(first)) && first.children.every(isBlank)) return drawnOn.test(classesOf(first))
    parent = first
  }
  return undefined
}

const isBoxIcon = (element: Element): boolean => boxIcon.test(classesOf(element)) && !dot.test(classesOf(element)) && element.children.every(isBlank)

const isBlank = (node: AnyNode): boolean => isText(node) && node.data.trim() === ''

/** Whether an element is a button of the page's own without a word, which stands before the box (GitLab). */
const isEmptyButton = ({ name, children }: Element): boolean => name.includes('-') && children.every(isBlank)
