import type { Nodes, Parents, PhrasingContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { parse } from '../../src/content/html/parse.ts'
import { attribute, type ChildNode, type Element, isElement, isText, type ParentNode } from '../../src/content/html/tree.ts'

/**
 * The structure of a page, in order, as far as both HTML and markdown can express it. Texts are compared by their
 * letters and digits.
 */
export interface Structure {
  /** Level and text of each. */
  readonly headings: readonly string[]
  /** The lines of each code block. */
  readonly code: readonly string[]
  /** Address and text of each. */
  readonly links: readonly string[]
  /** The depth of each. */
  readonly items: readonly string[]
}

type Found = { readonly [part in keyof Structure]: string[] }

const letters = (text: string): string => text.normalize('NFKC').replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase()

const skipped = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head', 'math', 'img', 'video', 'audio', 'iframe', 'object', 'canvas'])

const isHeading = (node: ChildNode): boolean => isElement(node) && /^h[1-6]$/.test(node.name)
const holdsHeading = (node: ParentNode): boolean => node.children.some((child) => isHeading(child) || (isElement(child) && holdsHeading(child)))

/** Whether an element is not text of the page. Buttons are not, unless they control something or contain a heading. */
function isSkipped(element: Element): boolean {
  if (element.name === 'button') return !('aria-expanded' in element.attribs || 'aria-controls' in element.attribs || holdsHeading(element))
  return skipped.has(element.name)
}

function textOf(node: ChildNode | ParentNode): string {
  if (isText(node as ChildNode)) return (node as { data: string }).data
  if (!('children' in node)) return ''
  if (isElement(node as ChildNode) && isSkipped(node as Element)) return ''
  return node.children.map(textOf).join(' ')
}

const blocks = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'li', 'ul', 'ol', 'table', 'section', 'article', 'figure', 'pre', 'blockquote', 'td', 'dl', 'header', 'footer', 'aside', 'main', 'details', 'form', 'figcaption'])
const holdsBlock = (node: ParentNode): boolean => node.children.some((child) => isElement(child) && (blocks.has(child.name) || holdsBlock(child)))

/**
 * The structure of HTML. In table cells, markdown has neither headings nor lists; a link around blocks is on its first
 * line only; links within the page may be omitted.
 */
export function structureOfHtml(html: string, url: string): Structure {
  const found: Found = { headings: [], code: [], links: [], items: [] }
  const visit = (node: ChildNode, depth: number, cell: boolean): void => {
    if (!isElement(node) || isSkipped(node)) return
    let inner = depth
    const text = letters(textOf(node))
    if (/^h[1-6]$/.test(node.name) && text !== '' && !cell) found.headings.push(`${node.name[1]} ${text}`)
    if (node.name === 'pre' && !cell) {
      if (text !== '') found.code.push(text)
      return
    }
    const href = node.name === 'a' ? attribute(node, 'href') : undefined
    if (href !== undefined && text !== '' && /^https?:/.test(href) && !href.startsWith(`${url}#`) && !holdsBlock(node)) found.links.push(`${href} ${text}`)
    if (node.name === 'li' && text !== '' && !cell) found.items.push(`${depth} ${text}`)
    if (node.name === 'li') inner++
    for (const child of node.children) visit(child, inner, cell || node.name === 'td' || node.name === 'th')
  }
  for (const child of parse(html).document.children) visit(child, 0, false)
  return found
}

/** The structure of markdown, as parsed by a parser for CommonMark with GitHub's extensions. */
export function structureOfMarkdown(markdown: string): Structure {
  const found: Found = { headings: [], code: [], links: [], items: [] }
  const text = (node: Nodes | PhrasingContent): string => ('children' in node ? (node as Parents).children.map((child) => text(child as Nodes)).join(' ') : node.type === 'text' || node.type === 'inlineCode' || node.type === 'code' ? node.value : '')
  const visit = (node: Nodes, depth: number): void => {
    let inner = depth
    const said = letters(text(node))
    if (node.type === 'heading' && said !== '') found.headings.push(`${node.depth} ${said}`)
    if (node.type === 'code' && said !== '') found.code.push(said)
    if (node.type === 'link' && said !== '') found.links.push(`${node.url} ${said}`)
    if (node.type === 'listItem' && said !== '') found.items.push(`${depth} ${said}`)
    if (node.type === 'listItem') inner++
    if ('children' in node) for (const child of node.children) visit(child as Nodes, inner)
  }
  visit(fromMarkdown(markdown, { extensions: [gfm({ singleTilde: false })], mdastExtensions: [gfmFromMarkdown()] }), 0)
  return found
}
