import { escapeHtml } from './html.ts'
import { at, attributeOf, childrenOf, parseXml, textIn, type XmlElement } from './xml.ts'
import { decodeXml } from './xml.ts'
import type { Parts } from './zip.ts'

const named: Readonly<Record<string, string>> = { '∑': '\\sum', '∏': '\\prod', '∫': '\\int', '∬': '\\iint', '∮': '\\oint', '⋃': '\\bigcup', '⋂': '\\bigcap' }
const functions = /^(?:sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|log|ln|exp|lim|max|min|sup|inf|det|gcd)$/

const inner = (element: XmlElement | undefined): string => childrenOf(element).map(texOf).join('')
const group = (element: XmlElement | undefined): string => `{${inner(element)}}`
const value = (element: XmlElement, ...path: readonly string[]): string | undefined => attributeOf(at(element, ...path), 'val') ?? (textIn(at(element, ...path)) || undefined)

/** Writers of Office Math elements as TeX; an unknown element is written as its content. */
const writers: Readonly<Record<string, (element: XmlElement) => string>> = {
  r: (e) => textIn(e),
  f: (e) => `\\frac${group(at(e, 'num'))}${group(at(e, 'den'))}`,
  sSup: (e) => `${group(at(e, 'e'))}^${group(at(e, 'sup'))}`,
  sSub: (e) => `${group(at(e, 'e'))}_${group(at(e, 'sub'))}`,
  sSubSup: (e) => `${group(at(e, 'e'))}_${group(at(e, 'sub'))}^${group(at(e, 'sup'))}`,
  rad: (e) => {
    const degree = inner(at(e, 'deg'))
    return `\\sqrt${degree === '' ? '' : `[${degree}]`}${group(at(e, 'e'))}`
  },
  nary: (e) => {
    const sign = value(e, 'naryPr', 'chr') ?? '∫'
    const [below, above] = [inner(at(e, 'sub')), inner(at(e, 'sup'))]
    return `${named[sign] ?? sign}${below === '' ? '' : `_{${below}}`}${above === '' ? '' : `^{${above}}`} ${inner(at(e, 'e'))}`
  },
  d: (e) => `${bracket(value(e, 'dPr', 'begChr') ?? '(')}${childrenOf(e, 'e').map(inner).join(value(e, 'dPr', 'sepChr') ?? '|')}${bracket(value(e, 'dPr', 'endChr') ?? ')')}`,
  func: (e) => `${inner(at(e, 'fName')).replace(/^\s*(\w+)\s*$/, (_, name: string) => (functions.test(name) ? `\\${name} ` : name))}${inner(at(e, 'e'))}`,
  limLow: (e) => `${inner(at(e, 'e'))}_${group(at(e, 'lim'))}`,
  limUpp: (e) => `${inner(at(e, 'e'))}^${group(at(e, 'lim'))}`,
  bar: (e) => `\\overline${group(at(e, 'e'))}`,
  m: (e) => `\\begin{matrix}${childrenOf(e, 'mr').map((row) => childrenOf(row, 'e').map(inner).join(' & ')).join(' \\\\ ')}\\end{matrix}`,
  eqArr: (e) => `\\begin{matrix}${childrenOf(e, 'e').map(inner).join(' \\\\ ')}\\end{matrix}`,
}

const bracket = (sign: string): string => (sign === '{' || sign === '}' ? `\\${sign}` : sign)

function texOf(element: XmlElement): string {
  if (element.name.endsWith('Pr')) return ''
  return writers[element.name]?.(element) ?? inner(element)
}

/** The content of an Office Math element as TeX. */
export const texInside = (element: XmlElement | undefined): string => inner(element).trim()

/** Matches a formula, and the paragraph of formulas around it, which the library would drop as a whole. */
const formula = /<m:oMath(?:\s[^>]*)?>[^]*?<\/m:oMath>/g
const frame = /<\/?m:oMathPara(?:\s[^>]*)?>|<m:oMathParaPr>[^]*?<\/m:oMathParaPr>|<m:oMathParaPr\/>/g
/** The parts of a Word document that hold its text. */
export const body = /^word\/(?:document|footnotes|endnotes)\d*\.xml$/

/**
 * Replaces the formulas of a Word document by text runs with TeX and its delimiters, because the library drops formulas.
 */
export function equationsAsTex(parts: Parts): Parts {
  const changed = [...parts].map(([path, bytes]): [string, Uint8Array] => {
    if (!body.test(path)) return [path, bytes]
    const text = decodeXml(bytes)
    if (!text.includes('<m:oMath')) return [path, bytes]
    return [path, Buffer.from(text.replace(frame, '').replace(formula, (xml) => `<w:r><w:t xml:space="preserve">\\(${escapeHtml(texInside(at(parseXml(xml), 'oMath')))}\\)</w:t></w:r>`))]
  })
  return new Map(changed)
}
