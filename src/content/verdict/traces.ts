import { isConsent } from '../clean/ads.ts'
import { isHidden } from '../clean/hidden.ts'
import { nonContentTags } from '../html/tag-sets.ts'
import { attribute, type Document, type Element, isElement, isText, walk } from '../html/tree.ts'

/** Longest value and start of a script that are collected, and most characters of all. */
const longest = 300
const longestScript = 1_500
const most = 50_000

/** Addresses, ids and classes of a page, or of what a frame of it shows, and the starts of its scripts, joined: what bot protection leaves there. */
export function tracesOf(document: Document | Element): string {
  let traces = ''
  const add = (value: string | undefined): void => {
    if (value !== undefined && value !== '' && value.length < longest) traces += `${value} `
  }
  walk(document, (node) => {
    if (traces.length > most) return false
    if (!isElement(node)) return undefined
    for (const name of ['src', 'id', 'class', 'action']) add(attribute(node, name))
    if (node.name === 'link') add(attribute(node, 'href'))
    const script = node.name === 'script' ? node.children[0] : undefined
    if (script !== undefined && isText(script)) traces += `${script.data.slice(0, longestScript)} `
    return node.name === 'head' || !isLeftOut(node) ? undefined : false
  })
  return traces
}

const isLeftOut = (element: Element): boolean => element.name === 'noscript' || nonContentTags.has(element.name) || isHidden(element) || isConsent(element)
