/** The elements that say what a class of a style sheet says about its text; null for text that is not displayed. */
export type Looks = ReadonlyMap<string, readonly string[] | null>

/** The longest style sheet that is read, in code units. */
const longest = 1_000_000

/** What the declarations of a rule say. */
function looksOf(declarations: string): readonly string[] | null {
  const said = new Map(declarations.split(';').map((one): [string, string] => {
    const [name = '', value = ''] = one.toLowerCase().split(':', 2)
    return [name.trim(), value.replace('!important', '').trim()]
  }))
  const value = (name: string): string => said.get(name) ?? ''
  if (value('display') === 'none' || value('visibility') === 'hidden') return null
  const isSmall = /^0?\.\d+em$/.test(value('font-size'))
  const moved = value('position') === 'relative' && isSmall ? Number.parseFloat(value('top')) : 0
  return [
    ...(/^(?:bold|bolder|[6-9]00)$/.test(value('font-weight')) ? ['strong'] : []),
    ...(/^(?:italic|oblique)\b/.test(value('font-style')) ? ['em'] : []),
    ...(`${value('text-decoration')} ${value('text-decoration-line')}`.includes('line-through') ? ['s'] : []),
    ...(value('vertical-align') === 'super' || moved < 0 ? ['sup'] : []),
    ...(value('vertical-align') === 'sub' || moved > 0 ? ['sub'] : []),
  ]
}

/** What a style sheet says about classes, alone (".a") or of one element ("p.a"). Rules for media, and those with other selectors, are passed over. */
export function looksIn(css: string): Looks {
  const looks = new Map<string, readonly string[] | null>()
  const text = css.slice(0, longest).replace(/\/\*[^]*?(?:\*\/|$)/g, '')
  let [selectors, depth] = ['', 0]
  for (const [, before = '', sign = ''] of text.matchAll(/([^{}]*)([{}])/g)) {
    if (sign === '{') selectors = depth++ === 0 ? (before.split(';').at(-1) ?? '') : ''
    else {
      depth = Math.max(0, depth - 1)
      const own = selectors.split(',').map((one) => one.trim()).filter((one) => /^[a-z\d]*\.[\w-]+$/i.test(one))
      for (const selector of own) looks.set(selector, looksOf(before))
      selectors = ''
    }
  }
  return looks
}

/** What the classes of an element say about its text, by all of the sheets. */
export function looksFor(sheets: readonly Looks[], name: string, classes: string | undefined): readonly string[] | null {
  const said = sheets.length === 0 || classes === undefined ? [] : classes.split(/\s+/).flatMap((one) => sheets.flatMap((looks) => [looks.get(`.${one}`), looks.get(`${name}.${one}`)]))
  return said.includes(null) ? null : [...new Set(said.flatMap((one) => one ?? []))]
}
