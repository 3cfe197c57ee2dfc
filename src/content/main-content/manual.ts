import { attribute, type Element } from '../html/tree.ts'

/** Whether an element holds a page of a manual, all of which is content (mandoc). */
export function isManual(element: Element): boolean {
  return element.name === 'div' && /(?:^|\s)manual-text(?:\s|$)/.test((attribute(element, 'class') ?? '').slice(0, 200))
}

/** Whether an element is a table of two versions of a text, with who wrote each and when (MediaWiki). */
export function isOfVersions(element: Element): boolean {
  return element.name === 'table' && /(?:^|\s)diff(?:\s|$)/.test((attribute(element, 'class') ?? '').slice(0, 200))
}
