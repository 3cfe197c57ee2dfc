import type { Element } from 'domhandler'
import { isElement } from '../html/tree.ts'
import { textOf, walk } from './dom.ts'

const operators: Readonly<Record<string, string>> = {
  '−': '-', '×': '\\times', '·': '\\cdot', '⋅': '\\cdot', '÷': '\\div', '±': '\\pm', '∓': '\\mp', '≤': '\\leq', '≥': '\\geq', '≠': '\\neq', '≈': '\\approx',
  '≡': '\\equiv', '∼': '\\sim', '∝': '\\propto', '∑': '\\sum', '∏': '\\prod', '∫': '\\int', '∬': '\\iint', '∮': '\\oint', '∂': '\\partial', '∇': '\\nabla',
  '∞': '\\infty', '→': '\\to', '←': '\\leftarrow', '⇒': '\\Rightarrow', '⇔': '\\Leftrightarrow', '↔': '\\leftrightarrow', '↦': '\\mapsto', '∈': '\\in',
  '∉': '\\notin', '⊂': '\\subset', '⊆': '\\subseteq', '∪': '\\cup', '∩': '\\cap', '∅': '\\emptyset', '∀': '\\forall', '∃': '\\exists', '¬': '\\neg',
  '∧': '\\wedge', '∨': '\\vee', '⟨': '\\langle', '⟩': '\\rangle', '‖': '\\|', '…': '\\dots', '⋯': '\\cdots', '⋮': '\\vdots', '∘': '\\circ', '⊕': '\\oplus',
  '⊗': '\\otimes', '′': "'", '{': '\\{', '}': '\\}', '%': '\\%', '#': '\\#', '&': '\\&', $: '\\$', _: '\\_',
}
const greek = 'α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho σ sigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ℝ mathbb{R} ℕ mathbb{N} ℤ mathbb{Z} ℚ mathbb{Q} ℂ mathbb{C} ℓ ell ℏ hbar'
const letters = new Map<string, string>()
const names = greek.split(' ')
for (let i = 0; i + 1 < names.length; i += 2) letters.set(names[i] ?? '', `\\${names[i + 1] ?? ''}`)
const functions = new Set('sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln lg exp lim sup inf max min det dim ker gcd deg arg Pr limsup liminf hom'.split(' '))
const accents: Readonly<Record<string, string>> = { '¯': 'bar', '‾': 'overline', '_': 'bar', '^': 'hat', 'ˆ': 'hat', '~': 'tilde', '˜': 'tilde', '→': 'vec', '⃗': 'vec', '˙': 'dot', '¨': 'ddot', '⏞': 'overbrace', 'ˇ': 'check', '˘': 'breve' }
const withLimits = /^\\(?:sum|prod|int|lim|limsup|liminf|sup|inf|max|min|bigcup|bigcap|iint|oint|underbrace\{.*\}|overbrace\{.*\})$/
const invisible = /[\u2061-\u2064\u200b\u00a0\u2009\u200a]/g

type Parts = readonly string[]

/**
 * The TeX of each MathML element, given the TeX of its children. An element without an entry is the sequence of its
 * children.
 */
const rules: ReadonlyMap<string, (parts: Parts, element: Element) => string> = new Map<string, (parts: Parts, element: Element) => string>([
  ['mfrac', ([a = '', b = '']) => `\\frac{${a}}{${b}}`],
  ['msqrt', (parts) => `\\sqrt{${join(parts)}}`],
  ['mroot', ([a = '', n = '']) => `\\sqrt[${n}]{${a}}`],
  ['msup', ([a = '', b = '']) => `${group(a)}^{${b}}`],
  ['msub', ([a = '', b = '']) => `${group(a)}_{${b}}`],
  ['msubsup', ([a = '', b = '', c = '']) => `${group(a)}_{${b}}^{${c}}`],
  ['munder', ([a = '', b = '']) => under(a, b)],
  ['mover', ([a = '', b = '']) => over(a, b)],
  ['munderover', ([a = '', b = '', c = '']) => (hasLimits(a) ? `${a}_{${b}}^{${c}}` : over(under(a, b), c))],
  ['mmultiscripts', ([a = '', b = '', c = '']) => `${group(a)}_{${b}}^{${c}}`],
  ['mtable', (parts) => `\\begin{matrix} ${parts.join(' \\\\ ')} \\end{matrix}`],
  ['mtr', (parts) => parts.join(' & ')],
  ['mlabeledtr', (parts) => parts.slice(1).join(' & ')],
  ['mfenced', (parts, e) => `\\left${delimiter(e.attribs['open'] ?? '(')} ${parts.join(e.attribs['separators']?.trim().charAt(0) ?? ', ')} \\right${delimiter(e.attribs['close'] ?? ')')}`],
  ['semantics', ([first = '']) => first],
  ['mphantom', () => ''],
  ['annotation', () => ''],
  ['annotation-xml', () => ''],
  ['mspace', () => ' '],
  ['menclose', (parts, e) => enclosed(join(parts), e.attribs['notation'] ?? '')],
])

/** Converts presentation MathML to TeX (MathML 3, chapter 3). No recursion. */
export function mathmlToTex(math: Element): string {
  const order: Element[] = [math]
  walk(math, (node) => {
    if (isElement(node)) order.push(node)
    return 'into'
  })
  const tex = new Map<Element, string>()
  for (let i = order.length - 1; i >= 0; i--) {
    const element = order[i]
    if (element) tex.set(element, texOf(element, tex))
  }
  return (tex.get(math) ?? '').replace(/ {2,}/g, ' ').trim()
}

function texOf(element: Element, tex: ReadonlyMap<Element, string>): string {
  const name = element.name.replace(/^m(?:ml)?:/, '')
  if (name === 'mi' || name === 'mn' || name === 'mo' || name === 'mtext' || name === 'ms') return token(name, element)
  const parts = element.children.filter(isElement).map((child) => tex.get(child) ?? '')
  const rule = rules.get(name)
  return rule ? rule(parts, element) : join(parts)
}

function token(name: string, element: Element): string {
  const text = textOf(element, new Set(), 2000)
  const plain = text.replace(invisible, '')
  if (plain === '') return ''
  if (name === 'mtext' || name === 'ms') return `\\text{${text.replace(/[{}$\\]/g, '\\$&')}}`
  if (name === 'mn') return plain
  if (name === 'mi' && functions.has(plain)) return `\\${plain}`
  const known = operators[plain] ?? letters.get(plain)
  if (known !== undefined) return known
  if (name === 'mi' && plain.length > 1 && /^[A-Za-z]+$/.test(plain)) return `\\mathrm{${plain}}`
  if (name === 'mo' && functions.has(plain)) return `\\${plain}`
  return plain
}

/**
 * Longest possible command, in characters. Searching whole parts at every level would cost their length times the depth.
 */
const longCommand = 4096

/** Joins parts, with a space between a command and a letter after it. */
function join(parts: Parts): string {
  const all: string[] = []
  let tail = ''
  for (const part of parts) {
    const gap = /\\[A-Za-z]+$/.test(tail) && /^[A-Za-z]/.test(part) ? ' ' : ''
    all.push(gap, part)
    tail = (tail + gap + part.slice(-24)).slice(-24)
  }
  return all.join('')
}

function group(base: string): string {
  if (base.length > longCommand) return `{${base}}`
  return base.length <= 1 || /^\\[A-Za-z]+$/.test(base) || /^\\[a-z]+\{[^{}]*\}$/.test(base) ? base : `{${base}}`
}

function hasLimits(base: string): boolean {
  return base.length <= longCommand && withLimits.test(base)
}

function under(base: string, below: string): string {
  if (hasLimits(base)) return `${base}_{${below}}`
  return below === '⏟' ? `\\underbrace{${base}}` : below === '_' || below === '̲' ? `\\underline{${base}}` : `\\underset{${below}}{${base}}`
}

function over(base: string, above: string): string {
  if (hasLimits(base)) return `${base}^{${above}}`
  const accent = accents[above] ?? (above === '\\to' ? 'vec' : above === '\\_' ? 'bar' : undefined)
  return accent === undefined ? `\\overset{${above}}{${base}}` : `\\${accent}{${base}}`
}

function enclosed(content: string, notation: string): string {
  if (/\btop\b/.test(notation)) return `\\overline{${content}}`
  if (/\bbottom\b/.test(notation)) return `\\underline{${content}}`
  if (/radical/.test(notation)) return `\\sqrt{${content}}`
  if (/box/.test(notation)) return `\\boxed{${content}}`
  return /strike/.test(notation) ? `\\cancel{${content}}` : content
}

function delimiter(sign: string): string {
  return sign.trim() === '' ? '.' : (operators[sign.trim()] ?? sign.trim())
}
