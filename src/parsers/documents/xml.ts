import { Parser } from 'htmlparser2'
import { escapeHtml } from './html.ts'
import { UnreadableDocument } from './unreadable.ts'

/** An XML element: its name without a prefix; attribute names as written. */
export interface XmlElement {
  readonly name: string
  readonly prefix?: string | undefined
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlNode[]
}
export type XmlNode = XmlElement | string

/** Deepest nesting, because readers are recursive: no real file nests as deep. */
const maxDepth = 256
const maxNodes = 2_000_000
/** Characters parsed at once; an error ends parsing after the current piece. */
const step = 65_536

const local = (name: string): string => name.slice(name.indexOf(':') + 1)
const prefixOf = (name: string): string | undefined => (name.includes(':') ? name.slice(0, name.indexOf(':')) : undefined)

const start = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 200)).toString('latin1')

/** Whether a file begins as XML does, in an encoding that holds a byte for a letter. */
export const isXml = (bytes: Uint8Array): boolean => /^(?:\xef\xbb\xbf)?\s*<\?xml\s/.test(start(bytes))

/** The encoding that an XML declaration names, of those that hold a byte for a letter. */
const declared = /^\s*<\?xml\s[^>]*\sencoding=["']((?:iso-8859|windows|koi8|us)-[\w-]+)["']/i

/** The text of a part: UTF-8, UTF-16 by its byte order mark, or in the encoding that it declares. */
export function decodeXml(bytes: Uint8Array): string {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
  return decoded(bytes, wide ?? declared.exec(start(bytes))?.[1] ?? 'utf-8')
}

function decoded(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    // No encoding has that name.
    return new TextDecoder().decode(bytes)
  }
}

/** Reads a file element by element. */
export interface XmlVisitor {
  /** Told of every element, without what it holds, in which none is kept; whether this one is. */
  keeps(element: XmlElement): boolean
  /** Takes an element that is kept, when it ends. */
  take(element: XmlElement): void
}

/**
 * Parses an XML file to a tree below a nameless element. Entities that a file declares are left as text, so none can
 * expand. Throws `UnreadableDocument` for too deep nesting or too many nodes.
 */
export function parseXml(text: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [] }
  read(text, [root], { keeps: () => false, take: () => undefined })
  return root
}

/** Reads an XML file whose tree would be too large: only what the visitor keeps becomes one, and each has the limits of a file. */
export const visitXml = (text: string, visitor: XmlVisitor): void => read(text, [], visitor)

/** `open` are the elements that a tree is built of, outermost first. */
function read(text: string, open: XmlElement[], visitor: XmlVisitor): void {
  const outside = open.length
  let [depth, nodes] = [0, 0]
  const add = (node: XmlNode): void => {
    if (++nodes > maxNodes) throw new UnreadableDocument('too-large')
    open.at(-1)?.children.push(node)
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (depth++ >= maxDepth) throw new UnreadableDocument('broken')
        const element: XmlElement = { name: local(name), prefix: prefixOf(name), attributes, children: [] }
        if (open.length > 0) add(element)
        else if (!visitor.keeps(element)) return
        open.push(element)
      },
      onclosetag() {
        depth--
        const done = open.length > outside ? open.pop() : undefined
        if (done === undefined || open.length > 0) return
        nodes = 0
        visitor.take(done)
      },
      ontext: (node) => void (open.length > 0 && add(node)),
    },
    { xmlMode: true },
  )
  for (let at = 0; at < text.length; at += step) parser.write(text.slice(at, at + step))
  parser.end()
}

/** Writes nodes as XML, as `parseXml` reads them. */
export function writeXml(nodes: readonly XmlNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? escapeHtml(node) : writeElement(node))).join('')
}

function writeElement({ name, prefix, attributes, children }: XmlElement): string {
  const whole = prefix === undefined ? name : `${prefix}:${name}`
  const said = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`).join('')
  return children.length === 0 ? `<${whole}${said}/>` : `<${whole}${said}>${writeXml(children)}</${whole}>`
}

/** The child elements, all or those with a name. */
export function childrenOf(element: XmlElement | undefined, name?: string): XmlElement[] {
  return (element?.children ?? []).filter((child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name))
}

/** The element at a path of names: the first child of each name in turn. */
export function at(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((here, name) => here?.children.find((child): child is XmlElement => typeof child !== 'string' && child.name === name), element)
}

/** Every descendant with that name, in document order. */
export function all(element: XmlElement | undefined, name: string): XmlElement[] {
  return childrenOf(element).flatMap((child) => (child.name === name ? [child] : all(child, name)))
}

/** All text inside an element. */
export function textIn(element: XmlElement | undefined): string {
  return (element?.children ?? []).map((child) => (typeof child === 'string' ? child : textIn(child))).join('')
}

/** An attribute by its name without prefix. */
export function attributeOf(element: XmlElement | undefined, name: string): string | undefined {
  if (element === undefined) return undefined
  const { attributes } = element
  if (Object.hasOwn(attributes, name)) return attributes[name]
  const key = Object.keys(attributes).find((one) => one.endsWith(name) && local(one) === name)
  return key === undefined ? undefined : attributes[key]
}

/** An attribute as an integer between 0 and `most`; `otherwise` when it is missing or invalid. */
export function countOf(element: XmlElement | undefined, name: string, { most, otherwise = 1 }: { readonly most: number; readonly otherwise?: number }): number {
  const number = Number.parseInt(attributeOf(element, name) ?? '', 10)
  return Number.isNaN(number) ? otherwise : Math.max(0, Math.min(most, number))
}
