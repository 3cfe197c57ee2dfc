import { type Document, type Element, named } from '../html/tree.ts'
import { jsonLdText } from '../structured/ld-scripts.ts'

/** What the data of a page says when not all may read it, and how much of that data is searched. */
const property = 'isAccessibleForFree'
const notFree = /"isAccessibleForFree"\s*:\s*(?:false|"(?:https?:\/\/schema\.org\/)?false")/i
const mostData = 100_000

/** Whether the structured data of a page says that it is not free to read: it may show no more than a preview. */
export function mayBePreview(document: Document, source: string): boolean {
  return source.includes(property) && named(document, 'script').some(saysNotFree)
}

const saysNotFree = (script: Element): boolean => notFree.test(jsonLdText(script, mostData))
