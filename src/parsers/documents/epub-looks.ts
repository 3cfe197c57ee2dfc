/** A declared value. Of several of a property, the one of the highest rank counts, and of those the last. */
interface Declared {
  readonly value: string
  readonly rank: number
  /** Where its style sheet has it. */
  readonly at: number
}

/** What is declared, by the names of properties. */
type Declarations = ReadonlyMap<string, Declared>

/** What a style sheet declares for classes, by its selectors: alone (".a") or of one element ("p.a"). */
export type Looks = ReadonlyMap<string, Declarations>

/** The longest style sheet that is read, in code units. */
const longest = 1_000_000
const ranks = { class: 0, classOfElement: 1, own: 2, important: 3 }
/** The properties that matter, and the names under which they are kept. */
const kept = new Map([
  ...['display', 'visibility', 'font-size', 'font-weight', 'font-style', 'position', 'top', 'text-decoration', 'vertical-align'].map((name) => [name, name] as const), // a pair
  ['text-decoration-line', 'text-decoration'],
])

/** Adds what is declared with a rank to what stands before it. */
function add(all: Map<string, Declared>, later: Iterable<readonly [string, Declared]>, rank = 0): void {
  for (const [property, one] of later) if (one.rank + rank >= (all.get(property)?.rank ?? 0)) all.set(property, { ...one, rank: one.rank + rank })
}

function declarationsIn(text: string, at: number): Declarations {
  const all = new Map<string, Declared>()
  for (const one of text.split(';')) {
    const [name = '', value = ''] = one.toLowerCase().split(':', 2)
    const property = kept.get(name.trim())
    const plain = value.replace(/!\s*important/, '')
    if (property !== undefined) add(all, [[property, { value: plain.trim(), rank: plain === value ? 0 : ranks.important, at }]])
  }
  return all
}

/** What declarations say about text, as elements; null if it is not displayed. */
function looksOf(declarations: Declarations): readonly string[] | null {
  const value = (name: string): string => declarations.get(name)?.value ?? ''
  if (value('display') === 'none' || value('visibility') === 'hidden') return null
  const isSmall = /^0?\.\d+em$/.test(value('font-size'))
  const moved = value('position') === 'relative' && isSmall ? Number.parseFloat(value('top')) : 0
  return [
    ...(/^(?:bold|bolder|[6-9]00)$/.test(value('font-weight')) ? ['strong'] : []),
    ...(/^(?:italic|oblique)\b/.test(value('font-style')) ? ['em'] : []),
    ...(value('text-decoration').includes('line-through') ? ['s'] : []),
    ...(value('vertical-align') === 'super' || moved < 0 ? ['sup'] : []),
    ...(value('vertical-align') === 'sub' || moved > 0 ? ['sub'] : []),
  ]
}

/** What a style sheet says about classes. Rules for media, and those with other selectors, are passed over. */
export function looksIn(css: string): Looks {
  const looks = new Map<string, Map<string, Declared>>()
  const text = css.slice(0, longest).replace(/\/\*[^]*?(?:\*\/|$)/g, '')
  let [selectors, depth, from] = ['', 0, 0]
  for (const { 0: sign, index } of text.matchAll(/[{}]/g)) {
    const before = text.slice(from, index)
    from = index + 1
    if (sign === '{') selectors = depth++ === 0 ? before.slice(before.lastIndexOf(';') + 1) : ''
    else {
      depth = Math.max(0, depth - 1)
      const own = selectors.split(',').map((one) => one.trim()).filter((one) => /^[a-z\d]*\.[\w-]+$/i.test(one))
      const declarations = own.length === 0 ? [] : declarationsIn(before, index)
      for (const selector of own) {
        const all = looks.get(selector) ?? new Map<string, Declared>()
        add(all, declarations, selector.startsWith('.') ? ranks.class : ranks.classOfElement)
        looks.set(selector, all)
      }
      selectors = ''
    }
  }
  return looks
}

/** What the classes of an element, by all of the sheets, and its own style say about its text, as elements; null if it is not displayed. */
export function looksFor(sheets: readonly Looks[], name: string, { class: classes = '', style = '' }: Readonly<Record<string, string>>): readonly string[] | null {
  const all = new Map<string, Declared>()
  const selectors = classes === '' ? [] : [...new Set(classes.split(/\s+/))].flatMap((one) => [`.${one}`, `${name}.${one}`])
  for (const looks of sheets) add(all, selectors.flatMap((one) => [...(looks.get(one) ?? [])]).sort(([, a], [, b]) => a.at - b.at))
  if (style !== '') add(all, declarationsIn(style, 0), ranks.own)
  return looksOf(all)
}
