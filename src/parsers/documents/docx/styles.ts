import { at, attributeOf, childrenOf, type XmlElement } from '../xml.ts'

/** What a chain of styles says about the paragraphs and runs in it. */
export interface DocxStyle {
  /** Heading level from 1; 0 for none. */
  readonly heading: number
  readonly hidden: boolean | undefined
  readonly font: string | undefined
  /** The list of its paragraphs. */
  readonly numbering: XmlElement | undefined
  /** The level of list that its name stands for, whatever its list says; such levels are counted apart. */
  readonly nesting: string
}

const maxParents = 20
const bodyText = 9
const deepestHeading = 6

/** A property that is on or off; undefined when nothing is said. */
export function toggle(element: XmlElement | undefined): boolean | undefined {
  return element === undefined ? undefined : !/^(?:0|false|off)$/.test(attributeOf(element, 'val') ?? '')
}

/** The heading level of an outline level, which counts from 0; 0 for body text. */
export const headingOf = (outline: number): number => (outline < bodyText ? Math.min(deepestHeading, outline + 1) : 0)

export const outlineOf = (properties: XmlElement | undefined): number | undefined => {
  const level = Number.parseInt(attributeOf(at(properties, 'outlineLvl'), 'val') ?? '', 10)
  return Number.isNaN(level) ? undefined : level
}

export const fontOf = (properties: XmlElement | undefined): string | undefined => attributeOf(at(properties, 'rFonts'), 'ascii') ?? attributeOf(at(properties, 'rFonts'), 'hAnsi')

/** The first value that is set, in the order of the elements. */
const firstOf = <T>(elements: readonly XmlElement[], read: (element: XmlElement) => T | undefined): T | undefined => {
  for (const element of elements) {
    const value = read(element)
    if (value !== undefined) return value
  }
  return undefined
}

const nameOf = (style: XmlElement | undefined): string => attributeOf(at(style, 'name'), 'val') ?? ''

function outlineOfStyle(style: XmlElement): number | undefined {
  const named = /^heading (\d)$/i.exec(nameOf(style))?.[1]
  return outlineOf(at(style, 'pPr')) ?? (named === undefined ? undefined : Number(named) - 1)
}

/** The styles of a Word document, by id. */
export class DocxStyles {
  readonly #styles: ReadonlyMap<string, XmlElement>
  readonly #known = new Map<string, DocxStyle>()
  /** The font of paragraphs without a style. */
  readonly font: string | undefined

  constructor(root: XmlElement | undefined) {
    const styles = childrenOf(at(root, 'styles'), 'style')
    this.#styles = new Map(styles.map((style) => [attributeOf(style, 'styleId') ?? '', style]))
    const usual = styles.find((style) => attributeOf(style, 'type') === 'paragraph' && toggle({ name: '', attributes: { val: attributeOf(style, 'default') ?? '0' }, children: [] }))
    this.font = fontOf(at(usual, 'rPr')) ?? fontOf(at(root, 'styles', 'docDefaults', 'rPrDefault', 'rPr'))
  }

  /** A style with what it inherits. */
  of(id: string | undefined): DocxStyle {
    const known = this.#known.get(id ?? '')
    if (known !== undefined) return known
    const chain = this.#chain(id)
    const made: DocxStyle = {
      heading: headingOf(firstOf(chain, outlineOfStyle) ?? bodyText),
      hidden: firstOf(chain, (style) => toggle(at(style, 'rPr', 'vanish'))),
      font: firstOf(chain, (style) => fontOf(at(style, 'rPr'))),
      numbering: firstOf(chain, (style) => at(style, 'pPr', 'numPr')),
      nesting: /^list number (\d)$/i.exec(nameOf(chain[0]))?.[1] ?? '',
    }
    this.#known.set(id ?? '', made)
    return made
  }

  #chain(id: string | undefined): XmlElement[] {
    const chain: XmlElement[] = []
    for (let next = id; next !== undefined && chain.length < maxParents; ) {
      const style = this.#styles.get(next)
      if (style === undefined) break
      chain.push(style)
      next = attributeOf(at(style, 'basedOn'), 'val')
    }
    return chain
  }
}
