import type { Element } from 'domhandler'
import { isElement, isText } from '../../html/tree.ts'
import { classesOf, walk } from '../dom.ts'
import { mathmlToTex } from '../mathml.ts'
import type { Handler } from '../page.ts'

/** The TeX of a formula, and whether it stands on a line of its own. */
interface Formula {
  readonly tex: string
  readonly display: boolean
}

const sourceAttributes = ['data-tex', 'data-latex', 'data-math', 'data-formula', 'data-katex']
/** Values of such attributes that are flags, no TeX. */
const flag = /^\s*(?:true|false|yes|no|on|off|inline|block|display)\s*$/i

/** Whether the value of one of those attributes is TeX; what a spreadsheet computes is none. */
const isTex = (name: string, value: string): boolean => !flag.test(value) && !(name === 'data-formula' && /^\s*=/.test(value))
const displayClass = / (?:katex-display|katex-block|math-block|math-display|mathjax_display|mjx-display|display-math|displaymath|ltx_equation|mwe-math-element-block|block|display) /

/** Classes of elements that show a formula. */
const formulaClass = / (?:katex|katex-display|mathjax|mathjax_display|mathjax_preview|mathjax_svg|mathjax_svg_display|mathjax_chtml|mathjax_mathml|mwe-math-element|mjx-chtml|mjx-math) /

/**
 * Elements in which scripts render formulas. On other elements, such as headings, these classes only say that the text may
 * contain one.
 */
const formulaNames: ReadonlySet<string> = new Set(['span', 'div', 'nobr', 'mjx-container'])

/** Whether an element shows a formula, by its class or by an attribute with the source. */
export function isFormula(element: Element): boolean {
  if (sourceAttributes.some((name) => element.attribs[name] && isTex(name, element.attribs[name]))) return true
  return formulaNames.has(element.name) && formulaClass.test(classesOf(element))
}

/** Writes a formula: its TeX source where the page has it, otherwise TeX made from its MathML. */
export const formulaHandler: Handler = {
  enter(element, page) {
    if (isRendering(element)) return false
    const formula = formulaOf(element)
    if (formula) page.formula(formula.tex, formula.display)
    return formula === null
  },
}

/** Whether an element is what MathJax rendered from a `math/tex` script nearby: the script is written instead. */
function isRendering(element: Element): boolean {
  if (!/ mathjax/.test(classesOf(element))) return false
  let next = element.next
  for (let i = 0; i < 3 && next; i++, next = next.next) if (isElement(next) && isTexScript(next)) return true
  return / mathjax_preview /.test(classesOf(element))
}

function isTexScript(element: Element): boolean {
  return element.name === 'script' && /^math\/tex\b/i.test(element.attribs['type'] ?? '')
}

function formulaOf(element: Element): Formula | null {
  const display = isDisplay(element)
  if (element.name === 'script') {
    const tex = element.children.map((child) => (isText(child) ? child.data : '')).join('')
    return { tex: tex.replace(/^\s*%?\s*<!\[CDATA\[|%?\s*\]\]>\s*$/g, ''), display: /mode\s*=\s*display/i.test(element.attribs['type'] ?? '') }
  }
  for (const name of sourceAttributes) {
    const tex = element.attribs[name]
    if (tex && isTex(name, tex)) return { tex: bare(tex), display: display || element.name === 'div' }
  }
  const math = element.name === 'math' ? element : firstMath(element)
  if (!math) return null
  const tex = annotation(math) || bare(math.attribs['alttext'] ?? '') || mathmlToTex(math)
  return { tex, display: display || /^block$/i.test(math.attribs['display'] ?? '') || /^display$/i.test(math.attribs['mode'] ?? '') }
}

function isDisplay(element: Element): boolean {
  if (element.attribs['display'] === 'true' || element.attribs['display'] === 'block' || displayClass.test(classesOf(element))) return true
  const { parent } = element
  return parent !== null && isElement(parent) && / (?:katex-display|math-display|mathjax_display|math-block) /.test(classesOf(parent))
}

function firstMath(element: Element): Element | null {
  let math: Element | null = null
  let nodes = 0
  walk(element, (node) => {
    if (isElement(node) && node.name === 'math') math = node
    return math || ++nodes > 5000 ? 'stop' : 'into'
  })
  return math
}

/** The TeX annotation of a MathML element (MathML 3, 5.1); '' without one. */
function annotation(math: Element): string {
  let tex = ''
  walk(math, (node) => {
    if (!isElement(node) || node.name !== 'annotation') return 'into'
    if (/tex/i.test(node.attribs['encoding'] ?? '')) tex = node.children.map((child) => (isText(child) ? child.data : '')).join('')
    return tex === '' ? 'over' : 'stop'
  })
  return bare(tex)
}

/** TeX source without its delimiters. */
function bare(tex: string): string {
  const trimmed = tex.trim()
  const inner = /^(?:\$\$([^]*)\$\$|\$([^$]*)\$|\\\(([^]*)\\\)|\\\[([^]*)\\\])$/.exec(trimmed)
  const source = inner ? (inner[1] ?? inner[2] ?? inner[3] ?? inner[4] ?? '') : trimmed
  const styled = /^\{\\(?:display|text)style ([^]*)\}$/.exec(source.trim())?.[1]?.trim()
  return styled === undefined || !isBalanced(styled) ? source.trim() : styled
}

/** Whether no brace closes a group that was not opened: otherwise the braces around a source are those of two groups. */
function isBalanced(tex: string): boolean {
  let depth = 0
  for (let i = 0; i < tex.length && depth >= 0; i++) {
    if (tex[i] === '\\') i++
    else if (tex[i] === '{') depth++
    else if (tex[i] === '}') depth--
  }
  return depth === 0
}

const texScript: Handler = {
  enter(element, page) {
    return isTexScript(element) ? formulaHandler.enter(element, page) : false
  },
}

/** Handlers of formulas. */
export const mathHandlers: Readonly<Record<string, Handler>> = { math: formulaHandler, 'mjx-container': formulaHandler, script: texScript }
