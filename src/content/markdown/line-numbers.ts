import { type Element } from 'domhandler'
import { isElement } from '../html/tree.ts'
import { classesOf, textOf, walk } from './dom.ts'

/** Classes of what shows code. */
const ofCode = /(?<![a-z])(?:source)?(?:code|hljs|shiki|prism|syntax|diff)(?![a-z])/
/** Classes of a line of code, beside its number. */
const codeBeside = / code(?:[-_]?(?:lines?|text|content|cell))? /
/** Boxes around a number, and nodes in each, among which code is looked for. */
const mostBoxes = 3
const mostNodes = 60
/** Numbers in a row that are no coincidence, and characters of a column of numbers that are looked at. */
const fewest = 3
const mostOfColumn = 400

/** Whether a text is nothing but numbers that count up by one; the last of them may be cut. */
export function countsUp(said: string): boolean {
  const [first = '', ...further] = said.split(/\s+/)
  return /^\d[\d\s]*$/.test(said) && further.slice(0, Math.max(further.length - 1, 1)).every((number, i) => Number(number) === Number(first) + i + 1)
}

/**
 * Whether an element that is called a number of lines counts those of code: it holds nothing but several numbers in a row, or a
 * number beside code. Elsewhere, the line may be that of a bus.
 */
export function countsLines(element: Element): boolean {
  const said = textOf(element, new Set(), mostOfColumn)
  return /^[\d ]*$/.test(said) && ((said.split(' ').length >= fewest && countsUp(said)) || isBesideCode(element))
}

function isBesideCode({ parent }: Element): boolean {
  let box = parent
  for (let boxes = 0; boxes < mostBoxes && box !== null && isElement(box) && box.name !== 'body'; boxes++, box = box.parent) {
    if (ofCode.test(classesOf(box)) || holdsCode(box)) return true
  }
  return false
}

function holdsCode(box: Element): boolean {
  let found = false
  let nodes = 0
  walk(box, (node) => {
    found = isElement(node) && (node.name === 'pre' || node.name === 'code' || codeBeside.test(classesOf(node)))
    return found || ++nodes > mostNodes ? 'stop' : 'into'
  })
  return found
}
