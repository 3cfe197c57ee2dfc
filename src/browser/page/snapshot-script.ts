import { apartByAddress, apartByName } from '../../domain/pages/frames-apart.ts'
import { findAppended, firstUrl } from './appended-script.ts'
import { getterScript } from './getter-script.ts'
import { lookout } from './lookout-script.ts'
import { relieved } from './relief.ts'
import { missesRows } from './rows-script.ts'
import { variable } from './variable.ts'

/** The result of a snapshot. */
export interface Serialised {
  readonly html: string
  /** True when the page exceeded the limits, or was so busy that closed shadow roots may be missing. */
  readonly truncated: boolean
  readonly nodes: number
  readonly url: string
  /**
   * Positions in the HTML of the start tags of elements that nobody sees; null when that was not determined, or not
   * completely.
   */
  readonly unseen: readonly number[] | null
  /** Whether the document is XML with a fault, after which the browser has read nothing. */
  readonly faulty: boolean
  /** The frames of other origins that show a document, in order: the script cannot read these. */
  readonly frames: readonly FrameSpot[]
  /** Whether a list has only the rows in view. */
  readonly short: boolean
  /** Whether a frame of another origin still said that it was loading. */
  readonly waits?: boolean
}

/** The place of a frame's element in the HTML, and its name as attributes for what takes its place. */
export interface FrameSpot {
  readonly at: number
  readonly end: number
  readonly named: string
}

/** The variable in the isolated world with the elements of `frames`. */
export const foreignFrames = variable('frames')

/** The variable in the isolated world with the closed shadow roots that were opened for it. */
export const closedRoots = variable('closed roots')

/** Limits: nodes, characters of HTML, characters of text in it, and time. */
export interface SnapshotBudget {
  readonly maxNodes: number
  readonly maxChars: number
  readonly maxText: number
  readonly ms: number
  /** How many elements may be recorded as unseen, and how long searching them may take. */
  readonly maxUnseen: number
  readonly unseenMs: number
  readonly maxFrames: number
}

/**
 * Serialises the document as it is now, or as much of it as the budget allows: of a page all of it, of a frame what is in
 * its body. Runs in the isolated world.
 */
export function snapshotScript(budget: SnapshotBudget, part: 'page' | 'frame' = 'page'): string {
  const { maxUnseen: most, unseenMs: ms } = budget
  // A document that is not rendered at all cannot be examined.
  return `(${serialise})(${JSON.stringify({ ...budget, part, apart: { address: apartByAddress, name: apartByName } })}, ${closedRoots} ?? new Map(), ${foreignFrames} = [], (${findAppended})(), ${relieved} === true ? null : (${lookout})(${JSON.stringify({ most, ms })}), ${missesRows})`
}

/** Elements that may have a closed shadow root: custom elements, and empty but visible ones. At most `most` of them. */
export function hostsScript(most: number): string {
  return `(${hosts})(${most}, ${closedRoots} ??= new Map())`
}

// Elements can shadow properties of forms and documents (named access), in every world: hence the getters of the
// prototypes.
const hosts = String.raw`(most, known) => {
  ${getterScript}
  const [localName, shadowRoot] = ['localName', 'shadowRoot'].map((name) => getter(Element.prototype, name))
  const plain = new Set(['article', 'aside', 'div', 'main', 'p', 'section', 'span'])
  const found = []
  const roots = [document, ...known.values()]
  for (const root of roots) {
    const walker = Reflect.apply(Document.prototype.createTreeWalker, document, [root, NodeFilter.SHOW_ELEMENT])
    for (let node = walker.nextNode(), steps = 0; node && found.length < most && steps < 50000; node = walker.nextNode(), steps++) {
      if (known.has(node)) continue
      const name = localName(node)
      const inner = shadowRoot(node)
      if (name.includes('-') ? inner === null : plain.has(name) && node.firstChild === null && inner === null && node.offsetHeight > 12) found.push(node)
      if (inner && !roots.includes(inner)) roots.push(inner)
    }
  }
  return found.length === 0 ? undefined : found
}`

const serialise = String.raw`({ maxNodes, maxChars, maxText, ms, maxFrames, part, apart }, closed, frames, appended, lookout, missesRows) => {
  const end = performance.now() + ms
  ${getterScript}
  const nodeType = getter(Node.prototype, 'nodeType')
  const lastChild = getter(Node.prototype, 'lastChild')
  const previousSibling = getter(Node.prototype, 'previousSibling')
  const data = getter(CharacterData.prototype, 'data')
  const localName = getter(Element.prototype, 'localName')
  const tagName = getter(Element.prototype, 'tagName')
  const namespace = getter(Element.prototype, 'namespaceURI')
  const attributesOf = getter(Element.prototype, 'attributes')
  const openRoot = getter(Element.prototype, 'shadowRoot')
  const contentOf = { iframe: getter(HTMLIFrameElement.prototype, 'contentDocument'), frame: getter(HTMLFrameElement.prototype, 'contentDocument') }
  const src = { iframe: getter(HTMLIFrameElement.prototype, 'src'), frame: getter(HTMLFrameElement.prototype, 'src') }
  const baseURI = getter(Node.prototype, 'baseURI')
  const body = getter(Document.prototype, 'body')
  const documentElement = getter(Document.prototype, 'documentElement')
  const doctypeOf = getter(Document.prototype, 'doctype')
  const content = getter(HTMLTemplateElement.prototype, 'content')
  const currentSrc = getter(HTMLImageElement.prototype, 'currentSrc')
  // Letters in a query are sent in the page's encoding, which is unknown where the snapshot is read.
  const legacy = getter(Document.prototype, 'characterSet')(document) !== 'UTF-8'
  const hrefs = { a: getter(HTMLAnchorElement.prototype, 'href'), area: getter(HTMLAreaElement.prototype, 'href') }
  const box = (element) => Reflect.apply(Element.prototype.getBoundingClientRect, element, [])

  const html = 'http://www.w3.org/1999/xhtml'
  const empty = new Set(['area', 'base', 'basefont', 'bgsound', 'br', 'col', 'embed', 'frame', 'hr', 'img', 'input', 'keygen', 'link', 'meta', 'param', 'source', 'track', 'wbr'])
  const raw = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext', 'noscript'])
  const addresses = new Set(['href', 'src', 'poster', 'action', 'data', 'cite', 'background'])
  const unsaid = new Set(['password', 'file', 'hidden', 'checkbox', 'radio', 'submit', 'button', 'image', 'reset'])

  const text = (value) => value.replace(/[&<>\u00a0]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : c === '>' ? '&gt;' : '&nbsp;'))
  const quoted = (value) => value.replace(/[&"<>\u00a0]/g, (c) => (c === '&' ? '&amp;' : c === '"' ? '&quot;' : c === '<' ? '&lt;' : c === '>' ? '&gt;' : '&nbsp;'))

  const out = []
  let size = 0
  let spoken = 0
  let nodes = 0
  let truncated = false
  const emit = (part) => {
    out.push(part)
    size += part.length
  }
  // A single text may be longer than the limit.
  const cut = (value) => {
    const room = Math.max(0, Math.min(maxText - spoken, maxChars - size))
    if (value.length > room) truncated = true
    spoken += value.length
    return value.length > room ? value.slice(0, room) : value
  }
  // Stack entries: a string to write, or a node with the base of its frame (null in the page itself), whether it is in a
  // shadow tree, and the index in the unseen list of the element that hides it (-1 for none).
  const stack = []
  const pushChildren = (parent, base, shadow, veil) => {
    for (let child = lastChild(parent); child !== null; child = previousSibling(child)) {
      if (stack.length > maxNodes) { truncated = true; return }
      stack.push({ node: child, base, shadow, veil })
    }
  }
  const absolute = (name, value, base) => {
    if (base === null) return value
    try {
      if (addresses.has(name)) return /^\s*(?:$|#|data:|javascript:|mailto:|tel:)/i.test(value) ? value : new URL(value, base).href
      if (name === 'srcset') return value.replace(/(^|,\s+|,(?=\S+\s))\s*(\S+)/g, (whole, comma, one) => comma + new URL(one, base).href)
    } catch {
      return value
    }
    return value
  }
  const valueOf = (name, element) => {
    if (name === 'input') {
      const type = HTMLInputElement.prototype && getter(HTMLInputElement.prototype, 'type')(element)
      if (type === 'checkbox' || type === 'radio') return { checked: getter(HTMLInputElement.prototype, 'checked')(element) ? '' : null }
      return unsaid.has(type) ? {} : { value: getter(HTMLInputElement.prototype, 'value')(element) || null }
    }
    if (legacy && (name === 'a' || name === 'area')) {
      const link = Reflect.apply(Element.prototype.getAttribute, element, ['href'])
      return link !== null && /^[^?#]*\?[^#]*[^\0-\x7f]/.test(link) ? { href: hrefs[name](element) } : {}
    }
    if (name === 'option') return { selected: getter(HTMLOptionElement.prototype, 'selected')(element) ? '' : null }
    if (name === 'img') {
      const source = Reflect.apply(Element.prototype.getAttribute, element, ['src'])
      const shown = currentSrc(element)
      return /^https?:/i.test(shown) && (source === null || source === '' || source.startsWith('data:')) ? { src: shown } : {}
    }
    return {}
  }
  const openTag = (name, element, base, said) => {
    emit('<' + name)
    const list = attributesOf(element)
    const seen = new Set()
    for (let i = 0; i < list.length; i++) {
      const attribute = list[i]
      const key = attribute.name
      seen.add(key)
      const value = key in said ? said[key] : attribute.value
      if (value !== null) emit(' ' + key + '="' + quoted(absolute(key, cut(value), base)) + '"')
    }
    for (const key of Object.keys(said)) if (!seen.has(key) && said[key] !== null) emit(' ' + key + '="' + quoted(said[key]) + '"')
    emit('>')
  }
  const frameBody = (element, name) => {
    try {
      const inner = contentOf[name](element)
      const root = inner && (body(inner) ?? documentElement(inner))
      if (!root || lastChild(root) === null) return null
      // An element that is not rendered has no size.
      const { width, height } = lookout === null ? { width: 9, height: 9 } : box(element)
      return width > 2 && height > 2 ? root : null
    } catch {
      return null
    }
  }
  const leave = (close) => stack.push(close)
  const attribute = (element, name) => Reflect.apply(Element.prototype.getAttribute, element, [name]) ?? ''
  const nameOf = (element) => ['id', 'class'].map((key) => (attribute(element, key) === '' ? '' : ' ' + key + '="' + quoted(attribute(element, key).slice(0, 500)) + '"')).join('')
  const apartAt = new RegExp(apart.address, 'i')
  const apartNamed = new RegExp(apart.name, 'i')
  const spots = []
  // Whether a frame that cannot be read from here shows enough to be read at all. The document of one that nothing was
  // loaded into is empty, but can be read.
  const isForeign = (element, name, veil) => {
    try {
      if (spots.length >= maxFrames || veil !== -1 || lookout === null || contentOf[name](element) !== null) return false
      const { width, height, right, bottom } = box(element)
      if (width < 120 || height < 60 || right + scrollX <= 0 || bottom + scrollY <= 0) return false
      if (!Reflect.apply(Element.prototype.checkVisibility, element, [{ visibilityProperty: true, opacityProperty: true }])) return false
      return !apartAt.test(src[name](element).slice(0, 2000)) && !['id', 'name', 'class'].some((key) => apartNamed.test(attribute(element, key).slice(0, 500)))
    } catch {
      return false
    }
  }

  const isXml = getter(Document.prototype, 'contentType')(document) !== 'text/html'
  let faulty = false
  const visitElement = ({ node, base, shadow, veil }) => {
    const isHtml = namespace(node) === html
    const name = isHtml ? localName(node) : tagName(node)
    // The browser's own words about a fault.
    if (isXml && name === 'parsererror') { faulty = true; return }
    if (appended !== null && appended.others.has(node)) return
    if (isHtml && shadow && (name === 'style' || (name === 'link' && /stylesheet/i.test(node.getAttribute('rel') ?? '')))) return
    if (isHtml && shadow && name === 'slot') {
      const assigned = Reflect.apply(HTMLSlotElement.prototype.assignedNodes, node, [])
      if (assigned.length === 0) return pushChildren(node, base, shadow, veil)
      for (let i = assigned.length - 1; i >= 0; i--) stack.push({ node: assigned[i], base, shadow: true, veil })
      return
    }
    // Where scripts run, noscript is not shown; but it may have the pictures that lazy ones stand for.
    if (isHtml && name === 'noscript' && !/<img|<picture/i.test(node.textContent)) return
    if (isHtml && (name === 'iframe' || name === 'frame')) {
      const root = frameBody(node, name)
      if (root !== null) {
        const inside = baseURI(root)
        emit('<div data-frame="' + quoted(inside) + '"' + nameOf(node) + '>')
        leave('</div>')
        return pushChildren(root, inside, false, -1)
      }
      if (isForeign(node, name, veil)) {
        frames.push(node)
        const spot = { at: size, end: 0, named: nameOf(node) }
        spots.push(spot)
        openTag(name, node, base, {})
        if (name === 'iframe') emit('</iframe>')
        spot.end = size
        return
      }
    }
    const root = openRoot(node) ?? closed.get(node) ?? null
    const filled = lastChild(root ?? node) !== null
    const inner = lookout === null || !isHtml ? veil : lookout.look(node, name, { at: size, framed: base !== null, filled, veil })
    // A frameset may hold nothing but frames, whose contents stand in their places.
    const written = isHtml && name === 'frameset' ? 'div' : name
    openTag(written, node, base, isHtml ? valueOf(name, node) : {})
    if (isHtml && empty.has(name)) return
    leave('</' + written + '>')
    // Scrolling on to another article, the page took its title.
    if (appended !== null && isHtml && name === 'title' && base === null) return emit(text(cut(appended.title ?? '')))
    if (isHtml && name === 'textarea') return emit(text(cut(getter(HTMLTextAreaElement.prototype, 'value')(node))))
    if (isHtml && name === 'template') return pushChildren(content(node), base, false, -2)
    if (root !== null) return pushChildren(root, base, true, inner)
    if (isHtml && raw.has(name)) {
      for (let child = node.firstChild; child !== null; child = child.nextSibling) if (nodeType(child) === 3) emit(cut(data(child)))
      return
    }
    pushChildren(node, base, shadow, inner)
  }

  const doctype = part === 'page' ? doctypeOf(document) : null
  if (doctype !== null) {
    const outer = doctype.publicId ? ' PUBLIC "' + doctype.publicId + '"' : doctype.systemId ? ' SYSTEM' : ''
    emit('<!DOCTYPE ' + doctype.name + outer + (doctype.systemId ? ' "' + doctype.systemId + '"' : '') + '>\n')
  }
  const top = documentElement(document)
  if (top !== null && part === 'page') stack.push({ node: top, base: null, shadow: false, veil: -1 })
  else if (top !== null) pushChildren(body(document) ?? top, baseURI(top), false, -1)
  while (stack.length > 0) {
    const entry = stack.pop()
    if (typeof entry === 'string') { emit(entry); continue }
    if (truncated || nodes >= maxNodes || size >= maxChars || (nodes % 1000 === 999 && performance.now() > end)) { truncated = true; continue }
    nodes++
    const type = nodeType(entry.node)
    if (type === 1) visitElement(entry)
    else if (type === 3 || type === 4) emit(text(cut(data(entry.node))))
    else if (type === 8 && !entry.shadow) emit('<!--' + cut(data(entry.node)) + '-->')
  }
  const whole = out.join('')
  return { html: whole.length > maxChars ? whole.slice(0, maxChars) : whole, truncated: truncated || whole.length > maxChars, nodes, url: ${firstUrl} ?? getter(Document.prototype, 'URL')(document), unseen: lookout === null ? null : lookout.found(), faulty, frames: spots, short: lookout !== null && part === 'page' && missesRows() }
}`
