/** An address in a text, and its position. */
export interface FoundAddress {
  /** With marks after it that may not belong to it. */
  readonly said: string
  readonly start: number
  readonly end: number
}

/** What an address is made of: no spaces, and no marks that stand around addresses rather than in them. */
const sign = '[^\\s<>"`，。、；：！？「」『』（）]'
/** An HTML element with attributes: what it loads or opens can be written in too many ways to be looked for in it. */
const element = /<[a-z][^<>]{0,2000}=[^<>]{0,2000}>?/giu
/**
 * The targets of links and pictures in markdown, and what viewers of texts take for addresses. Browsers forgive missing and
 * wrong slashes, so they count as well.
 */
const address = new RegExp(
  [`(?<=\\]\\(\\s{0,9})${sign}+`, `(?:\\b[a-z][a-z0-9+.-]{1,20}:)?[/\\\\]{2}(?![/\\\\])${sign}+`, `\\b(?:https?:|javascript:|data:[a-z]+/)${sign}+`, `\\bwww\\.${sign}+`, '[\\w.+-]{1,64}@[\\w-]+(?:\\.[\\w-]+)+'].join('|'),
  'giu',
)

/** Everything in a text that its reader, or a program that shows it, may load or open, in order: addresses, and elements with attributes. */
export function addressesIn(text: string): readonly FoundAddress[] {
  const found = (pattern: RegExp, where: string): readonly FoundAddress[] => [...where.matchAll(pattern)].map(({ 0: said, index }) => ({ said, start: index, end: index + said.length }))
  return [...found(element, text), ...found(address, withoutElements(text))].sort((a, b) => a.start - b.start)
}

const withoutElements = (text: string): string => text.replace(element, (whole) => ' '.repeat(whole.length))

/** An address without the marks at its end. */
export function bareAddress(said: string): string {
  let end = said.length
  while (end > 0 && !/[\p{L}\p{N}]/u.test(said[end - 1] ?? '')) end--
  return said.slice(0, end)
}
