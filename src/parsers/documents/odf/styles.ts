import type { Look } from '../html.ts'
import { all, at, attributeOf, childrenOf, countOf, type XmlElement } from '../xml.ts'

/** What a style makes of a whole paragraph. */
export type Role = 'title' | 'quote' | 'code' | 'plain'

/** The styles of an OpenDocument file that affect the result. */
export interface Styles {
  /** The look of a text run in that style. */
  look(style: string | undefined): Look
  role(style: string | undefined): Role
  /** The heading level that a style gives to a paragraph; 0 for none. */
  heading(style: string | undefined): number
  /** Whether a list is numbered at that level (from 0), and its first number. */
  list(style: string | undefined, level: number): { readonly ordered: boolean; readonly start: number }
}

const maxParents = 20
const roles: Readonly<Record<string, Role>> = { title: 'title', quotations: 'quote', quote: 'quote', 'block text': 'quote', 'preformatted text': 'code', 'source code': 'code', 'html preformatted': 'code' }
const codeStyles = new Set(['source text', 'teletype', 'verbatim char', 'example'])

/** A style's display name: spaces are encoded in several ways. */
const shown = (name: string): string => name.replace(/_20_|_/g, ' ').toLowerCase()

function lookOf(properties: XmlElement | undefined): Look {
  const position = attributeOf(properties, 'text-position') ?? ''
  const through = attributeOf(properties, 'text-line-through-style') ?? attributeOf(properties, 'text-line-through-type') ?? 'none'
  return {
    ...(/^(?:bold|[6-9]00)$/.test(attributeOf(properties, 'font-weight') ?? '') ? { bold: true } : {}),
    ...(/^(?:italic|oblique)$/.test(attributeOf(properties, 'font-style') ?? '') ? { italic: true } : {}),
    ...(through === 'none' ? {} : { strike: true }),
    ...(/^(?:super|[1-9])/.test(position) ? { raised: true } : {}),
    ...(/^(?:sub|-)/.test(position) ? { lowered: true } : {}),
  }
}

/** Reads the styles from the files that may contain them. */
export function stylesOf(files: readonly (XmlElement | undefined)[]): Styles {
  const styles = new Map<string, XmlElement>()
  const lists = new Map<string, XmlElement>()
  for (const file of files) {
    for (const group of [...all(file, 'styles'), ...all(file, 'automatic-styles')]) {
      for (const style of childrenOf(group, 'style')) styles.set(attributeOf(style, 'style:name') ?? '', style)
      for (const style of childrenOf(group, 'list-style')) lists.set(attributeOf(style, 'style:name') ?? '', style)
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
  const looks = new Map<string, Look>()
  return {
    look(style = '') {
      const known = looks.get(style)
      if (known !== undefined) return known
      const own = chain(style)
      const named = own.some(({ name }) => codeStyles.has(shown(name))) ? { code: true } : {}
      const made = own.reduceRight<Look>((look, { element }) => ({ ...look, ...lookOf(at(element, 'text-properties')) }), named)
      looks.set(style, made)
      return made
    },
    role: (style) => chain(style).map(({ name }) => roles[shown(name)]).find((role) => role !== undefined) ?? roles[shown(style ?? '')] ?? 'plain',
    heading: (style) => Number(chain(style).map(({ name }) => /^heading (\d)$/.exec(shown(name))?.[1]).find((level) => level !== undefined) ?? 0),
    list(style, level) {
      const levels = childrenOf(lists.get(style ?? ''))
      const own = levels.find((one) => attributeOf(one, 'level') === String(level + 1))
      const numbered = own?.name === 'list-level-style-number' && (attributeOf(own, 'num-format') ?? '') !== ''
      return { ordered: numbered, start: countOf(own, 'start-value', { most: 100_000 }) }
    },
  }
}
