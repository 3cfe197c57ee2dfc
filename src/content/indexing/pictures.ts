import type { Picture } from '../../domain/search/search-index.ts'
import { absolute } from '../html/address.ts'
import { imageSource } from '../html/images.ts'
import { attribute, type Document, type Element, oneLine, walkElements } from '../html/tree.ts'

/** Most pictures of a page that are indexed. */
const most = 24
const maxAlt = 300
const maxAddress = 2_000
/** Smaller ones, in pixels, are icons and counters. */
const leastSide = 48

function side(element: Element, name: 'width' | 'height'): number | null {
  const text = attribute(element, name)?.trim() ?? ''
  return /^\d{1,5}(?:px)?$/.test(text) ? Number.parseInt(text, 10) : null
}

/** The pictures of a page that have a description, each once, in document order. */
export function picturesOf(document: Document, base: string): readonly Picture[] {
  const found = new Map<string, Picture>()
  walkElements(document, (node) => {
    if (node.name === 'template') return false
    if (node.name !== 'img' || found.size >= most) return
    const alt = oneLine((attribute(node, 'alt') ?? attribute(node, 'title') ?? '').slice(0, maxAlt))
    const [width, height] = [side(node, 'width'), side(node, 'height')]
    if (alt === '' || (width ?? leastSide) < leastSide || (height ?? leastSide) < leastSide) return
    const source = imageSource(node)
    const url = source === undefined || source.length > maxAddress ? undefined : absolute(source, base)
    if (url !== undefined && !found.has(url)) found.set(url, { url, alt, width, height })
  })
  return [...found.values()]
}
