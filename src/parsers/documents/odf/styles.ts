import type { Look } from '../html.ts'
import { type Level, levelAt, maxLevel, mostItems } from '../numbering.ts'
import { all, at, attributeOf, childrenOf, countOf, type XmlElement } from '../xml.ts'

/** What a style makes of a whole paragraph. */
export type Role = 'title' | 'quote' | 'code' | 'plain'

interface FontLook extends Look {
  readonly font?: string
}

/** The styles of an OpenDocument file that affect the result. */
export interface Styles {
  /** The look and the font of text in that style. */
  look(style: string | undefined): FontLook
  role(style: string | undefined): Role
  /** Whether what has that style is not displayed: text, or a slide. */
  hides(style: string | undefined): boolean
  /** The heading level that a style gives to a paragraph; 0 for none. */
  heading(style: string | undefined): number
  /** The levels of a list style, from 0. */
  levels(style: string | undefined): ReadonlyMap<number, Level>
  /** The name of the list style of headings in that style; undefined for headings without numbers. */
  outline(style: string | undefined): string | undefined
}

const maxParents = 20
const roles: Readonly<Record<string, Role>> = { title: 'title', quotations: 'quote', quote: 'quote', 'block text': 'quote', 'preformatted text': 'code', 'source code': 'code', 'html preformatted': 'code' }
const codeStyles = new Set(['source text', 'teletype', 'verbatim char', 'example'])

/** A style's display name: spaces are encoded in several ways. */
const shown = (name: string): string => name.replace(/_20_|_/g, ' ').toLowerCase()

/** `faces` are the families of fonts, by the names that the file gives them. */
function lookOf(properties: XmlElement | undefined, faces: ReadonlyMap<string, string>): FontLook {
  const [name, family] = [attributeOf(properties, 'font-name'), attributeOf(properties, 'font-family')]
  const font = family ?? (name === undefined ? undefined : (faces.get(name) ?? name))
  const position = attributeOf(properties, 'text-position') ?? ''
  const through = attributeOf(properties, 'text-line-through-style') ?? attributeOf(properties, 'text-line-through-type') ?? 'none'
  return {
    ...(font === undefined ? {} : { font: font.replace(/^['"]|['"]?(?:,.*)?$/g, '') }),
    ...(/^(?:bold|[6-9]00)$/.test(attributeOf(properties, 'font-weight') ?? '') ? { bold: true } : {}),
    ...(/^(?:italic|oblique)$/.test(attributeOf(properties, 'font-style') ?? '') ? { italic: true } : {}),
    ...(through === 'none' ? {} : { strike: true }),
    ...(/^(?:super|[1-9])/.test(position) ? { raised: true } : {}),
    ...(/^(?:sub|-)/.test(position) ? { lowered: true } : {}),
  }
}

const formats: Readonly<Record<string, string>> = { a: 'lowerLetter', A: 'upperLetter', i: 'lowerRoman', I: 'upperRoman', '': 'none' }

/** A level of a list: with a bullet, or a number and what stands around it. */
function levelOf(element: XmlElement): (readonly [number, Level])[] {
  const depth = countOf(element, 'level', { most: maxLevel + 2 }) - 1
  if (depth < 0 || depth > maxLevel) return []
  const format = /-bullet$|-image$/.test(element.name) ? 'bullet' : (formats[attributeOf(element, 'num-format') ?? ''] ?? 'decimal')
  // Programs that can write more than the standard has write it beside it.
  const exact = attributeOf(element, 'num-list-format')?.replace(/%(\d)%/g, '%$1')
  const outer = Math.min(depth, countOf(element, 'display-levels', { most: maxLevel + 1 }) - 1)
  const numbers = Array.from({ length: outer + 1 }, (_, i) => `%${depth - outer + i + 1}`).join('.')
  const text = exact ?? `${attributeOf(element, 'num-prefix') ?? ''}${numbers}${attributeOf(element, 'num-suffix') ?? ''}`
  return [[depth, levelAt(depth, { format, text, start: countOf(element, 'start-value', { most: mostItems }), legal: false })]]
}

/** Reads the styles from the files that may contain them. */
export function stylesOf(files: readonly (XmlElement | undefined)[]): Styles {
  const styles = new Map<string, XmlElement>()
  const lists = new Map<string, ReadonlyMap<number, Level>>()
  const faces = new Map<string, string>()
  let outline: string | undefined
  for (const file of files) {
    for (const face of all(file, 'font-face')) faces.set(attributeOf(face, 'name') ?? '', attributeOf(face, 'font-family') ?? '')
    for (const group of [...all(file, 'styles'), ...all(file, 'automatic-styles')]) {
      for (const style of childrenOf(group, 'style')) styles.set(attributeOf(style, 'name') ?? '', style)
      for (const style of [...childrenOf(group, 'list-style'), ...childrenOf(group, 'outline-style')]) lists.set(attributeOf(style, 'name') ?? '', new Map(childrenOf(style).flatMap(levelOf)))
      outline = attributeOf(at(group, 'outline-style'), 'name') ?? outline
    }
  }
  /** A style and its ancestors, nearest first. */
  const chain = (name: string | undefined): { name: string; element: XmlElement }[] => {
    const found: { name: string; element: XmlElement }[] = []
    for (let next = name; next !== undefined && found.length < maxParents; ) {
      const element = styles.get(next)
      if (element === undefined) break
      found.push({ name: next, element })
      next = attributeOf(element, 'parent-style-name')
    }
    return found
  }
  const looks = new Map<string, FontLook>()
  const hidden = new Map<string, boolean>()
  const said = (name: string | undefined, kind: string, attribute: string): string | undefined => chain(name).map(({ element }) => attributeOf(at(element, kind), attribute)).find((value) => value !== undefined)
  return {
    hides(style = '') {
      const made = hidden.get(style) ?? (said(style, 'text-properties', 'display') === 'none' || said(style, 'drawing-page-properties', 'visibility') === 'hidden')
      hidden.set(style, made)
      return made
    },
    look(style = '') {
      const known = looks.get(style)
      if (known !== undefined) return known
      const own = chain(style)
      const named = own.some(({ name }) => codeStyles.has(shown(name))) ? { code: true } : {}
      const made = own.reduceRight<FontLook>((look, { element }) => ({ ...look, ...lookOf(at(element, 'text-properties'), faces) }), named)
      looks.set(style, made)
      return made
    },
    role: (style) => chain(style).map(({ name }) => roles[shown(name)]).find((role) => role !== undefined) ?? roles[shown(style ?? '')] ?? 'plain',
    heading: (style) => Number(chain(style).map(({ name }) => /^heading (\d)$/.exec(shown(name))?.[1]).find((level) => level !== undefined) ?? 0),
    levels: (style) => lists.get(style ?? '') ?? new Map(),
    // A style may take its headings out of the numbering by the empty name.
    outline: (style) => (chain(style).map(({ element }) => attributeOf(element, 'list-style-name')).find((name) => name !== undefined) === '' ? undefined : outline),
  }
}
