import type { Element, Text } from './tree.ts'

/** Where scripts that only count up are told how far: Elementor, PureCounter, countTo. */
const ends = ['data-to-value', 'data-purecounter-end', 'data-count-to'] as const
/** Where others like them are; a goal or a limit may stand there, too. */
const perhapsEnds = ['data-count', 'data-counter', 'data-to', 'data-target', 'data-stop'] as const
const value = /^\d{1,15}(?:\.\d{1,4})?$/
/** What stands between thousands. */
const delimiters = /^[,.' \u00a0\u2009\u202f]$/

/** The number that a script counts up to in a counter of which a text is all; otherwise the text. */
export function counted({ data, prev, next }: Text, { attribs }: Element): string {
  if (prev !== null || next !== null) return data
  const valueOf = (names: readonly string[]): string | undefined => names.map((name) => attribs[name]).find((said) => said !== undefined)
  const end = valueOf(ends)
  const said = end ?? valueOf(perhapsEnds)
  if (said === undefined || !value.test(said) || digitsOf(said) === digitsOf(data)) return data
  const isStart = /^[0.,\s]+$/.test(data) || digitsOf(data) === digitsOf(attribs['data-from'] ?? '')
  return end === undefined && !isStart ? data : written(said, attribs['data-delimiter'] ?? '')
}

/** A value with a delimiter between its thousands. A point is none where it comes before a fraction. */
function written(said: string, delimiter: string): string {
  const [whole = '', ...part] = said.split('.')
  const isApart = delimiters.test(delimiter) && !(part.length > 0 && delimiter === '.')
  return [isApart ? whole.replace(/\B(?=(?:\d{3})+$)/g, delimiter) : whole, ...part].join('.')
}

const digitsOf = (text: string): string => text.replace(/\D/g, '')
