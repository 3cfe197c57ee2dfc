import { at, attributeOf, childrenOf, textIn, type XmlElement } from './xml.ts'

const named: Readonly<Record<string, string>> = { '∑': '\\sum', '∏': '\\prod', '∫': '\\int', '∬': '\\iint', '∮': '\\oint', '⋃': '\\bigcup', '⋂': '\\bigcap' }
const functions = /^(?:sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|log|ln|exp|lim|max|min|sup|inf|det|gcd)$/

const inner = (element: XmlElement | undefined): string => childrenOf(element).map(texOf).join('')
const group = (element: XmlElement | undefined): string => `{${inner(element)}}`
const value = (element: XmlElement, ...path: readonly string[]): string | undefined => attributeOf(at(element, ...path), 'val') ?? (textIn(at(element, ...path)) || undefined)

/** Accents by their character; a hat without one. */
const accents: Readonly<Record<string, string>> = { '\u0302': 'hat', '\u0303': 'tilde', '\u0304': 'bar', '\u0305': 'overline', '\u0307': 'dot', '\u0308': 'ddot', '\u20d7': 'vec', '\u030c': 'check', '\u0306': 'breve' }

/** Writers of Office Math elements as TeX; an unknown element is written as its content. */
const writers: Readonly<Record<string, (element: XmlElement) => string>> = {
  r: (e) => textIn(e).replace(/[%#&$_{}]/g, '\\$&'),
  acc: (e) => `\\${accents[value(e, 'accPr', 'chr') ?? '\u0302'] ?? 'hat'}${group(at(e, 'e'))}`,
  sPre: (e) => `{}_${group(at(e, 'sub'))}^${group(at(e, 'sup'))}${inner(at(e, 'e'))}`,
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
