/** An address in a text, and its position. */
export interface FoundAddress {
  /** With marks after it that may not belong to it. */
  readonly said: string
  readonly start: number
  readonly end: number
}

/**
 * What an address is made of: no spaces, and no marks that stand around addresses rather than in them, unless Latin letters
 * or digits go on behind them, as browsers take `。` for the dot in a host.
 */
const around = '"`，。、；：！？「」『』（）'
const sign = `(?:[^\\s<>${around}]|[${around}](?=[\\w%]))`
/** An HTML element with attributes: what it loads or opens can be written in too many ways to be looked for in it. */
const element = /<[a-z][^<>]{0,2000}=[^<>]{0,2000}>?/giu
/** What stands before the targets of links and pictures in markdown: in the text, below it, and between angle brackets. */
const opening = /\]\(\s*<?|^ {0,3}\[[^\]\n]{1,200}\]:\s*(?=\S+[^\S\n]*(?:$|["'(]))|<(?=[a-z][a-z0-9+.-]{1,30}:[^\s<>])/gimu
/** What viewers of texts take for addresses. Browsers forgive missing and wrong slashes, so they count as well. */
const address = new RegExp(
  [`(?:\\b[a-z][a-z0-9+.-]{1,20}:)?[/\\\\]{2}(?![/\\\\])${sign}+`, `\\b(?:https?:|javascript:|data:[a-z]+/)${sign}+`, `\\bwww\\.${sign}+`, '[\\w.+-]{1,64}@[\\w-]+(?:\\.[\\w-]+)+'].join('|'),
  'giu',
)

/** Everything in a text that its reader, or a program that shows it, may load or open, in order: addresses, and elements with attributes. */
export function addressesIn(text: string): readonly FoundAddress[] {
  const elements = matchesOf(element, text)
  const targets = targetsIn(withoutAddresses(text, elements))
  const others = matchesOf(address, withoutAddresses(text, [...elements, ...targets].sort(byPlace)))
  return [...elements, ...targets, ...others].sort(byPlace)
}

const byPlace = (a: FoundAddress, b: FoundAddress): number => a.start - b.start
const matchesOf = (pattern: RegExp, text: string): readonly FoundAddress[] => [...text.matchAll(pattern)].map(({ 0: said, index }) => ({ said, start: index, end: index + said.length }))

/** The targets in a text. One within another is a part of it, whichever of them a viewer sees. */
function targetsIn(text: string): readonly FoundAddress[] {
  const found: FoundAddress[] = []
  for (const { 0: before, index } of text.matchAll(opening)) {
    const start = index + before.length
    if (index < (found.at(-1)?.end ?? 0)) continue
    const end = endOfTarget(text, start, before)
    if (end > start) found.push({ said: text.slice(start, end), start, end })
  }
  return found
}

/** Where a target ends: at its bracket, or at white space; in the text also at a parenthesis that was not opened in it. */
function endOfTarget(text: string, start: number, before: string): number {
  if (before.endsWith('<')) return start + ((before === '<' ? /[>\s]/ : /[>\n]/).exec(text.slice(start))?.index ?? text.length - start)
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const letter = text[at] ?? ''
    if (/\s/.test(letter)) return at
    if (letter === '\\') at++
    else if (letter === '(') depth++
    else if (letter === ')' && before.startsWith('](') && --depth < 0) return at
  }
  return text.length
}

/** A text with spaces in place of what was found in it, in order. */
export function withoutAddresses(text: string, found: readonly FoundAddress[]): string {
  const pieces = found.map(({ start, end }, at) => text.slice(found[at - 1]?.end ?? 0, start) + ' '.repeat(end - start))
  return pieces.join('') + text.slice(found.at(-1)?.end ?? 0)
}

/** An address without the marks at its end. */
export function bareAddress(said: string): string {
  let end = said.length
  while (end > 0 && !/[\p{L}\p{N}]/u.test(said[end - 1] ?? '')) end--
  return said.slice(0, end)
}
