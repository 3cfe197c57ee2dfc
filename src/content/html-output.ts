import { lastOf } from '../lib/last-of.ts'
import { type AnyNode, type ChildNode, type Document, type Element, isCDATA, isDocument, isTag, isText, type Text } from 'domhandler'
import { voidTags } from './tag-sets.ts'
import { urlOf } from '../lib/url-of.ts'

/** Elements that are not content; they are left out with all that they hold. */
const dropped = new Set(['script', 'style', 'noscript', 'template', 'meta', 'link', 'base', 'head', 'title'])
/** Elements whose text is written as it is (HTML standard, 13.3). */
const rawText = new Set(['xmp', 'iframe', 'noembed', 'noframes', 'plaintext'])
const urlAttributes = new Set(['href', 'src', 'poster', 'action', 'formaction', 'cite', 'data', 'background', 'longdesc', 'xlink:href', 'data-src'])
const srcsetAttributes = new Set(['srcset', 'imagesrcset', 'data-srcset'])
const validName = /^[^\s"'<>/=\0]+$/

/**
 * Writes the kept part of a tree as HTML: nodes in `skip`, scripts, styles, metadata, comments and event handlers are left out,
 * addresses are made absolute against `baseUrl`. The result parses to the same tree. Linear; no recursion.
 */
export function toHtml(nodes: readonly ChildNode[], skip: ReadonlySet<AnyNode>, baseUrl: string): string {
  const out: string[] = []
  const levels: { nodes: readonly ChildNode[]; next: number; close: string; raw: boolean }[] = [{ nodes, next: 0, close: '', raw: false }]
  for (let level = levels[0]; level; level = lastOf(levels)) {
    const node = level.nodes[level.next++]
    if (!node) {
      out.push(level.close)
      levels.pop()
    } else if (skip.has(node)) {
      continue
    } else if (isText(node)) {
      out.push(level.raw ? node.data : escapeText(node))
    } else if (isTag(node)) {
      if (dropped.has(node.name)) continue
      out.push(startTag(node, baseUrl))
      if (!voidTags.has(node.name)) levels.push({ nodes: node.children, next: 0, close: `</${node.name}>`, raw: rawText.has(node.name) })
    } else if (hasChildren(node)) {
      levels.push({ nodes: node.children, next: 0, close: '', raw: false })
    }
  }
  return out.join('')
}

function hasChildren(node: ChildNode): node is Document | Exclude<ChildNode, Text | Element> & { children: ChildNode[] } {
  return isDocument(node) || isCDATA(node)
}

function startTag(element: Element, baseUrl: string): string {
  let tag = `<${element.name}`
  for (const [name, value] of Object.entries(element.attribs)) {
    if (!validName.test(name) || name.startsWith('on')) continue
    const written = absolute(name, value, baseUrl)
    tag += written === '' ? ` ${name}=""` : ` ${name}="${escapeAttribute(written)}"`
  }
  return `${tag}>`
}

function absolute(name: string, value: string, baseUrl: string): string {
  if (urlAttributes.has(name)) return absoluteUrl(value, baseUrl)
  return srcsetAttributes.has(name) ? absoluteSrcset(value, baseUrl) : value
}

/** The address against the base; as it is when it cannot be resolved. Script addresses become empty. */
function absoluteUrl(value: string, baseUrl: string): string {
  const trimmed = value.trim()
  if (/^[\0-\x20]*(?:j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t\s*:/i.test(trimmed.slice(0, 80))) return ''
  if (trimmed === '' || trimmed.startsWith('data:')) return trimmed
  return urlOf(trimmed, baseUrl)?.href ?? trimmed
}

/** Every candidate of an image set made absolute; its parts are parted by white space and commas (HTML standard, 4.8.4.2). An absurdly long one stays as it is. */
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
