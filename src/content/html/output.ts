import { type AnyNode, type ChildNode, type Document, type Element, isCDATA, isDocument, type Text } from 'domhandler'
import { isElement, isText } from './tree.ts'
import { isDataAddress } from './address.ts'
import { voidTags } from './tag-sets.ts'
import { urlOf } from '../../lib/url-of.ts'

/** Elements that are not content; omitted with their children. */
const dropped = new Set(['script', 'style', 'noscript', 'template', 'meta', 'link', 'base', 'head', 'title'])
/** Elements whose text nobody sees. */
const unseen = new Set(['iframe', 'noembed', 'noframes'])
/**
 * Elements whose text is shown as written, including markup. Parsers disagree about what is text inside, so they are
 * written as an element with escaped text.
 */
const verbatim = new Set(['xmp', 'plaintext'])
/** Elements that can set the attributes that are omitted here. */
const animations = new Set(['animate', 'set'])
/** A whole document, scripts included, that would run as part of the page. */
const documentAttribute = 'srcdoc'
const urlAttributes = new Set(['href', 'src', 'poster', 'action', 'formaction', 'cite', 'data', 'background', 'longdesc', 'xlink:href', 'data-src'])
const srcsetAttributes = new Set(['srcset', 'imagesrcset', 'data-srcset'])
const validName = /^[^\s"'<>/=\0]+$/

/**
 * Writes the kept part of a tree as HTML. Omits nodes in `skip`, scripts, styles, metadata, comments, event handlers and
 * `srcdoc`; makes addresses absolute against `baseUrl`. Parsing the result gives the same tree, except for elements whose
 * text is shown as written. Linear; no recursion.
 */
export function toHtml(nodes: readonly ChildNode[], skip: ReadonlySet<AnyNode>, baseUrl: string): string {
  const out: string[] = []
  const levels: { nodes: readonly ChildNode[]; next: number; close: string }[] = [{ nodes, next: 0, close: '' }]
  for (let level = levels[0]; level; level = levels.at(-1)) {
    const node = level.nodes[level.next++]
    if (!node) {
      out.push(level.close)
      levels.pop()
    } else if (skip.has(node)) {
      continue
    } else if (isText(node)) {
      out.push(escapeText(node))
    } else if (isElement(node)) {
      if (dropped.has(node.name)) continue
      const name = verbatim.has(node.name) ? 'pre' : node.name
      out.push(startTag(name, node, baseUrl))
      if (!voidTags.has(name)) levels.push({ nodes: unseen.has(name) ? [] : node.children, next: 0, close: `</${name}>` })
    } else if (hasChildren(node)) {
      levels.push({ nodes: node.children, next: 0, close: '' })
    }
  }
  return out.join('')
}

function hasChildren(node: ChildNode): node is Document | Exclude<ChildNode, Text | Element> & { children: ChildNode[] } {
  return isDocument(node) || isCDATA(node)
}

function startTag(tagName: string, element: Element, baseUrl: string): string {
  if (animations.has(tagName)) return `<${tagName}>`
  let tag = `<${tagName}`
  for (const [name, value] of Object.entries(element.attribs)) {
    if (!validName.test(name) || name.startsWith('on') || name === documentAttribute) continue
    const written = absolute(name, value, baseUrl)
    tag += written === '' ? ` ${name}=""` : ` ${name}="${escapeAttribute(written)}"`
  }
  return `${tag}>`
}

function absolute(name: string, value: string, baseUrl: string): string {
  if (urlAttributes.has(name)) return absoluteUrl(value, baseUrl)
  return srcsetAttributes.has(name) ? absoluteSrcset(value, baseUrl) : value
}

/** The address, resolved against the base; unchanged when it cannot be resolved, '' for a script address. */
function absoluteUrl(value: string, baseUrl: string): string {
  const trimmed = value.trim()
  if (/^[\0-\x20]*(?:j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t\s*:/i.test(trimmed.slice(0, 80))) return ''
  if (trimmed === '' || isDataAddress(trimmed)) return trimmed
  const url = urlOf(trimmed, baseUrl)
  // URL parsers ignore any number of control characters, tabs and line breaks.
  return url === null ? trimmed : isScript(url) ? '' : url.href
}

const isScript = ({ protocol }: Pick<URL, 'protocol'>): boolean => protocol === 'javascript:' || protocol === 'vbscript:'

/**
 * Makes every candidate of a `srcset` absolute; candidates are separated by white space and commas (HTML standard,
 * 4.8.4.2). An extremely long value stays as it is.
 */
function absoluteSrcset(value: string, baseUrl: string): string {
  if (value.length > 20_000) return value
  return value.replace(/(^|[\s,])([^\s,](?:[^\s]*[^\s,])?)((?:\s+[^\s,]+)*)(?=\s*(?:,|$))/g, (_, before: string, url: string, rest: string) => {
    return `${before}${absoluteUrl(url, baseUrl)}${rest}`
  })
}

function escapeText(text: Text): string {
  return text.data.replace(/[&<>\u00a0]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : c === '>' ? '&gt;' : '&nbsp;'))
}

function escapeAttribute(value: string): string {
  return value.replace(/[&"\u00a0]/g, (c) => (c === '&' ? '&amp;' : c === '"' ? '&quot;' : '&nbsp;'))
}
