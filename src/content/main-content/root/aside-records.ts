import type { Page } from '../../clean/step.ts'
import { attribute, type Element, oneLine, textOf } from '../../html/tree.ts'
import type { Outline } from '../outline.ts'
import { pathOf, putBack } from '../put-back.ts'

/** Fewest rows of a record, most letters of a value, and most of a name in source. */
const fewest = 3
const longestValue = 70
const longestName = 80
/** A name that may have a value: it contains no digits and no end of a sentence. */
const name = /^[^:：\d.?!]{2,36}[:：]?$/u
const edges: ReadonlySet<string> = new Set(['nav', 'footer', 'form', 'dialog'])
const rows: ReadonlySet<string> = new Set(['li', 'div', 'p', 'tr'])
const aside = /(?:^|[\s_-])side-?bar(?:[\s_-]|$)/i

/**
 * Puts back the records that stand aside on a short page: lists whose rows each pair a different name with a value, such as
 * where a job is and what it pays. Returns those outside of the root of the content.
 */
export function recordsAside(page: Page, o: Outline, root: Element): readonly Element[] {
  const outside: Element[] = []
  let end = 0
  for (let i = 0; i < o.elements.length; i++) {
    const element = o.elements[i]
    if (element === undefined) continue
    const isEdge = edges.has(element.name)
    if (!isEdge && standsAside(element)) end = Math.max(end, o.end[i] ?? 0)
    const rows = isEdge || i >= end ? [] : rowsOf(o, i)
    for (const at of rows) {
      const row = o.elements[at]
      if (row === undefined) continue
      const path = pathOf(row)
      putBack(page, path)
      if (!path.includes(root)) outside.push(row)
    }
    if (isEdge || rows.length > 0) i = (o.end[i] ?? i + 1) - 1
  }
  return outside
}

const standsAside = (element: Element): boolean => element.name === 'aside' || aside.test((attribute(element, 'class') ?? '').slice(0, 300))

/** The record in an element: itself, if it is made of rows with different names and without links, or those among its parts. */
function rowsOf(o: Outline, i: number): readonly number[] {
  const names = new Set<string>()
  const rows: number[] = []
  let others = 0
  for (const at of partsOf(o, i)) {
    const found = (o.links[at] ?? 0) > 0 ? undefined : o.elements[at]?.name === 'dt' ? termOf(o, at) : o.elements[at]?.name === 'dd' ? '' : nameIn(o, at)
    if (found === undefined || names.has(found)) others++
    else {
      rows.push(at)
      if (found !== '') names.add(found)
    }
  }
  return names.size < fewest || (others > 0 && names.size < rows.length) ? [] : others > 0 ? rows : [i]
}

/** The children of an element that say something. */
function partsOf(o: Outline, i: number): readonly number[] {
  const parts: number[] = []
  const end = o.end[i] ?? 0
  for (let at = i + 1; at < end; at = o.end[at] ?? end) if ((o.text[at] ?? 0) > 0) parts.push(at)
  return parts
}

/** The name of a property in a term with a short description. */
function termOf(o: Outline, at: number): string | undefined {
  const next = o.end[at] ?? 0
  return o.elements[next]?.name === 'dd' && (o.text[next] ?? 0) <= longestValue ? nameOf(o.elements[at]) : undefined
}

/** The name in a row that is made of a name and a value. */
function nameIn(o: Outline, at: number): string | undefined {
  if (!rows.has(o.elements[at]?.name ?? '') || (o.text[at] ?? 0) > longestValue + longestName) return undefined
  const [first = -1, second = -1, ...more] = partsOf(o, at)
  if (second < 0 && first >= 0 && (o.text[first] ?? 0) < (o.text[at] ?? 0)) return nameInLine(o.elements[at], o.elements[first])
  const isPair = more.length === 0 && second >= 0 && (o.text[first] ?? 0) + (o.text[second] ?? 0) === o.text[at] && (o.text[second] ?? 0) <= longestValue
  return isPair ? nameOf(o.elements[first]) : undefined
}

/** The name in a line in which it is an element, before a colon, and the value is not. */
function nameInLine(row: Element | undefined, first: Element | undefined): string | undefined {
  const line = row === undefined ? '' : oneLine(textOf(row, longestName + longestValue, longestName))
  const found = nameOf(first)
  return found?.endsWith(':') === true && line.startsWith(found) ? found : undefined
}

function nameOf(element: Element | undefined): string | undefined {
  const line = element === undefined ? '' : oneLine(textOf(element, longestName, longestName))
  return name.test(line) ? line : undefined
}
