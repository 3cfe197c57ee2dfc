import { chartHtml, diagramHtml } from '../drawings.ts'
import { texInside } from '../equations.ts'
import { isEvenFont } from '../html.ts'
import { all, at, attributeOf, childrenOf, countOf, textIn, type XmlElement, type XmlNode } from '../xml.ts'
import { isSymbolFont, shownIn } from '../symbols.ts'
import { type Parts, resolvePath, xmlPart } from '../zip.ts'
import { codeStyle, type Marks } from './marks.ts'
import type { Marker } from '../numbering.ts'
import { Numbering } from './numbering.ts'
import { type DocxStyle, DocxStyles, fontOf, headingOf, outlineOf, toggle } from './styles.ts'

/** What runs and paragraphs inherit from their surroundings. */
interface Around {
  readonly style: DocxStyle
  readonly inTable: boolean
  /** Whether the whole paragraph is code. */
  readonly code: boolean
}

/** Elements whose text the library would drop with them: text with its own direction, ruby text, the frame of formulas. */
const wrappers = new Set(['bdo', 'dir', 'ruby', 'rubyBase', 'oMathPara'])
/** Elements without text, of which files are full: each one costs the library time and memory. */
const unread = new Set(['bookmarkStart', 'bookmarkEnd', 'proofErr', 'lastRenderedPageBreak'])
/** The properties of paragraphs and runs that the library writes something for. */
const readProperties = new Set(['pStyle', 'numPr', 'rPr', 'rStyle', 'b', 'i', 'strike', 'vertAlign', 'del'])

/** Changes the parts of a Word document so that the library reads all of their text, and only what is displayed. */
export class Rewriter {
  readonly #parts: Parts
  readonly #styles: DocxStyles
  readonly #numbering: Numbering
  readonly #notes: Readonly<Record<string, ReadonlySet<string | undefined>>>
  readonly #marks: Marks
  #path = ''
  #relations: ReadonlyMap<string, string> = new Map()
  /** Blocks for drawings in a paragraph, which are written after it. */
  #floating: XmlElement[] = []
  /** How many parts of the text are files of their own. */
  foreign = 0

  constructor(parts: Parts, marks: Marks) {
    this.#parts = parts
    this.#marks = marks
    this.#styles = new DocxStyles(xmlPart(parts, 'word/styles.xml'))
    this.#numbering = new Numbering(xmlPart(parts, 'word/numbering.xml'))
    const notes = (kind: string): ReadonlySet<string | undefined> => new Set(all(xmlPart(parts, `word/${kind}s.xml`), kind).map((one) => attributeOf(one, 'id')))
    this.#notes = { footnoteReference: notes('footnote'), endnoteReference: notes('endnote') }
  }

  /** The nodes of a part. */
  part(path: string, nodes: readonly XmlNode[]): XmlNode[] {
    this.#path = path
    this.#relations = new Map(all(xmlPart(this.#parts, path.replace(/[^/]+$/, '_rels/$&.rels')), 'Relationship').map((one) => [attributeOf(one, 'Id') ?? '', attributeOf(one, 'Target') ?? '']))
    return this.#all(nodes, { style: this.#styles.of(undefined), inTable: false, code: false }).map(withNames)
  }

  #all(nodes: readonly XmlNode[], around: Around): XmlNode[] {
    return nodes.flatMap((node) => (typeof node === 'string' ? this.#marks.without(node) : this.#element(node, around)))
  }

  #element(element: XmlElement, around: Around): XmlNode[] {
    const { name, children } = element
    if (unread.has(name)) return []
    if (name.endsWith('Pr')) return [element]
    if (wrappers.has(name)) return this.#all(children, around)
    switch (name) {
      case 'p': return this.#paragraph(element, around)
      case 'r': return this.#run(element, around)
      case 'tc': return [{ ...element, children: this.#all(children, { ...around, inTable: true }) }]
      case 'txbxContent': return [{ ...element, children: this.#all(children, { style: this.#styles.of(undefined), inTable: false, code: false }) }]
      case 'fldSimple': return this.#field(element, around)
      case 'oMath': return [runOf(`\\(${texInside(element)}\\)`)]
      case 'AlternateContent': return this.#all(chosen(element), around)
      case 'drawing': return this.#drawing(element, around)
      case 'footnoteReference': case 'endnoteReference': return this.#notes[name]?.has(attributeOf(element, 'id')) === true ? [element] : []
      case 'hyperlink': return [{ ...this.#linked(element), children: this.#all(children, around) }]
      case 'altChunk':
        this.foreign++
        return []
      default: return [{ ...element, children: this.#all(children, around) }]
    }
  }

  /** A link whose relation is missing is only its text: the library fails on it. */
  #linked(element: XmlElement): XmlElement {
    const dead = Object.entries(element.attributes).find(([key, id]) => key.endsWith(':id') && !this.#relations.has(id))
    return dead === undefined ? element : { ...element, attributes: Object.fromEntries(Object.entries(element.attributes).filter(([key]) => key !== dead[0])) }
  }

  #paragraph(element: XmlElement, around: Around): XmlNode[] {
    const properties = at(element, 'pPr')
    const id = attributeOf(at(properties, 'pStyle'), 'val')
    const style = this.#styles.of(id)
    const outline = outlineOf(properties)
    const heading = outline === undefined ? style.heading : headingOf(outline)
    const gone = at(properties, 'rPr', 'del') !== undefined || at(properties, 'rPr', 'moveFrom') !== undefined
    const marker = gone ? undefined : this.#marker(at(properties, 'numPr'), style, id)
    const bare = marker !== undefined && marker !== null && marker.item === undefined
    const code = heading === 0 && (marker === undefined || (bare && marker.text === '')) && !around.inTable && this.#isCode(element, style)
    const outer = this.#floating
    this.#floating = []
    const content = this.#all(element.children.filter((child) => child !== properties), { ...around, style, code })
    const after = this.#floating
    this.#floating = outer
    const lead = marker === undefined || marker === null || isEmpty(content) ? [] : this.#lead(marker, heading > 0)
    const named = heading > 0 ? `Heading${heading}` : code ? codeStyle : bare ? '' : undefined
    const own = named === undefined ? readOf(properties) : withStyle(readOf(properties), named)
    return [{ ...made('p'), children: [...group('pPr', own), ...lead, ...content] }, ...after]
  }

  #marker(own: XmlElement | undefined, style: DocxStyle, styleId: string | undefined): Marker | null | undefined {
    const [direct, styled] = [attributeOf(at(own, 'numId'), 'val'), attributeOf(at(style.numbering, 'numId'), 'val')]
    const id = direct ?? styled
    if (id === undefined) return undefined
    const said = at(own, 'ilvl') ?? (direct === undefined ? at(style.numbering, 'ilvl') : undefined)
    const ofStyle = said === undefined && styleId !== undefined ? this.#numbering.levelOfStyle(id, styleId) : undefined
    return this.#numbering.next(id, ofStyle ?? countOf(said, 'val', { most: 8, otherwise: 0 }), style.nesting)
  }

  /** What displays a marker: HTML numbers items by itself, but no headings, and no paragraphs of a law. */
  #lead({ text, item }: Marker, isHeading: boolean): XmlElement[] {
    if (item !== undefined && !isHeading) return [runOf(this.#marks.item(item))]
    return text === '' ? [] : [runOf(`${text} `)]
  }

  #isCode(paragraph: XmlElement, style: DocxStyle): boolean {
    const runs = all(paragraph, 'r')
    return runs.every((run) => this.#isEven(run, style) || !hasText(run)) && runs.some(hasText)
  }

  /** Whether a run is set in a typewriter font, unless the whole document is. */
  #isEven(run: XmlElement, style: DocxStyle): boolean {
    const properties = at(run, 'rPr')
    return isEvenFont(this.#fontOf(properties, style)) && !isEvenFont(this.#styles.font)
  }

  #fontOf(properties: XmlElement | undefined, style: DocxStyle): string | undefined {
    return fontOf(properties) ?? this.#charactersOf(properties).font ?? style.font
  }

  #charactersOf(properties: XmlElement | undefined): DocxStyle {
    return this.#styles.of(attributeOf(at(properties, 'rStyle'), 'val'))
  }

  #run(run: XmlElement, around: Around): XmlNode[] {
    const properties = at(run, 'rPr')
    const hidden = toggle(at(properties, 'vanish')) ?? this.#charactersOf(properties).hidden ?? around.style.hidden ?? false
    // The signs of fields come in pairs.
    if (hidden && !run.children.some((child) => typeof child === 'object' && (child.name === 'fldChar' || child.name === 'instrText'))) return []
    const font = this.#fontOf(properties, around.style)
    const read = this.#all(run.children.filter((child) => child !== properties), around)
    const content = isSymbolFont(font) ? read.map((node) => shownText(node, font)) : read
    const look = around.code ? [] : this.#isEven(run, around.style) ? [made('rStyle', { 'w:val': codeStyle })] : readOf(properties)
    return [{ ...made('r'), children: [...group('rPr', look), ...content] }]
  }

  /** A field in the long form, which is the only one in which the library knows links. */
  #field(element: XmlElement, around: Around): XmlNode[] {
    const sign = (type: string): XmlElement => ({ ...made('r'), children: [made('fldChar', { 'w:fldCharType': type })] })
    const code = { ...made('r'), children: [{ ...made('instrText'), children: [attributeOf(element, 'instr') ?? ''] }] }
    return [sign('begin'), code, sign('separate'), ...this.#all(element.children, around), sign('end')]
  }

  #drawing(element: XmlElement, around: Around): XmlNode[] {
    const boxes = all(element, 'txbxContent')
    if (boxes.length > 0) return [{ ...made('pict'), children: this.#all(boxes, around) }]
    const html = this.#related(all(element, 'chart')[0], 'id', chartHtml) || this.#related(all(element, 'relIds')[0], 'dm', diagramHtml)
    // A picture outside of the file is never read.
    if (html === '') return all(element, 'blip').some((one) => attributeOf(one, 'embed') === undefined) ? [] : [element]
    this.#floating.push({ ...made('p'), children: [runOf(this.#marks.block(html))] })
    return []
  }

  #related(element: XmlElement | undefined, attribute: string, read: (root: XmlElement | undefined) => string): string {
    const target = this.#relations.get(attributeOf(element, attribute) ?? '')
    return target === undefined ? '' : read(xmlPart(this.#parts, resolvePath(this.#path, target)))
  }
}

/** The root of a part with the prefix of what is added to it: programs may choose another for their own. */
const withNames = (node: XmlNode): XmlNode => (typeof node === 'string' ? node : { ...node, attributes: { 'xmlns:w': 'http://schemas.openxmlformats.org/wordprocessingml/2006/main', ...node.attributes } })

const made = (name: string, attributes: Readonly<Record<string, string>> = {}): XmlElement => ({ name, prefix: 'w', attributes, children: [] })
const group = (name: string, children: XmlElement[]): XmlElement[] => (children.length === 0 ? [] : [{ ...made(name), children }])
const runOf = (text: string): XmlElement => ({ ...made('r'), children: [{ ...made('t', { 'xml:space': 'preserve' }), children: [text] }] })

/** A node of a run with its text as it is displayed in a symbol font. */
const shownText = (node: XmlNode, font: string | undefined): XmlNode => (typeof node === 'object' && node.name === 't' ? { ...node, children: [shownIn(textIn(node), font)] } : node)

const hasText = (run: XmlElement): boolean => childrenOf(run, 't').some((text) => textIn(text).trim() !== '')

/** The properties that the library reads. */
const readOf = (properties: XmlElement | undefined): XmlElement[] => childrenOf(properties).filter(({ name }) => readProperties.has(name)).flatMap((one) => (one.name === 'rPr' ? group('rPr', readOf(one)) : one))

const withStyle = (properties: readonly XmlElement[], id: string): XmlElement[] => [...(id === '' ? [] : [made('pStyle', { 'w:val': id })]), ...properties.filter(({ name }) => name !== 'pStyle' && name !== 'numPr')]

/** Whether a paragraph shows nothing: its number is not displayed as text then. */
const isEmpty = (nodes: readonly XmlNode[]): boolean => nodes.every((node) => typeof node === 'string' || (textIn(node).trim() === '' && ['drawing', 'pict', 'object'].every((name) => node.name !== name && all(node, name).length === 0)))

/** The content for older programs, unless only the other has text. */
function chosen(element: XmlElement): readonly XmlNode[] {
  const [newer, older] = [at(element, 'Choice'), at(element, 'Fallback')]
  const tells = (one: XmlElement | undefined, ...names: readonly string[]): boolean => names.some((name) => all(one, name).length > 0)
  const isNewer = older === undefined || tells(newer, 'chart', 'relIds') || (tells(newer, 'txbxContent') && !tells(older, 'txbxContent'))
  return (isNewer ? newer : older)?.children ?? []
}
